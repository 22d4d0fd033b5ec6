"""The relying party against a misbehaving provider: every failure has a reason of its own."""

import asyncio
import base64
import dataclasses
import gzip
import json
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from ipaddress import ip_network
from typing import Any
from unittest.mock import Mock

import pytest
from cryptography import x509
from joserfc import jws
from joserfc.jwk import ECKey, JWKRegistry, OctKey, RSAKey

from server.net import http_requests
from server.net.resolve import Address
from server.net.trial import Step
from server.relying_party.http_client import MAX_BYTES, ClientOptions
from server.relying_party.id_token import read_keys
from server.relying_party.provider import Providers
from server.relying_party.reasons import ProviderError
from server.relying_party.token_request import RelyingParty
from server.relying_party.trial import try_out
from tests.support import rsa_keys
from tests.support.certificates import Authority
from tests.support.oidc_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    CODE,
    Handler,
    Provider,
    answer,
    oidc_provider,
)
from tests.support.push_target import dripping, endless, garbage, hang, interim, tiny_chunks

_DISCOVERY = "/.well-known/openid-configuration"
_LOOPBACK = [ip_network("127.0.0.0/8"), ip_network("::1")]


@pytest.fixture
def providers(oidc_authority: Authority) -> Providers:
    return Providers(ClientOptions(_LOOPBACK, oidc_authority.ca_file))


def party(provider: Provider, **fields: Any) -> RelyingParty:
    values = {
        "issuer": provider.issuer,
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "auth_method": "CLIENT_SECRET_BASIC",
        "scopes": ("email",),
    }
    return RelyingParty(**values | fields)


def redeem(providers: Providers, provider: Provider, **fields: Any) -> Awaitable[Any]:
    values = {
        "code": CODE,
        "redirect_uri": "https://id.example.com/callback",
        "code_verifier": "a-verifier",
        "nonce": provider.nonce,
    }
    return providers.redeem(party(provider), **values | fields)


async def refusal(call: Awaitable[Any]) -> str:
    with pytest.raises(ProviderError) as raised:
        await call
    assert raised.value.message.endswith(".")
    return raised.value.reason


async def test_the_code_and_the_userinfo_are_read_by_one_connection(
    providers: Providers, provider: Provider
) -> None:
    await redeem(providers, provider)  # caches the discovery document and the keys
    before, provider.requests = provider.connections, []

    await redeem(providers, provider)

    assert provider.requests == ["/token", "/userinfo"]
    assert provider.connections - before == 1


async def test_a_right_code_gives_verified_claims(providers: Providers, provider: Provider) -> None:
    claims = await redeem(providers, provider)

    assert (claims["sub"], claims["email"], claims["iss"]) == (
        "ada",
        "ada@example.com",
        provider.issuer,
    )


async def test_the_userinfo_changes_no_claim_of_the_id_token(
    providers: Providers, provider: Provider
) -> None:
    provider.claims = {"name": "Ada"}
    provider.documents["/userinfo"] |= {
        "name": "Grace",
        "iss": "https://evil.example",
        "auth_time": _NOW,
    }

    claims = await redeem(providers, provider)

    assert (claims["name"], claims["iss"]) == ("Ada", provider.issuer)
    assert claims["auth_time"] is None


async def test_a_claim_of_the_id_token_that_is_null_is_that_of_the_userinfo(
    providers: Providers, provider: Provider
) -> None:
    provider.id_token = lambda claims: provider.signed(
        claims | {"name": None, "email": None, "email_verified": None}
    )
    provider.documents["/userinfo"] |= {"name": "Ada"}

    claims = await redeem(providers, provider)

    assert (claims["name"], claims["email"]) == ("Ada", "ada@example.com")
    assert claims["email_verified"] is True


_NOW = int(time.time())


@pytest.mark.parametrize("seconds", [-3600, -300, -0.5, 30])
async def test_an_id_token_may_be_dated_back_and_by_a_clock_that_is_ahead(
    providers: Providers, provider: Provider, seconds: float
) -> None:
    """Microsoft Entra dates iat and nbf back (https://github.com/keycloak/keycloak/issues/46303)."""
    dated = time.time() + seconds
    provider.claims = {"iat": dated, "nbf": dated, "auth_time": dated}

    assert (await redeem(providers, provider))["iat"] == dated


