"""A server that may push to this machine, and an owner of a new organization."""

from collections.abc import AsyncIterator

import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.deliveries.loop import Pace
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.push_target import PushTarget, push_target

ALLOWED_NETWORKS = ("127.0.0.0/8", "::1")


@pytest.fixture(scope="session")
def push_authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that the server trusts for targets."""
    return Authority(tmp_path_factory.mktemp("push_certificates"))


@pytest.fixture(scope="session")
async def pushing_instance(
    make_instance: MakeInstance, push_authority: Authority
) -> AsyncIterator[Instance]:
    """A server that looks for deliveries often."""
    async with make_instance(
        push_pace=Pace(poll=0.05),
        push_allowed_networks=ALLOWED_NETWORKS,
        push_ca_file=push_authority.ca_file,
    ) as server:
        yield server


@pytest.fixture
async def owner(pushing_instance: Instance) -> Client:
    """An owner of a new organization of that server."""
    return await given.user(pushing_instance.admin, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture
async def target(push_authority: Authority) -> AsyncIterator[PushTarget]:
    """A target that accepts every push."""
    async with push_target(push_authority) as running:
        yield running
