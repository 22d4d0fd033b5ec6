"""RemoveOrganization: all that an organization has goes with it, and nothing comes after it."""

import asyncio
import copy
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.org.v1 import organization_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.group import calls as groups
from tests.idp import mail_domains, oidc_calls
from tests.org import calls
from tests.org import mail_text_calls as mail_texts
from tests.org.brand_calls import FIELDS, set_brand
from tests.push import calls as pushes
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import attribute_calls as attributes
from tests.user import calls as users

# The log keeps the events of the organization.
_LOG: Final = re.compile("event")
# By a column, rows of an organization.
_OWNED = """
select distinct columns.table_name as name from information_schema.columns as columns
join information_schema.tables as tables using (table_schema, table_name)
where columns.table_schema = current_schema() and tables.table_type = 'BASE TABLE'
    and columns.column_name in ('owner', 'org_id', 'organization_id')"""
_TABLES = """
select table_name as name from information_schema.tables
where table_schema = current_schema() and table_type = 'BASE TABLE'"""

# Rows that no method of these tests writes; $1 is the organization.
_ADD_ROWS = (
    """
    insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference,
        parameters, has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at,
        created_at, org_id)
    values ($1 || '-mail', 'passkey_added', $1 || '-user', 'ada@example.com', '', '', '{}', false,
        'example.com', 'pending', now(), now(), now(), now(), $1)""",
    """
    insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
        position, payload, state, next_attempt_at, due_at, give_up_at, created_at)
    values ($1 || '-delivery', $1, 'webhook', $1, $1, 'group.changed', 1, '{}', 'pending', now(),
        now(), now(), now())""",
    """
    insert into application_refusals (application_id, owner, endpoint, reason, parameter, value,
        count, refused_at, request_ids)
    values ($1 || '-app', $1, 'authorize', 'UNKNOWN', '', '', 1, now(), '{}')""",
    """
    insert into sign_in_refusals (user_id, owner, method, reason, network, count, refused_at,
        request_ids)
    values ($1 || '-user', $1, 'passkey', 'UNKNOWN', '', 1, now(), '{}')""",
    "insert into organization_days (owner, day) values ($1, current_date)",
    """
    insert into mail_domain_checks (mail_domain_id, checked_at)
    select id, now() from mail_domains where owner = $1""",
)
_OBJECTS = """
select distinct aggregate_id from events where owner = $1 and aggregate_type <> 'user'"""


async def _mentioning(sql: asyncpg.Connection, an_id: str, tables: str) -> set[str]:
    """Those of the tables, but for the log, that have a row with the ID of an object."""
    return {
        row["name"]
        for row in await sql.fetch(tables)
        if not _LOG.search(row["name"])
        and await sql.fetchval(
            f"select exists (select from {row['name']} as each where strpos(each::text, $1) > 0)",  # noqa: S608
            an_id,
        )
    }


async def _owned(sql: asyncpg.Connection) -> set[str]:
    return {row["name"] for row in await sql.fetch(_OWNED) if not _LOG.search(row["name"])}


async def _filled(admin: Client, sql: asyncpg.Connection) -> str:
    """An organization with one of everything but users."""
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    await groups.group(owner)
    application_id = await applications.application(owner)
    await applications.create_secret(owner, application_id)
    await oidc_calls.set_config(owner, await given.idp(owner))
    await mail_domains.create(owner)
    await attributes.create(owner)
    # The loop of pushes forgets the row of a target some time after its last delivery.
    await pushes.subscription(owner, event_types=["user.imported"])
    await smtp.add(_within(owner, org_id))
    await set_brand(admin, org_id, **FIELDS)
    await mail_texts.set_text(admin, org_id=org_id, **mail_texts.FIELDS)
    await users.remove(admin, owner.user_id)
    for each in _ADD_ROWS:
        await sql.execute(each, org_id)
    return org_id


async def test_no_row_of_any_table_is_left(admin: Client, sql: asyncpg.Connection) -> None:
    org_id = await _filled(admin, sql)
    empty = {"users"}
    assert await _mentioning(sql, org_id, _OWNED) == await _owned(sql) - empty

    previewed = await calls.remove(admin, org_id, x_validate_only="true")
    assert await _mentioning(sql, org_id, _OWNED) == await _owned(sql) - empty
    removed = await calls.remove(admin, org_id)

    objects = [row["aggregate_id"] for row in await sql.fetch(_OBJECTS, org_id)]
    assert len(objects) == 1 + len(pb.RemovedObjects.DESCRIPTOR.fields)
    assert [await _mentioning(sql, each, _TABLES) for each in objects] == [set()] * len(objects)
    assert (
        previewed.removed
        == removed.removed
        == pb.RemovedObjects(
            applications=1,
            idps=1,
            groups=1,
            attributes=1,
            mail_domains=1,
            subscriptions=1,
            smtp_configs=1,
        )
    )
    types = "select event_type from events where owner = $1 order by created_at desc limit 8"
    ended = [row["event_type"] for row in await sql.fetch(types, org_id)]
    assert ended[0] == "organization.removed"
    assert {*ended[1:]} == {
        *("application.removed", "idp.removed", "group.removed", "attribute.removed"),
        *("mail_domain.removed", "subscription.removed", "smtp_config.removed"),
    }