@pytest.mark.parametrize("claim", ["nbf", "auth_time", "azp", "at_hash"])
async def test_an_optional_claim_that_is_null_is_absent(
    providers: Providers, provider: Provider, claim: str
) -> None:
    provider.id_token = lambda claims: provider.signed(claims | {claim: None})

    assert (await redeem(providers, provider))["sub"] == "ada"


@pytest.mark.parametrize(
    "audience", [[CLIENT_ID], [CLIENT_ID, CLIENT_ID], [CLIENT_ID, "other", "a-project"]]
)
async def test_a_token_of_this_client_may_have_further_audiences(
    providers: Providers, provider: Provider, audience: list[str]
) -> None:
    provider.claims = {"aud": audience, "azp": CLIENT_ID}

    assert (await redeem(providers, provider))["aud"] == audience


_AT = "20[0-9-]{8}T[0-9:]{8}[+]00:00"


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"exp": _NOW - 61}, f"exp of the token is {_AT}, expected was a time after {_AT}."),
        ({"exp": None}, f"exp of the token is missing, expected was a time after {_AT}."),
        ({"iat": "now"}, f"iat of the token is 'now', expected was a time until {_AT}."),
        ({"iat": _NOW + 86_400}, f"iat of the token is {_AT}, expected was a time until {_AT}."),
        ({"nbf": 2**50}, f"nbf of the token is {2**50}, expected was a time until {_AT}."),
        ({"auth_time": -1}, "is 1969-12-31T23:59:59[+]00:00, expected was a time after 1970."),
    ],
)
async def test_a_time_that_is_refused_is_named_with_what_was_expected(
    providers: Providers, provider: Provider, claims: dict[str, Any], message: str
) -> None:
    provider.claims = claims

    with pytest.raises(ProviderError, match=message):
        await redeem(providers, provider)


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"iss": "https://evil.example"}, "ISSUER_MISMATCH"),
        ({"iss": None}, "ISSUER_MISMATCH"),
        ({"aud": "other"}, "AUDIENCE_MISMATCH"),
        ({"aud": [CLIENT_ID, "other"]}, "AUDIENCE_MISMATCH"),
        ({"aud": [CLIENT_ID, "other"], "azp": "other"}, "AUTHORIZED_PARTY_MISMATCH"),
        ({"aud": [CLIENT_ID, ["other"]]}, "AUDIENCE_MISMATCH"),
        ({"aud": [[CLIENT_ID]], "azp": CLIENT_ID}, "AUDIENCE_MISMATCH"),
        ({"aud": ["other"], "azp": CLIENT_ID}, "AUDIENCE_MISMATCH"),
        ({"aud": {CLIENT_ID: True}, "azp": CLIENT_ID}, "AUDIENCE_MISMATCH"),
        ({"aud": []}, "AUDIENCE_MISMATCH"),
        ({"aud": None}, "AUDIENCE_MISMATCH"),
        ({"azp": "other"}, "AUTHORIZED_PARTY_MISMATCH"),
        ({"azp": [CLIENT_ID]}, "AUTHORIZED_PARTY_MISMATCH"),
        ({"exp": _NOW - 61}, "ID_TOKEN_EXPIRED"),
        ({"exp": None}, "ID_TOKEN_EXPIRED"),
        ({"exp": "tomorrow"}, "ID_TOKEN_EXPIRED"),
        ({"exp": True}, "ID_TOKEN_EXPIRED"),
        ({"exp": 10**400}, "ID_TOKEN_EXPIRED"),
        ({"iat": _NOW + 24 * 3600}, "ISSUED_AT_INVALID"),  # beyond the duration of a test run
        ({"iat": str(_NOW)}, "ISSUED_AT_INVALID"),
        ({"iat": 10**300}, "ISSUED_AT_INVALID"),
        ({"nbf": _NOW + 24 * 3600}, "ID_TOKEN_NOT_YET_VALID"),
        ({"nbf": "now"}, "ID_TOKEN_NOT_YET_VALID"),
        ({"nbf": True}, "ID_TOKEN_NOT_YET_VALID"),
        ({"iat": None}, "ISSUED_AT_INVALID"),
        ({"auth_time": _NOW + 24 * 3600}, "AUTHENTICATED_AT_INVALID"),
        ({"auth_time": -1}, "AUTHENTICATED_AT_INVALID"),
        ({"auth_time": "now"}, "AUTHENTICATED_AT_INVALID"),
        ({"auth_time": True}, "AUTHENTICATED_AT_INVALID"),
        ({"nonce": "another"}, "NONCE_MISMATCH"),
        ({"nonce": None}, "NONCE_MISMATCH"),
        ({"nonce": "\ud800"}, "NONCE_MISMATCH"),
        ({"sub": ""}, "SUBJECT_INVALID"),
        ({"sub": "a" * 256}, "SUBJECT_INVALID"),
        ({"sub": ["ada"]}, "SUBJECT_INVALID"),
        ({"sub": "a\0"}, "SUBJECT_INVALID"),
        ({"sub": "ä"}, "SUBJECT_INVALID"),
        ({"at_hash": "wrong"}, "ACCESS_TOKEN_HASH_MISMATCH"),
        ({"at_hash": 1}, "ACCESS_TOKEN_HASH_MISMATCH"),
        ({"at_hash": "\ud800"}, "ACCESS_TOKEN_HASH_MISMATCH"),
        ({"sub": "grace"}, "USERINFO_SUBJECT_MISMATCH"),
    ],
)
async def test_an_id_token_for_something_else_is_refused(
    providers: Providers, provider: Provider, claims: dict[str, Any], reason: str
) -> None:
    provider.claims = claims

    assert await refusal(redeem(providers, provider)) == reason


