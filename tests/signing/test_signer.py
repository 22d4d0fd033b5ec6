"""The signer of a running server: algorithms, damaged keys, and a database that is slow."""

import asyncio
import base64
import hmac
import json
import os
from dataclasses import replace
from typing import Any

import jwt
import pytest

from server.crypto.keyring import Keyring
from server.signing import commands, private_key, signer, store
from server.signing.private_key import Algorithm, PrivateKey
from server.signing.schedule import KEPT, PREPUBLISHED
from server.signing.signer import Signer, Signing, Verified
from server.store.database import Database
from server.values.errors import Failure, Kind
from tests.support import given

_KEYRING = Keyring([os.urandom(32)])
_CLAIMS = {"iss": "https://id.example.com", "sub": "ada"}
_BOTH = tuple(Algorithm)
_EACH = pytest.mark.parametrize("algorithm", Algorithm)


async def test_the_key_set_outlives_the_database_and_the_signing_key_does_not(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_database: Any) -> Any:
        raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")

    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    await commands.keep_up(keys, _KEYRING)
    known, unknown = Signer(keys, _KEYRING), Signer(keys, _KEYRING)
    before, token = await known.key_set(), (await known.ready()).sign(_CLAIMS, type="JWT")
    monkeypatch.setattr(store, "get", fail)

    assert await known.key_set() == before
    assert [key["alg"] for key in json.loads(before)["keys"]] == ["ES256", "RS256"]
    assert await known.verify(token) == ("JWT", _CLAIMS)
    for refused in (known.ready(), unknown.ready(), unknown.key_set(), unknown.verify(token)):
        with pytest.raises(Failure, match="DATABASE_UNAVAILABLE"):
            await refused


async def test_before_the_first_key_the_key_set_is_empty_and_nothing_is_signed(
    keys: Database,
) -> None:
    server = Signer(keys, _KEYRING)

    assert json.loads(await server.key_set()) == {"keys": []}
    with pytest.raises(Failure, match="SIGNING_KEY_UNAVAILABLE"):
        await server.ready()


