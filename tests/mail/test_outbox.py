"""What is written of a mail, when, and how much of it to one address."""

import asyncio
import contextlib
from datetime import datetime, timedelta

import pytest

from server import outbox
from server.errors import Failure
from server.eventstore import new_id
from server.mail.store import MailState
from server.outbox import MailKind
from tests.mail.desk import Desk, Post

_HOUR = timedelta(hours=1)


async def test_a_mail_is_written_with_its_transaction(desk: Desk) -> None:
    async with desk.database.transaction() as transaction:
        mail_id = await desk.enqueue(transaction)

    assert (await desk.mail(mail_id)).state is MailState.PENDING


async def test_a_transaction_that_is_undone_leaves_no_mail_and_no_secret(desk: Desk) -> None:
    async def fail() -> None:
        async with desk.database.transaction() as transaction:
            await desk.enqueue(transaction)
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    assert await desk.sql.fetchval("select count(*) from mails") == 0
    assert await desk.sql.fetchval("select count(*) from mail_recipients") == 0
    assert not await desk.secrets()


async def test_the_link_is_nowhere_in_clear(desk: Desk) -> None:
    await desk.enqueue()

    tables = await desk.sql.fetch("select mails::text as row from mails")
    assert tables
    assert not any("ksl_secret" in row["row"] for row in tables)
    [secret] = await desk.secrets()
    assert b"ksl_secret" not in secret["ciphertext"]
    assert "ksl_secret" not in repr(desk.new_mail())


async def test_a_secret_that_was_copied_to_another_receiver_cannot_be_read(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    await desk.sql.execute("update mails set recipient_address = 'eve@example.com'")

    post = Post()
    mail = await desk.tried(mail_id, post)

    assert not post.messages
    assert mail.state is MailState.PENDING
    assert mail.attempts[0].reason == "SECRET_UNREADABLE"


async def test_no_mail_is_written_while_no_configuration_is_set(desk: Desk) -> None:
    await desk.sql.execute("delete from smtp_configs")

    with pytest.raises(Failure) as refused:
        await desk.enqueue()

    assert refused.value.reason == "SMTP_CONFIG_MISSING"


async def test_a_cancelled_mail_has_no_secret_and_is_not_sent(desk: Desk) -> None:
    mail_id = await desk.enqueue(reference="link")
    other = await desk.enqueue(reference="another link")

    await outbox.cancel(desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link")

    post = Post()
    async with desk.sending(post):
        await desk.sent(other)
    assert (await desk.mail(mail_id)).state is MailState.CANCELLED
    assert len(post.messages) == 1
    assert not await desk.secrets()


async def test_a_quarter_of_the_hourly_limit_is_sent_at_once_and_the_rest_in_turn(
    desk: Desk,
) -> None:
    begin = await _now(desk)
    mails = [await desk.mail(await desk.enqueue(hourly_limit=20)) for _ in range(20)]
    end = await _now(desk)

    at_once, later = mails[:5], mails[5:]
    assert all(begin <= mail.next_attempt_at <= end for mail in at_once)
    pace = _HOUR / 16
    for turn, mail in enumerate(later, start=1):
        assert begin + turn * pace <= mail.next_attempt_at <= end + turn * pace


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7, 20, 100])
async def test_no_hour_has_more_mails_than_the_limit(desk: Desk, limit: int) -> None:
    mails = []
    with contextlib.suppress(Failure):
        while True:
            mails.append(await desk.mail(await desk.enqueue(hourly_limit=limit)))

    # The clock went on while they were written, which brings them closer together.
    elapsed = mails[-1].created_at - mails[0].created_at
    times = [mail.next_attempt_at for mail in mails]
    assert len(times) > limit
    for first, next_hours_first in zip(times, times[limit:], strict=False):
        assert next_hours_first - first >= _HOUR - elapsed


