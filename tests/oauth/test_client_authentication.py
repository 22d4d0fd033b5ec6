"""The authentication of applications: secrets, and assertions with a private key."""

import json
import time
from datetime import timedelta
from typing import Any

import grpc
import jwt
import pytest
from authlib.oauth2.rfc7523 import private_key_jwt_sign
from joserfc.jwk import ECKey, KeySet

from keystead.application.v1 import application_service_pb2 as application_pb
from tests.application import calls
from tests.oauth import flow, shared
from tests.oauth.flow import ASSERTION_TYPE, App
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance

org_id, owner, app, ada = shared.org_id, shared.owner, shared.app, shared.ada

pytestmark = pytest.mark.python_differs("base64 refuses foreign characters since 3.14")


def _exchange(app: App, **fields: Any) -> Any:
    return app.exchange(grant_type="client_credentials", **fields)


async def _service(owner: Client, **fields: Any) -> str:
    kind = application_pb.APPLICATION_KIND_SERVICE
    return await calls.application(owner, kind=kind, scopes=["orders"], **fields)


async def test_two_secrets_are_valid_until_they_are_removed(owner: Client) -> None:
    client_id = await _service(owner)
    first, second = [await calls.create_secret(owner, client_id) for _ in range(2)]
    by_first = App(owner.with_token(""), client_id, first.secret)
    by_second = App(owner.with_token(""), client_id, second.secret)

    assert (await _exchange(by_first)).access_token
    assert (await _exchange(by_second)).access_token
    await calls.remove_secret(owner, client_id, first.secret_id)
    assert await given.outcome(_exchange(by_first)) == "INVALID_CLIENT"
    assert (await _exchange(by_second)).access_token


@pytest.mark.parametrize(
    "fields",
    [
        {"client_id": "unknown"},
        {"client_secret": ""},
        {"client_secret": "wrong"},
        {"client_assertion": "e30.e30.e30"},
        {"client_assertion_type": ASSERTION_TYPE, "client_assertion": "e30.e30.e30"},
    ],
)
async def test_wrong_credentials_are_refused_alike(app: App, fields: dict[str, str]) -> None:
    refused = await given.refusal(app.exchange(grant_type="refresh_token", **fields))

    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAUTHENTICATED, "INVALID_CLIENT")
    unknown = await given.refusal(app.exchange(grant_type="refresh_token", client_id="other"))
    assert refused.message == unknown.message


async def test_a_secret_of_another_application_is_refused(app: App, owner: Client) -> None:
    other = await flow.app(owner)

    refused = await given.refusal(
        app.exchange(grant_type="refresh_token", client_secret=other.secret)
    )

    assert refused.reason == "INVALID_CLIENT"


async def test_a_public_application_has_no_secret(owner: Client, ada: SignedIn) -> None:
    app = await flow.public_app(owner)

    assert (await flow.tokens(app, ada.client)).access_token
    refused = await given.refusal(app.exchange(grant_type="refresh_token", client_secret="x"))
    assert refused.reason == "INVALID_CLIENT"


@pytest.fixture
def key() -> ECKey:
    return ECKey.generate_key("P-256", {"kid": "one", "alg": "ES256", "use": "sig"})


@pytest.fixture
async def by_key(owner: Client, key: ECKey) -> App:
    jwks = KeySet([key]).as_dict(private=False)
    client_id = await _service(
        owner,
        token_endpoint_auth_method=application_pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
        jwks=json.dumps(jwks),
    )
    return App(owner.with_token(""), client_id, "")


@pytest.mark.parametrize("jti", ["once", "\u00e9", "\0", "\ud800"])
async def test_an_assertion_is_used_once(app: App, by_key: App, key: ECKey, jti: str) -> None:
    sent = flow.assertion(by_key.client_id, await flow.issuer(app), key, jti=jti)

    assert (await _exchange(by_key, **sent)).access_token
    assert await given.outcome(_exchange(by_key, **sent)) == "INVALID_CLIENT"


async def test_the_token_endpoint_is_an_audience_if_the_application_allows_it(
    app: App, by_key: App, key: ECKey, owner: Client
) -> None:
    """Spring Security sends it (NimbusJwtClientAuthenticationParametersConverter).

    `openid-client` sends the issuer since 5.7.1 (lib/helpers/client.js).
    """
    token_endpoint = f"{await flow.issuer(app)}/oauth/token"

    def exchange() -> Any:
        return _exchange(by_key, **flow.assertion(by_key.client_id, token_endpoint, key))

    assert await given.outcome(exchange()) == "INVALID_CLIENT"
    await calls.patch(owner, by_key.client_id, allows_token_endpoint_audience=True)
    assert (await exchange()).access_token


