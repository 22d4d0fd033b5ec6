"""Attempts: the process that makes them, their times, and their results."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from server.deliveries.loop import Pace
from server.deliveries.results import DeliveryState
from server.deliveries.smtp.destination import Destination
from server.mail import leases, outbox, store
from server.store.retention import delete_ended
from tests.conftest import MakeInstance
from tests.mail.mail_instance import DESTINATION, MailInstance, Post, refusing
from tests.passkey import links
from tests.support import given
from tests.support.mail_server import mail_server
from tests.user import calls as users

_HOUR = timedelta(hours=1)


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


async def test_a_pending_mail_keeps_its_link_until_it_is_given_up(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    refusal = refusing("TEMPORARILY_REFUSED", is_permanent=False)
    assert (await mail_instance.tried(mail_id, refusal)).state is DeliveryState.PENDING
    assert await mail_instance.secrets()
    await mail_instance.sql.execute("update mails set give_up_at = clock_timestamp()")

    mail = await mail_instance.tried(mail_id, refusal)

    assert mail.state is DeliveryState.FAILED
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
    async def cancel_first(_server: str) -> Destination:
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


async def test_a_mail_of_a_newer_release_is_left_to_it(mail_instance: MailInstance) -> None:
    newer = await mail_instance.notice()
    await mail_instance.sql.execute("update mails set kind = 'of_a_newer_release'")
    mail_id = await mail_instance.enqueue()

    async with mail_instance.sending(Post()):
        await mail_instance.sent(mail_id)

    assert not (await mail_instance.mail(newer)).attempts


async def test_a_try_ends_before_its_lease(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue()

    async with mail_instance.sending(Post(before=asyncio.Event().wait), step_seconds=0.01):
        await mail_instance.tried_once(mail_id)

    mail = await mail_instance.mail(mail_id)
    assert mail.state is DeliveryState.PENDING
    assert mail.attempts[0].reason == "TIMEOUT"


async def test_the_backlog_is_known(mail_instance: MailInstance) -> None:
    mails = [await mail_instance.enqueue() for _ in range(2)]

    async with mail_instance.sending(refusing("TIMEOUT", is_permanent=False)) as mail_loop:
        await mail_instance.tried_once(*mails)

    assert mail_loop.backlog.pending == 2
    assert (await leases.look(mail_instance.database)).overdue_seconds == 0
    await mail_instance.sql.execute("update mails set due_at = now() - interval '1 minute'")
    assert (await leases.look(mail_instance.database)).overdue_seconds >= 60
    await mail_instance.sql.execute("update mails set smtp_org_id = 'own'")
    assert (await leases.look(mail_instance.database)).overdue_seconds == 0


async def test_a_mail_is_overdue_while_it_is_tried_and_not_before_its_turn(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.enqueue(hourly_limit=1)
    await mail_instance.sql.execute(
        "update mails set next_attempt_at = now(), due_at = now() - $1::interval", _HOUR
    )
    assert await leases.acquire(mail_instance.database, {"": 1}, lease=_HOUR)
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
