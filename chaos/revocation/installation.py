"""Two servers, the proxies of the gate, an application, and services that are told of ends."""

import asyncio
import contextlib
import logging
import re
import shutil
import ssl
import time
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import parse_qs

import httpx2

from chaos.load import Caller, Ports
from chaos.pushed import settings
from chaos.revocation.places import GATES
from chaos.stage import Served, Stage, free_ports
from chaos.watchers import clients
from e2e.gate_proxies import PROXIES, Place
from e2e.programs import running
from keystead.push.v1 import push_service_pb2 as push_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from keystead_client import EndedSessions, KeySet, SessionVerifier, connect
from tests.gate import behind
from tests.gate.behind import Answer, Browser
from tests.group import calls as groups
from tests.push import calls as pushes
from tests.support import given
from tests.support.certificates import Authority
from tests.support.given import Client
from tests.support.process import free_port
from tests.support.push_target import PushTarget, plain_target, push_target

_AUDIENCE = "orders"
_ISSUER = "https://id.example.com"
_EVENTS = (
    "user.locked",
    "user.passkey_removed",
    "user.session_ended",
    "user.sessions_ended",
)
_POLL_SECONDS = 0.005
# The beginning of a command that prints nothing.
_SILENT = ("sh", "-c", 'exec "$@" > /dev/null 2>&1', "sh")
# Faults interrupt the watch.
logging.getLogger("keystead_client").setLevel(logging.ERROR)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


@dataclass(frozen=True)
class ProxiedGate:
    """A proxy as browsers see it (`tests.gate.behind.Proxy`)."""

    name: str
    host: str
    web: httpx2.AsyncClient

    async def ask(
        self, method: str, host: str, path: str, headers: Sequence[tuple[str, str]], scheme: str
    ) -> Answer:
        name, _, port = host.rpartition(":")
        answer = await self.web.request(
            method,
            f"{scheme}://127.0.0.1:{port}{path}",
            headers=[*headers, ("host", host)],
            extensions={"sni_hostname": name},
        )
        status = 200 if answer.is_success else answer.status_code
        return Answer(status, dict(answer.headers), body=answer.text)

    def browser(self) -> Browser:
        """A new browser at the application behind the proxy."""
        return Browser(self, self.host)


@dataclass
class Installation:
    """Ends happen at the first server; the places are at the second one, except for one of them."""

    admins: Sequence[Client]
    web: Caller
    org_id: str
    owner: Client
    group_id: str
    session_verifier: Client
    target: PushTarget
    ended: EndedSessions
    verifiers: Mapping[bool, SessionVerifier]  # by whether they watch ended sessions
    gates: Sequence[ProxiedGate]
    # The times at which the target was told of an ID, by the path of the request.
    arrived: dict[tuple[str, str], float] = field(default_factory=dict)

    async def arrival(self, kind: str, session_id: str) -> float:
        """The time at which the target got a `webhook` or `logout` of a session."""
        while (kind, session_id) not in self.arrived:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)
        return self.arrived[kind, session_id]

    async def watched(self, session_id: str) -> float:
        """The time at which the watch of ended sessions told a session."""
        while session_id not in self.ended:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)
        return time.monotonic()

    async def follow(self) -> None:
        """Notes the arrivals at the target, without end."""
        read = 0
        while True:
            for received in self.target.received[read:]:
                read += 1
                text, kind = received.content.decode(), "webhook"
                if tokens := parse_qs(text).get("logout_token"):
                    claims = tokens[0].split(".")[1]
                    text, kind = urlsafe_b64decode(claims + "==").decode(), "logout"
                for each in _ID.findall(text):
                    self.arrived.setdefault((kind, each), time.monotonic())
            await asyncio.sleep(_POLL_SECONDS)


@dataclass
class Servers:
    """The first server, and the second one, which faults restart."""

    stage: Stage
    dsn: str
    ports: Sequence[Ports]
    options: Mapping[str, object]
    ending: contextlib.AsyncExitStack
    other: Served

    async def kill_other(self) -> None:
        """SIGKILL for the second server, and a new one."""
        self.other.process.kill()
        await self.other.server.status()
        self.other = await self.ending.enter_async_context(
            self.stage.server(self.dsn, ports=self.ports[1], **self.options)
        )

    async def kill_database(self) -> None:
        """SIGKILL for PostgreSQL, and a new start after a second."""
        self.stage.kill()
        await asyncio.sleep(1)
        await self.stage.start()

    async def freeze(self) -> None:
        """The second server hangs for two seconds."""
        self.other.process.suspend()
        await asyncio.sleep(2)
        self.other.process.resume()


