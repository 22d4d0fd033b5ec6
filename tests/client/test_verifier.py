"""A service that verifies JWTs of sessions by the client."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from keystead_client import (
    KeySet,
    KeysUnavailableError,
    RefusedSessionError,
    SessionVerifier,
    key_set,
)
from server.crypto.keyring import load_keyring
from server.signing import commands, signer
from server.signing.private_key import Algorithm
from server.store.database import connected
from tests.session import jwts
from tests.session.jwts import AUDIENCE, ISSUER
from tests.session.sessions import Person
from tests.support.given import Instance

_KEY = ec.generate_private_key(ec.SECP256R1())
_JWK = {**jwt.algorithms.ECAlgorithm.to_jwk(_KEY.public_key(), as_dict=True), "kid": "a"}


class _Published:
    """A web port that publishes one key, or answers with a chosen status."""

    def __init__(self) -> None:
        self.fetches = 0
        self.status = 200

    def keys(self) -> KeySet:
        return KeySet(
            "http://id", http=httpx2.AsyncClient(transport=httpx2.MockTransport(self._get))
        )

    def _get(self, _request: httpx2.Request) -> httpx2.Response:
        self.fetches += 1
        headers = {"cache-control": "public, max-age=600"}
        return httpx2.Response(self.status, json={"keys": [_JWK]}, headers=headers)


@pytest.fixture
def published() -> _Published:
    return _Published()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock of the key set forward."""
    passed = [0.0]
    monkeypatch.setattr(key_set, "_now", lambda: passed[0])

    def later(seconds: float) -> None:
        passed[0] += seconds

    return later


def _verifier(keys: KeySet, **parts: Any) -> SessionVerifier:
    return SessionVerifier(keys, **{"issuer": ISSUER, "audience": AUDIENCE} | parts)


def _of_server(instance: Instance) -> KeySet:
    return KeySet(f"http://127.0.0.1:{instance.web_port}")


def _signed(
    key: Any = _KEY,
    algorithm: str = "ES256",
    headers: dict[str, str] | None = None,
    **changed: object,
) -> str:
    now = int(time.time())
    claims: dict[str, object] = {
        "iss": ISSUER,
        "sub": "user",
        "aud": AUDIENCE,
        "exp": now + 300,
        "iat": now,
        "jti": "id",
        "client_id": "localhost",
        "sid": "session",
        "org": "org",
    }
    claims = {name: value for name, value in (claims | changed).items() if value is not None}
    return jwt.encode(
        claims, key, algorithm, headers={"kid": "a", "typ": "at+jwt"} | (headers or {})
    )


async def test_the_verifier_names_the_user_and_session_of_a_jwt(
    issuing: Instance, person: Person
) -> None:
    signed_in = await person.sign_in()
    issued = await jwts.issue(signed_in.client)

    session = await _verifier(_of_server(issuing)).verify(issued.jwt)

    assert (session.session_id, session.user_id) == (signed_in.session_id, person.user_id)
    assert session.org_id == signed_in.answer.details.resource_owner
    assert session.expires_at.timestamp() == issued.expires_at.seconds
    assert session.amr == ("pop", "user", "mfa")
    with pytest.raises(RefusedSessionError, match="Audience"):
        await _verifier(_of_server(issuing), audience="reports").verify(issued.jwt)
    with pytest.raises(RefusedSessionError, match="issuer"):
        await _verifier(_of_server(issuing), issuer=f"{ISSUER}/").verify(issued.jwt)


async def test_users_of_other_organizations_are_refused_if_some_are_named(
    published: _Published,
) -> None:
    keys = published.keys()

    session = await _verifier(keys, org_ids={"other", "org"}).verify(_signed())

    assert session.org_id == "org"
    for org_ids in ({"other"}, ()):
        with pytest.raises(RefusedSessionError, match="organization that is not accepted"):
            await _verifier(keys, org_ids=org_ids).verify(_signed())


