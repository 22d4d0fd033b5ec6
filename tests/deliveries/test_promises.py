"""Leases, back-off, loops and results: the same for mails and for pushes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from server.deliveries.results import Attempt, AttemptResult, DeliveryState
from server.store.retention import delete_ended
from server.telemetry import tracing
from server.values.errors import Failure, Kind
from tests.deliveries.kinds import DEAD, REFUSED, SENT, Deliveries, Mails, Pushes
from tests.mail.mail_instance import MailInstance
from tests.support import first_calls, given
from tests.support.databases import MakeDatabase

_OUTAGE = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "")


@pytest.fixture(scope="module")
async def dsn(make_database: MakeDatabase) -> str:
    """The DSN of a database for the file."""
    dsn = await make_database()
    await given.accept_every_key(dsn)
    return dsn


@pytest.fixture(params=[Mails, Pushes], ids=["mails", "pushes"])
async def deliveries(dsn: str, request: pytest.FixtureRequest) -> AsyncIterator[Deliveries]:
    """The deliveries of one kind, without those of earlier tests."""
    async with MailInstance.open(dsn) as instance:
        await instance.sql.execute("delete from push_deliveries; delete from push_targets")
        yield request.param(instance)


async def _until_sent(deliveries: Deliveries, *delivery_ids: str) -> None:
    async def are_sent() -> bool:
        found = [await deliveries.get(each) for each in delivery_ids]
        return all(each.state is DeliveryState.SENT for each in found)

    await given.eventually(are_sent)


async def test_a_delivery_is_leased_by_one_process(deliveries: Deliveries) -> None:
    await deliveries.add()

    leased = await asyncio.gather(*(deliveries.acquire() for _ in range(8)))

    assert sorted(map(len, leased)) == [0] * 7 + [1]


async def test_several_loops_make_each_attempt_once(deliveries: Deliveries) -> None:
    ids = [await deliveries.add() for _ in range(60)]
    sent: list[str] = []

    async def send(attempt: Attempt) -> AttemptResult:
        sent.append(attempt.delivery_id)
        await asyncio.sleep(0)
        return SENT

    async with deliveries.looping(send), deliveries.looping(send), deliveries.looping(send):
        await _until_sent(deliveries, *ids)

    assert sorted(sent) == sorted(ids)


async def test_a_loop_that_is_woken_does_not_wait_for_its_next_look(
    deliveries: Deliveries,
) -> None:
    async with deliveries.looping(poll=3600) as loop:
        delivery_id = await deliveries.add()
        loop.wake()
        await _until_sent(deliveries, delivery_id)


async def test_the_back_off_doubles_up_to_its_limit(deliveries: Deliveries) -> None:
    delivery_id = await deliveries.add()
    for number in range(14):
        await deliveries.make_due()
        [attempt] = await deliveries.acquire()
        assert attempt.number == number + 1
        assert await deliveries.record(attempt, REFUSED) is DeliveryState.PENDING
        delivery = await deliveries.get(delivery_id)
        wait = delivery.next_attempt_at - delivery.attempts[-1].ended_at
        longest = min(deliveries.first_wait * 2**number, deliveries.longest_wait)
        assert longest / 2 - timedelta(seconds=1) <= wait <= longest + timedelta(seconds=1)

    attempts = (await deliveries.get(delivery_id)).attempts
    assert {each.reason for each in attempts} == {"REFUSED"}


async def test_a_delivery_fails_with_its_first_attempt_after_the_limit(
    deliveries: Deliveries,
) -> None:
    delivery_id = await deliveries.add()
    assert await deliveries.column("give_up_at - created_at") == deliveries.give_up_after
    [attempt] = await deliveries.acquire()
    await deliveries.set(give_up_at="clock_timestamp()")

    assert await deliveries.record(attempt, REFUSED) is DeliveryState.FAILED

    delivery = await deliveries.get(delivery_id)
    assert delivery.attempts[-1].reason == "REFUSED"
    assert delivery.ended_at == delivery.attempts[-1].ended_at


async def test_deliveries_that_waited_too_long_for_their_destination_end_with_its_reason(
    deliveries: Deliveries,
) -> None:
    late = [await deliveries.add() for _ in range(30)]
    young = await deliveries.add()
    await deliveries.sql.execute(
        f"update {deliveries.table} set give_up_at = now() where {deliveries.key} <> $1",  # noqa: S608
        young,
    )

    async def send(_attempt: Attempt) -> AttemptResult:
        return DEAD

    async def have_failed() -> bool:
        return deliveries.counted("failed") == len(late)

    async with deliveries.looping(send):
        await given.eventually(have_failed)

    for each in late:
        delivery = await deliveries.get(each)
        assert delivery.state is DeliveryState.FAILED
        assert [attempt.reason for attempt in delivery.attempts] == ["DEAD"]
    assert (await deliveries.get(young)).state is DeliveryState.PENDING
    secrets = {row["aggregate_id"] for row in await deliveries.instance.secrets()}
    assert secrets.isdisjoint(late)


@pytest.mark.parametrize("late", [SENT, REFUSED, AttemptResult(DeliveryState.FAILED)])
async def test_a_process_that_lost_its_lease_changes_nothing_unless_it_has_sent(
    deliveries: Deliveries, late: AttemptResult
) -> None:
    delivery_id = await deliveries.add()
    [lost] = await deliveries.acquire()
    assert not await deliveries.acquire()
    await deliveries.make_due()
    [holder] = await deliveries.acquire()
    assert (holder.delivery_id, holder.number) == (delivery_id, 2)

    recorded = await deliveries.record(lost, late)

    is_sent = late is SENT
    assert recorded is (DeliveryState.SENT if is_sent else None)
    assert (await deliveries.get(delivery_id)).state is (recorded or DeliveryState.PENDING)
    # A mail that was sent is not made pending again.
    assert await deliveries.record(holder, REFUSED if is_sent else SENT) is DeliveryState.SENT
    first, second = (await deliveries.get(delivery_id)).attempts
    # The result of the lost attempt is still part of the history.
    assert (first.reason, second.reason) == (late.reason, "REFUSED" if is_sent else "")


@pytest.mark.parametrize("is_first", [True, False])
async def test_of_two_attempts_that_end_together_the_one_that_sent_counts(
    deliveries: Deliveries, is_first: bool
) -> None:
    """An outage of the database may outlast a lease."""
    delivery_id = await deliveries.add()
    [lost] = await deliveries.acquire()
    await deliveries.make_due()
    [holder] = await deliveries.acquire()
    made = [(lost, SENT if is_first else REFUSED), (holder, REFUSED if is_first else SENT)]

    for each in (made, made[::-1]):
        await deliveries.leases.record(deliveries.database, each)
        assert (await deliveries.get(delivery_id)).state is DeliveryState.SENT


async def test_a_retry_during_an_attempt_makes_its_failure_the_first(
    deliveries: Deliveries,
) -> None:
    delivery_id = await deliveries.add()
    await deliveries.set(failures="5", give_up_at="now()")
    [attempt] = await deliveries.acquire()

    assert await deliveries.retry(delivery_id)

    assert not await deliveries.acquire()  # a second attempt would send it twice
    assert await deliveries.record(attempt, REFUSED) is DeliveryState.PENDING
    delivery = await deliveries.get(delivery_id)
    wait = delivery.next_attempt_at - delivery.attempts[-1].ended_at
    assert wait <= deliveries.first_wait + timedelta(seconds=1)


async def test_results_are_recorded_together(deliveries: Deliveries) -> None:
    ids = [await deliveries.add() for _ in range(3)]
    leased = await deliveries.acquire()
    results = [SENT, REFUSED, AttemptResult(DeliveryState.CANCELLED, "REMOVED")]

    states = await deliveries.leases.record(
        deliveries.database, list(zip(leased, results, strict=True))
    )

    assert states == [each.state for each in results]
    for attempt, result in zip(leased, results, strict=True):
        assert attempt.delivery_id in ids
        delivery = await deliveries.get(attempt.delivery_id)
        assert (delivery.state, delivery.attempts[-1].reason) == (result.state, result.reason)
        assert (delivery.ended_at is None) is (result is REFUSED)


async def test_any_text_of_a_server_can_be_stored(deliveries: Deliveries) -> None:
    delivery_id = await deliveries.add()
    [attempt] = await deliveries.acquire()

    await deliveries.record(attempt, AttemptResult(DeliveryState.FAILED, "R", "\0\udcff" * 999))

    assert (await deliveries.get(delivery_id)).attempts[0].message == "?" * 999


async def test_an_attempt_is_a_span_that_names_nobody(deliveries: Deliveries) -> None:
    delivery_id = await deliveries.add()
    spans = InMemorySpanExporter()
    # Tasks of a loop have the span in which the loop began as their parent. Loops of other servers
    # in this process have none.
    with tracing.sending_to(SimpleSpanProcessor(spans)), tracing.span("this loop") as this_loop:
        async with deliveries.looping():
            await _until_sent(deliveries, delivery_id)

    assert this_loop is not None
    name = deliveries.name
    [attempt] = [
        each
        for each in spans.get_finished_spans()
        if each.name == f"{name} attempt" and each.parent == this_loop.get_span_context()
    ]
    assert dict(attempt.attributes or {}) == {
        f"keystead.{name}.kind": deliveries.kind,
        f"keystead.{name}.result": "sent",
    }


async def test_a_result_is_recorded_even_if_the_database_is_away_for_a_while(
    deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivery_id = await deliveries.add()
    mistake = RuntimeError("a mistake of ours")
    first_calls.fail(monkeypatch, deliveries.leases, "record", _OUTAGE, TimeoutError(), mistake)
    sent: list[Attempt] = []

    async def send(attempt: Attempt) -> AttemptResult:
        sent.append(attempt)
        return SENT

    async with deliveries.looping(send, record_again=0):
        await _until_sent(deliveries, delivery_id)

    assert len(sent) == 1


@pytest.mark.parametrize("error", [_OUTAGE, RuntimeError("a mistake")], ids=["outage", "mistake"])
async def test_a_loop_continues_after_a_failed_look(
    deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    delivery_id = await deliveries.add()
    first_calls.fail(monkeypatch, deliveries.leases, "acquire", error, error)

    async with deliveries.looping(poll=0):
        await _until_sent(deliveries, delivery_id)


async def test_a_loop_that_ends_waits_a_moment_for_attempts_in_progress(
    deliveries: Deliveries,
) -> None:
    delivery_id = await deliveries.add()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_attempt: Attempt) -> AttemptResult:
        reached.set()
        await go_on.wait()
        return SENT

    async with deliveries.looping(wait) as loop:
        await reached.wait()
        closing = asyncio.create_task(loop.close())
        later = await deliveries.add()
        go_on.set()
        await closing

    assert (await deliveries.get(delivery_id)).state is DeliveryState.SENT
    assert not (await deliveries.get(later)).attempts


async def test_a_cancelled_attempt_is_repeated_when_its_lease_has_ended(
    deliveries: Deliveries,
) -> None:
    delivery_id = await deliveries.add()
    reached = asyncio.Event()

    async def hang(_attempt: Attempt) -> AttemptResult:
        reached.set()
        await asyncio.Event().wait()
        return SENT

    async with deliveries.looping(hang, close=0) as loop:
        await reached.wait()
        await loop.close()

    delivery = await deliveries.get(delivery_id)
    assert delivery.attempts[0].ended_at is None
    # The longest attempt, and a spare time for its result.
    assert delivery.next_attempt_at - delivery.attempts[0].started_at >= timedelta(seconds=59)
    assert not await deliveries.acquire()
    await deliveries.make_due()
    [attempt] = await deliveries.acquire()
    assert attempt.number == 2


@pytest.mark.parametrize("result", [SENT, REFUSED], ids=["sent", "refused"])
async def test_attempts_are_counted_by_kind_and_state(
    deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch, result: AttemptResult
) -> None:
    """Also if the answer of the statement that records a result was lost."""

    async def lose() -> None:
        raise TimeoutError

    async def send(_attempt: Attempt) -> AttemptResult:
        return result

    async def is_counted() -> bool:
        return deliveries.counted(result.state) == 1

    first_calls.then(monkeypatch, deliveries.leases, "record", lose)
    await deliveries.add()
    async with deliveries.looping(send, record_again=0):
        await given.eventually(is_counted)

    others = {*DeliveryState, "lost"} - {result.state}
    assert {deliveries.counted(each) for each in others} == {0}


async def test_an_attempt_that_lost_its_lease_is_counted_as_lost(deliveries: Deliveries) -> None:
    await deliveries.add()

    async def be_late(_attempt: Attempt) -> AttemptResult:
        await deliveries.make_due()
        assert await deliveries.acquire()
        return REFUSED

    async def is_counted() -> bool:
        return deliveries.counted("lost") == 1

    async with deliveries.looping(be_late, poll=60):
        await given.eventually(is_counted)

    assert deliveries.counted("cancelled") == deliveries.counted("pending") == 0


async def test_deliveries_that_ended_long_ago_are_deleted_in_batches(
    deliveries: Deliveries,
) -> None:
    kept, deleted = [await deliveries.add() for _ in range(2)]
    for attempt in await deliveries.acquire():
        await deliveries.record(attempt)
    table, key = deliveries.table, deliveries.key
    await deliveries.sql.execute(
        f"insert into {table} select (jsonb_populate_record({table}, jsonb_build_object("  # noqa: S608
        f" '{key}', {key} || n))).* from {table}, generate_series(1, 1100) as n where {key} = $1",
        deleted,
    )
    await deliveries.sql.execute(
        f"update {table} set ended_at = now() - interval '31 days' where {key} <> $1",  # noqa: S608
        kept,
    )

    await delete_ended(deliveries.database, deliveries.ended)

    rows = await deliveries.sql.fetch(f"select {key} from {table}")  # noqa: S608
    assert [row[key] for row in rows] == [kept]
    assert len((await deliveries.get(kept)).attempts) == 1
