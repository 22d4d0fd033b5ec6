"""The whole server on the web port: bodies that do not come."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

import pytest

from server.rpc.requests import MAX_ANONYMOUS_MESSAGE_BYTES, MAX_MESSAGE_BYTES
from tests.support.given import Instance
from tests.support.raw_http import request

_WEB = "Content-Type: application/grpc-web+proto"
_GET_USER = "/keystead.user.v1.UserService/GetCurrentUser"


_JSON = "Content-Type: application/json"
_CHECK = "/grpc.health.v1.Health/Check"
_WITHOUT_CALLER, _OF_ADMIN = MAX_ANONYMOUS_MESSAGE_BYTES + 1, MAX_MESSAGE_BYTES + 1
_TOKEN = "Authorization: Bearer <token>"
_DEADLINE = "grpc-timeout: 100m"


def _head_of(size: int) -> bytes:
    """The head of a frame with a message of this size."""
    return bytes(1) + size.to_bytes(4, "big")


# Path, headers, the sent part of the body, the number of announced bytes that are not
# sent, and a part of the head of the answer.
UNSENT: Mapping[str, tuple[str, Sequence[str], bytes, int, bytes]] = {
    "JSON, too large": ("/v1/idps", [_JSON, _TOKEN], b"", 9_999_999_999, b"HTTP/1.1 413 "),
    "JSON, at the deadline": ("/v1/idps", [_JSON, _TOKEN, _DEADLINE], b"{", 8, b"HTTP/1.1 504 "),
    "JSON of an outsider": ("/v1/idps", [_JSON], b"", 100, b"HTTP/1.1 401 "),
    "JSON with a code": ("/v1/users/ada/passkeys", [_JSON], b"", _WITHOUT_CALLER, b"HTTP/1.1 413 "),
    "grpc-web, too large": (
        _CHECK,
        [_WEB, _TOKEN],
        _head_of(_OF_ADMIN),
        _OF_ADMIN,
        b"grpc-status: 8\r\n",
    ),
    "grpc-web, at the deadline": (_CHECK, [_WEB, _DEADLINE], b"\0", 4, b"grpc-status: 4\r\n"),
    "grpc-web, a second message": (_CHECK, [_WEB], _head_of(0) * 2, 990, b"grpc-status: 12\r\n"),
    "grpc-web of an outsider": (_GET_USER, [_WEB], b"", 300_000_000, b"grpc-status: 16\r\n"),
    "grpc-web of an outsider who waits for permission to send": (
        _GET_USER,
        [_WEB, "Expect: 100-continue"],
        b"",
        MAX_MESSAGE_BYTES,
        b"grpc-status: 16\r\n",
    ),
    "grpc-web with a code": (
        "/keystead.passkey.v1.PasskeyService/RegisterPasskey",
        [_WEB],
        _head_of(_WITHOUT_CALLER),
        _WITHOUT_CALLER,
        b"grpc-status: 8\r\n",
    ),
    "health": (_CHECK, [_WEB], _head_of(_WITHOUT_CALLER), _WITHOUT_CALLER, b"grpc-status: 8\r\n"),
}


@pytest.mark.parametrize(
    ("path", "lines", "sent", "unsent", "answer"), UNSENT.values(), ids=UNSENT.keys()
)
async def test_a_body_that_cannot_be_valid_or_comes_too_late_is_not_waited_for(
    instance: Instance, path: str, lines: Sequence[str], sent: bytes, unsent: int, answer: bytes
) -> None:
    headers = [line.replace("<token>", instance.admin.token) for line in lines]
    if _DEADLINE not in lines:
        headers.append("grpc-timeout: 8760H")
    length = f"Content-Length: {len(sent) + unsent}"

    reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
    with contextlib.closing(writer):
        writer.write(request(path, *headers, length, method="POST") + sent)
        head = await reader.readuntil(b"\r\n\r\n")

    assert not head.startswith(b"HTTP/1.1 100 ")
    assert answer in head
