"""The keys of applications that publish them at their `jwks_uri`."""

from typing import Any

import grpc
import pytest
from joserfc.jwk import RSAKey

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.application import calls
from tests.oauth import flow
from tests.oauth.flow import App
from tests.support import given, rsa_keys
from tests.support.given import Client
from tests.support.oidc_provider import Handler, Provider, answering

_CLOCK = "server.values.cache.monotonic"


async def _service(owner: Client, jwks_uri: str) -> App:
    client_id = await calls.application(
        owner,
        kind=application_pb.APPLICATION_KIND_SERVICE,
        token_endpoint_auth_method=application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
        jwks_uri=jwks_uri,
        scopes=["orders"],
    )
    return App(owner.with_token(""), client_id, "")


@pytest.fixture
async def service(trusting_owner: Client, provider: Provider) -> App:
    return await _service(trusting_owner, f"{provider.issuer}/keys")


@pytest.fixture
async def issuer(trusting_owner: Client) -> str:
    return await flow.issuer(await flow.app(trusting_owner))


def _exchange(app: App, key: RSAKey, issuer: str) -> Any:
    assertion = flow.assertion(app.client_id, issuer, key, alg="RS256")
    return app.exchange(grant_type="client_credentials", **assertion)


async def test_published_keys_authenticate_and_are_fetched_once(
    service: App, provider: Provider, issuer: str
) -> None:
    for _ in range(2):
        assert (await _exchange(service, provider.key, issuer)).access_token

    assert provider.requests == ["/keys"]


async def test_an_unknown_key_is_fetched_once_a_minute(
    service: App, provider: Provider, issuer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(_CLOCK, lambda: now)
    assert (await _exchange(service, provider.key, issuer)).access_token
    following = rsa_keys.jwk("second")
    provider.publish(provider.key, following)

    early = await given.refusal(_exchange(service, following, issuer))
    now = 61.0
    assert (await _exchange(service, following, issuer)).access_token
    unknown = rsa_keys.jwk("third")
    refused = [await given.refusal(_exchange(service, unknown, issuer)) for _ in range(2)]

    assert {each.reason for each in (early, *refused)} == {"INVALID_CLIENT"}
    assert provider.requests == ["/keys"] * 2


async def test_a_withdrawn_key_is_refused_after_ten_minutes(
    service: App, provider: Provider, issuer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(_CLOCK, lambda: now)
    assert (await _exchange(service, provider.key, issuer)).access_token
    provider.publish(rsa_keys.jwk("second"))

    now = 599.0
    assert (await _exchange(service, provider.key, issuer)).access_token
    now = 601.0
    assert await given.outcome(_exchange(service, provider.key, issuer)) == "INVALID_CLIENT"


@pytest.mark.parametrize(
    "handler",
    [
        answering(b"{}", status="302 Found", headers="location: https://localhost/\r\n"),
        answering(b"{}", status="500 Internal Server Error"),
        answering(b"no JSON"),
        answering(b'{"keys": []}'),
        answering(b" " * 300_000),
    ],
    ids=["redirect", "status", "no JSON", "no keys", "too large"],
)
async def test_keys_that_cannot_be_read_are_a_temporary_error(
    service: App, provider: Provider, issuer: str, handler: Handler
) -> None:
    provider.handlers["/keys"] = handler

    refused = await given.refusal(_exchange(service, provider.key, issuer))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "CLIENT_KEYS_UNREACHABLE"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "169.254.169.254", "[::1]"])
async def test_no_private_address_is_connected_to(
    owner: Client, provider: Provider, host: str
) -> None:
    app = await flow.app(owner)
    issuer = flow.parameters((await app.start(prompt="wrong")).redirect_uri)["iss"]
    port = provider.issuer.rpartition(":")[2]
    service = await _service(owner, f"https://{host}:{port}/keys")

    refused = await given.refusal(_exchange(service, provider.key, issuer))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "CLIENT_KEYS_UNREACHABLE"
    assert provider.connections == 0