async def test_a_claim_that_is_nested_as_deeply_as_json_can_be_is_refused(
    providers: Providers, provider: Provider
) -> None:
    """Where Python's own limit would lie, the text of the refusal could fail too."""
    for depth in (150, 199, 200, 201, *range(900, 1000, 9), 5_000):
        nested = f"{'[' * depth}{']' * depth}"
        provider.handlers[_DISCOVERY] = _whole(f'{{"issuer": {nested}}}'.encode())
        with pytest.raises(ProviderError) as raised:
            await providers.fetch_metadata(provider.issuer)
        assert raised.value.reason in ("ISSUER_MISMATCH", "NOT_JSON")


def _unsigned(provider: Provider, claims: dict[str, Any]) -> str:
    parts = ({"alg": "none"}, claims)
    encoded = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts
    ]
    return f"{'.'.join(encoded)}."


def _by_hmac_with_the_public_key(provider: Provider, claims: dict[str, Any]) -> str:
    key = OctKey.import_key(base64.b64encode(provider.key.as_pem(private=False)).decode())
    return jws.serialize_compact({"alg": "HS256", "kid": "first"}, json.dumps(claims), key)


def _by_another_key(provider: Provider, claims: dict[str, Any]) -> str:
    provider.key = rsa_keys.jwk("a", "first")
    return provider.signed(claims)


def _altered(provider: Provider, claims: dict[str, Any]) -> str:
    header, _, signature = provider.signed(claims).split(".")
    other = provider.signed(claims | {"sub": "grace"}).split(".")[1]
    return f"{header}.{other}.{signature}"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (_unsigned, "ALGORITHM_NOT_ALLOWED"),
        (_by_hmac_with_the_public_key, "ALGORITHM_NOT_ALLOWED"),
        (_by_another_key, "SIGNATURE_INVALID"),
        (_altered, "SIGNATURE_INVALID"),
        (lambda it, claims: it.signed(claims, kid="unknown"), "KEY_UNKNOWN"),
        (lambda it, claims: it.signed(claims, kid="../../etc/passwd"), "KEY_UNKNOWN"),
        (lambda it, claims: it.signed(claims)[:-300], "SIGNATURE_INVALID"),
        (lambda _it, _claims: "a.b.c", "ID_TOKEN_MALFORMED"),
        (lambda _it, _claims: "", "TOKEN_ANSWER_INVALID"),
        (lambda _it, _claims: "." * 3, "ID_TOKEN_MALFORMED"),
        (lambda _it, _claims: "a" * 262_144 + "..", "ANSWER_TOO_LARGE"),
        (lambda _it, _claims: "W1tb" * 8_000 + "..", "ID_TOKEN_MALFORMED"),
    ],
    ids=[
        "unsigned",
        "by HMAC with the public key",
        "by another key",
        "altered",
        "of an unknown key",
        "of a key that is a path",
        "cut off",
        "without JSON",
        "empty",
        "dots",
        "too long",
        "deep",
    ],
)
async def test_a_forged_id_token_is_refused(
    providers: Providers,
    provider: Provider,
    token: Callable[[Provider, dict[str, Any]], str],
    reason: str,
) -> None:
    forged = token(provider, provider.right_claims())
    provider.id_token = lambda _claims: forged

    assert await refusal(redeem(providers, provider)) == reason


