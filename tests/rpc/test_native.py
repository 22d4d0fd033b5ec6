"""The native port: shutdown, and bytes that no gRPC client sends."""

import asyncio
import contextlib
import resource
import struct
import uuid
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any, NoReturn, Protocol, cast
from unittest.mock import patch

import grpc
import pytest
import structlog
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as idp_pb_grpc
from server.access.tokens import TokenKind, new_token
from server.idp.commands import EndSessionsOfIDP, LockGroups
from server.idp.service import IdentityProviderService
from server.rpc import native as native_port
from server.rpc.health import Health
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.rpc.reflection import add_reflection
from server.rpc.running_calls import QUIET_SECONDS
from server.store.database import Database
from tests.bridge import servicer
from tests.support import given, http2
from tests.support.given import Client, Instance
from tests.support.process import serve_forked
from tests.support.streams import refusal_of

_MAX_CONCURRENT_STREAMS = 3  # RFC 9113, section 6.5.2
_PROTOCOL_ERROR = 1
_HEADER_TABLE_SIZE, _DEFAULT_TABLE_BYTES = 1, 4096
_CHECK = b"/grpc.health.v1.Health/Check"
_LIST_IDPS = b"/keystead.idp.v1.IdentityProviderService/ListIDPs"
_WATCH = b"/grpc.health.v1.Health/Watch"
_REFLECT = b"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


async def _send_undecodable_path(port: int) -> None:
    """Waits until the call has been answered."""
    async with http2.connected(port) as connection:
        block = http2.call(b"/t.T/\xff\xfe")
        connection.writer.write(
            http2.header_frames(block, stream=1)
            + http2.frame(http2.DATA, http2.END_STREAM, 1, http2.EMPTY_MESSAGE)
        )
        await connection.next_of(http2.HEADERS)


async def test_a_connection_has_no_more_calls_at_once_than_memory_bears(instance: Instance) -> None:
    async with http2.connected(instance.port) as connection:
        payload = (await connection.next_of(http2.SETTINGS)).payload
        settings = dict(struct.iter_unpack(">HI", payload))

    assert settings[_MAX_CONCURRENT_STREAMS] == 100


class _Held(IdentityProviderService):
    """A service whose calls end when a test permits it."""

    def __init__(self) -> None:
        self.began, self.may_end = asyncio.Event(), asyncio.Event()

    async def GetIDP(self, _request: object, _context: object) -> idp_pb.GetIDPResponse:  # noqa: N802
        self.began.set()
        await self.may_end.wait()
        return idp_pb.GetIDPResponse()


