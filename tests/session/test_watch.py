"""The stream of ended sessions: every end once, only while the watcher has the right."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import grpc
import pytest

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.event.disclosure import EVENTS
from server.session.events import EndsSessions, SessionEnded
from tests.conftest import MakeInstance
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.grpcweb_client import frame
from tests.support.web_client import web_client

_WATCH = "/keystead.session.v1.SessionService/WatchEndedSessions"


class _Watcher:
    """A stream of ended sessions with the read position."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.sequence = 0
        self._ended: list[pb.EndedSession] = []

    async def ended(self, *session_ids: str) -> list[pb.EndedSession]:
        """The next ends, which must be those of these sessions in any order."""
        while len(self._ended) < len(session_ids):
            await self.read()
        ended, self._ended = self._ended, []
        assert sorted(each.session_id for each in ended) == sorted(session_ids)
        return ended

    async def read(self) -> pb.WatchEndedSessionsResponse:
        message = await self._stream.read()
        assert isinstance(message, pb.WatchEndedSessionsResponse), "the stream has ended"
        assert message.sequence >= self.sequence
        self.sequence = message.sequence
        self._ended += message.ended_sessions
        return message

    async def refusal(self) -> given.Refusal:
        """The error that the stream ends with."""

        async def to_the_end() -> None:
            while await self._stream.read() is not grpc.aio.EOF:
                pass

        return await given.refusal(to_the_end())


@contextlib.asynccontextmanager
async def _watching(client: Client, after: int | None = None) -> AsyncIterator[_Watcher]:
    """A watcher that has read the first message, which contains only the position."""
    request = pb.WatchEndedSessionsRequest(after_sequence=after)
    stream = client.call(client.sessions.WatchEndedSessions, request)
    watcher = _Watcher(stream)
    try:
        first = await watcher.read()
        assert not first.ended_sessions
        assert after is None or first.sequence == after
        yield watcher
    finally:
        stream.cancel()


