"""The repeated statements of mail loops use an index, for any number of mails."""

import re
from datetime import timedelta
from typing import Any

import pytest

from server.mail import leases, outbox, store
from server.mail.commands import ListMails
from server.store.retention import delete_ended
from tests.mail.mail_instance import MailInstance
from tests.support.explained import Explained
from tests.support.statements import statements

# One of four mails waits and has a secret, one of twenty has failed; every user gets ten mails.
_FILL = """
insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference, parameters,
    has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at, created_at, ended_at,
    org_id)
select n::text, 'passkey_added', (n / 10)::text, n || '@example.com', '', n::text, '{}', false,
    'example.com', case when n % 4 = 0 then 'pending' when n % 20 = 1 then 'failed' else 'sent' end,
    at, at, at + interval '48 hours', at, case when n % 4 > 0 then at end, (n % 100)::text
from generate_series(1, 20000) as n, lateral (select now() - n * interval '10 minutes' as at) as at;
insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
select n::text, 'link', '', '' from generate_series(4, 20000, 4) as n;
insert into mail_budgets (scope_id, address, theoretical_arrival_at)
select 'org', n || '@example.com', now() + (n - 100) * interval '1 minute'
from generate_series(1, 20000) as n;
insert into users (id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    sequence, creation_date, change_date)
select n::text, 'org', n::text, 'Ada', n || '@example.com', '{}', '', 0, 1, now(), now()
from generate_series(1, 2000) as n;
analyze"""


@pytest.fixture
async def explained(mail_instance: MailInstance) -> Any:
    """The plans on tables with many rows."""
    await mail_instance.sql.execute(_FILL)
    return Explained(mail_instance.sql)


def searched(plan: str) -> set[tuple[str, str]]:
    """The indexes of a plan, each with the column of its condition."""
    found = re.findall(
        r"Scan (?:Backward )?(?:using|on) (\w+).*\n\s+Index Cond: \(+(?:ROW\()?(\w+)", plan
    )
    return {(index, column) for index, column in found}


async def test_mails_that_are_due_are_searched_for(explained: Any) -> None:
    lease = timedelta(minutes=1)
    await leases.list_due(explained)
    await leases.acquire(explained, {"": 4, "org": 2}, lease=lease)
    await leases.acquire_urgent(explained, ["org"], lease=lease)

    servers, due, urgent = explained.plans
    assert "Seq Scan" not in servers
    assert ("mails_due_by_server", "smtp_org_id") in searched(due)
    assert ("mails_urgent", "next_attempt_at") in searched(urgent)


async def test_how_long_mails_are_overdue_is_read_from_an_index(explained: Any) -> None:
    await leases.look(explained)

    [look] = explained.plans
    assert re.search(r"Limit .*\n +-> +Index Scan using mails_due_at ", look)
    assert "Seq Scan" not in look


async def test_mails_of_an_organization_are_searched_for(explained: Any) -> None:
    later = 'created_at > "2026-01-01T00:00:00Z"'
    for text, org_id in (
        ("", "1"),
        ("state = SENT", "1"),
        ("state = FAILED", "1"),
        ("user_id = 7", "1"),
        ("state = SENT", ""),
        ("state != SENT", ""),
        (later, ""),
    ):
        command = ListMails(
            filter=text, order_by="", page_size=50, page_token="", with_total_size=False
        )
        await store.LIST.read(explained, command, org_id)

    there, of_state_there, failed, of_user, of_state, of_others, of_time = map(
        searched, explained.plans
    )
    assert ("mails_organization", "org_id") in there & of_state_there
    assert ("mails_failed", "org_id") in failed
    assert ("mails_user_id", "user_id") in of_user
    assert ("mails_state", "state") in of_state
    assert ("mails_pkey", "mail_id") in of_others & of_time


async def test_mails_of_an_organization_that_has_most_are_searched_for(
    explained: Any, mail_instance: MailInstance
) -> None:
    await mail_instance.sql.execute("update mails set org_id = '1' where org_id > '1'; analyze")
    for text in ("", "state = PENDING", "state = FAILED"):
        command = ListMails(
            filter=text, order_by="", page_size=50, page_token="", with_total_size=False
        )
        await store.LIST.read(explained, command, "1")

    found = [{index for index, _ in searched(plan)} for plan in explained.plans]
    assert [each - {"mail_attempts_pkey"} for each in found] == [
        *({"mails_organization"}, {"mails_organization"}, {"mails_failed"})
    ]


async def test_failed_mails_of_an_organization_are_counted_by_their_index(explained: Any) -> None:
    await explained.fetch(statements()["mail.store._COUNT_FAILED"], org_id="1")

    [count] = explained.plans
    assert searched(count) == {("mails_failed", "org_id")}


async def test_a_cancellation_uses_indexes(explained: Any) -> None:
    await outbox.cancel_about(explained, ["100"], organization_id="org")

    [cancel] = explained.plans
    assert ("mails_reference", "reference") in searched(cancel)
    assert ("mail_budgets_pkey", "scope_id") in searched(cancel)
    assert "Seq Scan" not in cancel


async def test_ended_rows_are_found_by_an_index(explained: Any) -> None:
    for retained in (store.ENDED, store.UNUSED_BUDGETS):
        await delete_ended(explained, retained)

    mails, budgets = explained.plans
    assert ("mails_ended_at", "ended_at") in searched(mails)
    index = "mail_budgets_theoretical_arrival_at"
    assert (index, "theoretical_arrival_at") in searched(budgets)