async def test_an_address_that_would_wait_for_over_an_hour_is_refused_until_it_would_not(
    desk: Desk,
) -> None:
    await desk.enqueue(hourly_limit=1)
    await desk.enqueue(hourly_limit=1)

    with pytest.raises(Failure) as refused:
        await desk.enqueue(hourly_limit=1)

    assert refused.value.reason == "TOO_MANY_MAILS"
    assert refused.value.retry_after is not None
    assert timedelta(minutes=59) < refused.value.retry_after <= _HOUR
    await desk.sql.execute(
        "update mail_recipients set theoretical_arrival_at = theoretical_arrival_at - $1::interval",
        refused.value.retry_after,
    )
    await desk.enqueue(hourly_limit=1)


async def test_a_refused_mail_does_not_count(desk: Desk) -> None:
    await desk.enqueue(hourly_limit=1)
    await desk.enqueue(hourly_limit=1)
    before = await desk.sql.fetchval("select theoretical_arrival_at from mail_recipients")

    for _ in range(3):
        with pytest.raises(Failure):
            await desk.enqueue(hourly_limit=1)

    after = await desk.sql.fetchval("select theoretical_arrival_at from mail_recipients")
    assert after == before


async def test_an_address_is_the_same_however_it_is_written(desk: Desk) -> None:
    await desk.enqueue(hourly_limit=1, recipient_address="Ada@Example.com")
    await desk.enqueue(hourly_limit=1, recipient_address="ada@example.COM")

    with pytest.raises(Failure):
        await desk.enqueue(hourly_limit=1)
    await desk.enqueue(hourly_limit=1, recipient_address="other@example.com")


async def test_of_many_callers_at_once_exactly_the_limit_get_through(desk: Desk) -> None:
    outcomes = await asyncio.gather(
        *(desk.enqueue(hourly_limit=20) for _ in range(60)), return_exceptions=True
    )

    # A burst of 5 at once, and 16 in the hour that one may wait for.
    written = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(written) == 5 + 16
    assert all(isinstance(outcome, str | Failure) for outcome in outcomes)
    assert await desk.sql.fetchval("select count(distinct next_attempt_at) from mails") == 21


async def _now(desk: Desk) -> datetime:
    now: datetime = await desk.sql.fetchval("select clock_timestamp()")
    return now


async def test_who_is_told_of_an_event_gets_a_notice(desk: Desk) -> None:
    mail_id = await _happen(desk, desk.user_id)

    assert mail_id is not None
    mail = await desk.mail(mail_id)
    assert (mail.kind, mail.user_id) == ("passkey_added", desk.user_id)
    assert mail.recipient_address == "ada@example.com"
    post = Post()
    async with desk.sending(post):
        await desk.sent(mail_id)
    assert "Ada" in post.texts
    assert "Phone" in post.texts


async def test_no_notice_is_written_to_a_user_without_an_address(desk: Desk) -> None:
    assert await _happen(desk, await desk.user(email="")) is None


async def test_no_notice_is_written_while_no_configuration_is_set(desk: Desk) -> None:
    await desk.sql.execute("delete from smtp_configs")

    assert await _happen(desk, desk.user_id) is None


async def test_a_notice_waits_for_its_turn_for_a_day_at_most(desk: Desk) -> None:
    written = [await _happen(desk, desk.user_id) for _ in range(26)]

    # One at once, and one in each of the next 24 hours.
    assert [mail_id is not None for mail_id in written] == [True] * 25 + [False]


async def _happen(desk: Desk, user_id: str) -> str | None:
    """Something happens to a user who has at most one mail an hour; the notice's id."""
    notice = outbox.about_event(
        MailKind.PASSKEY_ADDED,
        mail_id="$2::text",
        hourly_limit="1",
        parameters="""'{"passkey_name": "Phone", "provider_name": ""}'::jsonb""",
        reference="'passkey'",
    )
    further = ", ".join(f"{name} as ({sql})" for name, sql in notice.items())
    statement = f"with event as (select $1::text as aggregate_id), {further} select * from mail"  # noqa: S608 -- constants
    row = await desk.database.fetch_row(statement, user_id, new_id())
    return row["mail_id"] if row else None
