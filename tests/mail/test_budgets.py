"""The mail budget of an address, and the order of mails that wait for it."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from server.access.caller import OPERATOR
from server.deliveries.results import DeliveryState
from server.mail import outbox
from server.mail.outbox import MailKind
from server.store.database import Statements
from server.user import commands as user_commands
from server.values.errors import Failure
from server.wiring.dependencies import OTHER_FEATURES
from tests.mail.mail_instance import MailInstance, Post

_HOUR = timedelta(hours=1)
_Act = Callable[[MailInstance], Awaitable[Any]]


async def _spend(mail_instance: MailInstance) -> None:
    """Writes as many mails as may wait for the user's address, at one mail an hour."""
    with contextlib.suppress(Failure):
        while True:
            await mail_instance.enqueue(hourly_limit=1)


async def test_a_quarter_of_the_hourly_limit_is_sent_at_once_and_the_rest_in_turn(
    mail_instance: MailInstance,
) -> None:
    begin = await _now(mail_instance)
    mails = [
        await mail_instance.mail(await mail_instance.enqueue(hourly_limit=20)) for _ in range(20)
    ]
    end = await _now(mail_instance)

    at_once, later = mails[:5], mails[5:]
    assert all(begin <= mail.next_attempt_at <= end for mail in at_once)
    pace = _HOUR / 16
    for turn, mail in enumerate(later, start=1):
        assert begin + turn * pace <= mail.next_attempt_at <= end + turn * pace


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7, 20, 100])
async def test_no_hour_has_more_mails_than_the_limit(
    mail_instance: MailInstance, limit: int
) -> None:
    mails = []
    with contextlib.suppress(Failure):
        while True:
            mails.append(await mail_instance.mail(await mail_instance.enqueue(hourly_limit=limit)))

    # The clock moved while they were written, which brings them closer together.
    elapsed = mails[-1].created_at - mails[0].created_at
    times = [mail.next_attempt_at for mail in mails]
    assert len(times) > limit
    for first, next_hours_first in zip(times, times[limit:], strict=False):
        assert next_hours_first - first >= _HOUR - elapsed


@pytest.mark.parametrize(
    ("written", "holds_for", "least", "most"),
    [(2, None, 59, 60), (1, 50, 9, 10)],
    ids=["more than an hour", "until it expires"],
)
async def test_a_link_that_would_wait_for_too_long_is_refused_until_it_would_not(
    mail_instance: MailInstance, written: int, holds_for: int | None, least: int, most: int
) -> None:
    for _ in range(written):
        await mail_instance.enqueue(hourly_limit=1)  # the next mail is due in another hour
    holds_until = await _now(mail_instance) + timedelta(minutes=holds_for) if holds_for else None

    with pytest.raises(Failure) as refused:
        await mail_instance.enqueue(hourly_limit=1, holds_until=holds_until)

    assert refused.value.reason == "TOO_MANY_MAILS"
    assert refused.value.retry_after is not None
    assert timedelta(minutes=least) < refused.value.retry_after <= timedelta(minutes=most)
    await mail_instance.sql.execute(
        "update mail_budgets set theoretical_arrival_at = theoretical_arrival_at - $1::interval",
        refused.value.retry_after + timedelta(milliseconds=1),  # clocks move
    )
    await mail_instance.enqueue(hourly_limit=1, holds_until=holds_until)


