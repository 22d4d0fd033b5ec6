"""Who sends a mail, when, and what becomes of it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from server import outbox
from server.database import Database
from server.delivery import DeliveryError, Destination
from server.errors import Failure, Kind
from server.mail import delivery_store, store
from server.mail.delivery import Pace
from server.mail.store import Mail, MailState
from server.outbox import MailKind
from tests import given
from tests.mail.desk import DESTINATION, Desk, Post

_HOUR = timedelta(hours=1)


def refusing(reason: str, *, is_permanent: bool) -> Post:
    """A server that refuses."""

    async def refuse() -> None:
        raise DeliveryError("message", reason, "It said no.", is_permanent=is_permanent)

    return Post(before=refuse)


async def test_a_mail_is_sent_and_forgets_its_link(desk: Desk) -> None:
    mail_id = await desk.enqueue()

    post = Post()
    async with desk.sending(post):
        await desk.sent(mail_id)

    assert post.recipients == ["ada@example.com"]
    assert not await desk.secrets()
    mail = await desk.mail(mail_id)
    [attempt] = mail.attempts
    assert (attempt.reason, attempt.message) == ("", "")
    assert mail.ended_at is not None
    assert mail.created_at <= attempt.started_at <= mail.ended_at


async def test_several_loops_send_every_mail_once(desk: Desk) -> None:
    mails = [await desk.enqueue(reference=str(number)) for number in range(60)]

    post = Post(before=lambda: asyncio.sleep(0))
    async with desk.sending(post), desk.sending(post), desk.sending(post):
        await desk.sent(*mails)

    assert len(post.messages) == len(mails)
    assert len({message["Message-ID"] for message in post.messages}) == len(mails)


async def test_a_loop_that_is_woken_does_not_wait_for_its_next_look(desk: Desk) -> None:
    post = Post()
    async with desk.sending(post) as deliveries:
        mail_id = await desk.enqueue()
        deliveries.wake()
        await desk.sent(mail_id)


async def test_at_most_four_mails_are_sent_at_once(desk: Desk) -> None:
    mails = [await desk.enqueue() for _ in range(9)]
    sending = asyncio.Semaphore(0)
    begun = 0

    async def count() -> None:
        nonlocal begun
        begun += 1
        await sending.acquire()

    async with desk.sending(Post(before=count)) as deliveries:
        while begun < 4:  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0)
        leased = await desk.sql.fetchval("select count(*) from mails where is_leased")
        deliveries.wake()
        assert leased == begun == 4
        for _ in mails:
            sending.release()
        await desk.sent(*mails)


async def test_no_transaction_is_open_while_a_mail_is_being_sent(desk: Desk) -> None:
    await desk.enqueue()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go_on.wait()

    async with desk.sending(Post(before=wait)):
        await reached.wait()
        idle = await desk.sql.fetchval(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and state = 'idle in transaction'"
        )
        go_on.set()
    assert idle == 0


async def test_a_passing_failure_is_tried_again_ever_more_slowly(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    refusal = refusing("TEMPORARILY_REFUSED", is_permanent=False)

    mail = await desk.mail(mail_id)
    for longest in (1, 2, 4, 8, 16, 32, 60, 60):
        mail = await desk.tried(mail_id, refusal)

        assert mail.state is MailState.PENDING
        wait = mail.next_attempt_at - (mail.attempts[-1].ended_at or mail.created_at)
        longest_wait = timedelta(minutes=longest)
        assert longest_wait / 2 <= wait <= longest_wait + timedelta(seconds=1)

    assert await desk.secrets()
    post = Post()
    assert (await desk.tried(mail_id, post)).state is MailState.SENT
    assert [attempt.reason for attempt in mail.attempts] == ["TEMPORARILY_REFUSED"] * 8
    assert post.messages[0]["Message-ID"].startswith(f"<{mail_id}@")


async def test_a_mail_is_given_up_after_two_days(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    assert (await _span(desk, mail_id, "give_up_at")) == timedelta(hours=48)
    await desk.sql.execute("update mails set give_up_at = clock_timestamp()")

    mail = await desk.tried(mail_id, refusing("TIMEOUT", is_permanent=False))

    assert mail.state is MailState.FAILED
    assert mail.attempts[-1].reason == "TIMEOUT"
    assert not await desk.secrets()


@pytest.mark.parametrize("reason", ["RECIPIENT_REFUSED", "MESSAGE_REFUSED"])
async def test_what_is_refused_for_good_is_not_tried_again(desk: Desk, reason: str) -> None:
    mail_id = await desk.enqueue()

    mail = await desk.tried(mail_id, refusing(reason, is_permanent=True))

    assert mail.state is MailState.FAILED
    assert (mail.attempts[0].reason, mail.attempts[0].message) == (reason, "It said no.")
    assert not await desk.secrets()


@pytest.mark.parametrize(
    "reason", ["AUTH_FAILED", "CERTIFICATE_NOT_TRUSTED", "ADDRESS_NOT_ALLOWED", "SENDER_REFUSED"]
)
async def test_a_wrong_configuration_is_not_the_fault_of_a_mail(desk: Desk, reason: str) -> None:
    mail_id = await desk.enqueue()

    mail = await desk.tried(mail_id, refusing(reason, is_permanent=False))

    assert mail.state is MailState.PENDING
    assert (await desk.tried(mail_id, Post())).state is MailState.SENT


async def test_a_mail_that_is_refused_does_not_keep_others_from_being_sent(desk: Desk) -> None:
    refused = await desk.enqueue(recipient_address="nobody@example.com")
    mail_id = await desk.enqueue()
    post = Post()

    async def deliver(destination: Destination, message: Any, *, recipient: str) -> None:
        if recipient == "nobody@example.com":
            raise ZeroDivisionError
        await post(destination, message, recipient=recipient)

    async with desk.sending(deliver):
        await desk.sent(mail_id)
        await desk.until(refused, lambda mail: mail.attempts[0].reason == "INTERNAL")

    assert (await desk.mail(refused)).state is MailState.PENDING


async def test_the_next_try_obeys_a_changed_configuration(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    await desk.tried(mail_id, refusing("CONNECTION_REFUSED", is_permanent=False))

    desk.destination = Destination(
        host="mail.example.net",
        port=587,
        tls=True,
        user="",
        password="",
        sender_address="hello@example.net",
        sender_name="Renamed",
    )
    post = Post()
    mail = await desk.tried(mail_id, post)

    assert mail.state is MailState.SENT
    assert post.destinations == [desk.destination]
    [message] = post.messages
    assert message["From"] == "Renamed <hello@example.net>"
    assert message["Message-ID"] == f"<{mail_id}@example.com>"


async def test_a_mail_waits_while_no_configuration_is_set(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    desk.destination = None

    mail = await desk.tried(mail_id, Post())

    assert mail.state is MailState.PENDING
    assert mail.attempts[0].reason == "SMTP_CONFIG_MISSING"
    desk.destination = DESTINATION
    assert (await desk.tried(mail_id, Post())).state is MailState.SENT


async def test_a_mail_to_a_user_who_is_gone_is_not_sent(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    await desk.sql.execute("delete from users")

    post = Post()
    mail = await desk.tried(mail_id, post)

    assert mail.state is MailState.CANCELLED
    assert mail.attempts[0].reason == "USER_REMOVED"
    assert not post.messages
    assert not await desk.secrets()


async def test_a_mail_that_holds_no_more_is_not_sent(desk: Desk) -> None:
    now = await desk.sql.fetchval("select clock_timestamp()")
    mail_id = await desk.enqueue(holds_until=now)

    post = Post()
    mail = await desk.tried(mail_id, post)

    assert mail.state is MailState.CANCELLED
    assert mail.attempts[0].reason == "OUTDATED"
    assert not post.messages


async def test_a_mail_that_is_cancelled_once_a_loop_has_it_is_not_sent(desk: Desk) -> None:
    mail_id = await desk.enqueue(reference="link")
    post = Post()

    async def cancel_first() -> Destination:
        await outbox.cancel(
            desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link"
        )
        return DESTINATION

    desk.find_destination = cancel_first
    await desk.tried(mail_id, post)

    mail = await desk.mail(mail_id)
    assert mail.state is MailState.CANCELLED
    assert mail.attempts[0].reason == "NOT_PENDING"
    assert not post.messages


async def test_a_mail_that_is_cancelled_while_it_is_sent_stays_cancelled(desk: Desk) -> None:
    mail_id = await desk.enqueue(reference="link")

    async def cancel() -> None:
        await outbox.cancel(
            desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link"
        )

    mail = await desk.tried(mail_id, Post(before=cancel))

    assert mail.state is MailState.CANCELLED


async def test_who_has_lost_its_lease_changes_nothing(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    lease = timedelta(minutes=1)
    [first] = await delivery_store.claim(desk.database, limit=4, lease=lease)
    await desk.make_due(mail_id)
    [second] = await delivery_store.claim(desk.database, limit=4, lease=lease)

    assert await delivery_store.get_content(desk.database, first) is None
    assert await delivery_store.end(desk.database, first, MailState.FAILED) is None
    assert await delivery_store.postpone(desk.database, first, reason="R", message="") is None
    assert (await desk.mail(mail_id)).state is MailState.PENDING
    assert await delivery_store.get_content(desk.database, second) is not None
    assert await delivery_store.end(desk.database, second, MailState.SENT) is MailState.SENT


async def test_what_was_sent_is_not_sent_again_by_who_has_the_lease_by_then(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    [first] = await delivery_store.claim(desk.database, limit=4, lease=_HOUR)
    await desk.make_due(mail_id)
    [second] = await delivery_store.claim(desk.database, limit=4, lease=_HOUR)

    assert await delivery_store.end(desk.database, first, MailState.SENT) is MailState.SENT

    assert await delivery_store.get_content(desk.database, second) is None
    assert await delivery_store.postpone(desk.database, second, reason="R", message="") is None
    assert (await desk.mail(mail_id)).state is MailState.SENT
    assert not await desk.secrets()


async def test_a_mail_of_a_newer_release_is_left_to_it(desk: Desk) -> None:
    newer = await desk.notice()
    await desk.sql.execute("update mails set kind = 'of_a_newer_release'")
    mail_id = await desk.enqueue()

    async with desk.sending(Post()):
        await desk.sent(mail_id)

    assert not (await desk.mail(newer)).attempts


async def test_a_retry_during_a_try_makes_its_failure_the_first(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    for _ in range(5):
        mail = await desk.tried(mail_id, refusing("TIMEOUT", is_permanent=False))

    async def retry_first() -> None:
        await store.retry(desk.database, mail_id)
        raise DeliveryError("message", "TIMEOUT", "", is_permanent=False)

    mail = await desk.tried(mail_id, Post(before=retry_first))

    last = mail.attempts[-1]
    assert last.ended_at is not None
    assert mail.next_attempt_at - last.ended_at <= timedelta(minutes=1, seconds=1)


async def test_a_mail_that_is_being_tried_is_nobody_elses(desk: Desk) -> None:
    await desk.enqueue()

    claims = await asyncio.gather(
        *(delivery_store.claim(desk.database, limit=4, lease=_HOUR) for _ in range(8))
    )

    assert sorted(map(len, claims)) == [0] * 7 + [1]


async def test_a_try_ends_before_its_lease(desk: Desk) -> None:
    mail_id = await desk.enqueue()

    async with desk.sending(Post(before=asyncio.Event().wait), step_seconds=0.01):
        await desk.until(mail_id, _is_tried)

    mail = await desk.mail(mail_id)
    assert mail.state is MailState.PENDING
    assert mail.attempts[0].reason == "TIMEOUT"


async def test_a_delivery_is_recorded_even_if_the_database_is_away_for_a_while(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail_id = await desk.enqueue()
    failures = [
        Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", ""),
        TimeoutError(),
        RuntimeError("a mistake of ours"),
    ]
    end = delivery_store.end

    async def fail_first(*args: Any, **options: Any) -> Any:
        if failures:
            raise failures.pop()
        return await end(*args, **options)

    monkeypatch.setattr(delivery_store, "end", fail_first)

    post = Post()
    async with desk.sending(post, pace=Pace(record_again=0)):
        await desk.sent(mail_id)

    assert len(post.messages) == 1


@pytest.mark.parametrize(
    "error",
    [Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", ""), RuntimeError("a mistake")],
    ids=["an outage of the database", "a mistake of ours"],
)
async def test_whatever_keeps_it_from_looking_passes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    mail_id = await desk.enqueue()
    looks = 0
    claim = delivery_store.claim

    async def fail_first(database: Database, **options: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks < 3:
            raise error
        return await claim(database, **options)

    monkeypatch.setattr(delivery_store, "claim", fail_first)

    async with desk.sending(Post(), pace=Pace(poll=0)):
        await desk.sent(mail_id)


async def test_a_loop_that_ends_gives_what_is_being_sent_a_moment(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go_on.wait()

    async with desk.sending(Post(before=wait)) as deliveries:
        await reached.wait()
        closing = asyncio.create_task(deliveries.close())
        later = await desk.enqueue()
        go_on.set()
        await closing

    assert (await desk.mail(mail_id)).state is MailState.SENT
    assert not (await desk.mail(later)).attempts


async def test_what_is_cut_off_at_the_end_is_tried_again_when_its_lease_has_ended(
    desk: Desk,
) -> None:
    mail_id = await desk.enqueue()
    reached = asyncio.Event()

    async def hang() -> None:
        reached.set()
        await asyncio.Event().wait()

    async with desk.sending(Post(before=hang), pace=Pace(close=0)) as deliveries:
        await reached.wait()
        await deliveries.close()

    mail = await desk.mail(mail_id)
    assert mail.attempts[0].ended_at is None
    assert mail.next_attempt_at - mail.attempts[0].started_at > timedelta(minutes=2)
    assert (await desk.tried(mail_id, Post())).state is MailState.SENT


async def test_what_a_server_says_is_stored_whatever_it_is(desk: Desk) -> None:
    mail_id = await desk.enqueue()

    async def refuse() -> None:
        raise DeliveryError("message", "MESSAGE_REFUSED", "\0\udcff" * 999, is_permanent=True)

    mail = await desk.tried(mail_id, Post(before=refuse))

    assert mail.attempts[0].message == "?" * 999


async def test_the_backlog_is_known(desk: Desk) -> None:
    mails = [await desk.enqueue() for _ in range(2)]

    async with desk.sending(refusing("TIMEOUT", is_permanent=False)) as deliveries:
        for mail_id in mails:
            await desk.until(mail_id, _is_tried)

    assert deliveries.backlog.pending == 2
    assert (await delivery_store.look(desk.database)).overdue_seconds == 0
    await desk.sql.execute("update mails set due_at = now() - interval '1 minute'")
    assert (await delivery_store.look(desk.database)).overdue_seconds >= 60


async def test_a_mail_that_waits_for_its_turn_is_not_overdue(desk: Desk) -> None:
    first, _later = [await desk.enqueue(hourly_limit=1) for _ in range(2)]
    async with desk.sending(Post()):
        await desk.sent(first)

    backlog = await delivery_store.look(desk.database)

    assert (backlog.pending, backlog.overdue_seconds) == (1, 0)


async def test_a_mail_is_overdue_while_it_is_tried(desk: Desk) -> None:
    await desk.enqueue()
    await desk.sql.execute(
        "update mails set next_attempt_at = now(), due_at = now() - $1::interval", _HOUR
    )

    assert await delivery_store.claim(desk.database, limit=1, lease=_HOUR)

    assert (await delivery_store.look(desk.database)).overdue_seconds >= 3600


async def test_a_mail_that_failed_is_due_from_when_it_is_retried(desk: Desk) -> None:
    mail_id = await desk.notice()
    await desk.tried(mail_id, refusing("RECIPIENT_REFUSED", is_permanent=True))
    await desk.sql.execute("update mails set due_at = now() - $1::interval", _HOUR)

    await store.retry(desk.database, mail_id)

    assert (await delivery_store.look(desk.database)).overdue_seconds < 3600


async def test_a_mail_that_waits_does_not_become_less_overdue_by_a_retry(desk: Desk) -> None:
    mail_id = await desk.notice()
    await desk.sql.execute("update mails set due_at = now() - $1::interval", _HOUR)

    await store.retry(desk.database, mail_id)

    assert (await delivery_store.look(desk.database)).overdue_seconds >= 3600


async def test_tries_are_counted_by_kind_and_state(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    await desk.tried(mail_id, refusing("TIMEOUT", is_permanent=False))
    await desk.tried(mail_id, Post())

    assert counted(desk, "pending") == 1
    assert counted(desk, "sent") == 1
    assert counted(desk, "failed") == counted(desk, "lost") == 0
    assert counted(desk, "sent", kind="passkey_added") == 0


async def test_a_try_whose_mail_another_has_by_then_is_counted_as_lost(desk: Desk) -> None:
    mail_id = await desk.enqueue()

    async def be_late() -> None:
        await desk.make_due(mail_id)
        assert await delivery_store.claim(desk.database, limit=1, lease=_HOUR)
        raise DeliveryError("message", "NO_ANSWER", "", is_permanent=False)

    await desk.tried(mail_id, Post(before=be_late))

    assert counted(desk, "lost") == 1
    assert counted(desk, "cancelled") == counted(desk, "pending") == 0


async def test_a_mail_that_is_cancelled_while_it_is_tried_is_counted_as_cancelled(
    desk: Desk,
) -> None:
    mail_id = await desk.enqueue(reference="link")

    async def cancel() -> None:
        await outbox.cancel(
            desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link"
        )

    await desk.tried(mail_id, Post(before=cancel))

    assert counted(desk, "cancelled") == 1
    assert counted(desk, "sent") == 0


@pytest.mark.parametrize(
    ("post", "state"),
    [(Post(), "sent"), (refusing("NO_ANSWER", is_permanent=False), "pending")],
)
async def test_what_was_recorded_without_an_answer_is_counted_as_what_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, post: Post, state: str
) -> None:
    mail_id = await desk.enqueue()
    name = "end" if state == "sent" else "postpone"
    record = getattr(delivery_store, name)
    answers = ["lost on its way"]

    async def lose_first(*args: Any, **options: Any) -> Any:
        recorded = await record(*args, **options)
        if answers:
            answers.pop()
            raise TimeoutError
        return recorded

    monkeypatch.setattr(delivery_store, name, lose_first)

    async with desk.sending(post, pace=Pace(record_again=0)):
        await desk.until(mail_id, _is_tried)
        await given.eventually(lambda: _is_counted(desk, state))

    assert counted(desk, "lost") == counted(desk, "cancelled") == 0


async def test_mails_that_ended_long_ago_are_forgotten(desk: Desk) -> None:
    old, new, pending = [await desk.enqueue() for _ in range(3)]
    await desk.sql.execute(
        "update mails set state = 'sent', ended_at = now() - interval '31 days' where mail_id = $1",
        old,
    )
    await desk.sql.execute(
        "update mails set state = 'sent', ended_at = now() where mail_id = $1", new
    )

    await store.forget_ended(desk.database)

    rows = await desk.sql.fetch("select mail_id from mails order by mail_id")
    assert [row["mail_id"] for row in rows] == [new, pending]


async def test_however_many_are_forgotten_it_is_done_bit_by_bit(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await desk.enqueue()
    await desk.sql.execute(
        "insert into mails select (jsonb_populate_record(mails, jsonb_build_object("
        " 'mail_id', mail_id || id, 'state', 'sent', 'ended_at', now() - interval '31 days'))).*"
        " from mails, generate_series(1, 700) as id"
    )
    deleted = []
    fetch_one = desk.database.fetch_one

    async def watched(sql: str, *args: object) -> Any:
        row = await fetch_one(sql, *args)
        deleted.append(row["count"])
        return row

    monkeypatch.setattr(desk.database, "fetch_one", watched)

    await store.forget_ended(desk.database)

    assert deleted == [1000, 1000, 100, 0]
    assert await desk.sql.fetchval("select count(*) from mails") == 3


async def test_budgets_that_nothing_is_taken_of_are_forgotten(desk: Desk) -> None:
    await desk.enqueue(hourly_limit=1)
    await store.forget_ended(desk.database)
    assert await desk.sql.fetchval("select count(*) from mail_budgets") == 1

    await desk.sql.execute("update mail_budgets set theoretical_arrival_at = now()")
    await store.forget_ended(desk.database)

    assert await desk.sql.fetchval("select count(*) from mail_budgets") == 0


def counted(desk: Desk, state: str, *, kind: str = "passkey_registration_link") -> float | None:
    """How many tries of mails of this kind left them in this state."""
    labels = {"kind": kind, "state": state}
    return desk.metrics.registry.get_sample_value("keystead_mail_tries_total", labels)


async def _is_counted(desk: Desk, state: str) -> bool:
    return counted(desk, state) == 1


def _is_tried(mail: Mail) -> bool:
    return bool(mail.attempts) and mail.attempts[-1].ended_at is not None


async def _span(desk: Desk, mail_id: str, column: str) -> timedelta:
    statement = f"select {column} - created_at from mails where mail_id = $1"  # noqa: S608
    span: timedelta = await desk.sql.fetchval(statement, mail_id)
    return span
