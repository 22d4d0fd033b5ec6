"""Fixtures of the tests of passkeys: users of the shared server, and its database."""

import contextlib
from collections.abc import AsyncIterator

import asyncpg
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.store.database import Database
from server.store.statement import statement
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import Begun, begin
from tests.passkey.transactions import First, OpenFirst, RolledBackError
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import calls


@pytest.fixture(scope="module")
async def org_id(instance: Instance) -> str:
    """An organization of the server, for tests in which the organization does not matter."""
    return await given.organization(instance.admin)


@pytest.fixture(scope="session")
async def limited(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with low limits and other settings of links, which may send mail."""
    async with make_instance(
        max_passkeys_per_user=2,
        mail_hourly_limit=1,
        passkey_page_url="https://id.example.com/new",
        passkey_link_lifetime=7200,
    ) as server:
        await smtp.add(server.admin)
        yield server


@pytest.fixture
async def user(admin: Client, org_id: str) -> Client:
    """A user without roles."""
    return await given.user(admin, org_id=org_id)


@pytest.fixture
async def bare_user(admin: Client, org_id: str) -> Client:
    """A user without roles and without a token. In a file of such users: `user = bare_user`."""
    created = await calls.create(admin, org_id=org_id)
    return admin.with_token("", created.user_id)


@pytest.fixture
async def other_user(admin: Client, org_id: str) -> Client:
    """Another user, of the same organization."""
    return await given.user(admin, org_id=org_id)


@pytest.fixture
async def begun(user: Client) -> Begun:
    """A ceremony of the user."""
    return await begin(user)


@pytest.fixture
async def manager(admin: Client, org_id: str) -> Client:
    """A user who may register passkeys for the users of that organization."""
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])


@pytest.fixture(scope="module")
async def rows(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server, to inspect it and to set times back."""
    connection = await asyncpg.connect(instance.dsn)
    yield connection
    await connection.close()


@pytest.fixture
def opened(database: Database, rows: asyncpg.Connection) -> OpenFirst:
    """Opens the first transaction; the end of the block commits it, RolledBackError does not."""

    @contextlib.asynccontextmanager
    async def opened() -> AsyncIterator[First]:
        with contextlib.suppress(RolledBackError):
            async with database.transaction() as transaction:
                row = await transaction.fetch_one(statement("select pg_backend_pid() as pid"))
                yield First(transaction, rows, row["pid"])

    return opened