async def test_keys_that_were_withdrawn_and_new_ones_are_seen_within_a_minute(
    issuing: Instance,
    person: Person,
    monkeypatch: pytest.MonkeyPatch,
    later: Callable[[float], None],
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    verifier = _verifier(_of_server(issuing))
    client = (await person.sign_in()).client
    stolen = (await jwts.issue(client)).jwt
    await verifier.verify(stolen)
    async with connected(issuing.dsn, pool_size=1) as database:
        keyring = load_keyring((), issuing.data_dir / "encryption.keys")
        await commands.withdraw_all(database, keyring, Algorithm.ES256)
    new = (await jwts.issue(client)).jwt

    later(59)
    with pytest.raises(RefusedSessionError, match="unknown key"):
        await verifier.verify(new)
    later(2)
    await verifier.verify(new)

    with pytest.raises(RefusedSessionError, match="unknown key"):
        await verifier.verify(stolen)


async def test_nothing_else_is_accepted(published: _Published) -> None:
    verifier = _verifier(published.keys())
    await verifier.verify(_signed())
    await verifier.verify(_signed(headers={"typ": "application/at+JWT"}))
    now = int(time.time())
    refused = {
        "expired": _signed(exp=now - 31),
        "of the future": _signed(iat=now + 60),
        "no expiry": _signed(exp=None),
        "no session": _signed(sid=None),
        "a session that is no text": _signed(sid=["session"]),
        "no issuer": _signed(iss=None),
        "another type": _signed(headers={"typ": "JWT"}),
        "another key": _signed(ec.generate_private_key(ec.SECP256R1())),
        "unknown key": _signed(headers={"kid": "b"}),
        "HS256": _signed("x" * 32, "HS256"),
        "none": _signed("", "none"),
        "ES384": _signed(ec.generate_private_key(ec.SECP384R1()), "ES384"),
        "no JWT": "nothing",
        "empty": "",
        "not ASCII": "é.é.é",
        "too long": "x" * 8193,
    }

    for why, token in refused.items():
        with pytest.raises(RefusedSessionError):
            pytest.fail(f"{why}: {await verifier.verify(token)}")


async def test_clocks_may_differ_by_the_leeway(published: _Published) -> None:
    expired = _signed(exp=int(time.time()) - 20)

    await _verifier(published.keys()).verify(expired)

    with pytest.raises(RefusedSessionError, match="expired"):
        await _verifier(published.keys(), leeway=timedelta(seconds=5)).verify(expired)


async def test_keys_are_fetched_when_they_are_old_and_once_a_minute_for_unknown_ones(
    published: _Published, later: Callable[[float], None]
) -> None:
    verifier = _verifier(published.keys())
    unknown = _signed(headers={"kid": "b"})
    for seconds, token, fetches in (
        (0, _signed(), 1),
        (59, unknown, 1),
        (2, unknown, 2),
        (1, unknown, 2),
        (598, _signed(), 2),
        (2, _signed(), 3),
    ):
        later(seconds)
        if token is unknown:
            with pytest.raises(RefusedSessionError):
                await verifier.verify(token)
        else:
            await verifier.verify(token)
        assert published.fetches == fetches


async def test_while_the_server_does_not_answer_the_keys_are_used_for_twice_their_time(
    published: _Published, later: Callable[[float], None]
) -> None:
    verifier = _verifier(published.keys())
    token = _signed()
    published.status = 503
    with pytest.raises(KeysUnavailableError):
        await verifier.verify(token)
    with pytest.raises(KeysUnavailableError):
        await verifier.verify(token)
    assert published.fetches == 1  # no further requests while it is down
    published.status = 200
    later(5)
    await verifier.verify(token)

    published.status = 503
    later(61)
    with pytest.raises(KeysUnavailableError):  # the key may be a new one
        await verifier.verify(_signed(headers={"kid": "b"}))
    later(1138)
    await verifier.verify(token)
    later(2)
    with pytest.raises(KeysUnavailableError):
        await verifier.verify(token)
    published.status = 200
    later(5)
    await verifier.verify(token)
