"""Client IDs and secrets that are chosen when an application is added."""

import asyncio
import hashlib
import secrets
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.application import store
from server.application.chosen import check_client_id, check_secret
from server.store.database import Database
from server.values.ids import new_id
from tests.application import calls
from tests.session import jwts
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.json_client import JsonClient

issuing = jwts.issuing
_UUID_4 = "8f14e45f-ceea-467f-a8d5-91b2c7d6e0a3"
_UUID_7 = "01a22760-8ee4-7000-af1c-cb5658c09aba"
_USED = "APPLICATION_ID_ALREADY_USED"
_KEY = {"token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT}


def _add(client: Client, application_id: str = "", secret: str = "", **fields: Any) -> Any:
    return calls.add(client, application_id=application_id, secret=secret, **fields)


@pytest.mark.parametrize(
    "client_id",
    ["a", "-", "Grafana", "a.b_c~d-e", "...", "x" * 128, _UUID_4, _UUID_7.upper()],
)
def test_a_client_id_has_characters_that_urls_keep(client_id: str) -> None:
    assert check_client_id(client_id) == client_id


@pytest.mark.parametrize(
    "client_id",
    ["a b", "a/b", "a:b", "a%41", "a+b", "\u00e4", "a\n", ".", "..", "x" * 129, _UUID_7],
)
def test_other_client_ids_are_refused(client_id: str) -> None:
    with pytest.raises(ValueError, match=r"^must (be (at most 128|of A-Z)|not be a UUID)"):
        check_client_id(client_id)


# Of 128 bits: by openssl rand, Python's secrets, Keycloak (32 letters and digits), base64, a UUID
# of Microsoft Entra's earlier secrets.
@pytest.mark.parametrize(
    "secret",
    [
        "0123456789abcdef" * 2,
        "0123456789ABCDEF" * 2,
        "_-r3q7Vd0ZkX1yHhT9aPcw",
        "Wm4uXhTn7bDqzLc0aPf9sR2kVj6yEo1i",
        "q83vEjRWeJCrze8BI0VniQ==",
        "ab+cd/ef:gh&ij=kl?mn#op!",
        _UUID_4,
        "0123456789" * 4,
        "abcdefghijklmnopqrstuvwxyzab",
        "x~8Q" * 49 + "abcd",
    ],
)
def test_a_secret_of_128_bits_is_accepted(secret: str) -> None:
    assert check_secret(secret) == secret


@pytest.mark.parametrize(
    "secret",
    [
        "changeme",
        "0123456789abcdef0123456789abcde",
        "0123456789" * 3 + "12345678",
        "abcdefghijklmnopqrstuvwxyz",
        "_-r3q7Vd0ZkX1yHhT9aP",
        "ab" * 100,
    ],
)
def test_a_weak_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="must be random and have 128 bits"):
        check_secret(secret)


def test_an_id_of_the_server_is_refused() -> None:
    with pytest.raises(ValueError, match="version 7"):
        check_client_id(new_id())


@pytest.mark.parametrize("character", [" ", "%", "\u00e4", "\n", "\x7f"])
def test_a_secret_has_no_character_that_changes_in_a_form(character: str) -> None:
    with pytest.raises(ValueError, match="without spaces and %"):
        check_secret(f"{secrets.token_hex(16)}{character}")


async def test_an_application_keeps_its_id_and_its_secret(
    owner: Client, database: Database, sql: asyncpg.Connection
) -> None:
    client_id, secret = f"Grafana.{uuid4().hex}", secrets.token_urlsafe(24)

    added = await _add(owner, client_id, secret)

    assert added.application_id == client_id
    application = await calls.get(owner, client_id)
    assert [each.secret_id for each in application.secrets] == [added.secret_id]
    assert application.details == added.details
    client = await store.find_client(database, client_id)
    assert client is not None
    assert tuple(each.hash for each in client.secret_hashes) == (
        hashlib.sha256(secret.encode()).digest(),
    )
    logged = await given.logged(sql, client_id)
    assert [each["event_type"] for each in logged] == [
        "application.added",
        "application.secret_created",
    ]
    assert secret not in str(logged)
    assert secret not in repr(client)


