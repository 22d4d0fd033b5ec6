"""One server for this folder, where no SMTP configuration is set when a test begins."""

from collections.abc import AsyncIterator

import asyncpg
import grpc
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.database import Database, connected
from server.encryption import Keyring, read_key_file
from tests.conftest import MakeInstance
from tests.given import Instance


@pytest.fixture(scope="session")
async def smtp_server(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """The server itself; tests ask for `instance`."""
    async with make_instance() as server:
        yield server


@pytest.fixture
async def instance(smtp_server: Instance) -> AsyncIterator[Instance]:
    """Instead of the server that all tests share: the SMTP configuration exists once an instance.

    What a test leaves in the tables goes by the API. The events of earlier tests stay.
    """
    yield smtp_server
    admin = smtp_server.admin
    try:
        await admin.call(admin.smtp.RemoveSMTPConfig, pb.RemoveSMTPConfigRequest())
    except grpc.aio.AioRpcError as error:
        assert error.code() is grpc.StatusCode.NOT_FOUND  # noqa: PT017 -- no other error is expected


@pytest.fixture
async def sql(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server, to look behind its back."""
    connection = await asyncpg.connect(instance.dsn)
    yield connection
    await connection.close()


@pytest.fixture
async def database(instance: Instance) -> AsyncIterator[Database]:
    """The database of the server, for commands that a test runs in a transaction of its own."""
    async with connected(instance.dsn, pool_size=4) as database:
        yield database


@pytest.fixture
def keys(instance: Instance) -> list[bytes]:
    """The encryption keys of the server."""
    return read_key_file(instance.data_dir / "encryption.keys")


@pytest.fixture
def keyring(keys: list[bytes]) -> Keyring:
    """The same, ready for use."""
    return Keyring(keys)
