"""The native port survives bytes that no client of grpc would send."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests import given
from tests.given import Instance

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4
_MAX_CONCURRENT_STREAMS = 3  # RFC 9113, section 6.5.2


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """An HTTP/2 frame (RFC 9113, section 4.1)."""
    return (
        len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    )


def _literal(name: bytes, value: bytes) -> bytes:
    """A header that is not indexed and not compressed (RFC 7541, section 6.2.2)."""
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


def _call(path: bytes) -> bytes:
    """A gRPC call with an empty message, as its client would send it."""
    headers = {
        b":method": b"POST",
        b":scheme": b"http",
        b":path": path,
        b":authority": b"localhost",
        b"te": b"trailers",
        b"content-type": b"application/grpc",
    }
    return b"".join(
        (
            _PREFACE,
            _frame(_SETTINGS, 0, 0, b""),
            _frame(_HEADERS, _END_HEADERS, 1, b"".join(map(_literal, headers, headers.values()))),
            _frame(_DATA, _END_STREAM, 1, bytes(5)),
        )
    )


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def _next_frame(reader: asyncio.StreamReader, *, of: int) -> bytes:
    """The payload of the next frame of this kind."""
    while True:
        head = await reader.readexactly(9)
        payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
        if head[3] == of:
            return payload


async def _send_undecodable_path(port: int) -> None:
    """Returns when its call has been answered."""
    async with _connected(port) as (reader, writer):
        writer.write(_call(b"/t.T/\xff\xfe"))
        await _next_frame(reader, of=_HEADERS)


async def test_a_connection_has_no_more_calls_at_once_than_memory_bears(instance: Instance) -> None:
    async with _connected(instance.port) as (reader, writer):
        writer.write(_PREFACE + _frame(_SETTINGS, 0, 0, b""))
        settings = dict(struct.iter_unpack(">HI", await _next_frame(reader, of=_SETTINGS)))

    assert settings[_MAX_CONCURRENT_STREAMS] == 100


async def test_paths_that_are_not_utf_8_harm_nobody(instance: Instance) -> None:
    admin = instance.admin
    idp_id = await given.idp(admin)

    async with given.locked_idp(instance.dsn, idp_id) as connection:
        update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")
        in_flight = asyncio.ensure_future(admin.call(admin.idps.UpdateIDP, update))
        await given.waiting_for_a_lock(connection)
        for _ in range(100):
            await _send_undecodable_path(instance.port)
    await in_flight

    read = await admin.call(admin.idps.GetIDP, idp_pb.GetIDPRequest(idp_id=idp_id))
    assert read.idp.name == "Renamed"
