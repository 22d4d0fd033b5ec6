"""The native port: how it ends, and that it survives bytes that no client of grpc would send."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn, cast

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as idp_pb_grpc
from server.caller import TokenKind, new_token
from server.database import Database
from server.health import Health
from server.idp.service import IdentityProviderService
from server.native import NativePort
from tests import given
from tests.given import Client, Instance

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


# The end


@contextlib.asynccontextmanager
async def _channels(port: int, number: int) -> AsyncIterator[list[grpc.aio.Channel]]:
    """So many connections."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)
            )
            for _ in range(number)
        ]


@contextlib.asynccontextmanager
async def _ending(
    *, connections: int, idps: IdentityProviderService | None = None
) -> AsyncIterator[tuple[list[grpc.aio.Channel], int, Callable[[], Awaitable[None]]]]:
    """Connections to a server, its port, and what ends it: as `app` does, without a grace."""
    methods = given.seam()
    server = cast(grpc.aio.Server, methods)
    health = Health(cast(Database, None), cast(Database, None), methods.services)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    idp_pb_grpc.add_IdentityProviderServiceServicer_to_server(
        idps or IdentityProviderService(cast(Database, None)), server
    )
    port = NativePort(methods, "127.0.0.1:0", shared=False)
    async with contextlib.AsyncExitStack() as serving:
        await serving.enter_async_context(port.serving())

        async def end() -> None:
            methods.close()
            methods.cut_off()
            await serving.aclose()

        async with _channels(port.port, connections) as channels:
            yield channels, port.port, end


async def _told(watch: Any) -> str:
    """Why a stream ended."""
    return (await given.refusal(_read_to_its_end(watch))).reason


async def _read_to_its_end(watch: Any) -> None:
    while await watch.read() is not grpc.aio.EOF:
        pass


async def _watching(channel: grpc.aio.Channel) -> Any:
    watch = health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest())
    await watch.read()
    return watch


async def test_every_open_stream_is_told_of_the_end() -> None:
    async with _ending(connections=20) as (channels, _port, end):
        watches = [await _watching(channel) for channel in channels for _ in range(10)]

        await end()

        assert {await _told(watch) for watch in watches} == {"SHUTTING_DOWN"}


async def test_a_stream_that_is_opened_again_at_the_end_is_told_too() -> None:
    async with _ending(connections=1) as ([channel], _port, end):
        watch = await _watching(channel)

        async def watch_again() -> str:
            await _told(watch)
            return await _told(health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest()))

        again = asyncio.create_task(watch_again())
        await end()

        assert await again == "SHUTTING_DOWN"


async def test_every_call_that_has_arrived_at_the_end_is_told_of_it() -> None:
    async with _ending(connections=1) as ([channel], _port, end):
        client = Client(channel, new_token(TokenKind.USER))
        await channel.channel_ready()
        calls = [client.call(client.idps.ListIDPs, idp_pb.ListIDPsRequest()) for _ in range(100)]
        refused = asyncio.gather(*map(given.refusal, calls))
        await end()

        assert {each.reason for each in await refused} == {"SHUTTING_DOWN"}


class _Slow(IdentityProviderService):
    """A service whose calls, cut off, do not end before they may."""

    def __init__(self) -> None:
        self.began, self.may_end = asyncio.Event(), asyncio.Event()

    async def ListIDPs(self, _request: object, _context: object) -> NoReturn:  # noqa: N802
        self.began.set()
        try:
            await asyncio.Future()
        finally:
            await self.may_end.wait()
        raise AssertionError("nothing ends the future")


async def test_a_call_that_is_cut_off_and_ends_late_is_told_too() -> None:
    slow = _Slow()
    async with _ending(connections=1, idps=slow) as ([channel], port, end):
        client = Client(channel, new_token(TokenKind.USER))
        call = client.call(client.idps.ListIDPs, idp_pb.ListIDPsRequest())
        refused = asyncio.create_task(given.refusal(call))
        await slow.began.wait()

        ending = asyncio.ensure_future(end())
        await given.eventually(lambda: _is_closed(port))
        slow.may_end.set()
        await ending

        assert (await refused).reason == "SHUTTING_DOWN"


async def _is_closed(port: int) -> bool:
    try:
        async with _connected(port):
            return False
    except ConnectionRefusedError:
        return True