async def test_a_refused_mail_does_not_count(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue(hourly_limit=1)
    await mail_instance.enqueue(hourly_limit=1)
    before = await mail_instance.sql.fetchval("select theoretical_arrival_at from mail_budgets")

    for _ in range(3):
        with pytest.raises(Failure):
            await mail_instance.enqueue(hourly_limit=1)

    after = await mail_instance.sql.fetchval("select theoretical_arrival_at from mail_budgets")
    assert after == before


async def test_an_address_is_the_same_however_it_is_written(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue(hourly_limit=1, recipient_address="Ada@Example.com")
    await mail_instance.enqueue(hourly_limit=1, recipient_address="ada@example.COM")

    for other in ("ada@example.com", "ada@\uff45xample.com"):
        with pytest.raises(Failure):
            await mail_instance.enqueue(hourly_limit=1, recipient_address=other)
    await mail_instance.enqueue(hourly_limit=1, recipient_address="other@example.com")


async def test_of_many_callers_at_once_exactly_the_limit_get_through(
    mail_instance: MailInstance,
) -> None:
    outcomes = await asyncio.gather(
        *(mail_instance.enqueue(hourly_limit=20) for _ in range(60)), return_exceptions=True
    )

    # A burst of 5 at once, and the 16 that may wait for their turn within the hour.
    written = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(written) == 5 + 16
    assert all(isinstance(outcome, str | Failure) for outcome in outcomes)
    assert (
        await mail_instance.sql.fetchval("select count(distinct next_attempt_at) from mails") == 21
    )


async def _write_many_notices(mail_instance: MailInstance) -> None:
    for _ in range(30):
        await mail_instance.happen()


async def _write_notices_about_others(mail_instance: MailInstance) -> None:
    for _ in range(30):
        await mail_instance.happen(await mail_instance.user())


async def _link(mail_instance: MailInstance) -> str:
    return await mail_instance.enqueue(hourly_limit=1)


async def _link_elsewhere(mail_instance: MailInstance) -> str:
    other = await mail_instance.user(org_id="another")
    return await mail_instance.enqueue(user_id=other, scope_id="another", hourly_limit=1)


@pytest.mark.parametrize(
    ("spend", "write"),
    [
        (_spend, _link_elsewhere),
        (_spend, MailInstance.happen),
        (_write_many_notices, _link),
        (_write_notices_about_others, MailInstance.happen),
    ],
    ids=[
        "links of another organization",
        "links and a notice",
        "notices and a link",
        "notices about others with the same address",
    ],
)
async def test_mails_of_another_budget_do_not_delay_one(
    mail_instance: MailInstance, spend: _Act, write: _Act
) -> None:
    await spend(mail_instance)

    assert await _wait(mail_instance, await write(mail_instance)) == timedelta()


async def test_users_of_one_organization_share_the_budget_of_an_address(
    mail_instance: MailInstance,
) -> None:
    await _spend(mail_instance)
    other = await mail_instance.user()

    with pytest.raises(Failure, match="Too many mails"):
        await mail_instance.enqueue(user_id=other, hourly_limit=1)


@pytest.mark.parametrize("limit", [1, 20])
async def test_every_notice_is_written_and_waits_for_one_interval_at_most(
    mail_instance: MailInstance, limit: int
) -> None:
    interval = _HOUR / (limit - max(1, limit // 4) + 1)
    for _ in range(40):
        mail_id = await mail_instance.happen(hourly_limit=limit)
        assert await _wait(mail_instance, mail_id) <= interval
        await _be_trying(mail_instance, mail_id)


async def test_a_notice_is_not_held_up_by_a_budget_that_is_far_ahead(
    mail_instance: MailInstance,
) -> None:
    await _be_trying(mail_instance, await mail_instance.happen())
    await mail_instance.sql.execute(
        "update mail_budgets set theoretical_arrival_at = now() + '1 day'"
    )

    assert await _wait(mail_instance, await mail_instance.happen()) <= _HOUR


@pytest.mark.parametrize("limit", [1, 4, 20])
async def test_no_hour_has_more_notices_about_a_user_than_the_limit(
    mail_instance: MailInstance, limit: int
) -> None:
    begin = await _now(mail_instance)
    passed, times = timedelta(), []
    for _ in range(2 * limit + 5):
        mail_id, *_merged = [await mail_instance.happen(hourly_limit=limit) for _ in range(3)]
        wait = await _wait(mail_instance, mail_id)
        await _be_trying(mail_instance, mail_id)
        await mail_instance.sql.execute(
            "update mail_budgets"
            " set theoretical_arrival_at = theoretical_arrival_at - $1::interval",
            wait,
        )
        passed += wait
        times.append(passed)

    elapsed = await _now(mail_instance) - begin
    for first, next_hours_first in zip(times, times[limit:], strict=False):
        assert next_hours_first - first >= _HOUR - elapsed


async def test_a_notice_tells_of_all_that_happened_until_it_is_tried(
    mail_instance: MailInstance,
) -> None:
    first, *merged = [await mail_instance.happen() for _ in range(4)]

    assert first is not None
    assert set(merged) == {first}
    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(first)
    assert "and 3 more since then" in post.texts


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (MailKind.PASSKEY_ADDED, "attempts = 1"),
        (MailKind.PASSKEY_ADDED, "recipient_address = 'new@example.com'"),
        (MailKind.EMAIL_CHANGED, "attempts = 0"),
    ],
    ids=["tried", "another address", "another kind"],
)
async def test_a_notice_is_merged_into_no_other_one_and_shares_its_budget(
    mail_instance: MailInstance, kind: MailKind, change: str
) -> None:
    first = await mail_instance.happen()
    await mail_instance.sql.execute(f"update mails set {change}")  # noqa: S608 -- a constant

    second = await mail_instance.happen(kind=kind)

    assert second not in (None, first)
    assert await mail_instance.happen(kind=kind) == second
    assert timedelta(minutes=59) < await _wait(mail_instance, second) <= _HOUR


async def test_a_notice_that_tells_of_more_is_tried_for_as_long_as_a_new_one(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.happen()
    await mail_instance.sql.execute("update mails set give_up_at = now() + interval '1 second'")

    await mail_instance.happen()

    left = await mail_instance.sql.fetchval("select give_up_at - now() from mails")
    assert left > timedelta(hours=47)


async def test_simultaneous_events_share_a_notice(mail_instance: MailInstance) -> None:
    written = await asyncio.gather(*(mail_instance.happen() for _ in range(40)))

    assert len(set(written)) == 1
    [parameters] = [
        row["parameters"] for row in await mail_instance.sql.fetch("select * from mails")
    ]
    assert json.loads(parameters)["further_count"] == "39"


async def test_a_removed_user_leaves_no_wait_behind(mail_instance: MailInstance) -> None:
    others = [await mail_instance.user() for _ in range(2)]
    for user_id in others:
        await mail_instance.enqueue(user_id=user_id, hourly_limit=1)

    for user_id in others:
        await _remove(mail_instance, user_id)

    assert await _wait(mail_instance, await mail_instance.enqueue(hourly_limit=1)) == timedelta()


async def test_a_cancelled_mail_leaves_no_wait_behind(mail_instance: MailInstance) -> None:
    for _ in range(5):
        mail_id = await mail_instance.enqueue(reference="link", hourly_limit=1)
        assert await _wait(mail_instance, mail_id) == timedelta()
        await _cancel(mail_instance.database)


_PASSED = "tstzrange(now() - interval '2 hours', now() - interval '1 hour')"


@pytest.mark.parametrize("used", ["attempts = 1", f"turn = {_PASSED}"], ids=["tried", "passed"])
async def test_a_turn_that_was_used_or_has_passed_is_not_given_back(
    mail_instance: MailInstance, used: str
) -> None:
    await mail_instance.enqueue(reference="link", hourly_limit=1)
    await mail_instance.sql.execute(f"update mails set {used}")  # noqa: S608 -- a constant

    await _cancel(mail_instance.database)

    wait = await _wait(mail_instance, await mail_instance.enqueue(hourly_limit=1))
    assert wait > timedelta(minutes=59)


async def test_turns_that_are_taken_and_given_back_at_once_block_nobody_and_are_all_free_again(
    mail_instance: MailInstance,
) -> None:
    async def come_and_go(user_id: str) -> None:
        for _ in range(10):
            async with mail_instance.database.transaction() as transaction:
                await _cancel(transaction, user_id)
                await mail_instance.enqueue(
                    transaction, user_id=user_id, reference=user_id, hourly_limit=20
                )
            await mail_instance.happen(user_id)
        await _remove(mail_instance, user_id)

    await asyncio.gather(*[come_and_go(await mail_instance.user()) for _ in range(10)])

    rows = await mail_instance.sql.fetch("select state, count(*) from mails group by state")
    assert [row["state"] for row in rows] == [DeliveryState.CANCELLED]
    assert await _wait(mail_instance, await mail_instance.enqueue(hourly_limit=1)) == timedelta()


async def _wait(mail_instance: MailInstance, mail_id: str | None) -> timedelta:
    """The time until the turn of a mail that has just been written."""
    assert mail_id is not None
    mail = await mail_instance.mail(mail_id)
    return mail.next_attempt_at - mail.created_at


async def _be_trying(mail_instance: MailInstance, mail_id: str | None) -> None:
    """Makes an attempt of the mail that ends without a result."""
    await mail_instance.sql.execute("update mails set attempts = 1 where mail_id = $1", mail_id)


async def _cancel(database: Statements, reference: str = "link") -> None:
    await outbox.cancel_about(database, [reference], organization_id="org")


async def _remove(mail_instance: MailInstance, user_id: str) -> None:
    command = user_commands.OneUser(user_id=user_id)
    await user_commands.remove(
        mail_instance.database, command, actor=OPERATOR, others=OTHER_FEATURES
    )


async def _now(mail_instance: MailInstance) -> datetime:
    return await mail_instance.sql.fetchval("select clock_timestamp()")
