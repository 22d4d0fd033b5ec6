"""The stream of ended sessions: every end once, only while the watcher has the right."""

import asyncio

import grpc
import pytest

from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.event.disclosure import EVENTS
from server.session.events import EndsSessions, SessionEnded
from tests.session import sessions
from tests.session.watcher import stream, watching
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.grpcweb_client import frame
from tests.support.web_client import web_client
from tests.user import calls as users

_WATCH = "/keystead.session.v1.SessionService/WatchEndedSessions"


def test_every_event_that_names_ended_sessions_has_a_reason() -> None:
    for event in EVENTS.values():
        ends = event is SessionEnded or "ended_session_ids" in event.__match_args__
        assert ends == issubclass(event, EndsSessions) == hasattr(event, "end_reason"), event


async def test_the_sessions_that_end_together_are_told_together(
    few_sessions: Instance, verifier: Client
) -> None:
    person = await sessions.person(few_sessions.admin)
    both = [await person.sign_in(), await person.sign_in()]

    async with watching(verifier) as watcher:
        await sessions.end_all(person.client)
        message = await watcher.read()

    assert {each.session_id for each in message.ended_sessions} == {
        each.session_id for each in both
    }


async def test_a_kept_session_and_a_renewed_one_are_not_told(
    few_sessions: Instance, verifier: Client
) -> None:
    person = await sessions.person(few_sessions.admin)
    kept, ended = await person.sign_in(), await person.sign_in()

    async with watching(verifier) as watcher:
        options = await sessions.start_reauthentication(kept.client)
        renewed = await sessions.reauthenticate(kept.client, person.assertion(options))
        current = kept.client.with_token(renewed.session_token, person.user_id)
        await sessions.end_all(current, keep_current=True)

        await watcher.ended(ended.session_id)


async def test_a_watcher_resumes_after_any_message(own_instance: Instance) -> None:
    verifier = await given.user(own_instance.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    person = await sessions.person(own_instance.admin)
    ids, cursors = [], []
    async with watching(verifier) as watcher:
        cursors.append(watcher.cursor)
        for _ in range(3):
            signed_in = await person.sign_in()
            await sessions.sign_out(signed_in.client)
            await watcher.ended(signed_in.session_id)
            ids.append(signed_in.session_id)
            cursors.append(watcher.cursor)

    for number, cursor in enumerate(cursors):
        async with watching(verifier, after=cursor) as resumed:
            await resumed.ended(*ids[number:])
    async with watching(verifier, after="0") as first:
        await first.ended(*ids)


async def test_a_cursor_that_is_still_to_come_is_refused(
    few_sessions: Instance, verifier: Client
) -> None:
    refused = await stream(verifier, after=str(2**60)).refusal()

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SEQUENCE_UNKNOWN"


@pytest.mark.parametrize("lost", ["token", "role"])
async def test_a_stream_ends_within_five_seconds_after_its_right(
    few_sessions: Instance, verifier: Client, lost: str
) -> None:
    [token] = await users.tokens(few_sessions.admin, verifier.user_id)
    async with watching(verifier) as watcher:
        if lost == "token":
            await users.revoke_token(few_sessions.admin, verifier.user_id, token.token_id)
        else:
            role = user_pb.ROLE_SESSION_VERIFIER
            await users.revoke(few_sessions.admin, verifier.user_id, role)

        async with asyncio.timeout(5):
            refused = await watcher.refusal()

    # The tokens of a service end with its last role.
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED


async def test_grpc_web_carries_thestream(few_sessions: Instance, verifier: Client) -> None:
    signed_in = await sessions.signed_in(few_sessions.admin)
    headers = {
        "content-type": "application/grpc-web+proto",
        "authorization": f"Bearer {verifier.token}",
    }

    async with (
        web_client(few_sessions.web_port) as http,
        http.stream("POST", _WATCH, content=frame(b""), headers=headers) as response,
    ):
        parts = response.aiter_raw()
        first = pb.WatchEndedSessionsResponse.FromString((await anext(parts))[5:])
        await sessions.sign_out(signed_in.client)
        second = pb.WatchEndedSessionsResponse.FromString((await anext(parts))[5:])

    assert response.headers["content-type"] == "application/grpc-web+proto"
    assert not first.ended_sessions
    assert [each.session_id for each in second.ended_sessions] == [signed_in.session_id]


async def test_json_says_that_the_stream_is_not_for_it(
    few_sessions: Instance, verifier: Client
) -> None:
    async with web_client(few_sessions.web_port) as http:
        response = await http.post(
            _WATCH, json={}, headers={"authorization": f"Bearer {verifier.token}"}
        )

    assert response.status_code == 415
    assert "This path takes only gRPC-Web" in response.json()["message"]
