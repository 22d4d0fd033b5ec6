"""Look-ups of callers, shared by concurrent calls with the same token.

While a token is looked up, further calls with this token wait. When the look-up ends, one of them
looks the token up again, for all that wait.

The rule: no call gets the result of a look-up that began before the call asked, because the token
may have been revoked since.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from server.access.caller import Caller
from server.store.turns import current_claimant
from server.values.errors import Failure

# Finds the caller of a token by its hash.
Find: TypeAlias = Callable[[bytes], Awaitable[Caller | None]]
# The caller, or the failure of the database; no result if the call of the look-up was cancelled.
_Result: TypeAlias = tuple[Caller | None, Failure | None]
_Waiting: TypeAlias = list[asyncio.Future[_Result | None]]


class SharedLookups:
    """The look-ups that run now, at most one for each token, and the calls that wait for them."""

    def __init__(self) -> None:
        self._running: dict[tuple[bytes, bool], _Waiting] = {}

    async def share(self, find: Find, token_hash: bytes) -> Caller | None:
        """The result of `find`, called after this call asked. Raises its `Failure`."""
        # Calls that revoke have connections in reserve, so they do not wait for others.
        key = token_hash, current_claimant.get().claim.revokes
        if (earlier := self._running.get(key)) is not None:
            await _end_of(earlier)
        while (running := self._running.get(key)) is not None:
            if (shared := await _end_of(running)) is not None:
                caller, failed = shared
                if failed is not None:
                    raise failed
                return caller
        waiting: _Waiting = []
        self._running[key] = waiting
        result: _Result | None = None
        try:
            caller = await find(token_hash)
            result = caller, None
        except Failure as failure:
            result = None, failure
            raise
        finally:
            del self._running[key]
            for turn in waiting:
                if not turn.done():
                    turn.set_result(result)
        return caller


async def _end_of(waiting: _Waiting) -> _Result | None:
    turn = asyncio.get_running_loop().create_future()
    waiting.append(turn)
    result: _Result | None = await turn
    return result