async def test_assertions_of_authlib_authenticate(
    app: App, by_key: App, key: ECKey, owner: Client
) -> None:
    """Their audience is the token endpoint, and they live for an hour.

    Keycloak, too, limits `exp` only without `iat` (AbstractJWTClientValidator.validateTokenActive).
    """
    await calls.patch(owner, by_key.client_id, allows_token_endpoint_audience=True)
    token_endpoint = f"{await flow.issuer(app)}/oauth/token"

    assertion = private_key_jwt_sign(
        key, by_key.client_id, token_endpoint, "ES256", header={"kid": "one"}
    )

    sent = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
    assert (await _exchange(by_key, **sent)).access_token


@pytest.mark.parametrize("seconds", [-590, -30, 30])
@pytest.mark.parametrize("name", ["iat", "nbf"])
async def test_an_assertion_may_be_as_old_as_it_may_live_and_a_minute_ahead(
    app: App, by_key: App, key: ECKey, name: str, seconds: int
) -> None:
    """RFC 7519, section 2: the dates may have fractions."""
    times: dict[str, Any] = {name: time.time() + seconds, "exp": time.time() + 60.5}
    sent = flow.assertion(by_key.client_id, await flow.issuer(app), key, **times)

    assert (await _exchange(by_key, **sent)).access_token


async def test_an_application_can_allow_one_algorithm_of_assertions(
    app: App, by_key: App, key: ECKey, owner: Client
) -> None:
    issuer = await flow.issuer(app)
    await calls.patch(owner, by_key.client_id, token_endpoint_auth_signing_alg="PS256")
    by_other = _exchange(by_key, **flow.assertion(by_key.client_id, issuer, key))
    assert await given.outcome(by_other) == "INVALID_CLIENT"

    await calls.patch(owner, by_key.client_id, token_endpoint_auth_signing_alg="ES256")
    assert (await _exchange(by_key, **flow.assertion(by_key.client_id, issuer, key))).access_token


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "other"},
        {"sub": "other"},
        {"aud": "https://other.example.com"},
        {"aud": None},
        {"aud": ["https://other.example.com"]},
        {"aud": {}},
        {"iat": timedelta(seconds=3600)},
        {"iat": timedelta(seconds=-31_536_000)},
        {"iat": "now"},
        {"exp": True},
        {"exp": None},
        {"exp": timedelta(seconds=-120)},
        {"exp": timedelta(seconds=700)},
        {"exp": "soon"},
        {"nbf": timedelta(seconds=100_000)},
        {"jti": None},
        {"jti": ""},
        {"jti": 1},
    ],
)
async def test_an_assertion_with_a_wrong_claim_is_refused(
    app: App, by_key: App, key: ECKey, claims: dict[str, Any]
) -> None:
    claimed: dict[str, Any] = {
        name: int(time.time() + value.total_seconds()) if isinstance(value, timedelta) else value
        for name, value in claims.items()
    }
    sent = flow.assertion(by_key.client_id, await flow.issuer(app), key, **claimed)

    assert await given.outcome(_exchange(by_key, **sent)) == "INVALID_CLIENT"


@pytest.mark.parametrize("others", [[], ["https://other.example"], ["/oauth/token"]])
async def test_a_list_of_audiences_is_refused(
    app: App, by_key: App, key: ECKey, others: list[str]
) -> None:
    """draft-ietf-oauth-rfc7523bis; CVE-2025-27370."""
    issuer = await flow.issuer(app)
    sent = flow.assertion(by_key.client_id, issuer, key, aud=[issuer, *others])

    assert await given.outcome(_exchange(by_key, **sent)) == "INVALID_CLIENT"


async def test_an_assertion_under_another_key_or_without_one_is_refused(
    app: App, by_key: App, owner: Client, instance: Instance
) -> None:
    other = ECKey.generate_key("P-256", {"kid": "one"})
    by_other = flow.assertion(by_key.client_id, await flow.issuer(app), other)["client_assertion"]
    unsigned = jwt.encode({"iss": by_key.client_id}, "", algorithm="none")
    by_secret = jwt.encode({"iss": by_key.client_id}, "x" * 32, algorithm="HS256")

    for assertion in (by_other, unsigned, by_secret, ""):
        sent = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        assert await given.outcome(_exchange(by_key, **sent)) == "INVALID_CLIENT"
    assert await given.outcome(_exchange(by_key, client_secret="x")) == "INVALID_CLIENT"
