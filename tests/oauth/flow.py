"""The code flow, as an application and the sign-in page go through it."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import jwt
from google.protobuf import json_format
from joserfc.jwk import ECKey, OKPKey, RSAKey

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.oauth.v1 import oauth_service_pb2 as pb
from server.values.pkce import challenge_of
from tests.application import calls
from tests.support.given import Client

CALLBACK = "https://shop.example.com/callback"
PrivateKey: TypeAlias = ECKey | OKPKey | RSAKey

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
WITHOUT_CHALLENGE = {"code_challenge": "", "code_challenge_method": ""}
SCOPES = ("openid", "profile", "email", "groups", "offline_access")


@dataclass(frozen=True)
class App:
    """An application, with a secret unless it is public."""

    client: Client
    client_id: str
    secret: str

    @property
    def credentials(self) -> Mapping[str, str]:
        return {"client_id": self.client_id, "client_secret": self.secret}

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of an authorization request, without those of PKCE."""
        return {
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "response_type": "code",
            "scope": "openid profile",
            "state": "a state",
            "nonce": "a nonce",
        }

    async def start(self, **fields: Any) -> pb.StartAuthorizationResponse:
        """Starts an authorization request."""
        request = pb.StartAuthorizationRequest(**{**self.parameters, **fields})
        return await self.client.call(self.client.oauth.StartAuthorization, request)

    async def push(self, **fields: Any) -> str:
        """Pushes an authorization request, and returns its `request_uri`."""
        regular = {**self.parameters, **self.credentials, **with_challenge()}
        request = pb.PushAuthorizationRequestRequest(**{**regular, **fields})
        answer = await self.client.call(self.client.oauth.PushAuthorizationRequest, request)
        return str(answer.request_uri)

    async def start_pushed(self, request_uri: str, **fields: Any) -> str:
        """Starts a pushed request, and returns it sealed."""
        regular = {"client_id": self.client_id, "request_uri": request_uri}
        request = pb.StartAuthorizationRequest(**{**regular, **fields})
        answer = await self.client.call(self.client.oauth.StartAuthorization, request)
        return str(answer.sealed_request)

    def exchange(self, **fields: Any) -> Any:
        request = pb.ExchangeTokenRequest(**{**self.credentials, **fields})
        return self.client.call(self.client.oauth.ExchangeToken, request)

    def redeem(self, approved: "Approved", **fields: Any) -> Any:
        """Exchanges the code of an approval."""
        regular = {
            "grant_type": "authorization_code",
            "code": approved.code,
            "redirect_uri": CALLBACK,
            "code_verifier": approved.verifier,
        }
        return self.exchange(**regular | fields)

    def refresh(self, refresh_token: str, **fields: Any) -> Any:
        return self.exchange(grant_type="refresh_token", refresh_token=refresh_token, **fields)

    async def introspect(self, token: str) -> dict[str, Any] | None:
        """The claims of a token; None if it is not active."""
        request = pb.IntrospectTokenRequest(**self.credentials, token=token)
        answer = await self.client.call(self.client.oauth.IntrospectToken, request)
        return json_format.MessageToDict(answer.claims) if answer.active else None

    def revoke(self, token: str) -> Any:
        request = pb.RevokeOAuthTokenRequest(**self.credentials, token=token)
        return self.client.call(self.client.oauth.RevokeOAuthToken, request)


@dataclass(frozen=True)
class Approved:
    """An approved request: the parameters of the response, and the code verifier."""

    parameters: Mapping[str, str]
    verifier: str

    @property
    def code(self) -> str:
        return self.parameters["code"]


async def app(owner: Client, **fields: Any) -> App:
    """A new application with a secret, which may request all scopes."""
    regular = {"redirect_uris": [CALLBACK], "scopes": SCOPES}
    client_id = await calls.application(owner, **regular | fields)
    secret = (await calls.create_secret(owner, client_id)).secret
    return App(owner.with_token(""), client_id, secret)


async def service(owner: Client, **fields: Any) -> App:
    """A new application with a secret that acts for no person."""
    kind = application_pb.APPLICATION_KIND_SERVICE
    return await app(owner, **{"kind": kind, "redirect_uris": [], "scopes": ["orders"], **fields})


