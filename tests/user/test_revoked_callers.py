"""A revoked token writes nothing more: neither by running calls nor from a cache."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.access import user_aggregate
from server.access.caller import OPERATOR
from server.access.roles import Role
from server.rpc import methods
from server.store.database import Database, Transaction, connected
from server.user import commands, locks, roles, store, token_store, tokens
from server.user.events import RoleGranted
from server.wiring.dependencies import OTHER_FEATURES
from tests.group import calls as groups
from tests.passkey import ceremonies, links
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls

Write = Callable[[Client, Client], Awaitable[object]]
Revoke = Callable[[Transaction, Client], Awaitable[None]]

CALLS = 4
# Calls to one user run one after the other (decision 7), so one of the four waits at its row.
_WAITING = 1

# Writes of a caller to another user or to the instance.
GRANTING: dict[str, Write] = {
    "CreateToken": lambda owner, user: calls.create_token(owner, user.user_id),
    "CreateToken for itself": lambda owner, _user: calls.create_token(owner, owner.user_id),
    "GrantRole": lambda owner, user: calls.grant(owner, user.user_id, pb.ROLE_ORG_OWNER),
    "GrantRole to itself": lambda owner, _user: calls.grant(
        owner, owner.user_id, pb.ROLE_ORG_OWNER
    ),
    "PatchUser": lambda owner, user: calls.patch(
        owner, user.user_id, ["email"], email="elsewhere@example.com"
    ),
    "PatchUser of itself": lambda owner, _user: calls.patch(
        owner, owner.user_id, ["email"], email="elsewhere@example.com"
    ),
    "CreateUser": lambda owner, _user: calls.create(owner),
    "RegisterPasskey": lambda owner, user: ceremonies.begin(owner, user.user_id),
    "CreatePasskeyRegistrationLink": links.create,
    "AddSMTPConfig": lambda owner, _user: smtp.add(owner),
}
CHANGING_SMTP: dict[str, Write] = {
    "UpdateSMTPConfig": lambda owner, _user: smtp.update(
        owner, given.smtp_update(sender_name="Other")
    ),
    "UpdateSMTPConfigPassword": lambda owner, _user: smtp.update_password(owner, "other"),
    "RemoveSMTPConfig": lambda owner, _user: smtp.remove(owner),
}


async def _revoke_tokens(transaction: Transaction, of: Client) -> None:
    for token in await token_store.LIST.all(transaction, user_id=of.user_id, after="", limit=10):
        command = tokens.OneToken(user_id=of.user_id, token_id=token.token_id)
        await tokens.revoke_token(transaction, command, actor=OPERATOR, others=OTHER_FEATURES)


async def _revoke_role(transaction: Transaction, of: Client) -> None:
    command = roles.ChangeRole(user_id=of.user_id, role=Role.INSTANCE_OWNER)
    await roles.revoke_role(transaction, command, actor=OPERATOR, others=OTHER_FEATURES)


async def _remove(transaction: Transaction, of: Client) -> None:
    command = commands.OneUser(user_id=of.user_id)
    await commands.remove(transaction, command, actor=OPERATOR, others=OTHER_FEATURES)


async def _lock(transaction: Transaction, of: Client) -> None:
    command = locks.LockUser(user_id=of.user_id, reason="")
    await locks.lock(transaction, command, actor=OPERATOR, others=OTHER_FEATURES)


REVOCATIONS: dict[str, tuple[Revoke, grpc.StatusCode]] = {
    "token revoked": (_revoke_tokens, grpc.StatusCode.UNAUTHENTICATED),
    "role revoked": (_revoke_role, grpc.StatusCode.PERMISSION_DENIED),
    "user locked": (_lock, grpc.StatusCode.UNAUTHENTICATED),
    "user removed": (_remove, grpc.StatusCode.UNAUTHENTICATED),
}


@pytest.fixture(scope="module")
def instance(file_instance: Instance) -> Instance:
    """A server for these tests, which change its SMTP configuration."""
    return file_instance


@pytest.fixture
async def owner(admin: Client) -> Client:
    """A second user with the role of instance owner."""
    return await given.user(admin, roles=[pb.ROLE_INSTANCE_OWNER])


@pytest.fixture
async def user(admin: Client) -> Client:
    """A user without roles."""
    return await given.user(admin)


@pytest.fixture
async def second(instance: Instance) -> AsyncIterator[Database]:
    """The database of the server, as another process sees it."""
    async with connected(instance.dsn, pool_size=1) as database:
        yield database


@pytest.fixture
async def smtp_config(admin: Client, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """An SMTP configuration, for calls that change it."""
    if is_changed := request.node.callspec.params["name"] in CHANGING_SMTP:
        await smtp.add(admin)
    yield
    if is_changed:
        await smtp.remove(admin)


async def _written_by(sql: asyncpg.Connection, client: Client) -> int:
    return await sql.fetchval(
        """
        select (select count(*) from events where creator = $1)
            + (select count(*) from passkey_ceremonies where creator = $1)""",
        client.user_id,
    )


# Calls that need no role, so that the end of a role does not end them.
_WITHOUT_ROLE = {"CreateToken for itself"}


@pytest.mark.parametrize(
    ("name", "end"),
    [
        (name, end)
        for name in (*GRANTING, *CHANGING_SMTP, "VerifyPasskeyRegistration")
        for end in REVOCATIONS
        if end != "role revoked" or name not in _WITHOUT_ROLE
    ],
)
@pytest.mark.usefixtures("smtp_config")
async def test_calls_on_their_way_grant_no_access_after_the_end_of_their_caller(
    name: str,
    end: str,
    admin: Client,
    owner: Client,
    user: Client,
    second: Database,
    sql: asyncpg.Connection,
) -> None:
    """The calls wait for a lock when the revocation is committed."""
    revoke, code = REVOCATIONS[end]
    begun = await ceremonies.begin(admin, user.user_id)
    writes = {**GRANTING, **CHANGING_SMTP}
    writes["VerifyPasskeyRegistration"] = lambda owner, _user: begun.verify(by=owner)

    async with second.transaction() as transaction:
        await revoke(transaction, owner)
        made = [
            asyncio.ensure_future(given.refusal(writes[name](owner, user))) for _ in range(CALLS)
        ]
        while await given.waiting_statements(sql) < _WAITING:
            assert not any(each.done() for each in made), "a call did not wait"
            await asyncio.sleep(0.005)
    refused = await asyncio.gather(*made)

    # A caller whose user was removed gets NOT_FOUND for calls to itself.
    gone = {grpc.StatusCode.NOT_FOUND} if revoke is _remove else set()
    assert {each.code for each in refused} <= {code, grpc.StatusCode.UNAUTHENTICATED} | gone
    assert await _written_by(sql, owner) == 0


# Those to a user.
_TO_USERS = [
    "CreateToken",
    "GrantRole",
    "PatchUser",
    "RegisterPasskey",
    "CreatePasskeyRegistrationLink",
    "VerifyPasskeyRegistration",
]


@pytest.mark.parametrize("name", _TO_USERS)
async def test_a_call_on_its_way_does_not_act_on_a_user_who_has_risen_above_its_caller(
    name: str, admin: Client, second: Database, sql: asyncpg.Connection
) -> None:
    """The call was admitted, and waits for the row of the user, who is granted a role."""
    org_id = await given.organization(admin)
    manager = await given.user(admin, org_id=org_id, roles=[pb.ROLE_ORG_OWNER])
    user = await given.user(admin, org_id=org_id)
    begun = await ceremonies.begin(manager, user.user_id)
    writes: dict[str, Write] = dict(GRANTING)
    writes["VerifyPasskeyRegistration"] = lambda manager, _user: begun.verify(by=manager)
    before = await _written_by(sql, manager)

    async with second.transaction() as transaction:
        await user_aggregate.lock(transaction, user.user_id)
        made = asyncio.ensure_future(given.refusal(writes[name](manager, user)))
        await given.waiting_for_a_lock(sql)
        granted = RoleGranted(Role.INSTANCE_OWNER)
        await store.grant_role(transaction, granted, creator=OPERATOR.user_id, user_id=user.user_id)

    assert (await made).code is grpc.StatusCode.PERMISSION_DENIED
    assert await _written_by(sql, manager) == before


@pytest.mark.parametrize("write", GRANTING.values(), ids=GRANTING)
async def test_a_revocation_that_fails_ends_no_call(
    write: Write, admin: Client, user: Client, second: Database, sql: asyncpg.Connection
) -> None:
    caller = await given.user(admin, roles=[pb.ROLE_INSTANCE_OWNER])

    with contextlib.suppress(LookupError):
        async with second.transaction() as transaction:
            await _revoke_tokens(transaction, caller)
            made = asyncio.ensure_future(write(caller, user))
            await given.waiting_for_a_lock(sql)
            raise LookupError
    await made

    assert await _written_by(sql, caller) == 1
    if write is GRANTING["AddSMTPConfig"]:
        await smtp.remove(admin)


@pytest.mark.parametrize("end", calls.DEMOTIONS)
async def test_a_read_that_waits_is_not_answered_after_the_end_of_its_caller(
    end: str,
    admin: Client,
    owner: Client,
    instance: Instance,
    sql: asyncpg.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A caller with many calls on their way would otherwise read for as long as it wants."""
    monkeypatch.setattr(methods, "CACHE_SECONDS", 0.1)
    async with given.sql(instance.dsn) as holder, holder.transaction():
        await holder.execute("lock table groups")
        made = asyncio.ensure_future(given.refusal(groups.list_all(owner)))
        await given.waiting_for_a_lock(sql)
        await calls.DEMOTIONS[end](admin, owner)
        await asyncio.sleep(0.1)

    assert (await made).code in {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
    }


async def test_a_token_that_expires_while_its_call_waits_grants_nothing(
    owner: Client, user: Client, second: Database
) -> None:
    expires_at = datetime.now(UTC) + timedelta(seconds=1.5)
    created = await calls.create_token(owner, owner.user_id, expires_at=expires_at)
    caller = owner.with_token(created.token, owner.user_id)

    async with second.transaction() as transaction:
        await user_aggregate.lock(transaction, owner.user_id)
        waiting = asyncio.ensure_future(given.refusal(calls.create_token(caller, user.user_id)))
        while datetime.now(UTC) <= expires_at:
            assert not waiting.done()
            await asyncio.sleep(0.05)

    assert (await waiting).code is grpc.StatusCode.UNAUTHENTICATED
