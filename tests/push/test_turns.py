"""Leases and turns of targets, on a database without a server."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from server.deliveries.http.connections import AT_ONCE
from server.deliveries.results import AttemptResult, Backlog, DeliveryState
from server.push import delivery_store, leases
from server.push.delivery_store import Delivery, NewDelivery, PushKind
from server.push.leases import PushAttempt, Tier
from server.store.database import Database, connected
from server.store.retention import delete_ended
from server.values.ids import new_id
from tests.support import given
from tests.support.databases import MakeDatabase

_LEASE = timedelta(minutes=1)
_SENT = AttemptResult(DeliveryState.SENT, destination_works=True, status=200, answer="fine")
_REFUSED = AttemptResult(
    DeliveryState.PENDING,
    "UNEXPECTED_STATUS",
    "Status 500.",
    destination_works=True,
    status=500,
    answer="no",
)
_DEAD = AttemptResult(DeliveryState.PENDING, "TIMEOUT", "No answer.", destination_works=False)


@dataclass
class Pushes:
    """A database with deliveries. Positions count up."""

    dsn: str
    database: Database
    sql: asyncpg.Connection
    position: int = 0

    async def add(self, target_id: str = "target", aggregate_id: str = "", **fields: Any) -> str:
        """Writes a delivery, of an aggregate of its own unless it is named; returns its ID."""
        self.position += 1
        delivery_id = new_id()
        delivery = NewDelivery(
            delivery_id,
            target_id,
            PushKind.WEBHOOK,
            "org",
            aggregate_id or delivery_id,
            "group.added",
            self.position,
            "{}",
        )
        await leases.add(self.database, [delivery._replace(**fields)])
        return delivery_id

    async def acquire(
        self, limit: int = 2 * AT_ONCE, *, tier: Tier = Tier.NEW_OR_SLOW, lease: timedelta = _LEASE
    ) -> Sequence[PushAttempt]:
        """The leased attempts in the order of their deliveries."""
        found = await leases.acquire(self.database, {tier: limit}, lease=lease)
        return sorted(found, key=lambda each: each.delivery_id)

    async def record(
        self, attempt: PushAttempt, result: AttemptResult = _SENT
    ) -> DeliveryState | None:
        [state] = await leases.record(self.database, [(attempt, result)])
        return state

    async def get(self, delivery_id: str) -> Delivery:
        found = await delivery_store.get(
            self.database, delivery_id=delivery_id, organization_id="org"
        )
        assert found is not None
        return found

    async def waits(self, after: PushAttempt) -> timedelta:
        """The time that the target of an attempt that failed waits after its end."""
        return await self.sql.fetchval(
            "select waits_until - ended_at from push_targets, push_attempts"
            " where target_id = $1 and delivery_id = $2 and number = $3",
            after.target_id,
            after.delivery_id,
            after.number,
        )

    async def time_passes(self, time: timedelta) -> None:
        """Brings the next attempts of deliveries, and the next turns of targets, nearer."""
        await self.sql.execute(
            "update push_deliveries set next_attempt_at = next_attempt_at - $1::interval", time
        )
        await self.sql.execute(
            "update push_targets set next_turn_at = next_turn_at - $1::interval", time
        )

    async def end_waits(self) -> None:
        """Ends the waits of targets and of deliveries, and all leases."""
        await self.sql.execute(
            "update push_deliveries set next_attempt_at = now() where state = 'pending'"
        )
        await self.sql.execute(
            "update push_targets set waits_until = '-infinity', next_turn_at = now()"
        )


@pytest.fixture(scope="module")
async def push_dsn(make_database: MakeDatabase) -> str:
    """The DSN of a database for the file."""
    return await make_database()


@pytest.fixture
async def pushes(push_dsn: str) -> AsyncIterator[Pushes]:
    """The database without the deliveries of earlier tests."""
    async with connected(push_dsn, pool_size=8) as database, given.sql(push_dsn) as sql:
        await sql.execute("delete from push_deliveries; delete from push_targets")
        await given.claims_of_organizations(sql, "org")
        yield Pushes(push_dsn, database, sql)


async def test_targets_take_turns(pushes: Pushes) -> None:
    for _ in range(AT_ONCE + 8):
        await pushes.add("busy")
    other = await pushes.add("other")

    leased = await pushes.acquire(AT_ONCE)

    assert other in [each.delivery_id for each in leased]
    assert len(leased) == AT_ONCE
    # A target has a limited number of attempts at once.
    assert [each.target_id for each in await pushes.acquire(AT_ONCE)] == ["busy"]
    assert not await pushes.acquire(AT_ONCE)


async def test_deliveries_of_an_aggregate_have_an_order(pushes: Pushes) -> None:
    first, second, third = [await pushes.add(aggregate_id="group") for _ in range(3)]
    other = await pushes.add(aggregate_id="other group")

    leased = await pushes.acquire()
    assert [each.delivery_id for each in leased] == [first, other]
    await pushes.record(leased[0], _REFUSED)
    assert not await pushes.acquire(tier=Tier.SOON)
    await pushes.end_waits()
    [attempt, *_] = await pushes.acquire(tier=Tier.SOON)
    assert attempt.delivery_id == first
    assert await pushes.record(attempt) is DeliveryState.SENT

    # The end of a delivery makes the following one due.
    [attempt] = await pushes.acquire(tier=Tier.SOON)
    assert attempt.delivery_id == second
    assert (await pushes.get(third)).attempts == []


async def test_a_retried_delivery_waits_for_the_attempt_of_a_later_one(pushes: Pushes) -> None:
    first, second = [await pushes.add(aggregate_id="group") for _ in range(2)]
    [attempt] = await pushes.acquire()
    failed = AttemptResult(DeliveryState.FAILED, "GONE", destination_works=True)
    await pushes.record(attempt, failed)
    [attempt] = await pushes.acquire(tier=Tier.SOON)
    assert attempt.delivery_id == second

    state = await leases.retry(pushes.database, delivery_id=first, organization_id="org")

    assert state is DeliveryState.FAILED
    assert not await pushes.acquire(tier=Tier.SOON)
    await pushes.record(attempt)
    await pushes.end_waits()
    [attempt] = await pushes.acquire(tier=Tier.SOON)
    assert (attempt.delivery_id, attempt.number) == (first, 2)


async def test_a_target_without_an_answer_waits_and_is_tried_with_one_delivery(
    pushes: Pushes,
) -> None:
    ids = [await pushes.add() for _ in range(AT_ONCE + 2)]
    leased = await pushes.acquire()
    assert len(leased) == AT_ONCE
    for attempt in leased:
        assert await pushes.record(attempt, _DEAD) is DeliveryState.PENDING
    # Attempts that fail together count once.
    assert timedelta(seconds=4) < await pushes.waits(leased[0]) <= timedelta(seconds=10)
    assert not await pushes.acquire(tier=Tier.NO_ANSWER)
    assert (await leases.look(pushes.database)) == Backlog(len(ids), failing_targets=1)

    await pushes.end_waits()
    [attempt] = await pushes.acquire(tier=Tier.NO_ANSWER)
    await pushes.record(attempt, _DEAD)
    assert timedelta(seconds=9) < await pushes.waits(attempt) <= timedelta(seconds=20)
    await pushes.end_waits()
    [attempt] = await pushes.acquire(tier=Tier.NO_ANSWER)
    await pushes.record(attempt)

    # The answer ends the wait of all.
    leased = await pushes.acquire(tier=Tier.SOON)
    assert len(leased) == AT_ONCE
    assert {each.delivery_id for each in leased} < set(ids)
    assert (await leases.look(pushes.database)) == Backlog(len(ids) - 1)


async def test_a_target_without_deliveries_has_no_turns_and_is_forgotten(pushes: Pushes) -> None:
    await pushes.add()
    [attempt] = await pushes.acquire()
    await pushes.record(attempt)
    assert not await pushes.acquire(tier=Tier.SOON)

    turn = "select next_turn_at, idle_since from push_targets"
    row = await pushes.sql.fetchrow(turn)
    assert row is not None
    assert row["next_turn_at"] is None
    assert row["idle_since"] is not None
    await pushes.sql.execute("update push_targets set idle_since = now() - interval '31 days'")
    await pushes.sql.execute("update push_deliveries set ended_at = now() - interval '31 days'")
    await delete_ended(pushes.database, leases.IDLE_TARGETS)
    await delete_ended(pushes.database, delivery_store.ENDED)
    assert await pushes.sql.fetchrow(turn) is None
    assert await pushes.sql.fetchval("select count(*) from push_attempts") == 0


async def test_many_waiting_deliveries_of_one_aggregate_hide_no_other(pushes: Pushes) -> None:
    for _ in range(200):
        await pushes.add(aggregate_id="group")
    other = await pushes.add(aggregate_id="other group")

    leased: list[str] = []
    for _ in range(10):
        leased += [each.delivery_id for each in await pushes.acquire()]

    assert other in leased
    assert len(leased) == 2
    # They are looked at once, and callers see that they are due.
    await pushes.time_passes(timedelta(hours=5))
    looked_at = await pushes.sql.fetchval(_BLOCKED)
    await pushes.acquire(tier=Tier.NEW_OR_SLOW)
    assert looked_at == await pushes.sql.fetchval(_BLOCKED) == 199
    waiting = await pushes.get(await pushes.sql.fetchval(_LAST))
    assert waiting.next_attempt_at == waiting.created_at


_BLOCKED = "select count(*) from push_deliveries where next_attempt_at = 'infinity'"
_LAST = (
    "select delivery_id from push_deliveries where aggregate_id = 'group' order by position desc"
)


async def test_a_delivery_that_is_given_up_makes_the_next_of_its_aggregate_due(
    pushes: Pushes,
) -> None:
    first, old, young = [await pushes.add(aggregate_id="group") for _ in range(3)]
    [attempt] = await pushes.acquire()
    await pushes.sql.execute(
        "update push_deliveries set give_up_at = now() where delivery_id = $1", old
    )
    await pushes.record(attempt, _DEAD)
    await leases.give_up(pushes.database, "target", _DEAD)
    assert (await pushes.get(old)).state is DeliveryState.FAILED
    await pushes.sql.execute("update push_targets set waits_until = '-infinity'")
    [attempt] = await pushes.acquire(tier=Tier.NO_ANSWER)
    assert attempt.delivery_id == first
    await pushes.sql.execute(
        "update push_deliveries set give_up_at = now() where delivery_id = $1", first
    )
    await pushes.sql.execute("update push_deliveries set is_leased = false")

    assert await leases.give_up(pushes.database, "target", _DEAD) == 1

    await pushes.sql.execute(
        "update push_targets set waits_until = '-infinity', next_turn_at = now()"
    )
    [attempt] = await pushes.acquire(tier=Tier.NO_ANSWER)
    assert attempt.delivery_id == young
