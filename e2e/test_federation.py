"""Signing in with an identity provider in Chromium: `oidc-provider` of npm is the provider."""

from collections.abc import AsyncIterator, Mapping

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import FOLDER, PROGRAM_SECONDS, chromium, required, run_node_tests, running
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.dns_server import dns_server
from tests.support.process import free_port, serve


@pytest.fixture(scope="module")
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server, a provider that it may reach, and their description (`world.js`)."""
    web_port, provider_port = free_port(), free_port()
    data_dir = tmp_path_factory.mktemp("data")
    authority = Authority(data_dir)
    origin = f"http://localhost:{web_port}"

    async def publish(request: Request) -> JSONResponse:
        record = await request.json()
        zone.publish(record["name"], record["value"])
        return JSONResponse({})

    async with (
        dns_server() as zone,
        observer(Route("/publish", publish, methods=["POST"])) as observer_url,
        running(
            *(required("node", "nodejs"), str(FOLDER / "federation" / "provider.js")),
            *(str(provider_port), str(authority.certificate().path), origin),
            address=f"localhost:{provider_port}",
        ),
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            idp_ca_file=authority.ca_file,
            idp_allowed_networks="127.0.0.0/8,::1",
            dns_servers=zone.address,
        ) as server,
        kept_log(server, "federation.log"),
    ):
        yield {
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
            "origin": origin,
            "issuer": f"https://localhost:{provider_port}",
            "token": (data_dir / "admin.token").read_text().strip(),
            "artifacts": "federation",
            "observerUrl": observer_url,
        }


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
@pytest.mark.parametrize("program", ["federation.test.js", "federation_accessibility.test.js"])
async def test_people_sign_in_with_a_provider(
    described: Mapping[str, object], program: str
) -> None:
    await run_node_tests(program, described, **chromium())
