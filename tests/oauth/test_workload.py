"""Workloads get tokens of a service by the tokens of their issuer, without a secret (RFC 8693)."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any, TypeAlias

import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from server.oauth import refusals
from server.relying_party.http_client import ClientOptions
from server.relying_party.provider import Providers
from server.relying_party.workload import verified_workload
from server.relying_party.workload_issuers import WorkloadIssuer
from server.values.errors import Failure
from tests.application import calls
from tests.oauth import flow
from tests.oauth.flow import App
from tests.session import jwts, sessions
from tests.support import given, rsa_keys
from tests.support.certificates import Authority
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider, answering
from tests.support.workload_tokens import FORGERIES, SUBJECT, Forge, claims_of

_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
_JWT = "urn:ietf:params:oauth:token-type:jwt"
_AUDIENCE = "https://id.example.com"
_CLOCK = "server.values.cache.monotonic"
_DISCOVERY = "/.well-known/openid-configuration"

Claims: TypeAlias = Mapping[str, Any]


def _trusted(provider: Provider, **fields: Any) -> dict[str, Any]:
    regular = {"issuer": provider.issuer, "audience": _AUDIENCE, "subject": SUBJECT}
    return {**regular, **fields}


async def _service(owner: Client, *trusted: Claims, **fields: Any) -> App:
    """A service without a secret that trusts these issuers."""
    regular = {
        "kind": application_pb.APPLICATION_KIND_SERVICE,
        "token_endpoint_auth_method": application_pb.TOKEN_ENDPOINT_AUTH_METHOD_NONE,
        "scopes": ["orders.read", "orders.write"],
    }
    client_id = await calls.application(owner, workload_issuers=trusted, **regular | fields)
    return App(owner.with_token(""), client_id, "")


@pytest.fixture
async def service(trusting_owner: Client, provider: Provider) -> App:
    return await _service(trusting_owner, _trusted(provider))


def _exchange(app: App, subject_token: str, /, **fields: Any) -> Any:
    regular = {
        "grant_type": _EXCHANGE,
        "subject_token": subject_token,
        "subject_token_type": _JWT,
    }
    return app.exchange(**regular | fields)


def _token(provider: Provider, **claims: Any) -> str:
    return provider.signed(claims_of(provider, _AUDIENCE, **claims))


async def test_a_workload_gets_a_token_of_the_application(
    relying: Instance, trusting_owner: Client, service: App, provider: Provider
) -> None:
    answered = await _exchange(service, _token(provider))

    claims = jwts.verified(
        answered.access_token,
        await jwts.key_set(relying),
        audience=service.client_id,
        issuer=jwts.unverified(answered.access_token)["iss"],
    )
    assert claims["sub"] == claims["client_id"] == service.client_id
    assert claims["org_id"] == (
        (await calls.get(trusting_owner, service.client_id)).details.resource_owner
    )
    assert claims["workload"] == {"iss": provider.issuer, "sub": SUBJECT}
    assert claims["scope"] == answered.scope == "orders.read orders.write"
    assert claims["exp"] - claims["iat"] == answered.expires_in == 300
    assert "act" not in claims
    assert answered.issued_token_type == _ACCESS_TOKEN
    assert answered.token_type == "Bearer"
    assert not answered.refresh_token
    assert not answered.id_token
    introspected = await service.introspect(answered.access_token)
    assert introspected is not None
    assert introspected["workload"] == claims["workload"]
    # The API of Keystead refuses it.
    caller = service.client.with_token(answered.access_token)
    assert (await given.refusal(sessions.current(caller))).code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_token_can_be_exchanged_until_it_expires(service: App, provider: Provider) -> None:
    token = _token(provider)

    first, second = [await _exchange(service, token) for _ in range(2)]

    assert first.access_token != second.access_token
    assert provider.requests == [_DISCOVERY, "/keys"]


@pytest.mark.parametrize(
    ("remaining", "configured", "expected"), [(3600, 60, 60), (3600, 3600, 300), (90, 3600, 90)]
)
async def test_the_token_outlives_neither_five_minutes_nor_the_setting_nor_the_workload(
    trusting_owner: Client, provider: Provider, remaining: int, configured: int, expected: int
) -> None:
    service = await _service(
        trusting_owner, _trusted(provider), access_token_lifetime_seconds=configured
    )
    expires_at = int(time.time()) + remaining

    answered = await _exchange(service, _token(provider, exp=expires_at))

    claims = jwts.unverified(answered.access_token)
    assert claims["exp"] <= expires_at
    assert expected - 30 <= claims["exp"] - claims["iat"] == answered.expires_in <= expected


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "orders.read"},
        {"requested_token_type": _ACCESS_TOKEN},
        {"subject_token_type": "urn:ietf:params:oauth:token-type:id_token"},
    ],
)
async def test_the_parameters_are_those_of_rfc_8693(
    service: App, provider: Provider, fields: Claims
) -> None:
    answered = await _exchange(service, _token(provider), **fields)

    assert answered.scope == fields.get("scope", "orders.read orders.write")


@pytest.mark.parametrize("parameter", ["resource", "audience"])
async def test_the_resource_is_the_audience(
    trusting_owner: Client, service: App, provider: Provider, parameter: str
) -> None:
    api = await flow.api(trusting_owner, resource_scopes=[{"name": "orders.read"}])
    target = api.identifier

    answered = await _exchange(service, _token(provider), **{parameter: [target]})

    assert jwts.unverified(answered.access_token)["aud"] == target
    assert answered.scope == "orders.read"
    assert await api.introspect(answered.access_token)


@pytest.mark.parametrize(
    ("fields", "violations"),
    [
        ({"subject_token": ""}, {"subjectToken"}),
        ({"subject_token_type": ""}, {"subjectTokenType"}),
        ({"subject_token_type": _ACCESS_TOKEN}, {"subjectTokenType"}),
        ({"requested_token_type": _JWT}, {"requestedTokenType"}),
        ({"actor_token": "e30.e30.e30"}, {"actorToken"}),
        ({"subject_token": "", "subject_token_type": ""}, {"subjectToken", "subjectTokenType"}),
        ({"subject_token": "x" * 8001}, {"subjectToken"}),
    ],
)
async def test_wrong_parameters_are_named(
    service: App, provider: Provider, fields: Claims, violations: set[str]
) -> None:
    refused = await given.refusal(_exchange(service, _token(provider), **fields))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == violations


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"scope": "admin"}, "INVALID_SCOPE"),
        ({"resource": ["api"]}, "INVALID_TARGET"),
        ({"audience": ["https://api.example.com/#a"]}, "INVALID_TARGET"),
        ({"resource": ["https://a.example"], "audience": ["https://b.example"]}, "INVALID_TARGET"),
    ],
)
async def test_a_scope_or_target_that_is_not_possible_is_refused(
    service: App, provider: Provider, fields: Claims, reason: str
) -> None:
    refused = await given.refusal(_exchange(service, _token(provider), **fields))

    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)


_NOW = int(time.time())
_DAY = 86_400


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"iss": ["https://evil.example"]},
        {"aud": None},
        {"aud": "https://other.example.com"},
        {"aud": f"{_AUDIENCE}/"},
        {"aud": ["https://other.example.com"]},
        {"aud": {_AUDIENCE: True}},
        {"sub": None},
        {"sub": ""},
        {"sub": f"{SUBJECT}2"},
        {"sub": SUBJECT.upper()},
        {"sub": "*"},
        {"sub": [SUBJECT]},
        {"exp": None},
        {"exp": _NOW - 1},
        {"exp": str(_NOW + 10_000)},
        {"exp": True},
        {"exp": _NOW + 3 * _DAY},
        {"exp": _NOW + 10_000, "iat": _NOW - _DAY},
        {"exp": _NOW + 2 * _DAY, "iat": None},
        {"iat": _NOW + _DAY, "exp": _NOW + _DAY + 10},
        {"iat": "now"},
        {"iat": -(2**53) + 1},
        {"nbf": _NOW + _DAY},
        {"nbf": "now"},
    ],
)
async def test_a_token_with_a_wrong_claim_is_refused_like_an_unknown_one(
    service: App, provider: Provider, claims: Claims
) -> None:
    assert (await _exchange(service, _token(provider))).access_token
    unknown = await given.refusal(_exchange(service, "e30.e30.e30"))

    refused = await given.refusal(_exchange(service, _token(provider, **claims)))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "INVALID_SUBJECT_TOKEN"
    assert refused.message == unknown.message


async def test_a_token_that_fits_no_entry_causes_no_request(
    service: App, provider: Provider
) -> None:
    for claims in ({"iss": "https://evil.example"}, {"aud": "other"}, {"sub": "other"}):
        await given.refusal(_exchange(service, _token(provider, **claims)))

    assert provider.connections == 0


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": ["https://other.example.com", _AUDIENCE]},
        {"iat": None},
        {"nbf": _NOW - 10},
        {"exp": _NOW + 10_000.5},
        # Of a managed identity of Microsoft Entra, dated back by five minutes.
        {"exp": _NOW + _DAY, "iat": _NOW - 300, "nbf": _NOW - 300},
        {"unknown": {"nested": [1]}},
    ],
)
async def test_these_claims_are_accepted(service: App, provider: Provider, claims: Claims) -> None:
    assert (await _exchange(service, _token(provider, **claims))).access_token


@pytest.mark.parametrize(
    ("subject", "accepted", "refused"),
    [
        ("repo:example/*", ["repo:example/", "repo:example/shop:x"], ["repo:example", "repo:e"]),
        ("repo:*", ["repo:é x"], ["repo:\ud800", "repo:\0"]),
        (
            "repo:example*",
            ["repo:example", "repo:example-evil/x"],
            ["Repo:example", " repo:example"],
        ),
        ("repo.*", ["repo.", "repo.x"], ["repo", "repository"]),
    ],
)
async def test_a_star_stands_for_any_further_characters(
    trusting_owner: Client,
    provider: Provider,
    subject: str,
    accepted: list[str],
    refused: list[str],
) -> None:
    service = await _service(trusting_owner, _trusted(provider, subject=subject))

    for each in accepted:
        answered = await _exchange(service, _token(provider, sub=each))
        assert jwts.unverified(answered.access_token)["workload"]["sub"] == each
    for each in refused:
        failed = await given.refusal(_exchange(service, _token(provider, sub=each)))
        assert failed.reason == "INVALID_SUBJECT_TOKEN"


async def test_further_claims_must_be_equal(trusting_owner: Client, provider: Provider) -> None:
    claims = {"owner_id": "4711", "protected": "true"}
    service = await _service(trusting_owner, _trusted(provider, subject="*", claims=claims))
    wrong: list[dict[str, Any]] = [
        {"owner_id": "4711"},
        {"owner_id": "4711", "protected": "false"},
        {"owner_id": "4711", "protected": 1},
        {"owner_id": "4711", "protected": "True"},
        {"owner_id": "47110", "protected": True},
        {"owner_id": 4711.0, "protected": True},
        {"owner_id": ["4711"], "protected": True},
        {"owner_id": {"4711": "4711"}, "protected": True},
        {"owner_id": None, "protected": True},
        {"owner_id": 10**4000, "protected": True},
    ]

    for right in (claims, {"owner_id": 4711, "protected": True}):
        assert (await _exchange(service, _token(provider, **right))).access_token
    for each in wrong:
        refused = await given.refusal(_exchange(service, _token(provider, **each)))
        assert refused.reason == "INVALID_SUBJECT_TOKEN", each


async def test_one_fitting_entry_suffices_and_entries_are_not_mixed(
    trusting_owner: Client, provider: Provider
) -> None:
    service = await _service(
        trusting_owner,
        _trusted(provider, subject="build", audience="https://one.example"),
        _trusted(provider, subject="deploy", audience="https://two.example"),
    )

    right = _token(provider, sub="deploy", aud="https://two.example")
    mixed = _token(provider, sub="build", aud="https://two.example")

    assert (await _exchange(service, right)).access_token
    assert await given.outcome(_exchange(service, mixed)) == "INVALID_SUBJECT_TOKEN"


async def test_an_issuer_of_another_application_is_refused(
    trusting_owner: Client, service: App, provider: Provider, other_provider: Provider
) -> None:
    other = await _service(trusting_owner, _trusted(other_provider))

    assert (await _exchange(other, _token(other_provider))).access_token
    for app, of in ((service, other_provider), (other, provider)):
        assert await given.outcome(_exchange(app, _token(of))) == "INVALID_SUBJECT_TOKEN"
    # A token in the name of one issuer, signed by the other one.
    forged = other_provider.signed(claims_of(provider, _AUDIENCE))
    assert await given.outcome(_exchange(service, forged)) == "INVALID_SUBJECT_TOKEN"


@pytest.mark.parametrize(
    "forge",
    [*FORGERIES.values(), lambda _provider, _claims: "\u00fc.\u00fc.\u00fc"],
    ids=[*FORGERIES, "not ASCII"],
)
async def test_a_token_that_the_issuer_did_not_sign_is_refused(
    service: App, provider: Provider, forge: Forge
) -> None:
    token = forge(provider, claims_of(provider, _AUDIENCE))
    assert await given.outcome(_exchange(service, token)) == "INVALID_SUBJECT_TOKEN"


@pytest.mark.parametrize(
    ("claims", "check"),
    [
        ({"iss": "https://evil.example"}, "issuer"),
        ({"aud": "other"}, "aud"),
        ({"sub": "other"}, "sub"),
        ({"owner_id": "4712"}, "owner_id"),
        ({"exp": 1}, "exp of the token is 1970-01-01T00:00:01+00:00, expected was a time after 20"),
        ({"iat": "now"}, "iat of the token is 'now', expected was a time until 20"),
        ({"nbf": "now"}, "nbf of the token is 'now', expected was a time until 20"),
        ({"exp": _NOW + 2 * _DAY, "iat": _NOW}, "it is valid for 172800 seconds"),
    ],
)
async def test_only_the_log_names_the_check(
    provider: Provider, oidc_authority: Authority, claims: dict[str, Any], check: str
) -> None:
    now = datetime.now(UTC)
    trusted = WorkloadIssuer(provider.issuer, _AUDIENCE, SUBJECT, {"owner_id": "4711"})
    providers = Providers(ClientOptions([ip_network("127.0.0.0/8")], oidc_authority.ca_file))
    token = _token(provider, **{"owner_id": "4711"} | claims)

    with pytest.raises(Failure) as refused:
        await verified_workload(
            providers, [trusted], token, now=now, refused=refusals.invalid_subject_token
        )

    assert check in refused.value.log_detail
    assert refused.value.message == refusals.invalid_subject_token().message


async def test_an_unknown_key_is_fetched_once_a_minute(
    service: App, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(_CLOCK, lambda: now)
    assert (await _exchange(service, _token(provider))).access_token
    provider.key = rsa_keys.jwk("a", "second")
    provider.publish(provider.key)

    early = await given.refusal(_exchange(service, _token(provider)))
    now = 61.0
    for _ in range(2):
        assert (await _exchange(service, _token(provider))).access_token

    assert early.reason == "INVALID_SUBJECT_TOKEN"
    assert provider.requests.count("/keys") == 2


@pytest.mark.parametrize("path", [_DISCOVERY, "/keys"])
@pytest.mark.parametrize("status", ["302 Found", "404 Not Found", "500 Internal Server Error"])
async def test_an_issuer_that_cannot_be_read_is_a_temporary_error(
    service: App, provider: Provider, path: str, status: str
) -> None:
    headers = "location: https://localhost/\r\n"
    provider.handlers[path] = answering(b"{}", status=status, headers=headers)

    refused = await given.refusal(_exchange(service, _token(provider)))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "WORKLOAD_ISSUER_UNREACHABLE"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"issuer": "https://other.example.com"}, "INVALID_SUBJECT_TOKEN"),
        ({"jwks_uri": "https://169.254.169.254/keys"}, "WORKLOAD_ISSUER_UNREACHABLE"),
    ],
    ids=["another issuer", "keys at a private address"],
)
async def test_a_wrong_discovery_document_is_refused(
    service: App, provider: Provider, fields: Claims, reason: str
) -> None:
    provider.metadata.update(fields)

    refused = await given.refusal(_exchange(service, _token(provider)))

    assert refused.reason == reason


async def test_an_issuer_needs_no_endpoints_for_sign_ins(service: App, provider: Provider) -> None:
    for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint"):
        del provider.metadata[name]

    assert (await _exchange(service, _token(provider))).access_token


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "169.254.169.254", "[::1]"])
async def test_no_private_address_is_connected_to(
    owner: Client, provider: Provider, host: str
) -> None:
    provider.issuer = f"https://{host}:{provider.issuer.rpartition(':')[2]}"
    service = await _service(owner, _trusted(provider))

    refused = await given.refusal(_exchange(service, _token(provider)))

    assert refused.code is grpc.StatusCode.UNAVAILABLE
    assert refused.reason == "WORKLOAD_ISSUER_UNREACHABLE"
    assert provider.connections == 0


async def test_the_client_id_alone_gets_no_token(service: App, provider: Provider) -> None:
    for grant_type in ("client_credentials", "authorization_code", "refresh_token"):
        assert await given.outcome(service.exchange(grant_type=grant_type)) == "UNAUTHORIZED_CLIENT"
    secret = await given.refusal(_exchange(service, _token(provider), client_secret="x"))
    assert secret.reason == "INVALID_CLIENT"


async def test_a_service_with_a_secret_sends_it_with_the_token(
    trusting_owner: Client, provider: Provider
) -> None:
    method = application_pb.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST
    service = await _service(trusting_owner, _trusted(provider), token_endpoint_auth_method=method)
    secret = (await calls.create_secret(trusting_owner, service.client_id)).secret
    with_secret = App(service.client, service.client_id, secret)

    assert (await _exchange(with_secret, _token(provider))).access_token
    assert (await with_secret.exchange(grant_type="client_credentials")).access_token
    assert await given.outcome(_exchange(service, _token(provider))) == "INVALID_CLIENT"


async def test_applications_without_issuers_exchange_no_tokens(
    trusting_owner: Client, provider: Provider
) -> None:
    for app in (
        await flow.service(trusting_owner),
        await flow.app(trusting_owner),
        await flow.public_app(trusting_owner),
    ):
        assert await given.outcome(_exchange(app, _token(provider))) == "UNAUTHORIZED_CLIENT"


async def test_an_issuer_that_is_no_longer_trusted_gets_no_token(
    trusting_owner: Client, service: App, provider: Provider
) -> None:
    assert (await _exchange(service, _token(provider))).access_token
    other = _trusted(provider, subject="other")
    await calls.patch(trusting_owner, service.client_id, workload_issuers=[other])

    assert await given.outcome(_exchange(service, _token(provider))) == "INVALID_SUBJECT_TOKEN"
