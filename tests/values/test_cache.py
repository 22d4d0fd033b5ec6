"""The cache of values, which single calls read for all that wait."""

import asyncio

import pytest

from server.values.cache import Cache


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    clock = _Clock()
    monkeypatch.setattr("server.values.cache.monotonic", clock)
    return clock


@pytest.fixture
def cache(clock: _Clock) -> Cache[str, int | None]:
    return Cache(2, failed_seconds=3)


async def _get(
    cache: Cache[str, int | None], value: int | None, key: str = "a", *, seconds: float = 5
) -> int | None:
    """The value of the key, which is `value` now."""

    async def read() -> int | None:
        return value

    return await cache.get(key, read, seconds=seconds)


async def _fail(
    cache: Cache[str, int | None], error: type[BaseException] = LookupError, *, seconds: float = 5
) -> None:
    async def fail() -> int:
        raise error

    with pytest.raises(error):
        await cache.get("a", fail, seconds=seconds)


class _SlowRead:
    """A read that goes on when it is told to."""

    def __init__(self) -> None:
        self.begun, self.go_on, self.count = asyncio.Event(), asyncio.Event(), 0

    async def __call__(self) -> int:
        self.count += 1
        self.begun.set()
        await self.go_on.wait()
        return self.count


async def test_a_value_is_as_old_as_the_beginning_of_its_read(
    cache: Cache[str, int | None], clock: _Clock
) -> None:
    async def slow() -> int:
        clock.now += 2
        return 1

    assert await cache.get("a", slow, seconds=5) == 1
    clock.now = 4.9
    assert await _get(cache, None) == 1
    clock.now = 5
    assert await _get(cache, None) is None
    assert await _get(cache, 2) is None  # None is a value, too


async def test_concurrent_calls_share_a_read_that_outlives_the_first_one(
    cache: Cache[str, int | None],
) -> None:
    read = _SlowRead()
    first = asyncio.create_task(cache.get("a", read, seconds=5))
    await read.begun.wait()
    others = [asyncio.create_task(cache.get("a", read, seconds=5)) for _ in range(3)]
    await asyncio.sleep(0)
    assert cache.reading == 1
    first.cancel()
    read.go_on.set()

    assert await asyncio.gather(*others) == [1, 1, 1]
    assert cache.reading == 0
    with pytest.raises(asyncio.CancelledError):
        await first


@pytest.mark.parametrize("failed_seconds", [0, 3])
@pytest.mark.parametrize("error", [None, LookupError()])
async def test_calls_that_come_before_during_and_just_after_a_read_share_it(
    failed_seconds: float, error: Exception | None
) -> None:
    cache: Cache[str, int] = Cache(failed_seconds=failed_seconds)
    reads = 0

    async def read() -> int:
        nonlocal reads
        reads += 1
        for _ in range(10):
            await asyncio.sleep(0)
        if error:
            raise error
        return reads

    async def ask(step: int) -> int:
        for _ in range(step):
            await asyncio.sleep(0)
        return await cache.get("a", read, seconds=5)

    found = await asyncio.gather(*(ask(step) for step in range(12)), return_exceptions=True)

    assert set(found) == {error or 1}
    assert reads == 1


async def test_a_failure_is_repeated_for_a_while_from_its_end(
    cache: Cache[str, int | None], clock: _Clock
) -> None:
    async def fail_slowly() -> int:
        clock.now = 2
        raise LookupError

    with pytest.raises(LookupError):
        await cache.get("a", fail_slowly, seconds=5)
    clock.now = 4.9
    with pytest.raises(LookupError):
        await _get(cache, 1)
    clock.now = 5
    assert await _get(cache, 1) == 1


async def test_a_failure_is_not_repeated_without_a_time_for_it(clock: _Clock) -> None:
    cache: Cache[str, int | None] = Cache()
    await _fail(cache)
    assert await _get(cache, 1) == 1


async def test_a_read_that_was_cancelled_is_repeated(cache: Cache[str, int | None]) -> None:
    await _fail(cache, asyncio.CancelledError)
    assert await _get(cache, 1) == 1


async def test_a_failure_leaves_the_value_for_callers_who_take_older_ones(
    cache: Cache[str, int | None], clock: _Clock
) -> None:
    await _get(cache, 1)
    clock.now = 1
    await _fail(cache, seconds=1)

    assert await _get(cache, 2) == 1
    await _fail(cache, seconds=1)
    assert cache.known("a") == 1
    assert cache.known("a", seconds=1) is None
    assert cache.known("b") is None


async def test_an_error_before_the_read_begins_concerns_its_caller_alone(
    cache: Cache[str, int | None],
) -> None:
    def refuse() -> asyncio.Future[int | None]:
        raise LookupError

    with pytest.raises(LookupError):
        await cache.get("a", refuse, seconds=5)
    assert await _get(cache, 1) == 1


@pytest.mark.parametrize("forgets", [True, False])
async def test_after_it_was_forgotten_a_value_is_read_again_even_if_a_read_runs(
    cache: Cache[str, int | None], *, forgets: bool
) -> None:
    read = _SlowRead()
    running = asyncio.create_task(cache.get("a", read, seconds=5))
    await read.begun.wait()
    if forgets:
        cache.forget("a")
        assert await _get(cache, 2) == 2
    read.go_on.set()
    assert await running == 1

    assert await _get(cache, 3) == (2 if forgets else 1)


async def test_a_value_that_was_forgotten_is_the_last_one_until_the_next_read(
    cache: Cache[str, int | None],
) -> None:
    await _get(cache, 1)
    cache.forget("a")
    await _fail(cache)

    assert (cache.known("a"), cache.known("a", seconds=5)) == (1, None)
    cache.forget("a")
    assert await _get(cache, 2) == 2


async def test_a_failure_that_was_forgotten_is_not_repeated(
    cache: Cache[str, int | None],
) -> None:
    await _fail(cache)
    cache.forget("a")
    assert await _get(cache, 1) == 1


async def test_an_error_of_a_read_that_was_forgotten_is_not_repeated(
    cache: Cache[str, int | None],
) -> None:
    async def fail() -> int:
        cache.forget("a")
        raise LookupError

    with pytest.raises(LookupError):
        await cache.get("a", fail, seconds=5)
    assert await _get(cache, 1) == 1


async def test_the_value_that_was_not_used_for_longest_is_dropped(
    cache: Cache[str, int | None],
) -> None:
    for key in ("a", "b", "a", "c"):
        await _get(cache, 1, key)

    assert [await _get(cache, 2, key) for key in ("a", "c", "b")] == [1, 1, 2]
