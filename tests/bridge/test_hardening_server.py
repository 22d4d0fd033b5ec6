"""The whole server on the web port: strangers, and shutdown."""

import asyncio
import contextlib

import pytest
from grpc_health.v1 import health_pb2

from server.rpc.requests import MAX_MESSAGE_BYTES, MAX_STRANGERS_MESSAGE_BYTES
from tests.conftest import MakeInstance
from tests.support.given import Instance
from tests.support.raw_http import request

_GRPC_WEB = "Content-Type: application/grpc-web+proto"


async def test_a_stranger_is_refused_before_the_message_is_sent(instance: Instance) -> None:
    lines = (_GRPC_WEB, "Expect: 100-continue", f"Content-Length: {MAX_MESSAGE_BYTES}")

    reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
    with contextlib.closing(writer):
        writer.write(request("/keystead.user.v1.UserService/GetCurrentUser", *lines, method="POST"))
        # No byte of the message is sent, and the server asks for none.
        answer = await reader.read()

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"grpc-status: 16\r\n" in answer


_REGISTER = "/keystead.passkey.v1.PasskeyService/RegisterPasskey"
_CHECK = "/grpc.health.v1.Health/Check"
_TOO_LARGE = MAX_STRANGERS_MESSAGE_BYTES + 1
_FRAME = bytes(1) + _TOO_LARGE.to_bytes(4, "big")


@pytest.mark.parametrize(
    ("path", "line", "begin", "refused"),
    [
        ("/v1/users/ada/passkeys", "Content-Type: application/json", b"", b"HTTP/1.1 413 "),
        (_REGISTER, _GRPC_WEB, _FRAME, b"grpc-status: 8\r\n"),
        (_CHECK, _GRPC_WEB, _FRAME, b"grpc-status: 8\r\n"),
    ],
    ids=["a code in JSON", "a code over grpc-web", "health"],
)
async def test_a_large_message_of_a_stranger_is_not_waited_for(
    instance: Instance, path: str, line: str, begin: bytes, refused: bytes
) -> None:
    lines = (line, f"Content-Length: {len(begin) + _TOO_LARGE}", "grpc-timeout: 8760H")

    reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
    with contextlib.closing(writer):
        writer.write(request(path, *lines, method="POST") + begin)

        assert refused in await reader.readuntil(b"\r\n\r\n")


async def test_the_end_of_the_server_ends_streams(make_instance: MakeInstance) -> None:
    message = health_pb2.HealthCheckRequest().SerializeToString()
    async with make_instance() as instance:
        reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
        frame = bytes(1) + len(message).to_bytes(4, "big") + message
        writer.write(request("/grpc.health.v1.Health/Watch", _GRPC_WEB, method="POST", body=frame))
        await reader.readuntil(health_pb2.HealthCheckResponse(status=1).SerializeToString())

    with contextlib.closing(writer):
        assert b"grpc-status: 14\r\n" in await reader.read()
