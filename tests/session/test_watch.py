"""The stream of ended sessions: every end once, only while the watcher has the right."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.event.disclosure import EVENTS
from server.session.events import EndsSessions, SessionEnded
from tests.conftest import MakeInstance
from tests.passkey import ceremonies
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.grpcweb_client import frame
from tests.support.streams import Watcher
from tests.support.web_client import web_client
from tests.user import calls as users

_WATCH = "/keystead.session.v1.SessionService/WatchEndedSessions"


class _Watcher(Watcher):
    """A stream of ended sessions."""

    async def ended(self, *session_ids: str) -> list[pb.EndedSession]:
        """The next ends, which must be those of these sessions in any order."""
        ended: list[pb.EndedSession] = []
        while len(ended) < len(session_ids):
            ended += (await self.read()).ended_sessions
        assert sorted(each.session_id for each in ended) == sorted(session_ids)
        return ended


def _stream(client: Client, after: str = "") -> _Watcher:
    request = pb.WatchEndedSessionsRequest(after_cursor=after)
    return _Watcher(client.call(client.sessions.WatchEndedSessions, request))


def _watching(client: Client, after: str = "") -> contextlib.AbstractAsyncContextManager[_Watcher]:
    """A watcher that has read the first message, which contains only the position."""
    return _stream(client, after).begun(after)


@pytest.fixture(scope="module")
async def watched(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server in which only the sessions of these tests end."""
    async with make_instance(max_sessions_per_user=2) as own:
        yield own


@pytest.fixture
async def verifier(watched: Instance) -> Client:
    return await given.user(watched.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])


async def _sign_in_too_often(_admin: Client, signed_in: SignedIn) -> None:
    await signed_in.person.sign_in()
    await signed_in.person.sign_in()


_CAUSES: Mapping[
    str, tuple[Callable[[Client, SignedIn], Awaitable[object]], pb.EndReason.ValueType]
] = {
    "sign-out": (lambda _, its: sessions.sign_out(its.client), pb.END_REASON_BY_USER),
    "ended by its user": (
        lambda _, its: sessions.end(its.person.client, its.session_id),
        pb.END_REASON_BY_USER,
    ),
    "ended by a manager": (
        lambda admin, its: sessions.end(admin, its.session_id, its.person.user_id),
        pb.END_REASON_BY_MANAGER,
    ),
    "all ended by a manager": (
        lambda admin, its: sessions.end_all(admin, its.person.user_id),
        pb.END_REASON_BY_MANAGER,
    ),
    "passkey removed": (
        lambda admin, its: ceremonies.remove(
            admin, its.person.passkey_id, user_id=its.person.user_id
        ),
        pb.END_REASON_PASSKEY_REMOVED,
    ),
    "user removed": (
        lambda admin, its: users.remove(admin, its.person.user_id),
        pb.END_REASON_USER_REMOVED,
    ),
    "user locked": (
        lambda admin, its: users.lock(admin, its.person.user_id),
        pb.END_REASON_USER_LOCKED,
    ),
    "too many sessions": (_sign_in_too_often, pb.END_REASON_TOO_MANY_SESSIONS),
}


@pytest.mark.parametrize("cause", _CAUSES)
async def test_whatever_ends_a_session_is_told(
    watched: Instance, verifier: Client, cause: str
) -> None:
    end, reason = _CAUSES[cause]
    org_id = await given.organization(watched.admin)
    signed_in = await sessions.signed_in(watched.admin, org_id=org_id)

    async with _watching(verifier) as watcher:
        await end(watched.admin, signed_in)
        [ended] = await watcher.ended(signed_in.session_id)

    assert (ended.user_id, ended.org_id) == (signed_in.person.user_id, org_id)
    assert ended.reason == reason
    assert ended.ended_at.ToDatetime() > signed_in.answer.details.change_date.ToDatetime()


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
    ids, cursors = [], []
    async with _watching(verifier) as watcher:
        cursors.append(watcher.cursor)
        for _ in range(3):
            signed_in = await person.sign_in()
            await sessions.sign_out(signed_in.client)
            await watcher.ended(signed_in.session_id)
            ids.append(signed_in.session_id)
            cursors.append(watcher.cursor)

    for number, cursor in enumerate(cursors):
        async with _watching(verifier, after=cursor) as resumed:
            await resumed.ended(*ids[number:])
    async with _watching(verifier, after="0") as first:
        await first.ended(*ids)


async def test_a_cursor_that_is_still_to_come_is_refused(
    watched: Instance, verifier: Client
) -> None:
    refused = await _stream(verifier, after=str(2**60)).refusal()

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SEQUENCE_UNKNOWN"


@pytest.mark.parametrize("lost", ["token", "role"])
async def test_a_stream_ends_within_five_seconds_after_its_right(
    watched: Instance, verifier: Client, lost: str
) -> None:
    [token] = await users.tokens(watched.admin, verifier.user_id)
    async with _watching(verifier) as watcher:
        if lost == "token":
            await users.revoke_token(watched.admin, verifier.user_id, token.token_id)
        else:
            role = user_pb.ROLE_SESSION_VERIFIER
            await users.revoke(watched.admin, verifier.user_id, role)

        async with asyncio.timeout(5):
            refused = await watcher.refusal()

    # The tokens of a service end with its last role.
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_grpc_web_carries_the_stream(watched: Instance, verifier: Client) -> None:
    signed_in = await sessions.signed_in(watched.admin)
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
