"""Signing in with a passkey: the session that it starts, and refusals."""

from datetime import UTC, datetime, timedelta

import grpc

from examples.software_authenticator import b64
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import TokenKind, recognized
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client


async def test_a_passkey_signs_its_user_in(admin: Client) -> None:
    person = await sessions.person(admin)
    before = datetime.now(UTC)

    signed_in = await person.sign_in(device_name="Firefox on Linux")

    answer = signed_in.answer
    token = recognized(answer.session_token)
    assert token is not None
    assert token.kind is TokenKind.SESSION
    assert answer.user_id == person.user_id
    assert list(answer.accepted_credential_ids) == [b64(person.credential_id)]
    assert answer.user_handle == b64(person.authenticator.user_handles[person.credential_id])
    lifetime = answer.expires_at.ToDatetime(UTC) - before
    assert timedelta(hours=24) <= lifetime < timedelta(hours=24, seconds=30)
    session = await sessions.current(signed_in.client)
    assert session.session_id == answer.session_id
    assert session.details == answer.details
    assert session.user_id == person.user_id
    assert session.passkey_id == person.passkey_id
    assert session.device_name == "Firefox on Linux"
    assert session.ip_address == "127.0.0.1"
    assert "grpc" in session.user_agent
    assert session.current
    assert session.expires_at == answer.expires_at
    assert session.authenticated_at == session.last_seen_at == answer.details.change_date
    idle = session.idle_expires_at.ToDatetime(UTC) - session.last_seen_at.ToDatetime(UTC)
    assert idle == timedelta(hours=1)


async def test_a_session_token_is_a_token_of_its_user(admin: Client) -> None:
    person = await sessions.person(admin)

    signed_in = await person.sign_in()

    client = signed_in.client
    answer = await client.call(client.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    assert answer.user.user_id == person.user_id


async def test_a_sign_in_is_recorded_with_its_passkey(admin: Client) -> None:
    person = await sessions.with_passkey(await given.user(admin), be=True)

    signed_in = await person.sign_in(be=True, bs=True, sign_count=7)

    [passkey] = await ceremonies.passkeys(person.client)
    assert passkey.last_used_at == signed_in.answer.details.change_date
    assert passkey.backed_up


async def test_a_reauthentication_replaces_the_token(signed_in: SignedIn) -> None:
    options = await sessions.start_reauthentication(signed_in.client)

    answer = await sessions.reauthenticate(signed_in.client, signed_in.person.assertion(options))

    refusal = await given.refusal(sessions.current(signed_in.client))
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    renewed = await sessions.current(signed_in.client.with_token(answer.session_token))
    assert renewed.session_id == signed_in.session_id
    assert renewed.authenticated_at == answer.details.change_date
    assert renewed.expires_at == answer.expires_at
