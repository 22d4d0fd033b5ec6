"""Streams as server-sent events, for a browser's EventSource and for `curl -N`."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import structlog
from starlette.types import Message

from bridge.json.event_stream import EventStream
from keystead.event.v1 import event_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.call import Call
from server.rpc.declared import Method
from server.rpc.status import end_of_call
from server.values.errors import Failure, Kind
from tests.event import calls
from tests.idp import calls as idp_calls
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance

pytestmark = pytest.mark.python_differs("asyncio cancels and wakes tasks in another order")

_EVENTS = "/v1/events:watch"


@dataclass(frozen=True)
class _Event:
    """An event of a stream (WHATWG HTML, section 9.2.6)."""

    fields: Mapping[str, str]

    @property
    def data(self) -> Any:
        return json.loads(self.fields["data"])


class _Stream:
    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self) -> _Event:
        fields: dict[str, str] = {}
        async with asyncio.timeout(10):
            async for line in self._lines:
                if not line:
                    break
                name, _, value = line.partition(": ")
                assert name not in fields
                fields[name] = value
        return _Event(fields)

    async def ended(self) -> bool:
        return [line async for line in self._lines] == []


@pytest.fixture
async def owner(instance: Instance) -> Client:
    """An owner, the only user of an organization whose events all have their positions."""
    owner = await given.user(instance.admin, roles=[user_pb.ROLE_ORG_OWNER])
    await calls.positioned(instance)
    return owner


@contextlib.asynccontextmanager
async def _streaming(
    web: httpx2.AsyncClient, caller: Client, path: str = _EVENTS, **headers: str
) -> AsyncIterator[_Stream]:
    sent = {"authorization": f"Bearer {caller.token}", **headers}
    async with web.stream("GET", path, headers=sent) as response:
        assert response.status_code == 200
        yield _Stream(response)


async def test_each_message_is_an_event(web: httpx2.AsyncClient, owner: Client) -> None:
    async with _streaming(web, owner, accept="text/event-stream") as stream:
        first = await stream.next()
        added = await idp_calls.add(owner, name="Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")
        second = await stream.next()

    assert stream.response.headers["content-type"] == "text/event-stream"
    assert stream.response.headers["cache-control"] == "no-store"
    assert first.fields.keys() == {"retry", "id", "data"}
    assert first.data == {"cursor": first.fields["id"], "events": []}
    assert second.fields.keys() == {"id", "data"}
    assert second.fields["id"] == second.data["cursor"]
    [event] = second.data["events"]
    assert (event["aggregateId"], event["payload"]["name"]) == (
        added.idp_id,
        "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}",
    )


async def test_the_last_event_id_wins_over_the_query(
    web: httpx2.AsyncClient, owner: Client
) -> None:
    async with _streaming(web, owner) as stream:
        await stream.next()
        first = await idp_calls.add(owner)
        after_first = (await stream.next()).fields["id"]
    second = await idp_calls.add(owner)

    path = f"{_EVENTS}?afterCursor=0&eventTypes=idp.added"
    async with _streaming(web, owner, path, **{"last-event-id": after_first}) as stream:
        assert (await stream.next()).fields["id"] == after_first
        resumed = (await stream.next()).data
    async with _streaming(web, owner, path) as stream:
        await stream.next()
        whole = (await stream.next()).data

    assert [event["aggregateId"] for event in resumed["events"]] == [second.idp_id]
    assert first.idp_id in [event["aggregateId"] for event in whole["events"]]


@pytest.mark.parametrize("value", ["", "-1", "1.0", "x", "1 2"])
async def test_an_id_that_no_event_has_is_refused(
    web: httpx2.AsyncClient, owner: Client, value: str
) -> None:
    headers = {"authorization": f"Bearer {owner.token}", "last-event-id": value}

    refused = given_refusal(await web.get(_EVENTS, headers=headers))

    assert refused == (400, "MALFORMED_HEADER")


async def test_before_the_first_message_errors_are_those_of_json(
    web: httpx2.AsyncClient, owner: Client
) -> None:
    token = {"authorization": f"Bearer {owner.token}"}

    outsider = await web.get(_EVENTS)
    too_much = await web.get(f"{_EVENTS}?allOrganizations=true", headers=token)
    unknown = await web.get(f"{_EVENTS}?since=x", headers=token)
    to_come = await web.get(_EVENTS, headers={**token, "last-event-id": str(2**60)})

    assert given_refusal(outsider)[0] == 401
    assert given_refusal(too_much)[0] == 403
    assert given_refusal(unknown)[0] == 400
    assert given_refusal(to_come) == (400, "SEQUENCE_UNKNOWN")


def given_refusal(response: httpx2.Response) -> tuple[int, str]:
    """The status and the reason of an error, which is JSON."""
    assert response.headers["content-type"] == "application/json"
    [info] = [each for each in response.json()["details"] if each["@type"].endswith("ErrorInfo")]
    return response.status_code, info["reason"]


async def test_a_stream_that_fails_ends_with_the_error(
    web: httpx2.AsyncClient, owner: Client
) -> None:
    async with _streaming(web, owner, **{"grpc-timeout": "300m"}) as stream:
        await stream.next()
        last = await stream.next()

        assert last.fields["event"] == "error"
        assert last.fields.keys() == {"event", "data"}
        assert last.data["code"] == 4
        assert await stream.ended()


async def test_a_client_that_leaves_ends_its_call(web: httpx2.AsyncClient, owner: Client) -> None:
    with structlog.testing.capture_logs() as logs:
        async with _streaming(web, owner, **{"x-request-id": "left"}) as stream:
            await stream.next()

        assert (await given.call_line(logs, request_id="left"))["code"] == "CANCELLED"


async def test_a_stream_has_no_head(web: httpx2.AsyncClient, owner: Client) -> None:
    response = await web.head(_EVENTS, headers={"authorization": f"Bearer {owner.token}"})

    assert response.status_code == 405
    assert response.headers["allow"] == "GET, OPTIONS"


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("same-site", 401), ("cross-site", 401)]
)
async def test_a_page_of_the_server_alone_watches_by_its_cookie(
    instance: Instance, web: httpx2.AsyncClient, owner: Client, site: str, status: int
) -> None:
    """Like EventSource: GET, without a preflight and, on the same origin, without Origin."""
    session = await (await sessions.with_passkey(owner)).sign_in()
    headers = {"cookie": f"__Host-keystead={session.client.token}", "sec-fetch-site": site}

    async with web.stream("GET", _EVENTS, headers=headers) as response:
        assert response.status_code == status


async def test_the_ends_of_sessions_are_events_too(
    web: httpx2.AsyncClient, instance: Instance
) -> None:
    verifier = await given.user(instance.admin, roles=[user_pb.ROLE_SESSION_VERIFIER])
    signed_in = await (await sessions.person(instance.admin)).sign_in()

    async with _streaming(web, verifier, "/v1/sessions:watchEnded") as stream:
        await stream.next()
        await sessions.sign_out(signed_in.client)
        told = await stream.next()

    assert told.fields["id"] == told.data["cursor"]
    assert signed_in.session_id in [each["sessionId"] for each in told.data["endedSessions"]]


class TestWithoutAServer:
    """The answer without a server, with a client that reads when a test chooses."""

    def setup_method(self) -> None:
        self.sent: list[Message] = []

    async def _send(self, message: Message) -> None:
        self.sent.append(message)

    def _stream(self) -> EventStream:
        call = Call(Method("/a/B"), [], peer="", time_left=None, default_timeout=60)
        return EventStream(call, self._send, "cursor")

    async def test_a_stream_without_messages_is_an_answer(self) -> None:
        await self._stream().succeed()

        assert [each["type"] for each in self.sent] == [
            "http.response.start",
            "http.response.body",
            "http.response.body",
        ]
        assert not self.sent[-1].get("more_body")

    async def test_the_error_is_the_last_event(self) -> None:
        stream = self._stream()
        await stream.write(pb.WatchEventsResponse(cursor="7"))
        failure = Failure(Kind.ABORTED, "STREAM_NOT_READ", "Read.")
        await stream.fail(end_of_call(failure, "id", ()))

        body = b"".join(each.get("body", b"") for each in self.sent)
        assert body.startswith(b'retry: 1000\nid: 7\ndata: {"cursor":"7","events":[]}\n\n')
        assert b'event: error\ndata: {"code":10' in body
        assert body.endswith(b"}\n\n")
