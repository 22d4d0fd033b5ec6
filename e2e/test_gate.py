"""Applications behind the gate in Chromium, with real proxies: runs `gate.test.js`."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.gate_proxies import PROXIES, Place
from e2e.programs import PROGRAM_SECONDS, chromium, required, run_node_tests, running
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve


async def _call(web: httpx2.AsyncClient, path: str, content: Mapping[str, Any]) -> Any:
    answer = await web.post(path, json=content)
    assert answer.is_success, answer.text
    return answer.json()


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server, and the proxies with two applications each."""
    web_port, grpc_port = free_port(), free_port()
    application_ports = (free_port(), free_port())
    data_dir = tmp_path_factory.mktemp("data")
    origin = f"http://localhost:{web_port}"
    certificate = Authority(data_dir).certificate(("*.gate.test",)).path
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            grpc_address=f"127.0.0.1:{grpc_port}",
            rp_origins=origin,
        ) as server,
        kept_log(server, "gate.log"),
        observer(_stop(server)) as observer_url,
        contextlib.AsyncExitStack() as proxies,
    ):
        await server.web_port()
        token = (data_dir / "admin.token").read_text().strip()
        described = []
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{web_port}", headers={"authorization": f"Bearer {token}"}
        ) as web:
            user_id = (await _call(web, "/v1/users", {"userName": "gate"}))["userId"]
            await _call(web, f"/v1/users/{user_id}/roles", {"role": "ROLE_GATE"})
            gate = await _call(web, f"/v1/users/{user_id}/tokens", {"name": "proxy"})
            for name, command in PROXIES.items():
                place = Place(
                    folder=tmp_path_factory.mktemp(name),
                    names=(f"app.{name}.gate.test", f"sibling.{name}.gate.test"),
                    port=free_port(),
                    application_ports=application_ports,
                    web_port=web_port,
                    grpc_port=grpc_port,
                    certificate=certificate,
                    token=gate["token"],
                )
                ids = [await _application(web, f"https://{host}") for host in place.hosts]
                await proxies.enter_async_context(
                    running(
                        *command(place),
                        address=f"127.0.0.1:{place.port}",
                        HOME=str(place.folder),
                        GATE_TOKEN=place.token,
                    )
                )
                described.append(
                    {
                        "name": name,
                        "port": place.port,
                        "origin": f"https://{place.hosts[0]}",
                        "sibling": f"https://{place.hosts[1]}",
                        "clientId": ids[0],
                        "siblingId": ids[1],
                    }
                )
        yield {
            "webUrl": f"http://127.0.0.1:{web_port}",
            "origin": origin,
            "token": token,
            "observerUrl": observer_url,
            "applicationPorts": application_ports,
            "proxies": described,
            "artifacts": "gate",
        }


def _stop(server: Server) -> Route:
    async def stop(_request: Request) -> JSONResponse:
        await server.end()
        return JSONResponse({})

    return Route("/stop", stop)


async def _application(web: httpx2.AsyncClient, origin: str) -> str:
    """A new first-party application, and its id."""
    fields = {
        "name": "Grafana",
        "kind": "APPLICATION_KIND_GATE",
        "origins": [origin],
        "firstParty": True,
        "scopes": ["openid", "profile", "email", "groups"],
        "gateIdentityHeaders": True,
    }
    added = await _call(web, "/v1/applications", {"application": fields})
    return str(added["applicationId"])


@pytest.mark.timeout(PROGRAM_SECONDS + 60)
async def test_people_use_applications_behind_the_gate(described: Mapping[str, object]) -> None:
    await run_node_tests(
        "gate.test.js",
        described,
        **chromium(),
        CURL=required("curl", "curl"),
    )