async def test_a_slow_read_does_not_put_the_clock_forward(
    keys: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verifiers refuse a token that was issued in the future."""
    await commands.keep_up(keys, _KEYRING)
    get = store.get

    async def wait_for_a_connection(database: Any) -> Any:
        await asyncio.sleep(1)
        return await get(database)

    monkeypatch.setattr(store, "get", wait_for_a_connection)
    signing = await Signer(keys, _KEYRING).ready()

    schedules, _ = await get(keys)
    assert signing.now <= schedules[Algorithm.ES256].now


# Algorithms


@_EACH
@pytest.mark.parametrize("kind", ["JWT", "at+jwt", "logout+jwt"])
async def test_a_jwt_is_verified_by_the_key_set_with_another_library_and_by_the_signer(
    keys: Database, algorithm: Algorithm, kind: str
) -> None:
    await commands.keep_up(keys, _KEYRING)
    one, other = Signer(keys, _KEYRING), Signer(keys, _KEYRING)

    token = (await one.ready([algorithm])).sign(_CLAIMS, type=kind, algorithm=algorithm)

    header = jwt.get_unverified_header(token)
    key = jwt.PyJWKSet.from_json((await other.key_set()).decode())[header["kid"]]
    assert (header["alg"], header["typ"]) == (algorithm, kind)
    assert jwt.decode(token, key, algorithms=[algorithm]) == _CLAIMS
    assert await other.verify(token) == Verified(kind, _CLAIMS)


async def test_es256_is_the_default_and_others_must_be_asked_for(keys: Database) -> None:
    await commands.keep_up(keys, _KEYRING)

    signing = await Signer(keys, _KEYRING).ready()

    assert jwt.get_unverified_header(signing.sign({}, type="JWT"))["alg"] == "ES256"
    with pytest.raises(KeyError):
        signing.sign({}, type="JWT", algorithm=Algorithm.RS256)


@_EACH
async def test_a_damaged_key_stops_only_its_own_algorithm_until_it_is_withdrawn(
    dsn: str, keys: Database, algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    [other] = set(Algorithm) - {algorithm}
    await commands.keep_up(keys, _KEYRING)
    server = Signer(keys, _KEYRING)
    await server.ready(_BOTH)
    current = (await store.get(keys))[0][algorithm].current
    assert current
    async with given.sql(dsn) as sql:
        await sql.execute(
            "update secrets set ciphertext = '\\x00' where secret_id = $1", current.kid
        )

    for refused in (server.ready([algorithm]), server.ready(_BOTH)):
        with pytest.raises(Failure, match="no signing key that it can read"):
            await refused
    await server.ready([other])
    await commands.withdraw_all(keys, _KEYRING, algorithm)
    await server.ready(_BOTH)


async def test_a_key_is_decrypted_once(keys: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """An RSA key is tested when it is imported, which takes 40 ms."""
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    await commands.keep_up(keys, _KEYRING)
    decrypted: list[str] = []

    def counted(keyring: Keyring, kid: str, secret: Any) -> PrivateKey:
        decrypted.append(kid)
        return private_key.decrypted(keyring, kid, secret)

    monkeypatch.setattr(signer, "decrypted", counted)
    server = Signer(keys, _KEYRING)
    for _ in range(3):
        await server.ready(_BOTH)

    assert len(decrypted) == 2


# Verification


@_EACH
async def test_a_key_verifies_while_it_is_published(
    dsn: str, keys: Database, algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    await commands.keep_up(keys, _KEYRING)
    server = Signer(keys, _KEYRING)
    token = (await server.ready([algorithm])).sign(_CLAIMS, type="JWT", algorithm=algorithm)

    await commands.rotate(keys, _KEYRING, algorithm)
    await given.aged_signing_keys(dsn, PREPUBLISHED)
    verified = await server.verify(token)
    await given.aged_signing_keys(dsn, KEPT)
    await commands.keep_up(keys, _KEYRING)

    assert verified == Verified("JWT", _CLAIMS)
    assert await server.verify(token) is None


async def test_nothing_else_is_verified(keys: Database) -> None:
    await commands.keep_up(keys, _KEYRING)
    server = Signer(keys, _KEYRING)
    signing = await server.ready(_BOTH)
    es256, rs256 = (
        signing.sign(_CLAIMS, type="JWT", algorithm=algorithm).split(".") for algorithm in _BOTH
    )
    [kid] = [jwk["kid"] for jwk in json.loads(await server.key_set())["keys"] if "n" in jwk]
    foreign = PrivateKey.generate(Algorithm.RS256)
    public = foreign.key.as_pem(private=False)

    refused = [
        "",
        "..",
        "a.b.c",
        "\ud800.b.c",
        ".".join(es256[:2]),
        ".".join([*es256[:2], ""]),
        ".".join([*es256[:2], rs256[2]]),
        ".".join([rs256[0], es256[1], es256[2]]),
        ".".join([*rs256[:2], rs256[2][::-1]]),
        Signing({Algorithm.RS256: foreign}, signing.now).sign(
            _CLAIMS, type="JWT", algorithm=Algorithm.RS256
        ),
        Signing({Algorithm.RS256: replace(foreign, kid=kid)}, signing.now).sign(
            _CLAIMS, type="JWT", algorithm=Algorithm.RS256
        ),
        *(
            f"{_encoded(header)}.{es256[1]}.{rs256[2]}"
            for header in (
                "no JSON",
                "[]",
                "[" * 300,
                "1",
                "null",
                "{}",
                '{"alg": "RS256"}',
                '{"alg": "RS256", "kid": []}',
                f'{{"alg": "none", "kid": "{kid}"}}',
                f'{{"alg": "RS512", "kid": "{kid}"}}',
                f'{{"alg": "PS256", "kid": "{kid}"}}',
                f'{{"alg": "RS256", "kid": "{kid}", "b64": false, "crit": ["b64"]}}',
            )
        ),
        _signed_by_the_public_key(public, kid),
        "a" * 1_000_000,
    ]

    assert [await server.verify(token) for token in refused] == [None] * len(refused)


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _signed_by_the_public_key(public: bytes, kid: str) -> str:
    """A JWT by HMAC, whose secret everybody knows."""
    signed = f"{_encoded(json.dumps({'alg': 'HS256', 'kid': kid}))}.{_encoded('{}')}"
    mac = hmac.digest(public, signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
