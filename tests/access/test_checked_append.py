"""Methods that check their caller in the statement of their event (`access/checked_append.py`).

Their caller comes from the cache, so another process can have ended its rights.
"""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server import wiring
from server.access.tokens import token_hash
from tests.conftest import MakeInstance
from tests.idp import calls as idps
from tests.session import sessions
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls as users

# Each writes an event, given the ID of an identity provider.
WRITES: dict[str, Callable[[Client, str], Awaitable[object]]] = {
    "AddIDP": lambda client, _idp_id: idps.add(client),
    "UpdateIDP": lambda client, idp_id: idps.update(client, idp_id, name="Changed"),
    "PatchIDP": lambda client, idp_id: idps.patch(client, idp_id, ["name"], name="Changed"),
    "AddSMTPConfig": lambda client, _idp_id: smtp.add(client),
}
# The ends of a caller's rights, as SQL of its user ID and the hash of its token.
UNAUTHENTICATED, DENIED = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED
ENDS_OF_TOKENS = {
    "revoked": ("delete from tokens where user_id = $1 and hash = $2", UNAUTHENTICATED),
    "expired": (
        "update tokens set expires_at = now() where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "role revoked": (
        "update users set roles = '{}' where id = $1 and $2::bytea is not null",
        DENIED,
    ),
}
ENDS_OF_SESSIONS = {
    "ended": ("delete from sessions where user_id = $1 and hash = $2", UNAUTHENTICATED),
    "expired": (
        "update sessions set expires_at = now() where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "another token": (
        "update sessions set hash = '' where user_id = $1 and hash = $2",
        UNAUTHENTICATED,
    ),
    "role revoked": ENDS_OF_TOKENS["role revoked"],
}


@pytest.fixture(scope="module")
async def own(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server for these tests, which set its SMTP configuration."""
    async with make_instance() as own:
        yield own


@pytest.fixture
def admin(own: Instance) -> Client:
    """The administrator of that server."""
    return own.admin


@pytest.fixture
async def sql(own: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection that changes the database of that server directly."""
    async with given.sql(own.dsn) as connection:
        yield connection


@pytest.fixture
async def owner(admin: Client) -> Client:
    """A user with the role of instance owner, and its token."""
    return await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])


@pytest.fixture
async def idp_id(owner: Client) -> str:
    """An identity provider in the caller's organization."""
    return await given.idp(owner)


def test_all_methods_that_check_their_caller_are_here() -> None:
    assert wiring  # has imported all services
    services = {
        service
        for name, module in sys.modules.items()
        if name.startswith("server.") and name.endswith("service")
        for service in vars(module).values()
        if isinstance(service, type)
    }
    marked = {
        name
        for service in services
        for name, method in vars(service).items()
        if getattr(method, "checks_caller", False)
    }

    assert marked == set(WRITES)


@pytest.mark.parametrize(("end", "code"), ENDS_OF_TOKENS.values(), ids=ENDS_OF_TOKENS)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_a_cached_caller_whose_token_has_no_rights_any_more_writes_nothing(
    write: Callable[[Client, str], Awaitable[object]],
    end: str,
    code: grpc.StatusCode,
    owner: Client,
    idp_id: str,
    sql: asyncpg.Connection,
) -> None:
    await _refuses(write, end, code, owner, idp_id, sql)


@pytest.mark.parametrize(("end", "code"), ENDS_OF_SESSIONS.values(), ids=ENDS_OF_SESSIONS)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_a_cached_caller_whose_session_has_no_rights_any_more_writes_nothing(
    write: Callable[[Client, str], Awaitable[object]],
    end: str,
    code: grpc.StatusCode,
    owner: Client,
    idp_id: str,
    sql: asyncpg.Connection,
) -> None:
    signed_in = await (await sessions.with_passkey(owner)).sign_in()

    await _refuses(write, end, code, signed_in.client, idp_id, sql)


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_a_cached_caller_uses_a_role_at_once_that_another_process_granted(
    write: Callable[[Client, str], Awaitable[object]],
    admin: Client,
    owner: Client,
    idp_id: str,
    sql: asyncpg.Connection,
) -> None:
    await users.revoke(admin, owner.user_id, user_pb.ROLE_INSTANCE_OWNER)
    await users.whoami(owner)  # it is cached without the role
    await sql.execute("update users set roles = '{INSTANCE_OWNER}' where id = $1", owner.user_id)

    await write(owner, idp_id)


async def test_a_repeated_call_of_a_token_that_was_revoked_gets_no_answer(
    owner: Client, idp_id: str, sql: asyncpg.Connection
) -> None:
    key = str(uuid4())

    def write(client: Client, idp_id: str) -> Awaitable[object]:
        request = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Changed")
        call: Awaitable[object] = client.call(client.idps.UpdateIDP, request, x_idempotency_key=key)
        return call

    await write(owner, idp_id)

    await _refuses(write, *ENDS_OF_TOKENS["revoked"], owner, idp_id, sql)


async def _refuses(
    write: Callable[[Client, str], Awaitable[object]],
    end: str,
    code: grpc.StatusCode,
    caller: Client,
    idp_id: str,
    sql: asyncpg.Connection,
) -> None:
    """Ends the rights of a cached caller in the database, and makes sure that it writes nothing."""
    await users.whoami(caller)
    written = await _events(sql, caller)
    assert await sql.execute(end, caller.user_id, token_hash(caller.token)) in {
        "DELETE 1",
        "UPDATE 1",
    }

    refused = await given.refusal(write(caller, idp_id))

    assert refused.code is code
    assert await _events(sql, caller) == written


async def _events(sql: asyncpg.Connection, caller: Client) -> int:
    count: int = await sql.fetchval(
        "select count(*) from events where creator = $1", caller.user_id
    )
    return count
