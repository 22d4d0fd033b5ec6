"""One server for these tests. No SMTP configuration is set when a test begins."""

from collections.abc import AsyncIterator

import grpc
import pytest

from keystead.smtp.v1 import smtp_service_pb2 as pb
from server.crypto.keyring import Keyring, read_key_file
from server.store.database import Database, connected
from tests.conftest import MakeInstance
from tests.smtp.faults import ALLOWED_NETWORKS
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Instance


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that the server trusts for SMTP servers."""
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
async def smtp_server(make_instance: MakeInstance, authority: Authority) -> AsyncIterator[Instance]:
    """The server. Tests use the fixture `instance`."""
    async with make_instance(
        smtp_allowed_networks=",".join(ALLOWED_NETWORKS),
        smtp_org_allowed_networks=",".join(ALLOWED_NETWORKS),
        smtp_ca_file=authority.ca_file,
    ) as server:
        await given.accept_every_key(server.dsn)
        yield server


@pytest.fixture
async def instance(smtp_server: Instance) -> AsyncIterator[Instance]:
    """Replaces the server that other tests share: an instance has one SMTP configuration.

    The configuration is removed after each test. The events of earlier tests remain.
    """
    yield smtp_server
    admin = smtp_server.admin
    try:
        await admin.call(admin.smtp.RemoveSMTPConfig, pb.RemoveSMTPConfigRequest())
    except grpc.aio.AioRpcError as error:
        assert error.code() is grpc.StatusCode.NOT_FOUND  # noqa: PT017 -- no other error is expected


@pytest.fixture(scope="module")
async def database(smtp_server: Instance) -> AsyncIterator[Database]:
    """The database as the server's commands see it."""
    async with connected(smtp_server.dsn, pool_size=4) as database:
        yield database


@pytest.fixture
def keys(instance: Instance) -> list[bytes]:
    """The encryption keys of the server."""
    return read_key_file(instance.data_dir / "encryption.keys")


@pytest.fixture
def keyring(keys: list[bytes]) -> Keyring:
    """The encryption keys of the server, as a keyring."""
    return Keyring(keys)
