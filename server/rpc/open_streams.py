"""Checks the callers of streams again while the streams go on.

A stream can last longer than the rights of its caller. It ends after its token is revoked or
expires, or its caller loses the permission, within the time for which callers are cached
(`access/cached_callers.py`), and at once when the time of a role has passed. It also ends if the
database fails or does not answer in time.

The rule: a stream that needs a permission continues only while its caller could begin it.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

from server.access.authenticator import Authenticator
from server.access.cached_callers import CACHE_SECONDS
from server.access.caller import Caller
from server.access.tokens import Token
from server.rpc.call import Call
from server.values.errors import Failure, FixedFailure, Kind

# The time limit of one check of all streams: a stream whose caller is not confirmed by then ends.
_ANSWER_SECONDS = 1
# The pause between two checks.
CHECK_SECONDS: Final = CACHE_SECONDS - _ANSWER_SECONDS
# The number of tokens that are looked up at the same time, so that a slow look-up delays no others.
_AT_ONCE = 32


class OpenStreams:
    """The streams that have begun and not ended, and whose methods need a permission."""

    def __init__(
        self, authenticator: Authenticator, authorize: Callable[[Any, Call], Awaitable[None]]
    ) -> None:
        """`authorize` checks the permission of the caller of a call for a request."""
        self._authenticator = authenticator
        self._authorize = authorize
        self._requests: dict[Call, Any] = {}
        # The timers of calls whose callers have a role that ends, and the checks that they began.
        self._timers: dict[Call, asyncio.TimerHandle] = {}
        self._checks: set[asyncio.Task[None]] = set()

    @contextlib.contextmanager
    def watched(self, call: Call, request: Any) -> Iterator[None]:
        """Checks the caller of the stream during the block."""
        if call.method.access is None or not call.method.access.permission:
            yield
            return
        self._requests[call] = request
        self._check_at_end_of_role(call)
        try:
            yield
        finally:
            del self._requests[call]
            if (timer := self._timers.pop(call, None)) is not None:
                timer.cancel()

    async def check(self) -> None:
        """Ends the streams that their callers could not begin now, with one look-up per token."""
        by_token = defaultdict(list)
        for call in self._requests:
            by_token[call.token].append(call)
        places = asyncio.Semaphore(_AT_ONCE)
        until = asyncio.get_running_loop().time() + _ANSWER_SECONDS
        async with asyncio.TaskGroup() as tasks:
            for token, calls in by_token.items():
                tasks.create_task(self._check_token(places, until, token, calls))

    async def _check_token(
        self, places: asyncio.Semaphore, until: float, token: Token | None, calls: Sequence[Call]
    ) -> None:
        try:
            async with asyncio.timeout_at(until), places:
                caller = await self._authenticator.authenticate_again(token)
                for call in calls:
                    await self._check_permission(call, caller)
        except Failure as failure:
            _stop(calls, failure)
        except TimeoutError:
            _stop(calls, _no_answer())

    async def _check_permission(self, call: Call, caller: Caller) -> None:
        if call not in self._requests:  # it has ended meanwhile
            return
        call.caller = caller
        self._check_at_end_of_role(call)
        try:
            await self._authorize(self._requests[call], call)
        except Failure as failure:
            call.stop(failure)

    def _check_at_end_of_role(self, call: Call) -> None:
        """Checks the caller again at the moment at which the first of its roles ends."""
        if (timer := self._timers.pop(call, None)) is not None:
            timer.cancel()
        caller = getattr(call, "caller", None)
        if isinstance(caller, Caller) and caller.roles_end_at is not None:
            left = (caller.roles_end_at - caller.now()).total_seconds()
            loop = asyncio.get_running_loop()
            self._timers[call] = loop.call_later(left, self._check_now, call)

    def _check_now(self, call: Call) -> None:
        until = asyncio.get_running_loop().time() + _ANSWER_SECONDS
        check = asyncio.create_task(
            self._check_token(asyncio.Semaphore(1), until, call.token, [call])
        )
        self._checks.add(check)
        check.add_done_callback(self._checks.discard)


def _stop(calls: Sequence[Call], failure: Failure) -> None:
    for call in calls:
        call.stop(failure)


_no_answer: Final = FixedFailure(
    "DATABASE_UNAVAILABLE",
    "The database did not confirm in time that the caller may read the stream. Call the method"
    " again, and resume after the last message.",
    kind=Kind.UNAVAILABLE,
    retry_after=timedelta(seconds=1),
)
