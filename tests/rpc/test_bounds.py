"""The time that a call has, and how it ends when that is over."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from server.rpc.deadline import Bounds
from server.values.errors import Failure, Kind


def _in(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def _ages() -> None:
    await asyncio.Future()


async def _run(bounds: Bounds, block: Callable[[], Awaitable[None]] = _ages) -> None:
    async with bounds:
        await block()


async def _end_of(bounds: Bounds, block: Callable[[], Awaitable[None]] = _ages) -> Failure:
    with pytest.raises(Failure) as ended:
        await _run(bounds, block)
    return ended.value


def _cancellations() -> int:
    task = asyncio.current_task()
    assert task is not None
    return task.cancelling()


async def test_what_ends_in_time_is_left_alone() -> None:
    running: set[Bounds] = set()

    async with Bounds(running, _in(60)) as bounds:
        assert running == {bounds}
        await asyncio.sleep(0)

    assert running == set()


@pytest.mark.parametrize("seconds", [0.01, 0, -1_000_000])
async def test_at_its_deadline_it_ends(seconds: float) -> None:
    running: set[Bounds] = set()

    failure = await _end_of(Bounds(running, _in(seconds)))

    assert failure.kind is Kind.DEADLINE_EXCEEDED
    assert running == set()
    assert _cancellations() == 0


async def test_what_is_cut_off_hears_that_the_server_ends() -> None:
    bounds = Bounds(set(), _in(60))
    asyncio.get_running_loop().call_soon(bounds.cut_off)

    failure = await _end_of(bounds)

    assert (failure.kind, failure.reason) == (Kind.UNAVAILABLE, "SHUTTING_DOWN")


async def test_the_first_of_two_ends_counts_and_the_second_cancels_nothing() -> None:
    bounds = Bounds(set(), _in(0))

    async def tidies() -> None:
        try:
            await _ages()
        finally:
            bounds.cut_off()
            await asyncio.sleep(0)  # where a second cancellation would arrive

    failure = await _end_of(bounds, tidies)

    assert failure.kind is Kind.DEADLINE_EXCEEDED
    assert _cancellations() == 0


async def test_a_client_that_leaves_at_the_deadline_has_left() -> None:
    bounds = Bounds(set(), _in(60))
    call = asyncio.create_task(_run(bounds))
    await asyncio.sleep(0)

    bounds.cut_off()
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call


async def test_an_error_of_its_own_is_not_the_deadline() -> None:
    async def fails() -> None:
        try:
            await _ages()
        except asyncio.CancelledError:
            raise ValueError("its own") from None

    with pytest.raises(ValueError, match="its own"):
        await _run(Bounds(set(), _in(0)), fails)

    assert _cancellations() == 0


async def test_nothing_is_cancelled_after_the_block() -> None:
    async with Bounds(set(), _in(0)):
        pass

    await asyncio.sleep(0.01)

    assert _cancellations() == 0


class _Context:
    """A call whose client has set a deadline, or none."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def time_remaining(self) -> float | None:
        return self._seconds


async def test_a_stream_without_a_deadline_of_its_client_goes_on() -> None:
    async with Bounds(set(), _in(0)) as bounds:
        bounds.lift_unless_set(_Context(None))
        await asyncio.sleep(0.01)


async def test_a_stream_with_a_deadline_of_its_client_ends_then() -> None:
    bounds = Bounds(set(), _in(0))

    async def streams() -> None:
        bounds.lift_unless_set(_Context(0.0))
        await _ages()

    assert (await _end_of(bounds, streams)).kind is Kind.DEADLINE_EXCEEDED