async def test_its_name_is_free_and_it_is_not_found(admin: Client) -> None:
    name = f"Org {uuid4()}"
    org_id = await given.organization(admin, name=name)

    await calls.remove(admin, org_id)

    again = await given.refusal(calls.remove(admin, org_id))
    assert (again.code, again.reason) == (grpc.StatusCode.NOT_FOUND, "ORGANIZATION_NOT_FOUND")
    assert await given.organization(admin, name=name) != org_id


async def test_it_is_refused_while_there_are_users(admin: Client) -> None:
    org_id = await given.organization(admin)
    found = [(await users.create(admin, org_id=org_id)).user_id for _ in range(2)]

    refused = await given.refusal(calls.remove(admin, org_id))
    for user_id in found:
        await users.remove(admin, user_id)
    removed = await calls.remove(admin, org_id)

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert (refused.reason, refused.metadata) == ("ORGANIZATION_HAS_USERS", {"users": "2"})
    assert removed.details.resource_owner == org_id


async def test_the_default_organization_stays(admin: Client) -> None:
    org_id = (await users.whoami(admin)).details.resource_owner

    refused = await given.refusal(calls.remove(admin, org_id))

    assert refused.reason == "DEFAULT_ORGANIZATION"


async def test_an_owner_of_the_organization_cannot_remove_it(owner: Client, org_id: str) -> None:
    assert await given.outcome(calls.remove(owner, org_id)) == "PERMISSION_DENIED"


async def test_an_application_of_all_organizations_leaves_those_of_others_working(
    admin: Client,
) -> None:
    owner = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    org_id = (await users.whoami(owner)).details.resource_owner
    await applications.application(owner)
    kept = await applications.application(other)
    await users.remove(admin, owner.user_id)

    await calls.remove(admin, org_id)

    assert (await applications.get(other, kept)).application_id == kept


def _within(client: Client, org_id: str) -> Client:
    """The same caller, who works in the organization."""
    inside = copy.copy(client)
    inside.call = partial(client.call, x_service_orgid=org_id)  # type: ignore[method-assign]
    return inside


_CREATIONS: dict[str, Callable[[Client], Awaitable[Any]]] = {
    "user": users.create,
    "group": groups.add,
    "application": applications.add,
    "idp": given.idp,
    "attribute": attributes.create,
    "mail domain": mail_domains.create,
    "subscription": pushes.add,
    "smtp": smtp.add,
    "mail text": partial(mail_texts.set_text, subject="Welcome"),
}


@pytest.mark.parametrize("kind", _CREATIONS)
async def test_a_creation_that_waited_for_the_removal_is_refused(
    admin: Client, instance: Instance, sql: asyncpg.Connection, kind: str
) -> None:
    org_id = await given.organization(admin)
    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("select from organizations where id = $1 for update", org_id)
        await holder.execute("delete from unique_claims where aggregate_id = $1", org_id)
        await holder.execute("delete from organizations where id = $1", org_id)
        made = asyncio.ensure_future(given.outcome(_CREATIONS[kind](_within(admin, org_id))))
        await given.waiting_for_a_lock(sql)

    assert await made == "ORGANIZATION_NOT_FOUND"
    assert await _mentioning(sql, org_id, _TABLES) == set()


@pytest.mark.parametrize("kind", _CREATIONS)
async def test_what_is_created_at_the_same_time_is_removed_or_refused(
    admin: Client, sql: asyncpg.Connection, kind: str
) -> None:
    for _ in range(3):
        org_id = await given.organization(admin)

        removed, created = await asyncio.gather(
            given.outcome(calls.remove(admin, org_id)),
            given.outcome(_CREATIONS[kind](_within(admin, org_id))),
        )

        if kind == "user" and removed == "ORGANIZATION_HAS_USERS":
            assert created == "OK"
        else:
            assert removed == "OK"
            assert created in {"OK", "ORGANIZATION_NOT_FOUND"}
            assert await _mentioning(sql, org_id, _TABLES) == set()


async def test_a_change_that_locks_a_group_does_not_wait_in_a_circle_with_the_removal(
    admin: Client, instance: Instance, sql: asyncpg.Connection
) -> None:
    org_id = await given.organization(admin)
    inside = _within(admin, org_id)
    group_id = await groups.group(inside)
    application_id = await applications.application(inside)
    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("select from applications where id = $1 for update", application_id)
        removed = asyncio.ensure_future(given.outcome(calls.remove(admin, org_id)))
        await given.waiting_for_a_lock(sql)
        patched = asyncio.ensure_future(
            given.outcome(applications.patch(inside, application_id, allowed_groups=[group_id]))
        )
        await given.waiting_for_a_lock(sql, statements=2)

    assert (await removed, await patched) == ("OK", "INVALID_FIELDS")  # no group has the ID
