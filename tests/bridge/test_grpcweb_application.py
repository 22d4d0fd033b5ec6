"""grpc-web without a port: random requests, and cases that a real port does not show."""

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import httpx2
import pytest
from grpc_health.v1.health_pb2 import HealthCheckResponse
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import ASGIApp

from bridge import request_body
from tests.bridge.servicer import grpc_web, methods
from tests.support.grpcweb_client import Answer, frame

_CHECK = "/grpc.health.v1.Health/Check"
_CONTENT_TYPE = (b"content-type", b"application/grpc-web")
_INTERNAL = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}

_NAMES = st.sampled_from(
    [b"accept", b"grpc-timeout", b"grpc-encoding", b"x-request-id", b"x-bin", b"cookie", b"te"]
)
_VALUES = st.binary(max_size=20) | st.sampled_from(
    [b"application/grpc-web-text", b"1S", b"identity", b"gzip", b"AA=="]
)


async def _answer(
    app: ASGIApp, headers: Sequence[tuple[bytes, bytes]], pieces: Sequence[bytes]
) -> Answer:
    """The answer of the application to a body in these pieces. Its client stays connected."""
    unread = list(pieces)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not unread:
            await asyncio.Event().wait()
        piece = unread.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(unread)}

    async def send(event: Any) -> None:
        sent.append(event)

    scope = {
        "type": "http",
        "method": "POST",
        "path": _CHECK,
        "raw_path": _CHECK.encode(),
        "headers": list(headers),
        "client": None,
    }
    await app(scope, receive, send)
    start, *bodies = sent
    return Answer.of(
        httpx2.Response(
            start["status"],
            headers=start["headers"],
            content=b"".join(event["body"] for event in bodies),
        )
    )


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    """An application whose health is always SERVING."""
    return grpc_web(methods())


@given(st.lists(st.tuples(_NAMES, _VALUES), max_size=6))
async def test_no_headers_break_the_server(
    app: ASGIApp, headers: list[tuple[bytes, bytes]]
) -> None:
    answer = await _answer(app, [_CONTENT_TYPE, *headers], [frame(b"")])

    assert answer.code not in _INTERNAL
    assert answer.status["x-request-id"]


async def test_the_watch_for_the_client_ends_with_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_body, "_WATCHED_AFTER_SECONDS", 0)
    before = asyncio.all_tasks()

    async def check() -> HealthCheckResponse:
        while asyncio.all_tasks() <= before:  # noqa: ASYNC110 -- nothing signals it
            await asyncio.sleep(0)
        return HealthCheckResponse()

    app = grpc_web(methods(check=check))

    answer = await _answer(app, [_CONTENT_TYPE], [frame(b"")])

    assert answer.code is grpc.StatusCode.OK
    while not asyncio.all_tasks() <= before:  # noqa: ASYNC110 -- as above
        await asyncio.sleep(0)
