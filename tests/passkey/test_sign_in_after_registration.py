"""SignInAfterRegistration: a person who has just registered a passkey by a link is signed in."""

from typing import Any

import asyncpg
import grpc
import pytest

from keystead.signin.v1 import signin_service_pb2 as pb
from server.passkey.signin import store
from tests.passkey import ceremonies, links
from tests.passkey.ceremonies import Begun
from tests.session import sessions
from tests.support import first_calls, given
from tests.support.given import Client
from tests.user import calls as users

_FAILED = (grpc.StatusCode.UNAUTHENTICATED, "SIGN_IN_FAILED")


def _sign_in(client: Client, token: str, *, device_name: str = "") -> Any:
    nobody = client.with_token("")
    request = pb.SignInAfterRegistrationRequest(registration_token=token, device_name=device_name)
    return nobody.call(nobody.sign_ins.SignInAfterRegistration, request)


async def _registered(admin: Client, user: Client) -> Begun:
    return await (await links.link(admin, user)).register()


async def _refusal(call: Any) -> tuple[grpc.StatusCode, str]:
    refused = await given.refusal(call)
    return refused.code, refused.reason


async def test_the_session_is_that_of_the_new_passkey(admin: Client) -> None:
    user = await given.user(admin)
    begun = await _registered(admin, user)

    answer = await _sign_in(admin, begun.registration_token, device_name="Firefox on Linux")

    session = await sessions.current(admin.with_token(answer.session_token, answer.user_id))
    [passkey] = await ceremonies.passkeys(user)
    assert answer.user_id == user.user_id
    assert (session.passkey_id, session.device_name) == (begun.passkey_id, "Firefox on Linux")
    assert list(answer.accepted_credential_ids) == [passkey.credential_id]
    assert passkey.HasField("last_used_at")


async def test_only_a_link_that_has_just_registered_a_passkey_signs_in(
    admin: Client, sql: asyncpg.Connection
) -> None:
    user = await given.user(admin)
    pending = await (await links.link(admin, user)).begin()
    by_token = await ceremonies.register(user)
    late = await _registered(admin, user)
    await sql.execute(
        "update passkey_ceremonies set verified_at = verified_at - interval '5 minutes'"
        " where passkey_id = $1",
        late.passkey_id,
    )
    removed = await _registered(admin, user)
    await ceremonies.remove(user, removed.passkey_id)

    for begun in (pending, by_token, late, removed):
        assert await _refusal(_sign_in(admin, begun.registration_token)) == _FAILED
    assert await _refusal(_sign_in(admin, user.token)) == _FAILED
    assert await _refusal(_sign_in(admin, "x")) == _FAILED


async def test_a_locked_user_is_not_signed_in(admin: Client, sql: asyncpg.Connection) -> None:
    user = await given.user(admin)
    begun = await _registered(admin, user)
    await sql.execute("update users set locked_at = now() where id = $1", user.user_id)

    refused = await _refusal(_sign_in(admin, begun.registration_token))

    assert refused == (grpc.StatusCode.FAILED_PRECONDITION, "USER_LOCKED")


async def test_a_lock_ends_the_registration_token(admin: Client) -> None:
    user = await given.user(admin)
    begun = await _registered(admin, user)

    await users.lock(admin, user.user_id)
    await users.unlock(admin, user.user_id)

    assert await _refusal(_sign_in(admin, begun.registration_token)) == _FAILED


async def test_a_user_who_changes_meanwhile_is_read_again(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await given.user(admin)
    begun = await _registered(admin, user)
    first_calls.then(
        monkeypatch,
        store,
        "find_registered",
        lambda: users.patch(admin, user.user_id, ["display_name"], display_name="Changed"),
    )

    assert (await _sign_in(admin, begun.registration_token)).user_id == user.user_id
