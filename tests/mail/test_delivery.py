"""Attempts: the process that makes them, their times, and their results."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from server.deliveries.loop import Pace
from server.deliveries.results import AttemptResult, DeliveryState
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.mail import leases, outbox, store
from server.store.retention import delete_ended
from server.store.statement import Statement
from server.telemetry import tracing
from server.values.errors import Failure, Kind
from tests.conftest import MakeInstance
from tests.mail.mail_instance import DESTINATION, MailInstance, Post, refusing
from tests.passkey import links
from tests.support import first_calls, given
from tests.support.mail_server import mail_server
from tests.user import calls as users

_HOUR = timedelta(hours=1)
_SENT = AttemptResult(DeliveryState.SENT)


async def test_a_mail_is_sent_and_forgets_its_link(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()

    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(mail_id)

    assert post.recipients == ["ada@example.com"]
    assert not await mail_instance.secrets()
    mail = await mail_instance.mail(mail_id)
    [attempt] = mail.attempts
    assert (attempt.reason, attempt.message) == ("", "")
    assert mail.ended_at is not None
    assert mail.created_at <= attempt.started_at <= mail.ended_at


async def test_several_loops_send_every_mail_once(mail_instance: MailInstance) -> None:
    mails = [await mail_instance.enqueue(reference=str(number)) for number in range(60)]

    post = Post(before=lambda: asyncio.sleep(0))
    async with (
        mail_instance.sending(post),
        mail_instance.sending(post),
        mail_instance.sending(post),
    ):
        await mail_instance.sent(*mails)

    assert len(post.messages) == len(mails)
    assert len({message["Message-ID"] for message in post.messages}) == len(mails)


async def test_a_loop_that_is_woken_does_not_wait_for_its_next_look(
    mail_instance: MailInstance,
) -> None:
    post = Post()
    async with mail_instance.sending(post) as mail_loop:
        mail_id = await mail_instance.enqueue()
        mail_loop.wake()
        await mail_instance.sent(mail_id)


async def test_the_calls_of_a_server_wake_its_loop(make_instance: MakeInstance) -> None:
    networks = "127.0.0.0/8"
    never_by_itself = Pace(poll=3600)
    async with (
        mail_server() as server,
        make_instance(mail_pace=never_by_itself, smtp_allowed_networks=networks) as instance,
    ):
        admin = instance.admin
        config = given.smtp_config(host=f"127.0.0.1:{server.port}", tls=False, user="", password="")
        await admin.call(admin.smtp.AddSMTPConfig, config)
        created = await users.create(admin, email="ada@example.com")

        await links.create(admin, created.user_id, send=True)
        await server.said("DATA")
        await users.patch(admin, created.user_id, ["email"], email="grace@example.com")

        async def both_arrived() -> bool:
            return len(server.received) == 2

        await given.eventually(both_arrived)
        [_link, notice] = server.received
        assert notice.recipients == ("ada@example.com",)
        assert "The mail address of your account" in notice.message["Subject"]
        assert b"grace@" not in notice.content


async def test_an_attempt_is_a_span_that_names_nobody(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    spans = InMemorySpanExporter()
    # Tasks of a loop have the span in which the loop began as their parent. Loops of other servers
    # in this process have none.
    with tracing.sending_to(SimpleSpanProcessor(spans)), tracing.span("this loop") as this_loop:
        async with mail_instance.sending(Post()):
            await mail_instance.sent(mail_id)

    assert this_loop is not None
    [attempt] = [
        each
        for each in spans.get_finished_spans()
        if each.name == "mail attempt" and each.parent == this_loop.get_span_context()
    ]
    assert dict(attempt.attributes or {}) == {
        "keystead.mail.kind": "passkey_registration_link",
        "keystead.mail.result": "sent",
    }


async def test_at_most_four_mails_are_sent_at_once(mail_instance: MailInstance) -> None:
    mails = [await mail_instance.enqueue() for _ in range(9)]
    sending = asyncio.Semaphore(0)
    begun = 0

    async def count() -> None:
        nonlocal begun
        begun += 1
        await sending.acquire()

    async with mail_instance.sending(Post(before=count)) as mail_loop:
        while begun < 4:  # noqa: ASYNC110 -- nothing signals it
            await asyncio.sleep(0)
        leased = await mail_instance.sql.fetchval("select count(*) from mails where is_leased")
        mail_loop.wake()
        assert leased == begun == 4
        for _ in mails:
            sending.release()
        await mail_instance.sent(*mails)


async def test_no_transaction_is_open_while_a_mail_is_being_sent(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.enqueue()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go_on.wait()

    async with mail_instance.sending(Post(before=wait)):
        await reached.wait()
        idle = await mail_instance.sql.fetchval(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and state = 'idle in transaction'"
        )
        go_on.set()
    assert idle == 0


async def test_a_passing_failure_is_tried_again_ever_more_slowly(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    refusal = refusing("TEMPORARILY_REFUSED", is_permanent=False)

    mail = await mail_instance.mail(mail_id)
    for longest in (1, 2, 4, 8, 16, 32, 60, 60):
        mail = await mail_instance.tried(mail_id, refusal)

        assert mail.state is DeliveryState.PENDING
        wait = mail.next_attempt_at - (mail.attempts[-1].ended_at or mail.created_at)
        longest_wait = timedelta(minutes=longest)
        assert longest_wait / 2 <= wait <= longest_wait + timedelta(seconds=1)

    assert await mail_instance.secrets()
    post = Post()
    assert (await mail_instance.tried(mail_id, post)).state is DeliveryState.SENT
    assert [attempt.reason for attempt in mail.attempts] == ["TEMPORARILY_REFUSED"] * 8
    assert post.messages[0]["Message-ID"].startswith(f"<{mail_id}@")


async def test_a_mail_is_given_up_after_two_days(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    assert (await _span(mail_instance, mail_id, "give_up_at")) == timedelta(hours=48)
    await mail_instance.sql.execute("update mails set give_up_at = clock_timestamp()")

    mail = await mail_instance.tried(mail_id, refusing("TIMEOUT", is_permanent=False))

    assert mail.state is DeliveryState.FAILED
    assert mail.attempts[-1].reason == "TIMEOUT"
    assert not await mail_instance.secrets()


@dataclass(frozen=True)
class Case:
    """An attempt, and its result. `arrange` runs before it."""

    state: DeliveryState
    reason: str
    message: str | None = None
    post: Post = field(default_factory=Post)
    arrange: Callable[[MailInstance], Awaitable[object]] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


def _refused(reason: str, *, is_permanent: bool) -> Case:
    state = DeliveryState.FAILED if is_permanent else DeliveryState.PENDING
    return Case(state, reason, "It said no.", refusing(reason, is_permanent=is_permanent))


async def _unset(mail_instance: MailInstance) -> None:
    mail_instance.destination = None


async def _remove_users(mail_instance: MailInstance) -> None:
    await mail_instance.sql.execute("delete from users")


async def _cancel_when_leased(mail_instance: MailInstance) -> None:
    async def cancel_first() -> Destination:
        await cancel(mail_instance)
        return DESTINATION

    mail_instance.find_destination = cancel_first


async def cancel(mail_instance: MailInstance) -> None:
    await outbox.cancel_about(mail_instance.database, ["link"], organization_id="org")


_UNSENT = {
    **{
        f"{reason}, for good": _refused(reason, is_permanent=True)
        for reason in ("RECIPIENT_REFUSED", "MESSAGE_REFUSED")
    },
    **{
        f"{reason}, by the configuration": _refused(reason, is_permanent=False)
        for reason in (
            "AUTH_FAILED",
            "CERTIFICATE_NOT_TRUSTED",
            "ADDRESS_NOT_ALLOWED",
            "SENDER_REFUSED",
        )
    },
    "no configuration": Case(DeliveryState.PENDING, "SMTP_CONFIG_MISSING", arrange=_unset),
    "the user is removed": Case(DeliveryState.CANCELLED, "USER_REMOVED", arrange=_remove_users),
    "the link has expired": Case(
        DeliveryState.CANCELLED,
        "OUTDATED",
        fields={"holds_until": datetime(2026, 1, 1, tzinfo=UTC)},
    ),
    "cancelled once a loop has it": Case(
        DeliveryState.CANCELLED, "NOT_PENDING", arrange=_cancel_when_leased
    ),
}


@pytest.mark.parametrize("case", [pytest.param(each, id=name) for name, each in _UNSENT.items()])
async def test_a_mail_that_is_not_sent_has_the_reason(
    mail_instance: MailInstance, case: Case
) -> None:
    mail_id = await mail_instance.enqueue(reference="link", **case.fields)
    if case.arrange:
        await case.arrange(mail_instance)

    mail = await mail_instance.tried(mail_id, case.post)

    [attempt] = mail.attempts
    assert (mail.state, attempt.reason) == (case.state, case.reason)
    assert attempt.message == (case.message or attempt.message)
    assert not case.post.messages
    assert bool(await mail_instance.secrets()) == (mail.state is DeliveryState.PENDING)
    if mail.state is DeliveryState.PENDING:
        mail_instance.destination = DESTINATION
        assert (await mail_instance.tried(mail_id, Post())).state is DeliveryState.SENT


async def test_a_mail_that_is_cancelled_while_it_is_sent_stays_cancelled(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue(reference="link")

    mail = await mail_instance.tried(mail_id, Post(before=partial(cancel, mail_instance)))

    assert mail.state is DeliveryState.CANCELLED
    assert counted(mail_instance, "cancelled") == 1
    assert counted(mail_instance, "sent") == 0


async def test_a_mail_that_is_refused_does_not_keep_others_from_being_sent(
    mail_instance: MailInstance,
) -> None:
    refused = await mail_instance.enqueue(recipient_address="nobody@example.com")
    mail_id = await mail_instance.enqueue()
    post = Post()

    async def deliver(destination: Destination, message: Any, *, recipient: str) -> None:
        if recipient == "nobody@example.com":
            raise ZeroDivisionError
        await post(destination, message, recipient=recipient)

    async with mail_instance.sending(deliver):
        await mail_instance.sent(mail_id)
        await mail_instance.until(refused, lambda mail: mail.attempts[0].reason == "INTERNAL")

    assert (await mail_instance.mail(refused)).state is DeliveryState.PENDING


async def test_the_next_try_obeys_a_changed_configuration(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    await mail_instance.tried(mail_id, refusing("CONNECTION_REFUSED", is_permanent=False))

    mail_instance.destination = Destination(
        host="mail.example.net",
        port=587,
        tls=True,
        user="",
        password="",
        sender_address="hello@example.net",
        sender_name="Renamed",
    )
    post = Post()
    mail = await mail_instance.tried(mail_id, post)

    assert mail.state is DeliveryState.SENT
    assert post.destinations == [mail_instance.destination]
    [message] = post.messages
    assert message["From"] == "Renamed <hello@example.net>"
    assert message["Message-ID"] == f"<{mail_id}@example.com>"


@pytest.mark.parametrize("is_sent", [False, True])
async def test_a_process_that_has_lost_its_lease_changes_nothing_unless_it_has_sent_the_mail(
    mail_instance: MailInstance, is_sent: bool
) -> None:
    mail_id = await mail_instance.enqueue()
    [first] = await leases.acquire(mail_instance.database, limit=4, lease=_HOUR)
    await mail_instance.make_due(mail_id)
    [second] = await leases.acquire(mail_instance.database, limit=4, lease=_HOUR)
    late, holder = _SENT, AttemptResult(DeliveryState.PENDING, "R")
    if not is_sent:
        late, holder = AttemptResult(DeliveryState.FAILED), _SENT
        assert await leases.get_content(mail_instance.database, first) is None

    [recorded] = await leases.record(mail_instance.database, [(first, late)])

    assert recorded is (DeliveryState.SENT if is_sent else None)
    assert (await mail_instance.mail(mail_id)).state is (
        DeliveryState.SENT if is_sent else DeliveryState.PENDING
    )
    assert bool(await leases.get_content(mail_instance.database, second)) is not is_sent
    assert await leases.record(mail_instance.database, [(second, holder)]) == [DeliveryState.SENT]
    assert (await mail_instance.mail(mail_id)).state is DeliveryState.SENT
    assert not await mail_instance.secrets()


async def test_a_mail_of_a_newer_release_is_left_to_it(mail_instance: MailInstance) -> None:
    newer = await mail_instance.notice()
    await mail_instance.sql.execute("update mails set kind = 'of_a_newer_release'")
    mail_id = await mail_instance.enqueue()

    async with mail_instance.sending(Post()):
        await mail_instance.sent(mail_id)

    assert not (await mail_instance.mail(newer)).attempts


async def test_a_retry_during_a_try_makes_its_failure_the_first(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    for _ in range(5):
        mail = await mail_instance.tried(mail_id, refusing("TIMEOUT", is_permanent=False))

    async def retry_first() -> None:
        await store.retry(mail_instance.database, mail_id)
        raise DeliveryError("message", "TIMEOUT", "", is_permanent=False)

    mail = await mail_instance.tried(mail_id, Post(before=retry_first))

    last = mail.attempts[-1]
    assert last.ended_at is not None
    assert mail.next_attempt_at - last.ended_at <= timedelta(minutes=1, seconds=1)


async def test_a_mail_that_is_being_tried_is_nobody_elses(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue()

    leased = await asyncio.gather(
        *(leases.acquire(mail_instance.database, limit=4, lease=_HOUR) for _ in range(8))
    )

    assert sorted(map(len, leased)) == [0] * 7 + [1]


async def test_a_try_ends_before_its_lease(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()

    async with mail_instance.sending(Post(before=asyncio.Event().wait), step_seconds=0.01):
        await mail_instance.tried_once(mail_id)

    mail = await mail_instance.mail(mail_id)
    assert mail.state is DeliveryState.PENDING
    assert mail.attempts[0].reason == "TIMEOUT"


async def test_a_delivery_is_recorded_even_if_the_database_is_away_for_a_while(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail_id = await mail_instance.enqueue()
    outage = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "")
    mistake = RuntimeError("a mistake of ours")
    first_calls.fail(monkeypatch, leases, "record", outage, TimeoutError(), mistake)

    post = Post()
    async with mail_instance.sending(post, pace=Pace(record_again=0)):
        await mail_instance.sent(mail_id)

    assert len(post.messages) == 1


@pytest.mark.parametrize(
    "error",
    [Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", ""), RuntimeError("a mistake")],
    ids=["an outage of the database", "a mistake of ours"],
)
async def test_a_loop_continues_after_a_failed_look(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    mail_id = await mail_instance.enqueue()
    first_calls.fail(monkeypatch, leases, "acquire", error, error)

    async with mail_instance.sending(Post(), pace=Pace(poll=0)):
        await mail_instance.sent(mail_id)


async def test_a_loop_that_ends_waits_a_moment_for_attempts_in_progress(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go_on.wait()

    async with mail_instance.sending(Post(before=wait)) as mail_loop:
        await reached.wait()
        closing = asyncio.create_task(mail_loop.close())
        later = await mail_instance.enqueue()
        go_on.set()
        await closing

    assert (await mail_instance.mail(mail_id)).state is DeliveryState.SENT
    assert not (await mail_instance.mail(later)).attempts


async def test_a_cancelled_attempt_is_repeated_when_its_lease_has_ended(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    reached = asyncio.Event()

    async def hang() -> None:
        reached.set()
        await asyncio.Event().wait()

    async with mail_instance.sending(Post(before=hang), pace=Pace(close=0)) as mail_loop:
        await reached.wait()
        await mail_loop.close()

    mail = await mail_instance.mail(mail_id)
    assert mail.attempts[0].ended_at is None
    assert mail.next_attempt_at - mail.attempts[0].started_at > timedelta(minutes=2)
    assert (await mail_instance.tried(mail_id, Post())).state is DeliveryState.SENT


async def test_any_text_of_a_server_can_be_stored(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()

    async def refuse() -> None:
        raise DeliveryError("message", "MESSAGE_REFUSED", "\0\udcff" * 999, is_permanent=True)

    mail = await mail_instance.tried(mail_id, Post(before=refuse))

    assert mail.attempts[0].message == "?" * 999


async def test_the_backlog_is_known(mail_instance: MailInstance) -> None:
    mails = [await mail_instance.enqueue() for _ in range(2)]

    async with mail_instance.sending(refusing("TIMEOUT", is_permanent=False)) as mail_loop:
        await mail_instance.tried_once(*mails)

    assert mail_loop.backlog.pending == 2
    assert (await leases.look(mail_instance.database)).overdue_seconds == 0
    await mail_instance.sql.execute("update mails set due_at = now() - interval '1 minute'")
    assert (await leases.look(mail_instance.database)).overdue_seconds >= 60


async def test_a_mail_is_overdue_while_it_is_tried_and_not_before_its_turn(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.enqueue(hourly_limit=1)
    await mail_instance.sql.execute(
        "update mails set next_attempt_at = now(), due_at = now() - $1::interval", _HOUR
    )
    assert await leases.acquire(mail_instance.database, limit=1, lease=_HOUR)
    assert (await leases.look(mail_instance.database)).overdue_seconds >= 3600

    await mail_instance.enqueue(hourly_limit=1)
    await mail_instance.sql.execute(
        "update mails set state = 'sent', ended_at = now() where is_leased"
    )
    backlog = await leases.look(mail_instance.database)
    assert (backlog.pending, backlog.overdue_seconds) == (1, 0)


@pytest.mark.parametrize("has_failed", [True, False])
async def test_a_retried_mail_is_overdue_unless_it_had_failed(
    mail_instance: MailInstance, has_failed: bool
) -> None:
    mail_id = await mail_instance.notice()
    if has_failed:
        await mail_instance.tried(mail_id, refusing("RECIPIENT_REFUSED", is_permanent=True))
    await mail_instance.sql.execute("update mails set due_at = now() - $1::interval", _HOUR)

    await store.retry(mail_instance.database, mail_id)

    backlog = await leases.look(mail_instance.database)
    assert (backlog.overdue_seconds < 3600) is has_failed


async def test_tries_are_counted_by_kind_and_state(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()
    await mail_instance.tried(mail_id, refusing("TIMEOUT", is_permanent=False))
    await mail_instance.tried(mail_id, Post())

    assert counted(mail_instance, "pending") == 1
    assert counted(mail_instance, "sent") == 1
    assert counted(mail_instance, "failed") == counted(mail_instance, "lost") == 0
    assert counted(mail_instance, "sent", kind="passkey_added") == 0


async def test_an_attempt_that_lost_its_lease_is_counted_as_lost(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()

    async def be_late() -> None:
        await mail_instance.make_due(mail_id)
        assert await leases.acquire(mail_instance.database, limit=1, lease=_HOUR)
        raise DeliveryError("message", "NO_ANSWER", "", is_permanent=False)

    await mail_instance.tried(mail_id, Post(before=be_late))

    assert counted(mail_instance, "lost") == 1
    assert counted(mail_instance, "cancelled") == counted(mail_instance, "pending") == 0


@pytest.mark.parametrize(
    ("post", "state"),
    [(Post(), "sent"), (refusing("NO_ANSWER", is_permanent=False), "pending")],
)
async def test_a_result_that_was_recorded_without_an_answer_is_counted(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch, post: Post, state: str
) -> None:
    mail_id = await mail_instance.enqueue()

    async def lose() -> None:
        raise TimeoutError

    first_calls.then(monkeypatch, leases, "record", lose)

    async with mail_instance.sending(post, pace=Pace(record_again=0)):
        await mail_instance.tried_once(mail_id)
        await given.eventually(lambda: _is_counted(mail_instance, state))

    assert counted(mail_instance, "lost") == counted(mail_instance, "cancelled") == 0


async def test_mails_that_ended_long_ago_are_forgotten_in_batches(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(3)]
    await mail_instance.sql.execute(
        "insert into mails select (jsonb_populate_record(mails, jsonb_build_object("
        " 'mail_id', mail_id || id, 'state', 'sent', 'ended_at', now() - interval '31 days'))).*"
        " from mails, generate_series(1, 700) as id"
    )
    await mail_instance.sql.execute(
        "update mails set state = 'sent', ended_at = now() where mail_id = $1", mails[0]
    )
    deleted = []
    fetch_one = mail_instance.database.fetch_one

    async def watched(statement: Statement, **values: object) -> Any:
        row = await fetch_one(statement, **values)
        deleted.append(row["count"])
        return row

    monkeypatch.setattr(mail_instance.database, "fetch_one", watched)

    await delete_ended(mail_instance.database, store.ENDED)

    assert deleted == [1000, 1000, 100]
    rows = await mail_instance.sql.fetch("select mail_id from mails order by mail_id")
    assert [row["mail_id"] for row in rows] == mails


async def test_budgets_that_nothing_is_taken_of_are_forgotten(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue(hourly_limit=1)
    await delete_ended(mail_instance.database, store.UNUSED_BUDGETS)
    assert await mail_instance.sql.fetchval("select count(*) from mail_budgets") == 1

    await mail_instance.sql.execute("update mail_budgets set theoretical_arrival_at = now()")
    await delete_ended(mail_instance.database, store.UNUSED_BUDGETS)

    assert await mail_instance.sql.fetchval("select count(*) from mail_budgets") == 0


def counted(
    mail_instance: MailInstance, state: str, *, kind: str = "passkey_registration_link"
) -> float | None:
    """The number of attempts of mails of this kind that ended in this state."""
    labels = {"kind": kind, "state": state}
    return mail_instance.metrics.registry.get_sample_value("keystead_mail_tries_total", labels)


async def _is_counted(mail_instance: MailInstance, state: str) -> bool:
    return counted(mail_instance, state) == 1


async def _span(mail_instance: MailInstance, mail_id: str, column: str) -> timedelta:
    statement = f"select {column} - created_at from mails where mail_id = $1"  # noqa: S608
    return await mail_instance.sql.fetchval(statement, mail_id)
