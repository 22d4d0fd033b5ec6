"""Roles with an end: GrantRole with `expires_at`, the time after it, and the revocation."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from tests.passkey import links
from tests.passkey.ceremonies import begin
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

_LOCK_DEFAULT = "select from unique_claims where kind = 'default_organization' for update"


def _in(**time: float) -> datetime:
    """A time from now on, as far as messages have it."""
    return datetime.now(UTC) + timedelta(**time)


async def _temporary(
    admin: Client, role: pb.Role.ValueType = pb.ROLE_ORG_OWNER, **time: float
) -> Client:
    """A user with a role that ends, in an hour by default."""
    user = await given.user(admin)
    await calls.grant(admin, user.user_id, role, expires_at=_in(**time or {"hours": 1}))
    return user


async def _codes(user: Client) -> set[grpc.StatusCode]:
    """Those of a call that reads, by the cached caller, and of one that writes."""
    read = user.call(user.users.ListUsers, pb.ListUsersRequest())
    return {await read.code(), await calls.create(user).code()}  # type: ignore[attr-defined]


async def test_a_role_has_who_granted_it_and_when_and_its_end(admin: Client) -> None:
    user, until = await given.user(admin), _in(days=30)

    granted = await calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER, expires_at=until)
    await calls.grant(admin, user.user_id, pb.ROLE_ORG_AUDITOR)

    found = await calls.whoami(user)
    assert list(found.roles) == [pb.ROLE_ORG_OWNER, pb.ROLE_ORG_AUDITOR]
    [owner, auditor] = found.role_grants
    assert (owner.role, owner.granted_by) == (pb.ROLE_ORG_OWNER, admin.user_id)
    assert owner.granted_at == granted.details.change_date
    assert owner.expires_at.ToDatetime(UTC) == until
    assert (auditor.role, auditor.HasField("expires_at")) == (pb.ROLE_ORG_AUDITOR, False)
    listed = await user.call(user.users.ListUsers, pb.ListUsersRequest())
    assert listed.users[0].role_grants == found.role_grants


async def test_a_role_counts_until_its_end_and_is_then_revoked_by_an_event(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await _temporary(admin, seconds=1.5)
    until = (await calls.whoami(user)).role_grants[0].expires_at.ToDatetime(UTC)
    assert await _codes(user) == {grpc.StatusCode.OK}

    await asyncio.sleep((until - datetime.now(UTC)).total_seconds() + 0.01)

    assert await _codes(user) == {grpc.StatusCode.PERMISSION_DENIED}
    assert list((await calls.get(admin, user.user_id)).roles) == []
    assert list((await calls.get(admin, user.user_id)).role_grants) == []

    async def is_revoked() -> bool:
        row = await sql.fetchrow(
            "select roles, role_grants, roles_end_at from users where id = $1", user.user_id
        )
        return row is not None and tuple(row) == ([], "{}", None)

    await given.eventually(is_revoked)
    event = (await given.logged(sql, user.user_id))[-1]
    assert (event["event_type"], event["creator"]) == ("user.role_ended", "operator")
    assert event["payload"] == {"role": "ORG_OWNER"}
    assert event["created_at"] >= until


async def test_granting_again_changes_the_end(admin: Client, sql: asyncpg.Connection) -> None:
    user, until = await given.user(admin), _in(days=1)
    ends = [until, until, until + timedelta(days=1), None, None, until]

    for each in ends:
        await calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER, expires_at=each)

    [grant] = (await calls.whoami(user)).role_grants
    assert grant.expires_at.ToDatetime(UTC) == until
    granted = [
        event["payload"].get("expires_at")
        for event in await given.logged(sql, user.user_id)
        if event["event_type"] == "user.role_granted"
    ]
    assert granted == [
        until.isoformat(),
        (until + timedelta(days=1)).isoformat(),
        None,
        until.isoformat(),
    ]


async def test_a_role_that_has_ended_can_be_granted_again(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await _temporary(admin)
    await calls.end_role(sql, user.user_id, "ORG_OWNER")

    await calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER)

    assert list((await calls.whoami(user)).roles) == [pb.ROLE_ORG_OWNER]
    assert await _codes(user) == {grpc.StatusCode.OK}


async def test_credentials_that_others_made_after_the_end_are_ended_by_the_next_grant(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await _temporary(admin)
    org_id = (await calls.whoami(user)).details.resource_owner
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_USER_MANAGER])
    refused = await given.refusal(calls.create_token(manager, user.user_id))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    await calls.end_role(sql, user.user_id, "ORG_OWNER")
    await calls.create_token(manager, user.user_id)

    again = await given.refusal(
        calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER, expires_at=_in(days=1))
    )

    assert again.reason == "MADE_BY_OTHERS"


async def test_an_end_that_is_not_in_the_future_is_refused(admin: Client) -> None:
    user = await given.user(admin)

    refused = await given.refusal(
        calls.grant(admin, user.user_id, pb.ROLE_ORG_OWNER, expires_at=_in(seconds=-1))
    )

    assert refused.violations == {
        "expiresAt": "must be in the future; leave it out for a role that does not end"
    }


async def test_nobody_grants_a_role_for_longer_than_they_hold_it(admin: Client) -> None:
    owner = await _temporary(admin)
    org_id = (await calls.whoami(owner)).details.resource_owner
    until = (await calls.whoami(owner)).role_grants[0].expires_at.ToDatetime(UTC)
    user = await given.user(admin, org_id=org_id)

    ended = [
        await given.outcome(calls.grant(owner, each, role, expires_at=at))
        for each in (owner.user_id, user.user_id)
        for role in (pb.ROLE_ORG_OWNER, pb.ROLE_ORG_HELP_DESK)
        for at in (None, until + timedelta(seconds=1))
    ]
    allowed = await calls.grant(owner, user.user_id, pb.ROLE_ORG_HELP_DESK, expires_at=until)

    assert ended == 8 * ["ROLE_OUTLASTS_YOURS"]
    assert allowed.details.resource_owner == org_id


async def test_a_further_role_without_an_end_grants_without_one(admin: Client) -> None:
    owner = await _temporary(admin)
    await calls.grant(admin, owner.user_id, pb.ROLE_ORG_USER_MANAGER)
    user = await given.user(admin, org_id=(await calls.whoami(owner)).details.resource_owner)

    await calls.grant(owner, user.user_id, pb.ROLE_ORG_USER_MANAGER)

    assert list((await calls.whoami(user)).roles) == [pb.ROLE_ORG_USER_MANAGER]


async def test_a_write_that_waited_beyond_the_end_of_the_role_is_refused(
    admin: Client, instance: Instance, sql: asyncpg.Connection
) -> None:
    owner = await _temporary(admin, seconds=1.5)
    user = await given.user(admin, org_id=(await calls.whoami(owner)).details.resource_owner)
    until = (await calls.whoami(owner)).role_grants[0].expires_at.ToDatetime(UTC)
    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("select from users where id = $1 for update", user.user_id)
        made = asyncio.ensure_future(given.outcome(calls.create_token(owner, user.user_id)))
        await given.waiting_for_a_lock(sql)
        await asyncio.sleep((until - datetime.now(UTC)).total_seconds() + 0.01)

    assert await made == "PERMISSION_DENIED"


@pytest.mark.parametrize("role", [pb.ROLE_GATE, pb.ROLE_SESSION_VERIFIER], ids=pb.Role.Name)
async def test_a_service_whose_role_has_ended_is_no_person(
    admin: Client, sql: asyncpg.Connection, role: pb.Role.ValueType
) -> None:
    service = await _temporary(admin, role)
    assert await given.outcome(calls.whoami(service)) == "PERMISSION_DENIED"
    another = service.with_token(await given.token(admin, service.user_id))

    await calls.end_role(sql, service.user_id, pb.Role.Name(role).removeprefix("ROLE_"))

    assert not await calls.is_good(another)

    async def is_revoked() -> bool:
        return not await calls.tokens(admin, service.user_id)

    await given.eventually(is_revoked)

    async def is_forgotten() -> bool:
        """Its caller was cached with the end that the test has changed."""
        return not await calls.is_good(service)

    await given.eventually(is_forgotten)


async def test_what_a_user_began_before_the_end_of_its_role_gives_no_access(
    admin: Client, sql: asyncpg.Connection
) -> None:
    owner = await _temporary(admin)
    org_id = (await calls.whoami(owner)).details.resource_owner
    user = await given.user(admin, org_id=org_id)
    begun = await begin(owner, user.user_id)
    link = await links.link(owner, await given.user(admin, org_id=org_id))
    by_link = await link.begin()

    await calls.end_role(sql, owner.user_id, "ORG_OWNER")

    assert await given.outcome(begun.verify(by=begun.token_holder)) in {
        "UNAUTHENTICATED",
        "PASSKEY_NOT_FOUND",
    }
    assert await given.outcome(link.begin()) == "UNAUTHENTICATED"
    assert await given.outcome(by_link.verify(by=by_link.token_holder)) in {
        "UNAUTHENTICATED",
        "PASSKEY_NOT_FOUND",
    }


async def test_the_end_of_a_role_that_an_older_server_revoked_ends_nothing(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await _temporary(admin)
    # Servers of earlier releases leave the entry of the grant.
    await sql.execute(
        """
        update users set roles = '{}', roles_end_at = now(), role_grants = jsonb_set(
            role_grants, '{ORG_OWNER,expires_at}', to_jsonb(now()::text))
        where id = $1""",
        user.user_id,
    )

    token = user.with_token(await given.token(admin, user.user_id), user.user_id)
    assert list((await calls.whoami(token)).roles) == []
    begun = await begin(token)
    assert await given.outcome(begun.verify(by=token)) == "OK"


async def test_the_filter_finds_roles_by_their_end(admin: Client, sql: asyncpg.Connection) -> None:
    first = await _temporary(admin, days=1)
    org_id = (await calls.whoami(first)).details.resource_owner
    lasting = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_AUDITOR])
    former = await given.user(admin, org_id=org_id)
    await calls.grant(admin, former.user_id, pb.ROLE_ORG_AUDITOR, expires_at=_in(days=2))
    await calls.end_role(sql, former.user_id, "ORG_AUDITOR")

    async def found(text: str) -> list[str]:
        request = pb.ListUsersRequest(filter=text)
        answer = await admin.call(admin.users.ListUsers, request, x_service_orgid=org_id)
        return [each.user_id for each in answer.users]

    assert await found("roles:*") == [first.user_id, lasting.user_id]
    assert await found("roles:ORG_AUDITOR") == [lasting.user_id]
    soon = f'"{_in(days=7):%Y-%m-%dT%H:%M:%SZ}"'
    assert await found(f"roles:* AND role_expires_at < {soon}") == [first.user_id]
    assert await found("roles:* AND NOT role_expires_at:*") == [lasting.user_id]


@pytest.fixture
async def owner(file_instance: Instance) -> Client:
    """The only instance owner of that server."""
    everybody = "update users set roles = $2, role_grants = '{}', roles_end_at = null where $1"
    async with given.sql(file_instance.dsn) as sql:
        await sql.execute(
            f"{everybody} and id = $3", True, ["INSTANCE_OWNER"], file_instance.admin.user_id
        )
        owner = await given.user(file_instance.admin, roles=[pb.ROLE_INSTANCE_OWNER])
        await sql.execute(f"{everybody} and id <> $3", True, [], owner.user_id)
    return owner


async def test_an_instance_owner_without_an_end_must_remain(owner: Client) -> None:
    other = await given.user(owner)
    await calls.grant(
        owner, other.user_id, pb.ROLE_INSTANCE_OWNER, end_foreign=True, expires_at=_in(days=1)
    )
    other = other.with_token(await given.token(owner, other.user_id), other.user_id)

    refused = [
        await given.refusal(call)
        for call in (
            calls.grant(owner, owner.user_id, pb.ROLE_INSTANCE_OWNER, expires_at=_in(days=1)),
            calls.revoke(other, owner.user_id, pb.ROLE_INSTANCE_OWNER),
            calls.lock(other, owner.user_id),
            calls.remove(other, owner.user_id),
        )
    ]

    assert [each.reason for each in refused] == 4 * ["LAST_INSTANCE_OWNER"]
    await calls.remove(owner, other.user_id)


async def test_of_two_owners_who_end_each_other_at_the_same_time_one_has_no_end(
    file_instance: Instance, owner: Client
) -> None:
    second = await given.user(owner, roles=[pb.ROLE_INSTANCE_OWNER])
    async with given.sql(file_instance.dsn) as sql, given.sql(file_instance.dsn) as holder:
        async with holder.transaction():
            await holder.execute(_LOCK_DEFAULT)
            until = _in(days=1)
            made = asyncio.ensure_future(
                given.outcomes(
                    calls.grant(each, each.user_id, pb.ROLE_INSTANCE_OWNER, expires_at=until)
                    for each in (owner, second)
                )
            )
            await given.waiting_for_a_lock(sql, statements=2)

        assert await made == {"OK": 1, "LAST_INSTANCE_OWNER": 1}
        grants = await sql.fetch("select role_grants from users where roles <> '{}'")
        ends = ["expires_at" in json.loads(row[0])["INSTANCE_OWNER"] for row in grants]
        assert sorted(ends) == [False, True]
