"""A removal that is repeated with its key, after it has removed the caller's permission."""

from collections.abc import Awaitable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.hostile.target import Target
from tests.preconditions.conftest import CHANGES, DOORS
from tests.preconditions.written import tables
from tests.session import sessions
from tests.support import given
from tests.support.given import Client
from tests.support.transports import Answer, Call, Transports, authorization

_AGE = "update sessions set authenticated_at = now() - $2::interval where session_id = $1"


@pytest.fixture
async def owner(target: Target) -> Client:
    """An owner of an organization, who gets the same refusal for foreign and unknown users."""
    return await given.user(target.admin, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture
async def user(target: Target, owner: Client) -> Client:
    """A user of that organization."""
    return await given.user(target.admin, org_id=await _organization(owner))


async def _organization(client: Client) -> str:
    request = user_pb.GetCurrentUserRequest()
    found = await client.call(client.users.GetCurrentUser, request)
    return found.user.details.resource_owner


def _remove(caller: Client, user_id: str, key: str, **headers: Any) -> Awaitable[Any]:
    request = user_pb.RemoveUserRequest(user_id=user_id)
    return caller.call(caller.users.RemoveUser, request, x_idempotency_key=key, **headers)


@pytest.mark.parametrize("first_door", DOORS)
async def test_a_repeated_removal_gets_the_first_answer_over_every_content_type_and_writes_nothing(
    transports: Transports,
    database: asyncpg.Connection,
    owner: Client,
    user: Client,
    first_door: str,
) -> None:
    method, _ = CHANGES["RemoveUser"]
    headers = [*authorization(owner.token), ("x-idempotency-key", uuid4().hex)]

    async def remove(door: str) -> Answer:
        request = user_pb.RemoveUserRequest(user_id=user.user_id)
        return await transports.all[door].answer(Call(method, request, headers))

    first = await remove(first_door)
    after = await tables(database)

    assert first.code is grpc.StatusCode.OK
    for door in DOORS:
        assert (await remove(door)).response == first.response
    assert await tables(database) == after


async def test_the_removal_of_a_users_object_is_answered_after_the_user_is_gone(
    target: Target, owner: Client, user: Client
) -> None:
    created = await owner.call(
        owner.users.CreateToken, user_pb.CreateTokenRequest(user_id=user.user_id)
    )
    request = user_pb.RevokeTokenRequest(user_id=user.user_id, token_id=created.token_id)
    key = uuid4().hex
    first = await owner.call(owner.users.RevokeToken, request, x_idempotency_key=key)
    await _remove(target.admin, user.user_id, uuid4().hex)

    again = await owner.call(owner.users.RevokeToken, request, x_idempotency_key=key)

    assert again == first


async def test_a_creation_is_not_answered_after_the_user_is_gone(
    target: Target, owner: Client, user: Client
) -> None:
    request, key = user_pb.CreateTokenRequest(user_id=user.user_id), uuid4().hex
    await owner.call(owner.users.CreateToken, request, x_idempotency_key=key)
    await _remove(target.admin, user.user_id, uuid4().hex)

    refused = await given.refusal(
        owner.call(owner.users.CreateToken, request, x_idempotency_key=key)
    )

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


async def test_another_caller_request_header_or_key_is_refused(
    target: Target, owner: Client, user: Client
) -> None:
    key, organization_id = uuid4().hex, await _organization(owner)
    another = await given.user(target.admin, org_id=organization_id, roles=[user_pb.ROLE_ORG_OWNER])
    await _remove(owner, user.user_id, key)

    for call in (
        _remove(another, user.user_id, key),
        _remove(owner, uuid4().hex, key),
        _remove(owner, user.user_id, uuid4().hex),
        _remove(owner, user.user_id, key, if_match='"1"'),
        _remove(owner, user.user_id, key, x_service_orgid=organization_id),
        owner.call(owner.users.RemoveUser, user_pb.RemoveUserRequest(user_id=user.user_id)),
    ):
        assert (await given.refusal(call)).code is grpc.StatusCode.PERMISSION_DENIED
    assert (await given.refusal(_remove(target.admin, user.user_id, key))).reason == (
        "USER_NOT_FOUND"
    )


async def test_a_caller_who_lost_a_role_is_refused(
    target: Target, owner: Client, user: Client
) -> None:
    key, admin = uuid4().hex, target.admin
    first = await _remove(owner, user.user_id, key)
    revoke = user_pb.RevokeRoleRequest(user_id=owner.user_id, role=user_pb.ROLE_ORG_OWNER)
    await admin.call(admin.users.RevokeRole, revoke)

    refused = await given.refusal(_remove(owner, user.user_id, key))

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    grant = user_pb.GrantRoleRequest(user_id=owner.user_id, role=user_pb.ROLE_ORG_OWNER)
    await admin.call(admin.users.GrantRole, grant)
    renewed = owner.with_token(await given.token(admin, owner.user_id), owner.user_id)
    assert await _remove(renewed, user.user_id, key) == first


async def test_a_removal_that_is_repeated_after_a_day_is_refused(
    database: asyncpg.Connection, owner: Client, user: Client
) -> None:
    key = uuid4().hex
    await _remove(owner, user.user_id, key)
    await database.execute(
        "update idempotent_answers set created_at = now() - interval '1 day' where caller = $1",
        owner.user_id,
    )

    refused = await given.refusal(_remove(owner, user.user_id, key))

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


async def test_an_old_sign_in_is_asked_for_a_new_one(
    target: Target, database: asyncpg.Connection, owner: Client
) -> None:
    signed_in = await (await sessions.with_passkey(owner)).sign_in()
    caller, key = signed_in.client, uuid4().hex
    user = await given.user(target.admin, org_id=await _organization(owner))
    person = await sessions.with_passkey(user)
    request = passkey_pb.RemovePasskeyRequest(user_id=user.user_id, passkey_id=person.passkey_id)
    first = await caller.call(caller.passkeys.RemovePasskey, request, x_idempotency_key=key)
    await _remove(target.admin, user.user_id, uuid4().hex)

    async def again() -> Any:
        return await caller.call(caller.passkeys.RemovePasskey, request, x_idempotency_key=key)

    assert await again() == first
    await database.execute(_AGE, signed_in.session_id, timedelta(minutes=10))
    assert (await given.refusal(again())).reason == "REAUTHENTICATION_REQUIRED"