@contextlib.asynccontextmanager
async def installed(stage: Stage) -> AsyncIterator[tuple[Installation, Servers, Served]]:
    """Everything, until the end of the block."""
    folder = stage.folder / "revocation"
    folder.mkdir()
    authority = Authority(folder)
    ports = [free_ports(), free_ports()]
    options = {
        **settings(authority.ca_file),
        "public_url": _ISSUER,
        "jwt_audiences": _AUDIENCE,
        "rp_origins": "http://localhost:8080",
    }
    async with contextlib.AsyncExitStack() as ending:
        dsn = await ending.enter_async_context(stage.database())
        one = await ending.enter_async_context(stage.server(dsn, ports=ports[0], **options))
        other = await ending.enter_async_context(stage.server(dsn, ports=ports[1], **options))
        target = await ending.enter_async_context(push_target(authority))
        admins = await ending.enter_async_context(clients(ports, one.token))
        here, there = admins
        org_id = await given.organization(here)
        owner = await given.user(here, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
        verifier = await given.user(here, roles=[user_pb.ROLE_SESSION_VERIFIER])
        group_id = (await groups.add(owner)).group_id
        await pushes.add(
            owner, url=target.url, event_types=_EVENTS, secret_kind=push_pb.SECRET_KIND_HMAC
        )
        gate = await behind.gate_user(here, org_id)
        gates = await _gates(ending, folder, authority, other, gate.token)
        for each in gates:
            await behind.application(owner, each.host, first_party=True, allowed_groups=[group_id])
        channel = await ending.enter_async_context(
            connect(f"127.0.0.1:{ports[1].grpc}", verifier.token, plaintext=True)
        )
        ended = await ending.enter_async_context(EndedSessions(channel))
        keys = KeySet(f"http://127.0.0.1:{ports[1].web}")
        web = await ending.enter_async_context(Caller.connected("grpc-web", ports[1], ""))
        installation = Installation(
            admins=admins,
            web=web,
            org_id=org_id,
            owner=owner,
            group_id=group_id,
            session_verifier=there.with_token(verifier.token),
            target=target,
            ended=ended,
            verifiers={
                True: SessionVerifier(keys, issuer=_ISSUER, audience=_AUDIENCE, ended=ended),
                False: SessionVerifier(keys, issuer=_ISSUER, audience=_AUDIENCE),
            },
            gates=gates,
        )
        following = asyncio.create_task(installation.follow())
        try:
            yield installation, Servers(stage, dsn, ports, options, ending, other), one
        finally:
            following.cancel()


async def _gates(
    ending: contextlib.AsyncExitStack, folder: Path, authority: Authority, served: Served, gate: str
) -> list[ProxiedGate]:
    """The proxies that are installed; each asks the server about requests to an application."""
    context = ssl.create_default_context(cafile=str(authority.ca_file))
    # Browsers keep their cookies themselves.
    without_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    web = await ending.enter_async_context(
        httpx2.AsyncClient(verify=context, trust_env=False, cookies=without_cookies)
    )
    application = await ending.enter_async_context(plain_target())
    certificate = authority.certificate([f"app.{name}.gate.test" for name in GATES]).path
    gates = []
    for name in GATES:
        if name != "envoy" and shutil.which(name) is None:
            continue
        place = Place(
            folder=folder / name,
            names=(f"app.{name}.gate.test", f"sibling.{name}.gate.test"),
            port=free_port(),
            application_ports=(application.port, application.port),
            web_port=served.ports.web,
            grpc_port=served.ports.grpc,
            certificate=certificate,
            token=gate,
        )
        place.folder.mkdir()
        command = PROXIES[name](place)
        environment = {"HOME": str(place.folder), "GATE_TOKEN": gate}
        await ending.enter_async_context(
            running(*_SILENT, *command, address=f"127.0.0.1:{place.port}", **environment)
        )
        gates.append(ProxiedGate(name, place.hosts[0], web))
    return gates