async def test_paths_that_are_not_utf_8_harm_nobody() -> None:
    held, request = _Held(), idp_pb.GetIDPRequest(idp_id="a")
    async with (
        _serving(given.seam(default_timeout=3600), held) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        client = Client(channel, new_token(TokenKind.USER))
        in_flight = asyncio.ensure_future(client.call(client.idps.GetIDP, request))
        await held.began.wait()
        for _ in range(100):
            await _send_undecodable_path(port)
        held.may_end.set()

        await in_flight
        await client.call(client.idps.GetIDP, request)


def _check(stream: int, *, prefix: bytes = b"", more: bytes = b"") -> bytes:
    """A call of the health service, with these bytes at the ends of its header block."""
    block = prefix + http2.call(_CHECK) + more
    message = http2.frame(http2.DATA, http2.END_STREAM, stream, http2.EMPTY_MESSAGE)
    return http2.header_frames(block, stream=stream) + message


@pytest.mark.parametrize(
    ("name", "malformed", "valid"),
    [
        (b"grpc-timeout", b"soon", b"10S"),
        (b"grpc-encoding", b"none", b"identity"),
        (b"te", b"nothing", b"trailers"),
    ],
)
async def test_a_malformed_header_harms_no_later_call_of_its_connection(
    instance: Instance, name: bytes, malformed: bytes, valid: bytes
) -> None:
    async with http2.connected(instance.port) as connection:
        settings = dict(struct.iter_unpack(">HI", (await connection.acknowledge()).payload))
        # As a proxy does, with a header table of the maximum size.
        if settings.get(_HEADER_TABLE_SIZE, _DEFAULT_TABLE_BYTES):
            resized, again = b"", b"\x0f\x2f" + bytes([len(valid)]) + valid  # the newest name
        else:
            resized, again = b"\x20", http2.literal(name, valid)
        poison = http2.literal(name, malformed, indexed=True)
        connection.writer.write(_check(1, prefix=resized, more=poison))
        await connection.end_of([1])
        connection.writer.write(_check(3, more=again))
        answered = (await connection.end_of([3]))[3]

    assert http2.DATA in {each.kind for each in answered}


@pytest.mark.parametrize("asked_for", [False, True])
async def test_a_header_table_is_kept_where_it_is_asked_for(asked_for: bool) -> None:
    async with (
        _serving(header_table=asked_for) as port,
        http2.connected(port) as connection,
    ):
        settings = dict(struct.iter_unpack(">HI", (await connection.acknowledge()).payload))

    announced = settings.get(_HEADER_TABLE_SIZE, _DEFAULT_TABLE_BYTES)
    assert announced == (_DEFAULT_TABLE_BYTES if asked_for else 0)


# Calls without a complete message


def _bearer() -> bytes:
    return f"Bearer {new_token(TokenKind.USER)}".encode()


async def _code_of(
    connection: http2.Connection,
    path: bytes,
    *,
    metadata: bytes = b"",
    body: bytes = b"",
) -> str:
    """The code in the log of a call that sends only these bytes."""
    request_id = uuid.uuid4().hex
    await connection.acknowledge()
    with structlog.testing.capture_logs() as logs:
        block = http2.call(path) + http2.literal(b"x-request-id", request_id.encode()) + metadata
        connection.writer.write(http2.header_frames(block, stream=1) + body)
        await connection.end_of([1])
        return (await given.call_line(logs, request_id=request_id))["code"]


@pytest.mark.parametrize("path", [_LIST_IDPS, _CHECK, _WATCH, _REFLECT])
@pytest.mark.parametrize(
    "deadline", [b"", http2.literal(b"grpc-timeout", b"1H")], ids=["no deadline", "far deadline"]
)
async def test_a_call_without_its_message_ends_by_the_default_timeout(
    path: bytes, deadline: bytes
) -> None:
    methods = given.seam(default_timeout=0.2)
    async with (
        _serving(methods) as port,
        http2.connected(port) as connection,
    ):
        metadata = http2.literal(b"authorization", _bearer()) + deadline
        assert await _code_of(connection, path, metadata=metadata) == "DEADLINE_EXCEEDED"


@pytest.mark.parametrize(
    "sent", [b"", http2.EMPTY_MESSAGE[:3], b"\0\0\0\1\0half"], ids=["nothing", "head", "half"]
)
async def test_a_call_that_ends_before_its_message_does_is_answered(sent: bytes) -> None:
    async with (
        _serving() as port,
        http2.connected(port) as connection,
    ):
        body = http2.frame(http2.DATA, http2.END_STREAM, 1, sent)
        assert await _code_of(connection, _CHECK, body=body) == "UNIMPLEMENTED"


async def test_a_client_that_leaves_before_its_message_is_there_has_cancelled() -> None:
    request_id = uuid.uuid4().hex
    block = http2.call(_CHECK) + http2.literal(b"x-request-id", request_id.encode())
    async with _serving() as port:
        with structlog.testing.capture_logs() as logs:
            async with http2.connected(port) as connection:
                await connection.acknowledge()
                connection.writer.write(http2.header_frames(block, stream=1))
                await connection.ping()
                connection.writer.write(http2.frame(http2.RST_STREAM, 0, 1, bytes(4)))
                assert (await given.call_line(logs, request_id=request_id))["code"] == "CANCELLED"


async def test_anonymous_callers_are_refused_before_their_message_comes() -> None:
    async with (
        _serving() as port,
        http2.connected(port) as connection,
    ):
        assert await _code_of(connection, _LIST_IDPS) == "UNAUTHENTICATED"


# Calls that are reset


async def test_calls_that_are_reset_at_once_are_refused_before_they_pile_up() -> None:
    number = 3_000
    async with _serving() as port, http2.established(port) as connection:
        for stream in range(1, 2 * number, 2):
            connection.writer.write(http2.header_frames(http2.call(_CHECK), stream=stream))
            connection.writer.write(http2.frame(http2.RST_STREAM, 0, stream, bytes(4)))
        connection.writer.write(http2.frame(http2.PING, 0, 0, bytes(8)))
        refused = 0
        while (received := await connection.next_frame()).kind != http2.PING or not received.flags:
            refused += received.kind == http2.RST_STREAM
            if received.kind == http2.PING:  # gRPC sends them for some of the resets
                connection.writer.write(http2.frame(http2.PING, http2.ACK, 0, received.payload))

    assert refused > number / 2


async def test_a_client_within_its_limit_of_calls_is_never_refused() -> None:
    async with (
        _serving() as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        health = health_pb2_grpc.HealthStub(channel)

        async def call_repeatedly() -> None:
            for _ in range(10):
                await health.Check(HealthCheckRequest())

        await asyncio.gather(*(call_repeatedly() for _ in range(150)))


# Connections


async def test_connections_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (4, 4))
    async with (
        _serving() as port,
        http2.connected(port) as first,
        http2.connected(port) as second,
        http2.connected(port) as third,
    ):
        await first.acknowledge()
        await second.acknowledge()
        await third.closed()
        first.writer.write(_check(1))
        assert http2.DATA in {each.kind for each in (await first.end_of([1]))[1]}


async def test_a_client_must_acknowledge_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    options = dict(native_port._OPTIONS)  # noqa: SLF001
    assert options["grpc.http2.settings_timeout"] == 5_000
    shortened = options | {"grpc.http2.settings_timeout": 200}
    monkeypatch.setattr(native_port, "_OPTIONS", tuple(shortened.items()))
    async with (
        _serving() as port,
        http2.connected(port) as connection,
    ):
        goaway = await connection.next_of(http2.GOAWAY)
        await connection.closed()

    assert b"settings_timeout" in goaway.payload


async def test_clients_write_nothing_into_the_log(tmp_path: Path, dsn: str) -> None:
    payload = struct.pack(">II", 0, _PROTOCOL_ERROR) + b"\x1b]0;forged\x07\nforged"
    async with serve_forked(tmp_path, database_url=dsn) as server:
        async with http2.established(await server.port()) as connection:
            connection.writer.write(http2.frame(http2.GOAWAY, 0, 0, payload) * 100)
            connection.writer.write(_check(1, more=http2.literal(b"grpc-timeout", b"soon")))
            await connection.ping()
        assert await server.end() == 0

        lines = server.errors.splitlines()
        assert len(server.log) == len(lines)  # each is a line of the server
        assert "forged" not in server.errors


# Shutdown


@contextlib.asynccontextmanager
async def _channels(port: int, number: int) -> AsyncIterator[list[grpc.aio.Channel]]:
    """This number of connections."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)
            )
            for _ in range(number)
        ]


@contextlib.asynccontextmanager
async def _serving(
    methods: Methods | None = None,
    idps: IdentityProviderService | None = None,
    *,
    header_table: bool = False,
) -> AsyncIterator[int]:
    """The port of a server without a database."""
    methods = methods or given.seam()
    server = cast(grpc.aio.Server, methods)
    health = Health(cast(Database, None), cast(Database, None), methods.services)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    idp_pb_grpc.add_IdentityProviderServiceServicer_to_server(
        idps or _idps_without_a_database(), server
    )
    add_reflection(methods.services, server, aliases={})
    native = NativePort(
        methods,
        "127.0.0.1:0",
        shared=False,
        header_table=header_table,
        quiet_seconds=QUIET_SECONDS,
    )
    async with native.serving():
        yield native.port


def _idps_without_a_database() -> IdentityProviderService:
    return IdentityProviderService(
        cast(Database, None),
        end_sessions=cast(EndSessionsOfIDP, None),
        lock_groups=cast(LockGroups, None),
    )


class _End(Protocol):
    def __call__(self, in_transit: asyncio.Future[Any] | None = None) -> Awaitable[None]: ...


@contextlib.asynccontextmanager
async def _ending(
    *, connections: int, idps: IdentityProviderService | None = None
) -> AsyncIterator[tuple[list[grpc.aio.Channel], int, _End]]:
    """Channels to a server, its port, and a function that ends it without a grace period.

    With calls in transit the server ends as if the last of them arrived in its quiet time, however
    slow this machine is.
    """
    methods = given.seam()
    async with contextlib.AsyncExitStack() as serving:
        port = await serving.enter_async_context(_serving(methods, idps))

        async def end(in_transit: asyncio.Future[Any] | None = None) -> None:
            async def answered(*_seconds: float, **_most: float) -> None:
                assert in_transit is not None
                await asyncio.wait([in_transit])

            methods.running.close()
            methods.running.cut_off()
            with contextlib.ExitStack() as patched:
                if in_transit is not None:
                    patched.enter_context(patch.object(methods.running, "quiet", answered))
                await serving.aclose()

        async with _channels(port, connections) as channels:
            yield channels, port, end


async def _told(watch: Any) -> str:
    """The reason of the stream's end."""
    return (await refusal_of(watch)).reason


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
            await asyncio.sleep(0.1)  # the delay of a distant client
            return await _told(health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest()))

        again = asyncio.create_task(watch_again())
        await end(again)

        assert await again == "SHUTTING_DOWN"