async def test_an_id_token_with_a_critical_header_is_refused(
    providers: Providers, provider: Provider
) -> None:
    def with_crit(claims: dict[str, Any]) -> str:
        header = {"alg": "RS256", "kid": "first", "crit": ["exp"], "exp": 1}
        head = base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=").decode()
        return ".".join([head, *provider.signed(claims).split(".")[1:]])

    provider.id_token = with_crit

    assert await refusal(redeem(providers, provider)) == "CRITICAL_HEADER"


@pytest.mark.parametrize(
    ("kid", "reason"), [("second", "KEY_UNKNOWN"), ("first", "SIGNATURE_INVALID")]
)
async def test_a_key_that_is_new_is_fetched_once_a_minute(
    providers: Providers,
    provider: Provider,
    monkeypatch: pytest.MonkeyPatch,
    kid: str,
    reason: str,
) -> None:
    await redeem(providers, provider)
    provider.key = rsa_keys.jwk("a", kid)
    provider.publish(provider.key)
    assert await refusal(redeem(providers, provider)) == reason
    assert provider.requests.count("/keys") == 1  # fetched less than a minute ago

    monkeypatch.setattr("server.relying_party.provider._REFETCH_SECONDS", 0.0)

    await redeem(providers, provider)
    assert provider.requests.count("/keys") == 2


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"token_type": "mac"}, "TOKEN_ANSWER_INVALID"),
        ({"token_type": ["Bearer"]}, "TOKEN_ANSWER_INVALID"),
        ({"access_token": None}, "TOKEN_ANSWER_INVALID"),
        ({"access_token": ""}, "TOKEN_ANSWER_INVALID"),
        ({"access_token": "a\r\nb: c"}, "TOKEN_ANSWER_INVALID"),
        ({"id_token": 1}, "TOKEN_ANSWER_INVALID"),
    ],
)
async def test_a_token_answer_without_tokens_is_refused(
    providers: Providers, provider: Provider, fields: dict[str, Any], reason: str
) -> None:
    provider.token_answer = fields

    assert await refusal(redeem(providers, provider)) == reason


async def test_a_wrong_code_is_refused(providers: Providers, provider: Provider) -> None:
    assert await refusal(redeem(providers, provider, code="planted")) == "CODE_REFUSED"


