"""The log is append-only, ordered by a monotonic clock, and consistent with the projections."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from server.access.checked_append import written_by
from server.idp import store as idp_store
from server.idp.events import IDPChanged
from server.store.database import Database
from server.store.statement import statement
from server.user import store as user_store
from server.user.events import UserChanged
from server.values.ids import new_id
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.passkey import ceremonies
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance
from tests.user import calls as users

_TAMPERING = {
    "update": "update events set creator = 'somebody else'",
    "delete": "delete from events",
    "truncate": "truncate events",
    "replace": """
        insert into events select * from events
        on conflict (aggregate_id, sequence) do update set creator = 'somebody else'""",
}
tampering = pytest.mark.parametrize("statement", _TAMPERING.values(), ids=_TAMPERING.keys())


@pytest.fixture(scope="module")
async def application(
    make_database: MakeDatabase, make_instance: MakeInstance
) -> AsyncIterator[Instance]:
    """A server whose role owns its database and is not a superuser, as in production."""
    async with (
        given.application_role(await make_database(empty=True)) as dsn,
        make_instance(dsn=dsn) as instance,
    ):
        yield instance


@pytest.fixture
async def instance_sql(own_instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of a server for this test."""
    async with given.sql(own_instance.dsn) as connection:
        yield connection


async def test_an_append_to_an_aggregate_that_always_exists_fails_without_it(
    database: Database,
) -> None:
    event = UserChanged(display_name="Nobody")

    with pytest.raises(LookupError):
        await user_store.CHANGE.details(database, event, creator="nobody", user_id="nobody")


# Written events cannot be changed.


@tampering
async def test_the_role_of_the_application_may_not_change_events(
    application: Instance, statement: str
) -> None:
    async with given.sql(application.dsn) as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


@tampering
async def test_a_trigger_refuses_changes_of_events_to_everybody_else(
    sql: asyncpg.Connection, statement: str
) -> None:
    with pytest.raises(asyncpg.RaiseError, match="events are append-only"):
        await sql.execute(statement)


# Sequences are microseconds since the epoch and strictly increase within an aggregate.


@settings(deadline=None, max_examples=40)
@for_all(last=st.integers(min_value=0, max_value=2**53 - 2))
async def test_the_next_sequence_is_greater_than_the_last_and_never_before_now(
    instance: Instance, database: Database, last: int
) -> None:
    added = await idps.add(instance.admin)
    async with database.transaction() as transaction:
        now = statement("select (extract(epoch from clock_timestamp()) * 1e6)::bigint as now")
        set_last = statement("update idps set sequence = :last where id = :idp_id")
        await transaction.fetch(set_last, idp_id=added.idp_id, last=last)

        earliest = (await transaction.fetch_one(now))["now"]
        details = await idp_store.CHANGE.details(
            transaction,
            IDPChanged(name="Changed"),
            **written_by(OPERATOR),
            idp_id=added.idp_id,
            organization_id=added.details.resource_owner,
        )
        latest = (await transaction.fetch_one(now))["now"]

    assert max(earliest, last + 1) <= details.sequence <= max(latest, last + 1)
    assert details.sequence == _microseconds(details.change_date)


# Each write is exactly one event, with its projection, creator and owner.


_OWNER = user_pb.ROLE_ORG_OWNER


async def test_a_write_appends_one_event_that_its_details_and_its_read_table_tell_of(
    own_instance: Instance, instance_sql: asyncpg.Connection
) -> None:
    admin = own_instance.admin
    user = await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])
    idp_id = await given.idp(user)
    begun = await ceremonies.begin(user)
    target = (await users.create(user)).user_id
    token_id = (await users.create_token(user, target)).token_id
    writes: dict[str, Callable[[], Awaitable[Any]]] = {
        "idp.added": lambda: idps.add(user),
        "idp.changed": lambda: idps.patch(user, idp_id, ["auto_register"], auto_register=True),
        "idp.removed": lambda: idps.remove(user, idp_id),
        "user.added": lambda: users.create(user),
        "user.role_granted": lambda: users.grant(user, target, _OWNER),
        "user.role_revoked": lambda: users.revoke(user, target, _OWNER),
        "user.token_created": lambda: users.create_token(user, target),
        "user.token_revoked": lambda: users.revoke_token(user, target, token_id),
        "user.passkey_verified": begun.verify,
        "user.passkey_removed": lambda: ceremonies.remove(user, begun.passkey_id),
        "user.removed": lambda: users.remove(user, target),
        "smtp_config.added": lambda: smtp.add(user),
        "smtp_config.changed": lambda: smtp.update(user, given.smtp_update(sender_name="New")),
        "smtp_config.password_changed": lambda: smtp.update_password(user, "new"),
        "smtp_config.removed": lambda: smtp.remove(user),
    }

    for event_type, write in writes.items():
        before = await instance_sql.fetchval("select count(*) from events")
        details = (await write()).details
        events = await instance_sql.fetch(
            "select * from events order by created_at desc, sequence desc"
        )

        event = events[0]
        assert len(events) == before + 1, event_type
        assert event["event_type"] == event_type
        assert event["creator"] == user.user_id
        assert event["owner"] == details.resource_owner
        assert event["sequence"] == details.sequence
        assert _microseconds(event["created_at"]) == details.change_date.ToMicroseconds()
        assert await _projected(instance_sql, event) == (
            None if event_type.partition(".")[2] == "removed" else details.sequence
        )


async def test_a_write_in_another_organization_belongs_to_it(
    org_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    request = idp_pb.CreateIDPRequest(name="There")

    added = await admin.call(admin.idps.CreateIDP, request, x_service_orgid=org_id)

    event = "select owner, creator from events where aggregate_id = $1"
    assert tuple(await sql.fetchrow(event, added.idp_id) or ()) == (org_id, admin.user_id)


async def test_a_refused_write_leaves_no_event(
    org_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    await users.create(admin, org_id=org_id, user_name="ada")

    await given.refusal(users.create(admin, org_id=org_id, user_name="ada"))

    events = "select count(*) from events where owner = $1 and event_type = 'user.added'"
    assert await sql.fetchval(events, org_id) == 1


async def test_the_first_events_are_by_the_operator(own_instance: Instance) -> None:
    async with given.sql(own_instance.dsn) as sql:
        events = await sql.fetch("select event_type, creator from events order by created_at")

    assert [event["event_type"] for event in events] == [
        "organization.added",
        "user.added",
        "user.role_granted",
        "user.token_created",
    ]
    assert {event["creator"] for event in events} == {OPERATOR.user_id}


def test_ids_sort_by_creation_and_name_no_other_database() -> None:
    ids = [new_id() for _ in range(10_000)]

    assert sorted(set(ids)) == ids
    for each in map(UUID, ids):
        assert each.version == 7
        assert (each.int >> 64) & 0xFFF == 0
    assert abs(time.time() * 1000 - (UUID(ids[-1]).int >> 80)) < 60_000


def _microseconds(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


async def _projected(connection: asyncpg.Connection, event: asyncpg.Record) -> Any:
    """The sequence of the aggregate's row in its read table, or None."""
    table = {"idp": "idps", "user": "users", "smtp_config": "smtp_configurations"}[
        event["aggregate_type"]
    ]
    return await connection.fetchval(
        f"select sequence from {table} where id = $1",  # noqa: S608 -- one of the three above
        event["aggregate_id"],
    )
