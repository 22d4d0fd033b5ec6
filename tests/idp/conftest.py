"""OpenID providers, and a server that may connect to them."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import MakeInstance
from tests.idp import signins
from tests.idp.signins import Site
from tests.session import jwts
from tests.support.certificates import Authority
from tests.support.dns_server import Zone, dns_server
from tests.support.given import Instance
from tests.support.oidc_provider import Provider, oidc_provider


@pytest.fixture(scope="session")
def oidc_authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("providers"))


@pytest.fixture
async def provider(oidc_authority: Authority) -> AsyncIterator[Provider]:
    async with oidc_provider(oidc_authority) as provider:
        yield provider


@pytest.fixture
async def other_provider(oidc_authority: Authority) -> AsyncIterator[Provider]:
    async with oidc_provider(oidc_authority) as provider:
        yield provider


@pytest.fixture(scope="session")
async def zone() -> AsyncIterator[Zone]:
    """The records that the server `relying` finds in DNS."""
    async with dns_server() as zone:
        yield zone


@pytest.fixture(scope="session")
async def relying(
    make_instance: MakeInstance, oidc_authority: Authority, zone: Zone
) -> AsyncIterator[Instance]:
    """A server that trusts the certificates of the providers and may connect to them."""
    settings = signins.settings_for(oidc_authority)
    async with make_instance(dns_servers=(zone.address,), **settings) as instance:
        yield instance


@pytest.fixture(scope="session")
async def issuing(
    make_instance: MakeInstance, oidc_authority: Authority
) -> AsyncIterator[Instance]:
    """The same, which issues JWTs, and where a user has one session."""
    settings = jwts.SETTINGS | signins.settings_for(oidc_authority)
    async with make_instance(max_sessions_per_user=1, **settings) as instance:
        yield instance


@pytest.fixture
async def site(relying: Instance, provider: Provider) -> Site:
    """An identity provider that registers users, in a new organization."""
    return await signins.site(relying, provider)