async def test_every_call_that_has_arrived_at_the_end_is_told_of_it() -> None:
    async with _ending(connections=1) as ([channel], _port, end):
        client = Client(channel, new_token(TokenKind.USER))
        await channel.channel_ready()
        calls = [client.call(client.idps.ListIDPs, idp_pb.ListIDPsRequest()) for _ in range(100)]
        refused = asyncio.gather(*map(given.refusal, calls))
        await end(refused)

        assert {each.reason for each in await refused} == {"SHUTTING_DOWN"}


async def test_a_stream_that_is_cut_off_while_it_writes_its_first_message_is_told() -> None:
    async def watch() -> AsyncIterator[HealthCheckResponse]:
        asyncio.get_running_loop().call_soon(methods.running.cut_off)
        yield HealthCheckResponse()
        await asyncio.Future()

    methods = servicer.methods(watch=watch)
    port = NativePort(methods, "127.0.0.1:0", shared=False)
    async with port.serving(), grpc.aio.insecure_channel(f"127.0.0.1:{port.port}") as channel:
        stream = health_pb2_grpc.HealthStub(channel).Watch(HealthCheckRequest())

        async with asyncio.timeout(10):
            assert await _told(stream) == "SHUTTING_DOWN"


class _Slow(IdentityProviderService):
    """A service whose cancelled calls end only when a test permits it."""

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
        async with http2.connected(port):
            return False
    except ConnectionResetError:  # It waited to be accepted when the port was closed.
        return False
    except ConnectionRefusedError:
        return True
