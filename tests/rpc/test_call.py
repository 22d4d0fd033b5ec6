"""The deadline of a call, and the end of a call that exceeds it."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable

import pytest

from server.rpc.call import Call, shutting_down
from server.rpc.declared import Method
from server.values.errors import Failure, Kind

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_METHOD = Method("/p.S/M")


def _call(seconds: float, *, is_client_deadline: bool = True) -> Call:
    return Call(
        _METHOD,
        (),
        peer="",
        time_left=seconds if is_client_deadline else None,
        default_timeout=seconds,
    )


async def _ages() -> None:
    await asyncio.Future()


async def _run(
    call: Call, block: Callable[[], Awaitable[None]] = _ages, running: set[Call] | None = None
) -> None:
    """Begins the call, runs the coroutine in it, and ends the call, like the seam."""
    call.begin(set() if running is None else running)
    try:
        await block()
    except BaseException as error:  # noqa: BLE001 -- as the seam
        call.end(error)
    else:
        call.end()


def _cancellations() -> int:
    task = asyncio.current_task()
    assert task is not None
    return task.cancelling()


def _kind(call: Call) -> Kind:
    assert call.failure is not None
    return call.failure.kind


async def test_a_call_that_ends_in_time_is_left_alone() -> None:
    running: set[Call] = set()
    call = _call(60)

    async def looks() -> None:
        assert running == {call}
        await asyncio.sleep(0)

    await _run(call, looks, running)

    assert (running, call.code, call.failure) == (set(), "OK", None)


@pytest.mark.parametrize("seconds", [0.01, 0, -1_000_000])
async def test_a_call_ends_at_its_deadline(seconds: float) -> None:
    running: set[Call] = set()
    call = _call(seconds)

    await _run(call, running=running)

    assert (_kind(call), running, _cancellations()) == (Kind.DEADLINE_EXCEEDED, set(), 0)


@pytest.mark.parametrize(
    ("deadline", "heard"), [(0.5, 0.5), (1.001, 1.01), (10.001, 10.1), (50.001, 50.1), (100.1, 101)]
)
async def test_a_call_ends_before_a_deadline_that_grpc_rounds_up(
    deadline: float, heard: float
) -> None:
    assert _call(heard).seconds_left <= deadline - 0.02


async def test_a_call_that_is_cut_off_learns_that_the_server_ends() -> None:
    call = _call(60)
    asyncio.get_running_loop().call_soon(call.stop, shutting_down())

    await _run(call)

    assert call.failure is not None
    assert (call.failure.kind, call.failure.reason) == (Kind.UNAVAILABLE, "SHUTTING_DOWN")


async def test_the_first_of_two_ends_counts_and_the_second_cancels_nothing() -> None:
    call = _call(0)

    async def tidies() -> None:
        try:
            await _ages()
        finally:
            call.stop(shutting_down())
            await asyncio.sleep(0)  # a second cancellation would arrive here

    await _run(call, tidies)

    assert (_kind(call), _cancellations()) == (Kind.DEADLINE_EXCEEDED, 0)


async def test_a_client_that_leaves_at_the_deadline_has_left() -> None:
    call = _call(60)
    task = asyncio.create_task(_run(call))
    await asyncio.sleep(0)

    call.stop(shutting_down())
    task.cancel()
    await task

    assert (call.code, call.failure) == ("CANCELLED", None)


async def test_an_error_of_a_call_after_its_deadline_is_its_end() -> None:
    own = Failure(Kind.ABORTED, "OWN", "Its own.")

    async def fails() -> None:
        try:
            await _ages()
        except asyncio.CancelledError:
            raise own from None

    call = _call(0)
    await _run(call, fails)

    assert (call.failure, _cancellations()) == (own, 0)


async def test_nothing_is_cancelled_after_the_end_of_a_call() -> None:
    call = _call(0)
    call.begin(set())
    call.end()

    await asyncio.sleep(0.01)
    call.stop(shutting_down())

    assert _cancellations() == 0


@pytest.mark.parametrize("is_client_deadline", [False, True])
async def test_a_stream_ends_by_the_deadline_of_its_client_alone(is_client_deadline: bool) -> None:
    call = _call(0, is_client_deadline=is_client_deadline)

    async def streams() -> None:
        call.lift_deadline_of_server()
        await asyncio.sleep(0.01)

    await _run(call, streams)

    assert call.code == ("DEADLINE_EXCEEDED" if is_client_deadline else "OK")


class _Request:
    """An object that a call refers to."""


async def test_a_call_that_ended_keeps_nothing_alive() -> None:
    used: list[weakref.ref[_Request]] = []

    async def fails() -> None:
        request = _Request()
        used.append(weakref.ref(request))
        try:
            int("no number")
        except ValueError as error:
            raise Failure(Kind.ABORTED, "REASON", "Message.") from error

    gc.disable()
    try:
        call = _call(60)
        await asyncio.create_task(_run(call, fails))
        assert used[0]() is None
    finally:
        gc.enable()


async def test_the_caller_of_an_open_method_is_nobody() -> None:
    with pytest.raises(AttributeError, match="caller"):
        _ = _call(60).caller
