"""`x-idempotency-key`: a repeated change is made once and gets the same answer."""

import asyncio
from uuid import uuid4

import asyncpg
import grpc

from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.hostile.target import Target
from tests.support import given


async def test_another_request_with_the_key_is_refused(target: Target) -> None:
    admin, key = target.admin, uuid4().hex

    async def create(name: str) -> object:
        request = org_pb.CreateOrganizationRequest(name=name)
        return await admin.call(admin.orgs.CreateOrganization, request, x_idempotency_key=key)

    await create(uuid4().hex)
    refused = await given.refusal(create(uuid4().hex))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "IDEMPOTENCY_KEY_REUSED"


async def test_a_call_that_failed_may_be_made_again_with_its_key(target: Target) -> None:
    admin, key, name = target.admin, uuid4().hex, uuid4().hex
    request = user_pb.CreateUserRequest(user_name=name)
    first = await admin.call(admin.users.CreateUser, request)

    refused = await given.refusal(
        admin.call(admin.users.CreateUser, request, x_idempotency_key=key)
    )
    await admin.call(admin.users.RemoveUser, user_pb.RemoveUserRequest(user_id=first.user_id))
    second = await admin.call(admin.users.CreateUser, request, x_idempotency_key=key)

    assert refused.reason == "USER_ALREADY_EXISTS"
    assert second.user_id != first.user_id


async def test_fifty_at_once_are_executed_once(
    target: Target, database: asyncpg.Connection
) -> None:
    admin, key = target.admin, uuid4().hex
    user = await given.user(admin)
    request = user_pb.CreateTokenRequest(user_id=user.user_id)
    before = await database.fetchval("select count(*) from tokens where user_id = $1", user.user_id)

    answers = await asyncio.gather(
        *(
            admin.call(admin.users.CreateToken, request, timeout=30, x_idempotency_key=key)
            for _ in range(50)
        )
    )

    assert len({answer.token for answer in answers}) == 1
    after = await database.fetchval("select count(*) from tokens where user_id = $1", user.user_id)
    assert after == before + 1


async def test_no_answer_is_stored_in_plaintext_and_each_is_bound_to_its_caller(
    target: Target, database: asyncpg.Connection
) -> None:
    admin, key = target.admin, uuid4().hex
    user = await given.user(admin)
    request = user_pb.CreateTokenRequest(user_id=user.user_id)

    mine = await admin.call(admin.users.CreateToken, request, x_idempotency_key=key)
    theirs = await user.call(user.users.CreateToken, request, x_idempotency_key=key)

    assert mine.token != theirs.token
    rows = await database.fetch("select ciphertext, key_id from idempotent_answers")
    assert all(row["key_id"] for row in rows)
    assert not any(mine.token.encode() in row["ciphertext"] for row in rows)
