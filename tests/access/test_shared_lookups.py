"""Concurrent calls with the same token share their look-ups, but never an earlier one."""

import asyncio

import pytest

from server.access.caller import Caller
from server.access.roles import Role
from server.access.shared_lookups import SharedLookups
from server.store.turns import ANONYMOUS, Claim
from server.values.errors import Failure, Kind
from tests.support.databases import in_call

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_HASH = b"hash"
_CALLER = Caller("user", "organization", frozenset({Role.ORG_OWNER}))


class _Database:
    """One token. Each look-up reads at its beginning, and waits for `answer` to end."""

    def __init__(self) -> None:
        self.caller: Caller | Failure | None = _CALLER
        self.lookups: list[asyncio.Future[None]] = []
        self._shared = SharedLookups()

    def call(self) -> asyncio.Task[Caller | None]:
        """A call that asks for the caller, once the event loop runs."""
        return asyncio.create_task(self._shared.share(self._find, _HASH))

    async def running(self, number: int) -> None:
        """Waits until no task can go on; then this number of look-ups have begun."""
        await _settled()
        assert len(self.lookups) == number

    def answer(self, lookup: int = -1) -> None:
        self.lookups[lookup].set_result(None)

    async def _find(self, _hashed: bytes) -> Caller | None:
        found = self.caller
        answered = asyncio.get_running_loop().create_future()
        self.lookups.append(answered)
        await answered
        if isinstance(found, Failure):
            raise found
        return found


async def _settled() -> None:
    """Waits until no task can go on."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_calls_that_ask_during_a_look_up_share_the_next_one() -> None:
    database = _Database()
    first = database.call()
    await database.running(1)
    others = [database.call() for _ in range(5)]
    await _settled()

    assert len(database.lookups) == 1
    database.answer()
    await database.running(2)
    database.answer()

    assert await asyncio.gather(first, *others) == [_CALLER] * 6
    assert len(database.lookups) == 2


async def test_no_call_gets_the_result_of_a_look_up_that_began_before_it_asked() -> None:
    database = _Database()
    before = database.call()
    await database.running(1)
    database.caller = None  # revoked
    after = database.call()
    await _settled()
    database.answer()
    await database.running(2)
    database.answer()

    assert [await before, await after] == [_CALLER, None]


async def test_a_call_that_asks_while_others_share_a_look_up_waits_for_the_one_after() -> None:
    database = _Database()
    calls = [database.call()]
    await database.running(1)
    calls.append(database.call())
    await _settled()
    database.answer()
    await database.running(2)
    database.caller = None  # revoked
    calls.append(database.call())
    await _settled()
    database.answer()
    await database.running(3)
    database.answer()

    assert await asyncio.gather(*calls) == [_CALLER, _CALLER, None]


async def test_when_the_call_of_a_look_up_is_cancelled_another_call_looks_up() -> None:
    database = _Database()
    first = database.call()
    await database.running(1)
    second, third, fourth = (database.call() for _ in range(3))
    await _settled()
    database.answer()
    await database.running(2)

    second.cancel()
    await database.running(3)
    fourth.cancel()
    await _settled()
    database.answer()

    assert [await first, await third] == [_CALLER, _CALLER]
    with pytest.raises(asyncio.CancelledError):
        await second
    assert fourth.cancelled()


async def test_calls_share_the_failure_of_a_look_up() -> None:
    database = _Database()
    database.caller = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
    calls = [database.call()]
    await database.running(1)
    calls += [database.call() for _ in range(2)]
    await _settled()
    database.answer()
    await database.running(2)
    database.answer()

    assert await asyncio.gather(*calls, return_exceptions=True) == [database.caller] * 3
    assert len(database.lookups) == 2


async def test_a_call_that_takes_access_away_waits_for_no_other() -> None:
    database = _Database()
    other = database.call()
    await database.running(1)

    with in_call(Claim(ANONYMOUS, revokes=True)):
        revoking = database.call()
    await database.running(2)
    database.answer()

    assert await revoking == _CALLER
    database.answer(0)
    assert await other == _CALLER
