"""Leases and turns of targets, on a database without a server."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import asyncpg
import pytest

from server.deliveries.http.connections import AT_ONCE
from server.deliveries.loop import Pace
from server.deliveries.results import AttemptResult, Backlog, DeliveryState
from server.push import delivery_store, leases
from server.push.delivery_store import Delivery, NewDelivery, PushKind
from server.push.leases import PushAttempt, Tier
from server.push.loop import PushLoop
from server.push.sender import PushSender
from server.store.database import Database, connected
from server.store.eventlog import new_id
from server.store.retention import delete_ended
from server.telemetry.metrics import Metrics
from server.validation.paging import NEWEST
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
        yield Pushes(push_dsn, database, sql)


async def test_a_delivery_is_leased_by_one_process(pushes: Pushes) -> None:
    await pushes.add()

    leased = await asyncio.gather(*(pushes.acquire() for _ in range(8)))

    assert sorted(map(len, leased)) == [0] * 7 + [1]


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


async def test_the_backoff_of_a_delivery_doubles_up_to_six_hours(pushes: Pushes) -> None:
    delivery_id = await pushes.add()
    waits: list[timedelta] = []
    for _ in range(14):
        await pushes.end_waits()
        [attempt] = await pushes.acquire(tier=Tier.SOON if waits else Tier.NEW_OR_SLOW)
        await pushes.record(attempt, _REFUSED)
        delivery = await pushes.get(delivery_id)
        ended_at = delivery.attempts[-1].ended_at
        assert ended_at is not None
        waits.append(delivery.next_attempt_at - ended_at)

    for number, wait in enumerate(waits):
        longest = min(timedelta(seconds=10 * 2**number), timedelta(hours=6))
        assert longest / 2 - timedelta(seconds=1) <= wait <= longest + timedelta(seconds=1)


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


async def test_after_three_days_the_deliveries_of_a_dead_target_have_failed(
    pushes: Pushes,
) -> None:
    ids = [await pushes.add() for _ in range(3)]
    young = await pushes.add()
    [attempt, *_] = await pushes.acquire(1)
    await pushes.sql.execute(
        "update push_deliveries set give_up_at = now() where delivery_id <> $1", young
    )

    assert await pushes.record(attempt, _DEAD) is DeliveryState.FAILED
    assert await leases.give_up(pushes.database, "target", _DEAD) == 2

    for delivery_id in ids:
        delivery = await pushes.get(delivery_id)
        assert delivery.state is DeliveryState.FAILED
        assert [each.reason for each in delivery.attempts] == ["TIMEOUT"]
    assert (await pushes.get(young)).state is DeliveryState.PENDING


async def test_a_lease_of_a_killed_process_is_taken_over_when_it_ends(pushes: Pushes) -> None:
    delivery_id = await pushes.add()
    [lost] = await pushes.acquire()
    assert not await pushes.acquire()
    await pushes.time_passes(_LEASE)

    [attempt] = await pushes.acquire()

    assert (attempt.delivery_id, attempt.number) == (delivery_id, 2)
    assert await pushes.record(lost, _REFUSED) is None
    assert attempt.payload == "{}"
    assert await pushes.record(attempt) is DeliveryState.SENT
    first, second = (await pushes.get(delivery_id)).attempts
    # The result of the lost attempt is still part of the history.
    assert (first.status, second.status) == (500, 200)


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


@dataclass
class FakeSender:
    """Remembers every delivery, and accepts it after a moment, but not before `until` is set."""

    sent: list[str] = field(default_factory=list)
    result: AttemptResult = _SENT
    until: asyncio.Event | None = None

    async def close(self) -> None:
        """Has no connections."""

    async def send(self, attempt: PushAttempt) -> AttemptResult:
        self.sent.append(attempt.delivery_id)
        if self.until is not None:
            await self.until.wait()
        await asyncio.sleep(0.001)
        return self.result


@contextlib.asynccontextmanager
async def looping(pushes: Pushes, sender: FakeSender, metrics: Metrics) -> AsyncIterator[None]:
    """A loop of another process until the end of the block."""
    async with connected(pushes.dsn, pool_size=4) as database:
        pace = Pace(poll=0.01)
        loop = PushLoop(database, cast(PushSender, sender), metrics=metrics, pace=pace)
        running = asyncio.create_task(loop.run())
        try:
            yield
        finally:
            await loop.close()
            running.cancel()
            await asyncio.wait([running])


async def test_servers_share_the_work(pushes: Pushes) -> None:
    ids = {await pushes.add(f"target {n % 7}", f"aggregate {n % 11}") for n in range(200)}
    both = asyncio.Event()
    senders = [FakeSender(until=both), FakeSender(until=both)]

    async def both_work() -> bool:
        return all(sender.sent for sender in senders)

    async def all_sent() -> bool:
        pending = "select count(*) from push_deliveries where state <> 'sent'"
        return await pushes.sql.fetchval(pending) == 0

    async with looping(pushes, senders[0], Metrics()), looping(pushes, senders[1], Metrics()):
        await given.eventually(both_work)
        both.set()
        await given.eventually(all_sent)

    sent = [*senders[0].sent, *senders[1].sent]
    assert sorted(sent) == sorted(ids)


async def test_attempts_are_counted(pushes: Pushes) -> None:
    old = await pushes.add("dead")
    await pushes.add("dead")
    await pushes.sql.execute("update push_deliveries set give_up_at = now()")

    async def both_failed() -> bool:
        return all(
            each.state is DeliveryState.FAILED
            for each in await delivery_store.list_before(
                pushes.database,
                organization_id="org",
                before=NEWEST,
                state=None,
                target=(PushKind.WEBHOOK, "dead"),
                limit=10,
            )
        )

    metrics = Metrics()
    async with looping(pushes, FakeSender(result=_DEAD), metrics):
        await given.eventually(both_failed)

    assert (await pushes.get(old)).state is DeliveryState.FAILED
    labels = {"kind": "webhook", "state": "failed"}

    async def are_counted() -> bool:
        return metrics.registry.get_sample_value("keystead_push_tries_total", labels) == 2

    await given.eventually(are_counted)
