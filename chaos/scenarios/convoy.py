"""One caller with very many calls at once, beside callers with one each.

A user creates tokens for itself: each call locks the row of that user.
"""

import asyncio
import contextlib
import statistics
import time
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count, cycle

from chaos.load import Caller, callers
from chaos.promises import (
    promise_no_unexpected_errors,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given, http2
from tests.support.transports import authorization

_CREATE_TOKEN = "/keystead.user.v1.UserService/CreateToken"  # noqa: S105 -- the name of a method
_ROLE = user_pb.ROLE_ORG_USER_MANAGER
# The calls of one connection. The server refuses more of them, and refused calls make no convoy.
_MOST_CALLS = 100
# The time until the first calls have arrived.
_START_SECONDS = 1
# The share of the convoy that may be answered during one call of another caller. In the order of
# arrival, each call would wait for all of it.
_MOST_OVERTAKING = 0.25


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Measures other callers before and during the convoy, and revokes the user during it."""
    number, calls = min(scale.piled_up // 3, _MOST_CALLS), max(100, scale.writes // 4)
    async with (
        stage.database() as dsn,
        stage.server(dsn) as served,
        callers(served.ports, served.token, 3) as honest,
    ):
        admin = given.Client(honest[0].channel, served.token)
        user = await given.user(admin, roles=[_ROLE])
        await _p99(honest, calls)  # not counted: first calls load modules and open connections
        quiet = await _p99(honest, calls)
        async with _convoy(served, user, number) as answered:
            before = answered()
            busy = await _p99(honest, calls)
            meanwhile = answered() - before
            began = time.monotonic()
            revoke = user_pb.RevokeRoleRequest(user_id=user.user_id, role=_ROLE)
            revoked = await honest[0].call("RevokeRole", revoke)
            took = time.monotonic() - began
        report.did(
            f"made {number} calls of CreateToken at a time for one user, by itself;"
            f" {meanwhile} were answered during {calls} other calls"
        )
        report.saw(
            f"99 of 100 honest calls took up to {quiet * 1000:.1f} ms before, {busy * 1000:.1f} ms"
            f" meanwhile; revoking a role of the user took {took * 1000:.1f} ms"
        )
        most = number * _MOST_OVERTAKING
        report.promise(
            f"on average at most {_MOST_OVERTAKING:.0%} of the convoy overtakes a call of others",
            unless=[f"{meanwhile} during {calls} calls"] if meanwhile > calls * most else [],
        )
        report.promise(
            "a role of the user is revoked during the convoy",
            unless=[] if revoked.response is not None else [revoked.status.message],
        )
        report.promise(
            "meanwhile the user was served too", unless=[] if meanwhile else ["it was not"]
        )
        promise_no_unexpected_errors(report, served)


async def _p99(honest: Sequence[Caller], calls: int) -> float:
    """The 99th percentile of reads, one after the other, over each transport in turn."""
    seconds = []
    for _, caller in zip(range(calls), cycle(honest), strict=False):
        began = time.monotonic()
        await caller.call("ListUsers", user_pb.ListUsersRequest())
        seconds.append(time.monotonic() - began)
    return statistics.quantiles(seconds, n=100)[-1]


@contextlib.asynccontextmanager
async def _convoy(
    served: Served, user: given.Client, number: int
) -> AsyncIterator[Callable[[], int]]:
    """Keeps this number of calls open until the end of the block.

    Gives a function that returns the number of answers so far.
    """
    answers = 0
    async with http2.established(served.ports.grpc) as connection:
        connection.widen_window()
        request = user_pb.CreateTokenRequest(user_id=user.user_id)
        headers = authorization(user.token)

        async def make_calls() -> None:
            nonlocal answers
            for place in count():
                if place >= number:
                    await connection.end_of_any()
                    answers += 1
                stream = 2 * place + 1
                connection.writer.write(
                    http2.whole_call(_CREATE_TOKEN, request, headers, stream=stream)
                )
                await connection.writer.drain()

        making = asyncio.create_task(make_calls())
        try:
            await asyncio.sleep(_START_SECONDS)
            yield lambda: answers
        finally:
            making.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await making
