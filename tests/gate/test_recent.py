"""Values that were read a moment ago."""

import asyncio

import pytest

from server.gate.recent import Recent


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def recent(clock: _Clock) -> Recent[str, int | None]:
    return Recent(now=clock)


async def test_a_value_is_five_seconds_old_at_most_from_the_beginning_of_its_read(
    recent: Recent[str, int | None], clock: _Clock
) -> None:
    async def slow() -> int:
        clock.now += 2
        return 1

    async def later() -> None:
        return None

    assert await recent.get("a", slow) == 1
    clock.now = 4.9
    assert await recent.get("a", later) == 1
    clock.now = 5
    assert await recent.get("a", later) is None
    assert await recent.get("a", slow) is None


async def test_concurrent_calls_share_a_read_that_outlives_the_first_one(
    recent: Recent[str, int | None],
) -> None:
    begun, go_on, reads = asyncio.Event(), asyncio.Event(), 0

    async def read() -> int:
        nonlocal reads
        reads += 1
        begun.set()
        await go_on.wait()
        return reads

    first = asyncio.create_task(recent.get("a", read))
    await begun.wait()
    others = [asyncio.create_task(recent.get("a", read)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    go_on.set()

    assert await asyncio.gather(*others) == [1, 1, 1]
    with pytest.raises(asyncio.CancelledError):
        await first


@pytest.mark.parametrize("error", [LookupError, asyncio.CancelledError])
async def test_a_failed_read_is_repeated(
    recent: Recent[str, int | None], error: type[BaseException]
) -> None:
    async def fail() -> int:
        raise error

    async def read() -> int:
        return 1

    with pytest.raises(error):
        await recent.get("a", fail)
    assert await recent.get("a", read) == 1