async def test_keys_last_a_day_unless_one_is_unknown(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("server.values.cache.monotonic", lambda: now)
    fetched = []
    for hours, changes in ((0, False), (23, False), (23, True), (46, False), (48, False)):
        now = hours * 3600.0
        if changes:
            provider.key = rsa_keys.jwk("a", "second")
            provider.publish(provider.key)
        await redeem(providers, provider)
        fetched.append(provider.requests.count("/keys"))

    assert fetched == [1, 1, 2, 2, 3]


async def test_a_provider_that_timed_out_is_asked_again_five_seconds_after_that(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("server.values.cache.monotonic", lambda: now)

    async def time_out(_writer: asyncio.StreamWriter) -> None:
        nonlocal now
        now = 5.0  # the time limit of a request

    provider.handlers[_DISCOVERY] = time_out
    await refusal(providers.metadata(provider.issuer))
    del provider.handlers[_DISCOVERY]

    now = 9.9
    await refusal(providers.metadata(provider.issuer))
    assert provider.requests.count(_DISCOVERY) == 1
    now = 10.0
    assert (await providers.metadata(provider.issuer)).issuer == provider.issuer


async def test_keys_that_cannot_be_fetched_again_leave_the_good_ones(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged token with an unknown `kid` makes the server fetch the keys again."""
    monkeypatch.setattr("server.relying_party.provider._REFETCH_SECONDS", 0.0)
    await redeem(providers, provider)
    provider.handlers["/keys"] = _whole(b"", status="503 Service Unavailable")
    signed, forged = provider.id_token, lambda claims: provider.signed(claims, kid="unknown")

    for id_token, outcome in ((forged, "UNEXPECTED_STATUS"), (signed, "")) * 2:
        provider.id_token = id_token
        if outcome:
            assert await refusal(redeem(providers, provider)) == outcome
        else:
            assert (await redeem(providers, provider))["sub"] == "ada"
    assert provider.requests.count("/keys") == 2  # the failure is cached for five seconds


async def test_keys_that_are_being_fetched_again_do_not_delay_sign_ins(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.relying_party.provider._REFETCH_SECONDS", 0.0)
    await redeem(providers, provider)
    asked = asyncio.Event()

    async def wait(writer: asyncio.StreamWriter) -> None:
        asked.set()
        await hang(writer)

    provider.handlers["/keys"] = wait
    signed = provider.id_token
    provider.id_token = lambda claims: provider.signed(claims, kid="unknown")
    forged = asyncio.ensure_future(redeem(providers, provider))
    await asyncio.wait_for(asked.wait(), 30)

    provider.id_token = signed
    assert (await redeem(providers, provider))["sub"] == "ada"
    assert not forged.done()
    forged.cancel()


@pytest.mark.parametrize("kibibytes", [41, 120])
async def test_an_id_token_is_as_large_as_the_answer_may_be(
    providers: Providers, provider: Provider, kibibytes: int
) -> None:
    """Portals put all groups of a person into it."""
    provider.claims = {"groups": ["g" * 1023] * kibibytes}

    assert len((await redeem(providers, provider))["groups"]) == kibibytes


async def test_many_sign_ins_read_the_documents_once(
    providers: Providers, provider: Provider
) -> None:
    await asyncio.gather(*(redeem(providers, provider) for _ in range(10)))

    assert provider.requests.count(_DISCOVERY) == 1
    assert provider.requests.count("/keys") == 1


def _whole(content: bytes, **parts: Any) -> Handler:
    async def handle(writer: asyncio.StreamWriter) -> None:
        writer.write(answer(content, **parts))

    return handle


_REDIRECT = {"status": "302 Found", "headers": "location: https://evil.example/\r\n"}


@cache
def _compressed(start: bytes, byte: bytes) -> bytes:
    return gzip.compress(start + byte * 50 * 1024 * 1024, compresslevel=1)


async def _bomb(writer: asyncio.StreamWriter) -> None:
    writer.write(answer(_compressed(b"", b" "), headers="content-encoding: gzip\r\n"))


async def _nested_bomb(writer: asyncio.StreamWriter) -> None:
    """The inner one is the header of a gzip file with an endless name (RFC 1952)."""
    content = _compressed(b"\x1f\x8b\x08\x08", b"a")
    writer.write(answer(content, headers="content-encoding: gzip, gzip\r\n"))


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (_whole(b"", **_REDIRECT), "REDIRECTED"),
        (_whole(b" " * 10 * 1024 * 1024), "ANSWER_TOO_LARGE"),
        (_whole(b" " * (MAX_BYTES + 1)), "ANSWER_TOO_LARGE"),
        (_bomb, "ANSWER_TOO_LARGE"),
        (_nested_bomb, "ANSWER_TOO_LARGE"),
        (_whole(b"not gzip", headers="content-encoding: gzip\r\n"), "NOT_HTTP"),
        (endless, "ANSWER_TOO_LARGE"),
        (interim, "NOT_HTTP"),
        (tiny_chunks, "NOT_HTTP"),
        (dripping, "TIMEOUT"),
        (hang, "TIMEOUT"),
        (garbage, "NOT_HTTP"),
        (_whole(b"[]"), "NOT_JSON"),
        (_whole(b"[" * 100_000), "NOT_JSON"),
        (_whole(b"\xff"), "NOT_JSON"),
        (_whole(b"", status="500 Internal Server Error"), "UNEXPECTED_STATUS"),
    ],
    ids=[
        "redirect",
        "10 MiB",
        "a byte too much",
        "gzip bomb",
        "nested gzip bomb",
        "no gzip",
        "endless",
        "endless interim responses",
        "chunks of one byte",
        "dripping",
        "never",
        "no HTTP",
        "a list",
        "deep",
        "no text",
        "an error",
    ],
)
async def test_an_answer_that_is_none_is_refused(
    providers: Providers, provider: Provider, handler: Handler, reason: str
) -> None:
    provider.handlers["/token"] = handler
    if reason == "TIMEOUT":
        await providers.metadata(provider.issuer)
        providers.options = dataclasses.replace(providers.options, timeout=0.2)

    assert await refusal(redeem(providers, provider)) == reason


@pytest.mark.parametrize("path", [_DISCOVERY, "/keys", "/userinfo"])
@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (_whole(b"", **_REDIRECT), "REDIRECTED"),
        (_bomb, "ANSWER_TOO_LARGE"),
        (_whole(b"[]"), "NOT_JSON"),
        (_whole(b"", status="500 Internal Server Error"), "UNEXPECTED_STATUS"),
    ],
    ids=["redirect", "gzip bomb", "a list", "an error"],
)
async def test_an_answer_at_another_path_is_read_alike(
    providers: Providers, provider: Provider, path: str, handler: Handler, reason: str
) -> None:
    provider.handlers[path] = handler

    assert await refusal(redeem(providers, provider)) == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"issuer": "https://localhost"}, "ISSUER_MISMATCH"),
        ({"issuer": None}, "ISSUER_MISMATCH"),
        ({"token_endpoint": "http://localhost/token"}, "METADATA_INVALID"),
        ({"jwks_uri": "file:///etc/passwd"}, "METADATA_INVALID"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "METADATA_INVALID"),
        ({"authorization_endpoint": "https://localhost/#a"}, "METADATA_INVALID"),
        ({"jwks_uri": "https://[::1"}, "METADATA_INVALID"),
        ({"jwks_uri": "https://localhost:99999/keys"}, "METADATA_INVALID"),
        ({"jwks_uri": "https://user@localhost/keys"}, "METADATA_INVALID"),
        ({"jwks_uri": "https:///keys"}, "METADATA_INVALID"),
        ({"jwks_uri": "https://local host/keys"}, "METADATA_INVALID"),
        ({"jwks_uri": f"https://localhost/{'a' * 2000}"}, "METADATA_INVALID"),
        ({"jwks_uri": 7}, "METADATA_INVALID"),
        ({"jwks_uri": "https://10.0.0.1/keys"}, "ADDRESS_NOT_ALLOWED"),
        ({"jwks_uri": "https://169.254.169.254/latest"}, "ADDRESS_NOT_ALLOWED"),
        ({"jwks_uri": "https://nowhere.invalid/keys"}, "NAME_NOT_FOUND"),
        ({"jwks_uri": "https://127.0.0.1:1/keys"}, "UNREACHABLE"),
        ({"id_token_signing_alg_values_supported": ["none", "HS256"]}, "ALGORITHMS_NOT_SUPPORTED"),
        ({"id_token_signing_alg_values_supported": "RS256"}, "METADATA_INVALID"),
        ({"id_token_signing_alg_values_supported": ["ES256"]}, "KEYS_UNUSABLE"),
    ],
)
async def test_a_trial_names_what_is_wrong_with_the_discovery_document(
    providers: Providers, provider: Provider, fields: dict[str, Any], reason: str
) -> None:
    provider.metadata.update(fields)

    steps = await try_out(providers, party(provider))

    assert (steps[-1].succeeded, steps[-1].reason) == (False, reason)
    assert len(steps[-1].message) > 20


@pytest.mark.parametrize(
    "keys",
    [
        {"keys": []},
        {"keys": "none"},
        {},
        {"keys": [{"kty": "oct", "k": "c2VjcmV0"}, {"kty": "??"}, "key", {"kty": "RSA"}]},
        {"keys": [{"kty": "RSA", "n": 7, "e": "AQAB"}]},
        {"keys": [{"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"}]},
        {"keys": [{"kty": "RSA", "n": "q" * 171, "e": "AQAB"}]},
        {"keys": [{"kty": "RSA", "n": "A" * 172 + "q" * 172, "e": "AQAB"}]},
        {"keys": [{"kty": "RSA", "n": "_" * 512, "e": "_" * 64}]},
        {"keys": [{"kty": "RSA", "n": "_" * 1372, "e": "AQAB"}]},
    ],
)
async def test_keys_that_cannot_be_used_are_left_out(
    providers: Providers, provider: Provider, keys: dict[str, Any]
) -> None:
    provider.documents["/keys"] = keys

    assert await refusal(redeem(providers, provider)) == "KEYS_UNUSABLE"


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "RSA", "n": "_" * 2000, "e": "AQAB"},
        {"kty": "RSA", "n": "_" * 512, "e": "_" * 512},
        {"kty": "EC", "crv": "P-256", "x": "A" * 1000, "y": "A" * 43},
        {"kty": "OKP", "crv": "Ed25519", "x": "_" * 2000},
    ],
)
def test_long_members_of_keys_are_not_read(
    monkeypatch: pytest.MonkeyPatch, key: dict[str, Any]
) -> None:
    """A document of 256 KiB took 240 milliseconds of the event loop."""
    read = Mock()
    monkeypatch.setattr(JWKRegistry, "import_key", read)

    with pytest.raises(ProviderError, match="no key that can be used"):
        read_keys({"keys": [key] * 100})

    read.assert_not_called()


def _of_ec(key: RSAKey) -> dict[str, Any]:
    other: dict[str, Any] = ECKey.generate_key("P-256").as_dict(private=False)
    return other | {"kid": key.kid}


def _others_with_kid(key: RSAKey, number: int) -> list[dict[str, Any]]:
    """Other keys with the `kid` of this one."""
    others = (rsa_keys.jwk(f"other {n}", str(key.kid)) for n in range(number))
    return [other.as_dict(private=False) for other in others]


@pytest.mark.parametrize(
    "keys",
    [
        lambda key: [key] * 2,
        lambda key: [key] * 100,
        lambda key: [key | {"kid": None}, key, key | {"alg": "RS256"}, key | {"x5t": "AQ"}],
        lambda key: [key, key | {"kid": ["first"], "alg": {"a": 1}}],
    ],
    ids=["twice", "a hundred times", "with other members", "with members of a wrong type"],
)
@pytest.mark.parametrize("header", [{}, {"kid": None}], ids=["by kid", "without kid"])
async def test_equal_keys_are_one(
    providers: Providers,
    provider: Provider,
    header: dict[str, Any],
    keys: Callable[[dict[str, Any]], list[dict[str, Any]]],
) -> None:
    """GitHub Enterprise Server lists a key twice."""
    provider.documents["/keys"] = {"keys": keys(provider.key.as_dict(private=False))}
    provider.id_token = lambda claims: provider.signed(claims, **header)

    assert (await redeem(providers, provider))["sub"] == "ada"


@pytest.mark.parametrize("header", [{}, {"kid": None}], ids=["by kid", "without kid"])
async def test_of_different_keys_each_that_fits_is_tried(
    providers: Providers, provider: Provider, header: dict[str, Any]
) -> None:
    key = provider.key.as_dict(private=False)
    provider.documents["/keys"] = {"keys": [*_others_with_kid(provider.key, 2), key]}
    provider.id_token = lambda claims: provider.signed(claims, **header)

    assert (await redeem(providers, provider))["sub"] == "ada"


async def test_a_token_without_key_id_is_said_to_have_none(
    providers: Providers, provider: Provider
) -> None:
    provider.documents["/keys"] = {"keys": [_of_ec(provider.key)]}
    provider.id_token = lambda claims: provider.signed(claims, kid=None)

    with pytest.raises(ProviderError, match="has no key ID, and 0 keys of the provider for RS256"):
        await redeem(providers, provider)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (lambda key: [key.as_dict(private=True)], "KEYS_UNUSABLE"),
        (lambda key: [key.as_dict(private=False) | {"use": "enc"}], "KEYS_UNUSABLE"),
        (lambda key: [key.as_dict(private=False) | {"alg": "PS256"}], "KEY_UNKNOWN"),
        (lambda key: [_of_ec(key)], "KEY_UNKNOWN"),
        (lambda key: _others_with_kid(key, 1), "SIGNATURE_INVALID"),
        (lambda key: [*_others_with_kid(key, 4), key.as_dict(private=False)], "KEY_UNKNOWN"),
    ],
    ids=["private", "for encryption", "of another algorithm", "of another type", "other", "many"],
)
async def test_a_key_that_is_not_for_this_signature_verifies_nothing(
    providers: Providers,
    provider: Provider,
    keys: Callable[[RSAKey], list[dict[str, Any]]],
    reason: str,
) -> None:
    provider.documents["/keys"] = {"keys": keys(provider.key)}

    assert await refusal(redeem(providers, provider)) == reason


async def test_a_trial_of_right_settings_goes_through_all_steps(
    providers: Providers, provider: Provider
) -> None:
    steps = await try_out(providers, party(provider))

    assert [(step.name, step.succeeded) for step in steps] == [
        ("discovery", True),
        ("keys", True),
        ("client", True),
    ]
    assert steps[0].facts["algorithms"] == "RS256"


async def test_a_trial_finds_a_wrong_secret(providers: Providers, provider: Provider) -> None:
    steps: list[Step] = await try_out(providers, party(provider, client_secret="wrong"))

    assert (steps[-1].name, steps[-1].reason) == ("client", "CLIENT_REFUSED")
    assert "wrong" not in steps[-1].message


async def test_private_addresses_are_refused_by_default(provider: Provider) -> None:
    steps = await try_out(Providers(ClientOptions()), party(provider))

    assert (steps[-1].name, steps[-1].reason) == ("discovery", "ADDRESS_NOT_ALLOWED")


async def test_a_name_that_moves_to_a_private_address_is_refused(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the second request resolves and checks the name again."""
    await providers.metadata(provider.issuer)
    monkeypatch.setattr(providers, "options", ClientOptions())

    assert await refusal(redeem(providers, provider)) == "ADDRESS_NOT_ALLOWED"


async def test_an_address_that_does_not_answer_leaves_time_for_the_next_one(
    providers: Providers, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel of the first address accepts the connection, and no answer comes."""
    port = int(provider.issuer.rpartition(":")[2])
    addresses = [Address(socket.AF_INET, (host, port)) for host in ("127.0.0.2", "127.0.0.1")]

    async def resolve(*_arguments: object, **_options: object) -> Sequence[Address]:
        return addresses

    monkeypatch.setattr(http_requests, "resolve", resolve)
    with socket.create_server(addresses[0].sockaddr):
        metadata = await providers.metadata(provider.issuer)

    assert metadata.issuer == provider.issuer


@pytest.mark.parametrize(
    "certificate", [{"names": ["other.example"]}, {"days": -1}, {"self_signed": True}]
)
async def test_a_certificate_of_somebody_else_is_refused(
    oidc_authority: Authority, providers: Providers, certificate: dict[str, Any]
) -> None:
    async with oidc_provider(oidc_authority, **certificate) as provider:
        steps = await try_out(providers, party(provider))

    assert steps[-1].reason == "CERTIFICATE_NOT_ACCEPTED"


async def test_a_certificate_without_an_extension_that_rfc_5280_requires_is_refused(
    oidc_authority: Authority, providers: Providers
) -> None:
    without = [x509.AuthorityKeyIdentifier]
    async with oidc_provider(oidc_authority, without=without) as provider:
        steps = await try_out(providers, party(provider))

    assert steps[-1].reason == "CERTIFICATE_NOT_CONFORMANT"
    assert "RFC 5280 requires authorityKeyIdentifier=keyid. Have" in steps[-1].message
