"""CreateApplicationSecret and RemoveApplicationSecret."""

import base64
import hashlib
import re

import asyncpg
import grpc
import pytest

from keystead.application.v1 import application_service_pb2 as pb
from keystead.event.v1 import event_service_pb2 as event_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import recognized
from server.application import store
from server.store.database import Database
from tests.application import calls
from tests.support import given
from tests.support.given import Client


async def test_a_secret_is_returned_once_and_stored_as_its_hash(
    owner: Client, database: Database, sql: asyncpg.Connection
) -> None:
    application_id = await calls.application(owner)

    created = await calls.create_secret(owner, application_id)

    assert re.fullmatch("kas_000[0-9a-f]{72}", created.secret)
    application = await calls.get(owner, application_id)
    assert [each.secret_id for each in application.secrets] == [created.secret_id]
    assert application.secrets[0].created_at == created.details.change_date
    assert application.details == created.details
    assert created.secret not in str(application)
    hashed = hashlib.sha256(created.secret.encode()).digest()
    client = await store.find_client(database, application_id)
    assert client is not None
    assert tuple(each.hash for each in client.secret_hashes) == (hashed,)
    [event] = await given.logged(sql, application_id, "application.secret_created")
    assert event["payload"] == {
        "secret_id": created.secret_id,
        "hash": base64.b64encode(hashed).decode(),
    }


async def test_the_hash_of_a_secret_is_withheld_from_readers_of_events(owner: Client) -> None:
    application_id = await calls.application(owner)
    created = await calls.create_secret(owner, application_id)

    listed = await owner.call(
        owner.events.ListEvents,
        event_pb.ListEventsRequest(aggregate_id=application_id),
    )

    [event] = [each for each in listed.events if each.event_type == "application.secret_created"]
    assert dict(event.payload) == {"secret_id": created.secret_id}
    assert event.withheld_fields == ["hash"]


async def test_a_secret_is_no_token_of_the_api(owner: Client) -> None:
    secret = (await calls.create_secret(owner, await calls.application(owner))).secret

    caller = owner.with_token(secret)
    refused = await given.refusal(
        caller.call(caller.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    )

    assert recognized(secret) is None
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_two_secrets_are_valid_at_once_and_a_third_is_refused(owner: Client) -> None:
    application_id = await calls.application(owner)
    first = await calls.create_secret(owner, application_id)
    second = await calls.create_secret(owner, application_id)

    refused = await given.refusal(calls.create_secret(owner, application_id))
    removed = await calls.remove_secret(owner, application_id, first.secret_id)
    third = await calls.create_secret(owner, application_id)

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_SECRETS"
    assert removed.details.sequence > second.details.sequence
    secrets = (await calls.get(owner, application_id)).secrets
    assert [each.secret_id for each in secrets] == [second.secret_id, third.secret_id]


async def test_of_many_secrets_at_once_two_are_created(owner: Client) -> None:
    application_id = await calls.application(owner)

    ended = await given.outcomes(calls.create_secret(owner, application_id) for _ in range(10))

    assert ended == {"OK": 2, "TOO_MANY_SECRETS": 8}


async def test_a_removed_secret_is_not_found(owner: Client, database: Database) -> None:
    application_id, other = await calls.application(owner), await calls.application(owner)
    created = await calls.create_secret(owner, application_id)

    foreign = await given.refusal(calls.remove_secret(owner, other, created.secret_id))
    await calls.remove_secret(owner, application_id, created.secret_id)
    again = await given.refusal(calls.remove_secret(owner, application_id, created.secret_id))

    assert foreign.reason == again.reason == "APPLICATION_SECRET_NOT_FOUND"
    client = await store.find_client(database, application_id)
    assert client is not None
    assert tuple(each.hash for each in client.secret_hashes) == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": pb.APPLICATION_KIND_BROWSER},
        {
            "token_endpoint_auth_method": pb.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT,
            "jwks": calls.JWKS,
        },
    ],
    ids=["public", "with a key"],
)
async def test_an_application_without_secrets_gets_none(
    owner: Client, fields: dict[str, object]
) -> None:
    application_id = await calls.application(owner, **fields)

    refused = await given.refusal(calls.create_secret(owner, application_id))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "APPLICATION_WITHOUT_SECRETS"


async def test_there_is_no_client_with_an_unknown_id(database: Database) -> None:
    assert await store.find_client(database, "unknown") is None