@dataclass(frozen=True)
class Api(App):
    """A resource, with a secret."""

    identifier: str


async def api(owner: Client, *, identifier: str = "", **fields: Any) -> Api:
    """A new resource, with the scope `read` unless the fields say otherwise."""
    name = identifier or f"https://{uuid4().hex}.example.com/api"
    scopes = [{"name": "read", "description": "Read everything"}]
    resource_id = await calls.resource(owner, name, **{"resource_scopes": scopes, **fields})
    secret = (await calls.create_secret(owner, resource_id)).secret
    return Api(owner.with_token(""), resource_id, secret, name)


async def public_app(owner: Client, **fields: Any) -> App:
    """A new application without a secret."""
    regular = {
        "redirect_uris": [CALLBACK],
        "scopes": SCOPES,
        "kind": application_pb.APPLICATION_KIND_BROWSER,
    }
    client_id = await calls.application(owner, **regular | fields)
    return App(owner.with_token(""), client_id, "")


async def sealed(application: App, **fields: Any) -> str:
    """A sealed request."""
    answer = await application.start(**with_challenge() | fields)
    assert answer.sealed_request, answer
    return answer.sealed_request


def with_challenge(verifier: str = "") -> dict[str, str]:
    """The parameters of PKCE, for a verifier or for a new one."""
    challenge = challenge_of(verifier or secrets.token_urlsafe(32))
    return {"code_challenge": challenge, "code_challenge_method": "S256"}


def approve(person: Client, sealed_request: str, *, consents: bool = True) -> Any:
    request = pb.ApproveAuthorizationRequest(sealed_request=sealed_request, consents=consents)
    return person.call(person.oauth.ApproveAuthorization, request)


def deny(client: Client, sealed_request: str, *, error: str = "") -> Any:
    request = pb.DenyAuthorizationRequest(sealed_request=sealed_request, error=error)
    return client.call(client.oauth.DenyAuthorization, request)


def describe(client: Client, sealed_request: str) -> Any:
    request = pb.DescribeAuthorizationRequest(sealed_request=sealed_request)
    return client.call(client.oauth.DescribeAuthorization, request)


def form(client: Client, sealed_response: str) -> Any:
    """The response that the browser posts."""
    request = pb.OpenAuthorizationResponseRequest(sealed_response=sealed_response)
    return client.call(client.oauth.OpenAuthorizationResponse, request)


async def approved(application: App, person: Client, **fields: Any) -> Approved:
    """The approval of a request by a person with a session."""
    verifier = secrets.token_urlsafe(32)
    request = await sealed(application, **with_challenge(verifier) | fields)
    answer = await approve(person, request)
    return Approved(parameters(answer.redirect_uri), verifier)


async def tokens(application: App, person: Client, **fields: Any) -> pb.ExchangeTokenResponse:
    """The tokens of a whole flow."""
    return await application.redeem(await approved(application, person, **fields))


async def user_info(client: Client, access_token: str) -> dict[str, Any]:
    """The claims of userinfo."""
    answer = await client.with_token(access_token).call(
        client.oauth.GetUserInfo, pb.GetUserInfoRequest()
    )
    return json_format.MessageToDict(answer.claims)


async def issuer(application: App) -> str:
    """The issuer, as every response names it."""
    return parameters((await application.start(prompt="wrong")).redirect_uri)["iss"]


def assertion(
    client_id: str, audience: str, key: PrivateKey, *, alg: str = "ES256", **claims: Any
) -> dict[str, str]:
    """The parameters by which an application authenticates with a key (RFC 7523, section 2.2).

    A claim of None is left out.
    """
    regular = {
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "exp": int(time.time()) + 60,
        "jti": uuid4().hex,
    }
    content = {name: value for name, value in (regular | claims).items() if value is not None}
    headers = {"kid": key.kid} if key.kid else None
    signed = jwt.encode(content, key.as_pem(private=True), algorithm=alg, headers=headers)
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": signed}


def parameters(redirect_uri: str) -> Mapping[str, str]:
    """The parameters of a response in the query of the redirect URI."""
    return dict(parse_qsl(urlsplit(redirect_uri).query))
