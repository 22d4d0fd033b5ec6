"""Sessions, by the command line."""

import grpc

from tests.cli.words import Keystead, columns, done, objects
from tests.passkey import ceremonies
from tests.session import sessions
from tests.support import given
from tests.support.given import Instance


async def test_an_operator_sees_the_sessions_of_a_user_and_ends_one(
    instance: Instance, keystead: Keystead
) -> None:
    person = await sessions.person(instance.admin)
    kept, ended = await person.sign_in(), await person.sign_in(device_name="Phone")

    await done(keystead("session", "end", ended.session_id))
    [listed] = await objects(keystead("session", "list", person.user_id, "--json"))
    [row] = await columns(keystead("session", "list", person.user_id))

    assert (listed["session_id"], listed["passkey_id"]) == (kept.session_id, person.passkey_id)
    assert (listed["device_name"], listed["ip_address"]) == ("", "127.0.0.1")
    assert row[:3] == [kept.session_id, "-", "127.0.0.1"]
    assert len(row) == len(listed)
    refused = await given.refusal(ceremonies.begin(ended.client))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_an_unknown_session_is_named(keystead: Keystead) -> None:
    finished = await keystead("session", "end", "unknown")

    assert finished.status == 1
    assert "There is no session 'unknown'" in finished.errors
