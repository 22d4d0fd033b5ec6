"""Calls that begin during a shutdown."""

import asyncio

import pytest

from server.access.authorizer import Access, Scope
from server.rpc.call import Call
from server.rpc.declared import Method
from server.rpc.running_calls import RunningCalls
from server.values.errors import Failure

_ACCESS = Access(
    "idp.read", Scope.INSTANCE, by_self=False, by_registration_token=False, by_link_code=False
)
_CALL, _STREAM = Method("/p.S/Call", _ACCESS), Method("/p.S/Stream", _ACCESS, is_stream=True)
_HEALTH, _WATCH = Method("/p.S/Check"), Method("/p.S/Watch", is_stream=True)


def _is_refused(running: RunningCalls, method: Method) -> bool:
    call = Call(method, (), peer="", time_left=None, default_timeout=60)
    try:
        if running.is_closed:
            running.refuse(call)
    except Failure as failure:
        return failure.reason == "SHUTTING_DOWN"
    return False


@pytest.mark.parametrize(
    ("method", "while_calls_end", "while_streams_end"),
    [
        (_CALL, True, True),
        (_HEALTH, False, False),
        (_STREAM, False, True),
        (_WATCH, False, True),
    ],
)
async def test_calls_are_refused_before_streams_and_health_never(
    method: Method, *, while_calls_end: bool, while_streams_end: bool
) -> None:
    running = RunningCalls()
    assert not _is_refused(running, method)

    running.close()
    assert _is_refused(running, method) == while_calls_end
    running.cut_off()
    assert _is_refused(running, method) == while_streams_end


async def test_the_server_waits_again_after_each_refused_call() -> None:
    running = RunningCalls()
    running.close()
    waiting = asyncio.create_task(running.quiet(0.05, most_seconds=60))

    async with asyncio.timeout(30):
        for _ in range(10):
            assert _is_refused(running, _CALL)
            await asyncio.sleep(0.02)
            assert not waiting.done()
        await waiting
