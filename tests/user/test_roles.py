"""GrantRole, RevokeRole, and the last instance owner."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

End = Callable[[Client, str], Awaitable[object]]

ROLES = [pb.ROLE_INSTANCE_OWNER, pb.ROLE_ORG_OWNER, pb.ROLE_ORG_USER_MANAGER]
SERVICE_ROLES = [pb.ROLE_GATE, pb.ROLE_SESSION_VERIFIER]
_LOCK_DEFAULT = "select from unique_claims where kind = 'default_organization' for update"


@pytest.mark.parametrize("role", ROLES, ids=pb.Role.Name)
async def test_a_granted_role_is_had_and_a_revoked_one_is_not(
    admin: Client, role: pb.Role.ValueType
) -> None:
    user_id = (await calls.create(admin)).user_id

    granted = await calls.grant(admin, user_id, role)
    user = await calls.get(admin, user_id)
    assert (list(user.roles), user.details) == ([role], granted.details)

    revoked = await calls.revoke(admin, user_id, role)
    user = await calls.get(admin, user_id)
    assert (list(user.roles), user.details) == ([], revoked.details)


async def test_concurrent_grants_of_one_role_are_one_event(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user_id = (await calls.create(admin)).user_id

    granted = await asyncio.gather(
        *(calls.grant(admin, user_id, pb.ROLE_ORG_OWNER) for _ in range(20))
    )

    assert len({each.details.sequence for each in granted}) == 1
    assert list((await calls.get(admin, user_id)).roles) == [pb.ROLE_ORG_OWNER]
    assert len(await given.logged(sql, user_id)) == 2


@pytest.mark.parametrize("role", ROLES, ids=pb.Role.Name)
async def test_revoking_a_role_that_the_user_does_not_have_adds_no_event(
    admin: Client, sql: asyncpg.Connection, role: pb.Role.ValueType
) -> None:
    created = await calls.create(admin)

    revoked = await calls.revoke(admin, created.user_id, role)

    assert revoked.details == created.details
    assert len(await given.logged(sql, created.user_id)) == 1


async def test_an_undefined_role_is_a_field_violation(admin: Client) -> None:
    user_id = (await calls.create(admin)).user_id

    for change in (calls.grant, calls.revoke):
        for role in (0, max(pb.Role.values()) + 1, -1):
            refused = await given.refusal(change(admin, user_id, role))
            assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
            assert refused.violations.keys() == {"role"}


async def test_a_role_counts_from_its_grant_to_its_revocation(admin: Client) -> None:
    user = await given.user(admin)

    async def codes() -> set[grpc.StatusCode]:
        """Those of a call that reads, by the cached caller, and of one that writes."""
        read = user.call(user.users.ListUsers, pb.ListUsersRequest())
        return {await read.code(), await calls.create(user).code()}  # type: ignore[attr-defined]

    assert await codes() == {grpc.StatusCode.PERMISSION_DENIED}

    await calls.grant(admin, user.user_id, pb.ROLE_ORG_USER_MANAGER)
    assert await codes() == {grpc.StatusCode.OK}

    await calls.revoke(admin, user.user_id, pb.ROLE_ORG_USER_MANAGER)
    assert await codes() == {grpc.StatusCode.PERMISSION_DENIED}


@pytest.mark.parametrize("role", SERVICE_ROLES, ids=pb.Role.Name)
async def test_a_service_that_loses_its_last_role_loses_its_tokens(
    admin: Client, sql: asyncpg.Connection, role: pb.Role.ValueType
) -> None:
    """Otherwise its tokens would be those of a person, who may register a passkey."""
    service = await given.user(admin, roles=[role])
    another = service.with_token(await given.token(admin, service.user_id))
    assert await calls.is_good(another)  # it is cached

    await calls.revoke(admin, service.user_id, role)

    assert not await calls.is_good(service)
    assert not await calls.is_good(another)
    assert not await calls.tokens(admin, service.user_id)
    types = [event["event_type"] for event in await given.logged(sql, service.user_id)]
    assert types[-3:] == ["user.token_revoked", "user.token_revoked", "user.role_revoked"]


@pytest.mark.parametrize(
    ("roles", "revoked"),
    [
        (SERVICE_ROLES, pb.ROLE_GATE),
        ([pb.ROLE_GATE, pb.ROLE_ORG_USER_MANAGER], pb.ROLE_GATE),
        ([pb.ROLE_GATE, pb.ROLE_ORG_USER_MANAGER], pb.ROLE_ORG_USER_MANAGER),
        ([pb.ROLE_GATE], pb.ROLE_SESSION_VERIFIER),
        ([pb.ROLE_ORG_OWNER], pb.ROLE_ORG_OWNER),
    ],
)
async def test_a_revocation_that_gives_no_rights_ends_no_token(
    admin: Client, roles: list[pb.Role.ValueType], revoked: pb.Role.ValueType
) -> None:
    user = await given.user(admin, roles=roles)

    await calls.revoke(admin, user.user_id, revoked)

    assert await calls.is_good(user)


def _end_role(client: Client, user_id: str) -> Awaitable[object]:
    return calls.revoke(client, user_id, pb.ROLE_INSTANCE_OWNER)


@pytest.fixture
async def owner(file_instance: Instance) -> Client:
    """The only instance owner of that server, with a second role."""
    roles = "update users set roles = $2 where (id = $1) = $3"
    async with given.sql(file_instance.dsn) as sql:
        await sql.execute(roles, file_instance.admin.user_id, ["INSTANCE_OWNER"], True)
        both = [pb.ROLE_INSTANCE_OWNER, pb.ROLE_ORG_OWNER]
        owner = await given.user(file_instance.admin, roles=both)
        await sql.execute(roles, owner.user_id, [], False)
    return owner


# An instance keeps at least one instance owner.


@pytest.mark.parametrize("end", [_end_role, calls.remove], ids=["revoke", "remove"])
async def test_the_last_instance_owner_is_protected_and_may_lose_another_role(
    owner: Client, end: End
) -> None:
    await calls.revoke(owner, owner.user_id, pb.ROLE_ORG_OWNER)

    refused = await given.refusal(end(owner, owner.user_id))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "LAST_INSTANCE_OWNER"
    assert list((await calls.whoami(owner)).roles) == [pb.ROLE_INSTANCE_OWNER]


async def test_the_check_of_the_last_owner_makes_no_other_user_wait(
    file_instance: Instance, owner: Client
) -> None:
    user = await given.user(owner, roles=[pb.ROLE_ORG_OWNER])
    async with given.sql(file_instance.dsn) as holder, holder.transaction():
        await holder.execute(_LOCK_DEFAULT)

        await calls.revoke(owner, user.user_id, pb.ROLE_ORG_OWNER)
        await calls.revoke(owner, user.user_id, pb.ROLE_INSTANCE_OWNER)  # it is not one
        await calls.remove(owner, user.user_id)


async def test_the_check_of_the_last_owner_does_not_wait_for_a_change_of_the_default_organization(
    file_instance: Instance, owner: Client
) -> None:
    """PatchOrganization locks the organization before its caller, in the opposite order."""
    other = await given.user(owner, roles=[pb.ROLE_INSTANCE_OWNER])
    async with given.sql(file_instance.dsn) as holder, holder.transaction():
        await holder.execute("select from organizations for update")

        await calls.revoke(owner, other.user_id, pb.ROLE_INSTANCE_OWNER)


@pytest.mark.parametrize(
    "ends",
    [(calls.remove, calls.remove), (_end_role, _end_role), (_end_role, calls.remove)],
    ids=["remove", "revoke", "both"],
)
async def test_of_two_owners_who_end_themselves_at_the_same_time_one_remains(
    file_instance: Instance, owner: Client, ends: tuple[End, End]
) -> None:
    """Both calls were admitted before either was executed; only the database can decide."""
    second = await given.user(owner, roles=[pb.ROLE_INSTANCE_OWNER])
    async with given.sql(file_instance.dsn) as sql, given.sql(file_instance.dsn) as holder:
        async with holder.transaction():
            await holder.execute(_LOCK_DEFAULT)
            made = asyncio.ensure_future(
                given.outcomes([ends[0](owner, owner.user_id), ends[1](second, second.user_id)])
            )
            await given.waiting_for_a_lock(sql, statements=2)

        assert await made == {"OK": 1, "LAST_INSTANCE_OWNER": 1}
        owners = "select count(*) from users where 'INSTANCE_OWNER' = any(roles)"
        assert await sql.fetchval(owners) == 1
