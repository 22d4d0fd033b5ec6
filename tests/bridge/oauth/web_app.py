"""An application and a browser at the endpoints of OAuth."""

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpx2

from tests.oauth import flow
from tests.oauth.flow import CALLBACK, App, Approved
from tests.support.given import Client

ENDPOINTS: Mapping[str, tuple[str, ...]] = {
    "/oauth/authorize": ("GET", "POST"),
    "/oauth/form_post": ("GET",),
    "/oauth/logout": ("GET", "POST"),
    "/oauth/par": ("POST",),
    "/oauth/token": ("POST",),
    "/oauth/device": ("POST",),
    "/oauth/introspect": ("POST",),
    "/oauth/revoke": ("POST",),
    "/oauth/userinfo": ("GET", "POST"),
}
DOCUMENTS = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
CROSS_ORIGIN = {"/oauth/par", "/oauth/token", "/oauth/revoke", "/oauth/userinfo", *DOCUMENTS}


@dataclass(frozen=True)
class WebApp:
    """An application whose requests are HTTP, and the browser that it redirects."""

    http: httpx2.AsyncClient
    app: App

    def request(self, **parameters: str) -> dict[str, str]:
        """The parameters of an authorization request."""
        regular = {
            "client_id": self.app.client_id,
            "redirect_uri": CALLBACK,
            "response_type": "code",
            "scope": "openid profile",
            "state": "a state",
        }
        return {**regular, **flow.with_challenge(), **parameters}

    async def authorize(self, **parameters: str) -> str:
        """The address to which a request redirects, as a browser at a proxy path resolves it."""
        answer = await self.http.get("/oauth/authorize", params=self.request(**parameters))
        return location(answer)

    async def approved(self, person: Client, **parameters: str) -> Approved:
        """The approval of a request by a person with a session."""
        verifier = secrets.token_urlsafe(32)
        address = await self.authorize(**flow.with_challenge(verifier), **parameters)
        answer = await flow.approve(person, sealed_request(address))
        return Approved(flow.parameters(answer.redirect_uri), verifier)

    async def tokens(self, person: Client, **parameters: str) -> dict[str, Any]:
        """The tokens of a whole flow."""
        answer = await self.redeem(await self.approved(person, **parameters))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def redeem(self, approved: Approved, **parameters: str) -> httpx2.Response:
        """Exchanges the code of an approval, with the secret in the body."""
        regular = {
            **self.app.credentials,
            "grant_type": "authorization_code",
            "code": approved.code,
            "redirect_uri": CALLBACK,
            "code_verifier": approved.verifier,
        }
        return await self.post("token", **{**regular, **parameters})

    async def post(
        self, endpoint: str, headers: Mapping[str, str] | None = None, /, **parameters: str
    ) -> httpx2.Response:
        """Posts a form to an endpoint."""
        return await self.http.post(f"/oauth/{endpoint}", data=parameters, headers=headers)

    async def user_info(self, access_token: str, verb: str = "GET") -> httpx2.Response:
        headers = {"authorization": f"Bearer {access_token}"}
        return await self.http.request(verb, "/oauth/userinfo", headers=headers)


def location(answer: httpx2.Response) -> str:
    """The address of a redirect, below the path of a proxy."""
    assert answer.status_code == 303, answer.text
    assert answer.content == b""
    assert answer.headers["cache-control"] == "no-store"
    path = answer.request.url.path
    return urljoin(f"https://proxy.example.com/below{path}", answer.headers["location"])


def sealed_request(address: str) -> str:
    """The sealed request in the address of the sign-in page."""
    parts = urlsplit(address)
    assert address.startswith("https://proxy.example.com/below/signin/#request="), address
    return parts.fragment.removeprefix("request=").replace("%3D", "=")


def error_of(answer: httpx2.Response) -> tuple[int, str, str]:
    """The status, the error and the reason of a refusal in OAuth's shape."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    body = answer.json()
    assert body.keys() == {"error", "error_description"}
    description, _, reason = body["error_description"].rpartition(" (")
    assert description
    reason, _, request = reason.partition(", request ")
    assert request == f"{answer.headers['x-request-id']})"
    return answer.status_code, body["error"], reason


def basic(client_id: str, secret: str, *, escaped: bool = False) -> dict[str, str]:
    """The header of an application that authenticates by Basic; all characters can be escaped."""
    client_id, secret = (
        "".join(f"%{byte:02X}" for byte in text.encode()) if escaped else quote(text, safe="")
        for text in (client_id, secret)
    )
    credentials = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
    return {"authorization": f"Basic {credentials}"}
