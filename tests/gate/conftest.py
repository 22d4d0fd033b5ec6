"""An organization with an application behind the gate, and a person of it."""

from collections.abc import Callable
from uuid import uuid4

import httpx2
import pytest

from tests.gate import behind
from tests.gate.behind import Browser, EnvoyProxy, HttpProxy, Proxy
from tests.oauth.conftest import ada
from tests.support.given import Client

__all__ = ["ada"]  # fixtures


@pytest.fixture
async def gate(admin: Client, org_id: str) -> Client:
    """The user of the proxy."""
    return await behind.gate_user(admin, org_id)


@pytest.fixture(params=["grpc", "http"])
def proxy(request: pytest.FixtureRequest, gate: Client, web: httpx2.AsyncClient) -> Proxy:
    return EnvoyProxy(gate) if request.param == "grpc" else HttpProxy(web, gate.token)


@pytest.fixture
def host() -> str:
    return f"{uuid4().hex}.example"


@pytest.fixture
def browser(proxy: Proxy, host: str) -> Browser:
    return Browser(proxy, host)


@pytest.fixture
def browsers(proxy: Proxy) -> Callable[[str], Browser]:
    """Browsers at other hosts."""
    return lambda at: Browser(proxy, at)
