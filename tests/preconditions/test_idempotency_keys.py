"""`x-idempotency-key`: a repeated change is made once and gets the same answer."""

import asyncio
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.hostile.target import Target
from tests.preconditions.asking import NEED_A_CREDENTIAL, ask
from tests.preconditions.conftest import RETRIED, in_turns
from tests.preconditions.written import tables
from tests.support import given
from tests.support.transports import Transports

# These methods end the token of the call itself.
END_THEIR_TOKEN = {"SignOut", "EndSession", "EndSessions"}


def _key() -> tuple[str, str]:
    return ("x-idempotency-key", uuid4().hex)


@pytest.mark.parametrize(("name", "door"), in_turns(RETRIED))
async def test_a_repeated_change_is_answered_as_the_first_and_writes_nothing(
    target: Target, transports: Transports, database: asyncpg.Connection, door: str, name: str
) -> None:
    victim, key = await target.victim(), _key()
    if name == "AddSMTPConfig":
        await ask(transports, "gRPC", victim, "RemoveSMTPConfig")

    first = await ask(transports, door, victim, name, key)
    after = await tables(database)
    again = await ask(transports, door, victim, name, key, to="JSON")

    if name in NEED_A_CREDENTIAL:
        assert again.code is first.code is not grpc.StatusCode.OK
    elif name in END_THEIR_TOKEN:
        assert again.code is grpc.StatusCode.UNAUTHENTICATED
    else:
        assert first.code is grpc.StatusCode.OK, first
        assert again.response == first.response
        assert await tables(database) == after


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
