"""`x-validate-only: true` makes all checks of a change and writes nothing."""

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.hostile.target import Target, Victim
from tests.preconditions.asking import NEED_A_CREDENTIAL, ask
from tests.preconditions.conftest import CHANGES, in_turns
from tests.preconditions.written import tables
from tests.support import given
from tests.support.transports import Transports

ONLY = ("x-validate-only", "true")
TAKE_IT = [name for name, (_, change) in CHANGES.items() if not change.refuses]


@pytest.mark.parametrize(("name", "door"), in_turns(TAKE_IT))
async def test_nothing_is_written_and_the_change_can_still_be_made(
    target: Target, transports: Transports, database: asyncpg.Connection, door: str, name: str
) -> None:
    victim = await target.victim()
    if name == "AddSMTPConfig":
        await ask(target, transports, "gRPC", victim, "RemoveSMTPConfig")
    before = await tables(database)

    tried = await ask(target, transports, door, victim, name, ONLY)

    after = await tables(database)
    if name == "VerifyPasskeyRegistration":  # a failed attempt is counted in any case
        del before["passkey_ceremonies"], after["passkey_ceremonies"]
    assert after == before
    made = await ask(target, transports, door, victim, name)
    assert tried.code is made.code
    if name in NEED_A_CREDENTIAL:
        assert tried.refusal.reason == made.refusal.reason
    else:
        assert made.code is grpc.StatusCode.OK, made
        # So it contains no identifier and no secret of an object that does not exist.
        assert tried.response is not None
        assert tried.response.ByteSize() == 0


@pytest.mark.parametrize(("name", "door"), in_turns(sorted(CHANGES.keys() - set(TAKE_IT))))
async def test_a_method_that_cannot_be_tried_says_so(
    target: Target, transports: Transports, untouched: Victim, door: str, name: str
) -> None:
    refused = (await ask(target, transports, door, untouched, name, ONLY)).refusal

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"x-validate-only"}


async def test_a_name_that_is_taken_is_refused_as_a_real_call_would_be(target: Target) -> None:
    admin = target.admin
    await admin.call(admin.users.CreateUser, user_pb.CreateUserRequest(user_name="taken twice"))

    refused = await given.refusal(
        admin.call(
            admin.users.CreateUser,
            user_pb.CreateUserRequest(user_name="Taken Twice"),
            x_validate_only="true",
        )
    )

    assert refused.reason == "USER_ALREADY_EXISTS"