async def test_a_second_secret_can_be_chosen_too(owner: Client, database: Database) -> None:
    application_id = await calls.application(owner)
    secret = secrets.token_urlsafe(24)

    created = await calls.create_secret(owner, application_id, secret=secret)

    client = await store.find_client(database, application_id)
    assert client is not None
    assert tuple(each.hash for each in client.secret_hashes) == (
        hashlib.sha256(secret.encode()).digest(),
    )
    assert (created.secret, bool(created.secret_id)) == ("", True)


async def test_an_id_is_used_once_in_the_installation_also_after_a_removal(
    admin: Client, owner: Client
) -> None:
    other = await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])
    client_id = f"once-{uuid4().hex}"
    await _add(owner, client_id)

    for client in (owner, other):
        refused = await given.refusal(_add(client, client_id))
        assert (refused.code, refused.reason) == (grpc.StatusCode.ALREADY_EXISTS, _USED)
    await calls.patch(owner, client_id, name="Other", redirect_uris=["https://a.example/"])
    await calls.remove(owner, client_id)
    for client in (owner, other):
        assert await given.outcome(_add(client, client_id)) == _USED


async def test_of_simultaneous_creations_one_has_the_id(owner: Client) -> None:
    client_id = f"race-{uuid4().hex}"

    outcomes = await asyncio.gather(*(given.outcome(_add(owner, client_id)) for _ in range(4)))

    assert sorted(outcomes) == [_USED] * 3 + ["OK"]


async def test_wrong_ids_and_secrets_are_named_together(owner: Client) -> None:
    refused = await given.refusal(_add(owner, "a b", "weak", name=""))
    created = await given.refusal(calls.create_secret(owner, "any", secret="weak"))

    assert refused.violations.keys() == {"applicationId", "secret", "application.name"}
    assert created.violations.keys() == {"secret"}


async def test_an_application_without_secrets_takes_none(owner: Client) -> None:
    client_id, secret = f"key-{uuid4().hex}", secrets.token_urlsafe(24)

    refused = await given.refusal(_add(owner, client_id, secret, jwks=calls.JWKS, **_KEY))

    assert refused.violations.keys() == {"secret"}
    assert await given.outcome(calls.get(owner, client_id)) == "APPLICATION_NOT_FOUND"


async def test_an_id_is_no_audience_of_session_jwts(issuing: Instance) -> None:
    """Its tokens have it as audience, and a service would take them for JWTs of sessions."""
    refused = await given.refusal(_add(issuing.admin, "reports"))

    assert refused.violations.keys() == {"applicationId"}


async def test_json_takes_a_chosen_id_in_every_path(instance: Instance, owner: Client) -> None:
    client_id = f"~My_App.{uuid4().hex}-"
    async with JsonClient.connected(instance, owner) as json:
        created = await json.send(
            "POST",
            "/v1/applications",
            json={
                "application": {"name": "Mine", "kind": "APPLICATION_KIND_WEB"},
                "applicationId": client_id,
                "secret": secrets.token_urlsafe(24),
            },
        )
        path = f"/v1/applications/{client_id}"
        got = await json.send("GET", path)
        patched = await json.send(
            "PATCH", path, json={"application": {"name": "Ours"}, "updateMask": "name"}
        )
        secret = await json.send("DELETE", f"{path}/secrets/{created.json()['secretId']}")
        removed = await json.send("DELETE", path)

    assert created.json()["applicationId"] == client_id
    assert got.json()["application"]["applicationId"] == client_id
    statuses = [each.status_code for each in (created, got, patched, secret, removed)]
    assert statuses == [200] * 5
