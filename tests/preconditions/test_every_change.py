"""Every change: refused by `if-match`, tried by `x-validate-only`, made, and repeated by a key."""

from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.options.v1 import options_pb2
from tests.hostile.target import Target
from tests.preconditions.asking import NEED_A_CREDENTIAL, ask
from tests.preconditions.conftest import CONDITIONAL, RETRIED, in_turns
from tests.preconditions.written import tables
from tests.support.transports import Transports

# These methods end the token of the call itself.
_END_THEIR_TOKEN = {"SignOut", "EndSession", "EndSessions"}


@pytest.mark.parametrize(("name", "door"), in_turns(RETRIED))
async def test_a_mismatch_and_a_trial_write_nothing_and_a_repetition_is_answered_as_the_change(
    target: Target, transports: Transports, database: asyncpg.Connection, door: str, name: str
) -> None:
    victim, headers = await target.victim_of(name), [("x-idempotency-key", uuid4().hex)]
    if name == "AddSMTPConfig":
        await ask(transports, "gRPC", victim, "RemoveSMTPConfig")
    if name == "RemoveSMTPOAuth":
        await ask(transports, "gRPC", victim, "SetSMTPOAuth")
    before = await tables(database)

    if name in CONDITIONAL:
        refused = (await ask(transports, door, victim, name, ("if-match", '"1"'))).refusal
        assert (refused.code, refused.reason) == (grpc.StatusCode.ABORTED, "ETAG_MISMATCH")
        headers.append(("if-match", f'"7", "{refused.metadata["sequence"]}"'))
    tried = await ask(transports, door, victim, name, ("x-validate-only", "true"))
    untouched = await tables(database)
    made = await ask(transports, door, victim, name, *headers)
    after = await tables(database)
    again = await ask(transports, door, victim, name, *headers, to="JSON")

    if name == "VerifyPasskeyRegistration":  # a failed attempt is counted in any case
        del before["passkey_ceremonies"], untouched["passkey_ceremonies"]
    assert untouched == before
    assert tried.code is made.code
    if name in NEED_A_CREDENTIAL:
        assert tried.refusal.reason == made.refusal.reason
        assert again.code is made.code is not grpc.StatusCode.OK
        return
    assert made.code is grpc.StatusCode.OK, made
    # So it contains no identifier and no secret of an object that does not exist.
    assert tried.response is not None
    for field, value in tried.response.ListFields():
        assert field.GetOptions().Extensions[options_pb2.previewed], field.name
        assert value == getattr(made.response, field.name)
    if name in _END_THEIR_TOKEN:
        assert again.code is grpc.StatusCode.UNAUTHENTICATED
    else:
        assert again.response == made.response
        assert await tables(database) == after
