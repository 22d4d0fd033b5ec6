"""An application behind the gate, its proxy, and the browsers of people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

import httpx2

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.gate.v1 import gate_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support import given
from tests.support.given import Client

COOKIE = "__Host-keystead-gate"
CALLBACK = "/.keystead/callback"
PAGE = {"accept": "text/html,*/*;q=0.8"}


@dataclass(frozen=True)
class Answer:
    """A decision: the headers for the application, or the status and headers for the client."""

    status: int
    headers: Mapping[str, str]
    removed: Sequence[str] = ()
    body: str = ""

    @property
    def is_allowed(self) -> bool:
        return self.status == 200


class Proxy(Protocol):
    """A proxy that asks about a request."""

    async def ask(
        self, method: str, host: str, path: str, headers: Sequence[tuple[str, str]], scheme: str
    ) -> Answer: ...


@dataclass(frozen=True)
class EnvoyProxy:
    """Asks over gRPC."""

    client: Client

    async def ask(
        self, method: str, host: str, path: str, headers: Sequence[tuple[str, str]], scheme: str
    ) -> Answer:
        request = check_request(method, host, path, headers, scheme)
        answer = await self.client.call(self.client.gate.Check, request)
        if answer.HasField("ok_response"):
            allowed = answer.ok_response
            assert answer.status.code == 0
            return Answer(200, _headers(allowed.headers), tuple(allowed.headers_to_remove))
        denied = answer.denied_response
        assert answer.status.code != 0
        return Answer(denied.status.code, _headers(denied.headers), body=denied.body)


@dataclass(frozen=True)
class HttpProxy:
    """Asks over HTTP. An empty header of the answer is one that the application does not get."""

    web: httpx2.AsyncClient
    token: str

    async def ask(
        self, method: str, host: str, path: str, headers: Sequence[tuple[str, str]], scheme: str
    ) -> Answer:
        answer = await self.web.get(
            "/gate/check",
            headers=[
                *(header for header in headers if header[0].lower() != "authorization"),
                ("authorization", f"Bearer {self.token}"),
                ("x-forwarded-method", method),
                ("x-forwarded-proto", scheme),
                ("x-forwarded-host", host),
                ("x-forwarded-uri", path),
            ],
        )
        if answer.status_code != 200:
            return Answer(answer.status_code, dict(answer.headers), body=answer.text)
        given = {name: answer.headers[name] for name in GIVEN}
        present = {name: value for name, value in given.items() if value}
        return Answer(200, present, [name for name in GIVEN if name not in present])


GIVEN = (
    "authorization",
    "cookie",
    "x-auth-request-email",
    "x-auth-request-groups",
    "x-auth-request-user",
    "x-keystead-jwt",
)


@dataclass
class Browser:
    """The browser of a person at an origin, behind a proxy."""

    proxy: Proxy
    host: str
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, **{**PAGE, **headers})

    async def ask(self, method: str, path: str, *, scheme: str = "https", **headers: str) -> Answer:
        sent = [(name.replace("_", "-"), value) for name, value in headers.items()]
        if self.cookies:
            text = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            sent.append(("cookie", text))
        answer = await self.proxy.ask(method, self.host, path, sent, scheme)
        for name, morsel in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = morsel.value
        return answer

    async def approved(self, path: str, person: Client, *, consents: bool = True) -> str:
        """The path of the callback, after a person has signed in and approved."""
        started = await self.get(path)
        assert started.status == 302, started
        parameters = dict(parse_qsl(urlsplit(started.headers["location"]).query))
        sealed = await App(person.with_token(""), parameters.pop("client_id"), "").start(
            **{"nonce": "", **parameters}
        )
        answer = await flow.approve(person, sealed.sealed_request, consents=consents)
        location = urlsplit(answer.redirect_uri)
        assert location.netloc == self.host
        return f"{location.path}?{location.query}"

    async def enter(self, person: Client, path: str = "/") -> Answer:
        """Signs in, and follows the redirect to the page that was asked for."""
        entered = await self.get(await self.approved(path, person))
        assert entered.status == 302, entered
        location = urlsplit(entered.headers["location"])
        assert location.netloc == self.host
        return await self.get(location.path + (f"?{location.query}" if location.query else ""))


async def application(owner: Client, host: str, **fields: Any) -> str:
    """A new application behind the gate."""
    regular = {
        "kind": application_pb.APPLICATION_KIND_GATE,
        "origins": [f"https://{host}"],
        "scopes": ["openid", "profile", "email", "groups"],
    }
    return await calls.application(owner, **regular | fields)


async def gate_user(admin: Client, org_id: str) -> Client:
    """The user of a proxy."""
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_GATE])


def check_request(
    method: str,
    host: str,
    path: str,
    headers: Sequence[tuple[str, str]] = (),
    scheme: str = "https",
) -> pb.CheckRequest:
    http = pb.ForwardedHttp(method=method, host=host, path=path, scheme=scheme)
    http.headers.extend(pb.ForwardedHeader(key=key, value=value) for key, value in headers)
    return pb.CheckRequest(attributes={"request": {"http": http}})  # type: ignore[arg-type]


def _headers(options: Any) -> dict[str, str]:
    headers: dict[str, str] = {}
    for each in options:
        assert each.header.key not in headers
        headers[each.header.key] = each.header.value
    return headers