@pytest.fixture(scope="module")
async def watched(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server in which only the sessions of these tests end."""
    async with make_instance(max_sessions_per_user=2) as own:
        yield own


@pytest.fixture
async def verifier(watched: Instance) -> Client:
    return await given.user(watched.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])


async def _sign_out(_admin: Client, signed_in: SignedIn) -> None:
    await sessions.sign_out(signed_in.client)


async def _end_by_user(_admin: Client, signed_in: SignedIn) -> None:
    await sessions.end(signed_in.person.client, signed_in.session_id)


async def _end_by_manager(admin: Client, signed_in: SignedIn) -> None:
    await sessions.end(admin, signed_in.session_id, signed_in.person.user_id)


async def _end_all_by_manager(admin: Client, signed_in: SignedIn) -> None:
    await sessions.end_all(admin, signed_in.person.user_id)


async def _remove_passkey(admin: Client, signed_in: SignedIn) -> None:
    person = signed_in.person
    request = passkey_pb.RemovePasskeyRequest(user_id=person.user_id, passkey_id=person.passkey_id)
    await admin.call(admin.passkeys.RemovePasskey, request)


async def _remove_user(admin: Client, signed_in: SignedIn) -> None:
    request = user_pb.RemoveUserRequest(user_id=signed_in.person.user_id)
    await admin.call(admin.users.RemoveUser, request)


async def _sign_in_too_often(_admin: Client, signed_in: SignedIn) -> None:
    await signed_in.person.sign_in()
    await signed_in.person.sign_in()


_CAUSES: Mapping[
    str, tuple[Callable[[Client, SignedIn], Awaitable[None]], pb.EndReason.ValueType]
] = {
    "sign-out": (_sign_out, pb.END_REASON_BY_USER),
    "ended by its user": (_end_by_user, pb.END_REASON_BY_USER),
    "ended by a manager": (_end_by_manager, pb.END_REASON_BY_MANAGER),
    "all ended by a manager": (_end_all_by_manager, pb.END_REASON_BY_MANAGER),
    "passkey removed": (_remove_passkey, pb.END_REASON_PASSKEY_REMOVED),
    "user removed": (_remove_user, pb.END_REASON_USER_REMOVED),
    "too many sessions": (_sign_in_too_often, pb.END_REASON_TOO_MANY_SESSIONS),
}


@pytest.mark.parametrize("cause", _CAUSES)
async def test_whatever_ends_a_session_is_told(
    watched: Instance, verifier: Client, cause: str
) -> None:
    end, reason = _CAUSES[cause]
    org_id = await given.organization(watched.admin)
    signed_in = await (await sessions.person(watched.admin, org_id=org_id)).sign_in()

    async with _watching(verifier) as watcher:
        await end(watched.admin, signed_in)
        [ended] = await watcher.ended(signed_in.session_id)

    assert (ended.user_id, ended.organization_id) == (signed_in.person.user_id, org_id)
    assert ended.reason == reason
    assert ended.end_date.ToDatetime() > signed_in.answer.details.change_date.ToDatetime()


def test_every_event_that_names_ended_sessions_has_a_reason() -> None:
    for event in EVENTS.values():
        ends = event is SessionEnded or "ended_session_ids" in event.__match_args__
        assert ends == issubclass(event, EndsSessions) == hasattr(event, "end_reason"), event


async def test_the_sessions_that_end_together_are_told_together(
    watched: Instance, verifier: Client
) -> None:
    person = await sessions.person(watched.admin)
    both = [await person.sign_in(), await person.sign_in()]

    async with _watching(verifier) as watcher:
        await sessions.end_all(person.client)
        message = await watcher.read()

    assert {each.session_id for each in message.ended_sessions} == {
        each.session_id for each in both
    }


async def test_a_kept_session_and_a_renewed_one_are_not_told(
    watched: Instance, verifier: Client
) -> None:
    person = await sessions.person(watched.admin)
    kept, ended = await person.sign_in(), await person.sign_in()

    async with _watching(verifier) as watcher:
        options = await sessions.start_reauthentication(kept.client)
        renewed = await sessions.reauthenticate(kept.client, person.assertion(options))
        current = kept.client.with_token(renewed.session_token, person.user_id)
        await sessions.end_all(current, keep_current=True)

        await watcher.ended(ended.session_id)


async def test_a_watcher_resumes_after_any_message(own_instance: Instance) -> None:
    verifier = await given.user(own_instance.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    person = await sessions.person(own_instance.admin)
    ids, sequences = [], []
    async with _watching(verifier) as watcher:
        sequences.append(watcher.sequence)
        for _ in range(3):
            signed_in = await person.sign_in()
            await sessions.sign_out(signed_in.client)
            await watcher.ended(signed_in.session_id)
            ids.append(signed_in.session_id)
            sequences.append(watcher.sequence)

    for number, sequence in enumerate(sequences):
        async with _watching(verifier, after=sequence) as resumed:
            await resumed.ended(*ids[number:])
    async with _watching(verifier, after=0) as first:
        await first.ended(*ids)


async def test_a_sequence_that_is_still_to_come_is_refused(
    watched: Instance, verifier: Client
) -> None:
    request = pb.WatchEndedSessionsRequest(after_sequence=2**60)
    stream = verifier.call(verifier.sessions.WatchEndedSessions, request)

    refused = await _Watcher(stream).refusal()

    assert (refused.code, refused.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "SEQUENCE_UNKNOWN",
    )


async def test_a_stream_ends_within_five_seconds_after_its_token_is_revoked(
    watched: Instance, verifier: Client
) -> None:
    tokens = user_pb.ListTokensRequest(user_id=verifier.user_id)
    [token] = (await watched.admin.call(watched.admin.users.ListTokens, tokens)).tokens
    async with _watching(verifier) as watcher:
        request = user_pb.RevokeTokenRequest(user_id=verifier.user_id, token_id=token.token_id)
        await watched.admin.call(watched.admin.users.RevokeToken, request)

        async with asyncio.timeout(5):
            refused = await watcher.refusal()

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_stream_ends_within_five_seconds_after_the_role_is_revoked(
    watched: Instance, verifier: Client
) -> None:
    async with _watching(verifier) as watcher:
        request = user_pb.RevokeRoleRequest(
            user_id=verifier.user_id, role=user_pb.ROLE_SESSION_VERIFIER
        )
        await watched.admin.call(watched.admin.users.RevokeRole, request)

        async with asyncio.timeout(5):
            refused = await watcher.refusal()

    assert refused.code is grpc.StatusCode.PERMISSION_DENIED


async def test_grpc_web_carries_the_stream(watched: Instance, verifier: Client) -> None:
    signed_in = await (await sessions.person(watched.admin)).sign_in()
    headers = {
        "content-type": "application/grpc-web+proto",
        "authorization": f"Bearer {verifier.token}",
    }

    async with (
        web_client(watched.web_port) as http,
        http.stream("POST", _WATCH, content=frame(b""), headers=headers) as response,
    ):
        parts = response.aiter_raw()
        first = pb.WatchEndedSessionsResponse.FromString((await anext(parts))[5:])
        await sessions.sign_out(signed_in.client)
        second = pb.WatchEndedSessionsResponse.FromString((await anext(parts))[5:])

    assert response.headers["content-type"] == "application/grpc-web+proto"
    assert not first.ended_sessions
    assert [each.session_id for each in second.ended_sessions] == [signed_in.session_id]


async def test_json_says_that_the_stream_is_not_for_it(watched: Instance, verifier: Client) -> None:
    async with web_client(watched.web_port) as http:
        response = await http.post(
            _WATCH, json={}, headers={"authorization": f"Bearer {verifier.token}"}
        )

    assert response.status_code == 415
    assert "This path takes only gRPC-Web" in response.json()["message"]
