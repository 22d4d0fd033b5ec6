"""`/.well-known/`: related origins of passkeys, the keys of session JWTs, and `security.txt`."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from server.signing import signer, store
from server.values.errors import Failure, Kind
from tests.conftest import MakeInstance
from tests.passkey.ceremonies import begin, passkeys
from tests.support import given
from tests.support.given import Instance
from tests.support.json_client import JsonClient
from tests.support.web_client import web_client

_PATH = "/.well-known/webauthn"
_KEYS = "/.well-known/jwks.json"
_SECURITY = "/.well-known/security.txt"
_AUDIENCES = ("https://orders.example.com",)
_RELATED = ("https://login.example.org", "https://example.co.uk")


@pytest.fixture(scope="module")
async def related(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with related origins, which issues session JWTs."""
    async with make_instance(rp_related_origins=_RELATED, jwt_audiences=_AUDIENCES) as instance:
        yield instance


async def _get(instance: Instance, verb: str = "GET") -> httpx2.Response:
    async with JsonClient.connected(instance, instance.nobody) as nobody:
        return await nobody.http.request(verb, _PATH)


async def test_related_origins_are_listed_to_everybody_for_a_short_while(related: Instance) -> None:
    answer, head = await _get(related), await _get(related, "HEAD")

    assert answer.status_code == head.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.json() == {"origins": list(_RELATED)}


async def test_without_related_origins_there_is_nothing(instance: Instance) -> None:
    answer = await _get(instance)

    assert (answer.status_code, answer.json()["code"]) == (404, 5)
    assert answer.headers["cache-control"] == "no-store"


async def test_a_passkey_is_registered_on_a_related_origin_and_on_no_other(
    related: Instance,
) -> None:
    user = await given.user(related.admin)
    begun = await begin(user)

    refused = await given.refusal(begun.verify(begun.credential(origin="https://shop.example.org")))
    await begun.verify(begun.credential(origin=_RELATED[0]))

    assert refused.reason == "ORIGIN_NOT_ALLOWED"
    assert [passkey.rp_id for passkey in await passkeys(user)] == ["localhost"]


async def test_the_keys_are_public_to_everybody_and_every_origin(related: Instance) -> None:
    async with JsonClient.connected(related, related.nobody) as nobody:
        elsewhere = {"origin": _AUDIENCES[0]}
        answer = await nobody.http.get(_KEYS, headers=elsewhere)
        known = await nobody.http.get(
            _KEYS, headers={"if-none-match": answer.headers["etag"], **elsewhere}
        )
        head = await nobody.http.head(_KEYS)

    assert answer.status_code == head.status_code == 200
    assert answer.headers["content-type"] == "application/jwk-set+json"
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.headers["access-control-allow-origin"] == "*"
    key, rsa = answer.json()["keys"]
    assert key.keys() == {"kty", "crv", "x", "y", "use", "alg", "kid"}
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("EC", "P-256", "ES256", "sig")
    assert rsa.keys() == {"kty", "n", "e", "use", "alg", "kid"}
    assert (rsa["kty"], rsa["alg"], rsa["use"]) == ("RSA", "RS256", "sig")
    assert (known.status_code, known.content) == (304, b"")


async def test_the_keys_are_those_last_read_while_the_database_does_not_answer(
    make_instance: MakeInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signer, "_CACHED_SECONDS", 0)
    read = store.get

    async def get(database: Any) -> Any:
        if is_down:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "Try again.")
        return await read(database)

    monkeypatch.setattr(store, "get", get)
    is_down = False
    async with (
        make_instance(jwt_audiences=_AUDIENCES) as instance,
        JsonClient.connected(instance, instance.nobody) as nobody,
    ):
        is_down = True
        never = await nobody.http.get(_KEYS)
        is_down = False
        before = await nobody.http.get(_KEYS)
        is_down = True
        during = await nobody.http.get(_KEYS)

    assert (never.status_code, never.headers["retry-after"]) == (503, "1")
    assert never.headers["cache-control"] == "no-store"
    assert during.status_code == 200
    assert during.content == before.content


async def test_the_security_contact_is_served_with_an_expiry_within_a_year(
    make_instance: MakeInstance,
) -> None:
    settings = {
        "security_contact": "mailto:security@example.com",
        "public_url": "https://id.example.com",
    }
    async with make_instance(**settings) as instance, web_client(instance.web_port) as http:
        answer = await http.get(_SECURITY)

    lines = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(lines.pop("Expires"))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert lines == {
        "Contact": "mailto:security@example.com",
        "Canonical": f"https://id.example.com{_SECURITY}",
    }
    assert timedelta(1) < expires - datetime.now(UTC) < timedelta(365)


async def test_without_a_security_contact_there_is_no_file(instance: Instance) -> None:
    async with web_client(instance.web_port) as http:
        answer = await http.get(_SECURITY)

    assert (answer.status_code, answer.json()["code"]) == (404, 5)
