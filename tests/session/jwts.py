"""A server that issues JWTs, and verification by PyJWT as a service does it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import jwt
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from server.settings.settings import Settings
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.json_client import JsonClient

ISSUER = "https://id.example.com"
AUDIENCE = "https://orders.example.com"
_REQUIRED = ["iss", "sub", "aud", "exp", "iat", "jti", "client_id"]
SETTINGS = {"public_url": ISSUER, "jwt_audiences": (AUDIENCE, "reports")}


@pytest.fixture(scope="module")
async def issuing(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that issues JWTs for two audiences. In a file of it: `issuing = jwts.issuing`."""
    async with make_instance(**SETTINGS) as instance:
        yield instance


def settings(instance: Instance, **further: Any) -> Settings:
    return Settings.model_validate({"data_dir": instance.data_dir, **SETTINGS, **further})


async def issue(client: Client, audience: str = AUDIENCE) -> pb.IssueSessionJWTResponse:
    """A JWT of the caller's session."""
    request = pb.IssueSessionJWTRequest(audience=audience)
    return await client.call(client.sessions.IssueSessionJWT, request)


async def key_set(instance: Instance) -> jwt.PyJWKSet:
    """The key set, as a service fetches it."""
    async with JsonClient.connected(instance, instance.nobody) as nobody:
        answer = await nobody.http.get("/.well-known/jwks.json")
    assert answer.status_code == 200
    return jwt.PyJWKSet.from_dict(answer.json())


def verified(token: str, keys: jwt.PyJWKSet, **expected: Any) -> dict[str, Any]:
    """The claims, verified as a careful service does. KeyError: the key is not in the set."""
    regular = {"audience": AUDIENCE, "issuer": ISSUER, "algorithms": ["ES256"]}
    key = keys[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(token, key, options={"require": _REQUIRED}, **regular | expected)


def unverified(token: str) -> dict[str, Any]:
    """The claims, whoever signed them."""
    return jwt.decode(token, options={"verify_signature": False})


async def time_passes(instance: Instance, time: timedelta) -> None:
    """Makes the signing keys older by this time."""
    await given.aged_signing_keys(instance.dsn, time)
