"""The native port behind haproxy, with the configuration that operators are given."""

import asyncio
import contextlib
import signal
import ssl
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_status import rpc_status

from e2e.programs import required, running
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests.support import given, http2
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Client
from tests.support.process import Server, free_port, serve

pytestmark = pytest.mark.xdist_group("grpc_proxy")

_CONFIGURATION = Path(__file__).parents[1] / "docs/haproxy.cfg"
_CHECK = b"/grpc.health.v1.Health/Check"
_PROTOCOL_ERROR = 1
_MOST_CONNECTIONS = 100  # of one client address, in the configuration
_LATER_CALLS = 50
# `accept-encoding: gzip, deflate` in one byte (RFC 7541, appendix A): 60 bytes of metadata.
_ACCEPT_ENCODING = b"\x90"
_REQUEST_ID = http2.literal(b"x-request-id", b"attack")


@dataclass(frozen=True)
class _Proxied:
    """A server behind haproxy, and a caller who goes through it."""

    server: Server
    dsn: str
    port: int
    ca_file: Path
    admin: Client

    @property
    def tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.ca_file)
        context.set_alpn_protocols(["h2"])
        return context


@pytest.fixture(scope="module")
async def proxied(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[_Proxied]:
    """A server and a haproxy for the tests of this module."""
    async with _proxied(tmp_path_factory.mktemp("proxied"), await make_database()) as proxied:
        yield proxied


@contextlib.asynccontextmanager
async def _proxied(folder: Path, dsn: str) -> AsyncIterator[_Proxied]:
    port, authority = free_port(), Authority(folder)
    address = f"127.0.0.1:{port}"
    haproxy = (required("haproxy", "haproxy"), "-db", "-q", "-f", str(_CONFIGURATION))
    async with serve(folder / "data", database_url=dsn, grpc_header_table=True) as server:
        variables = {
            "PUBLIC_ADDRESS": address,
            "CERTIFICATE": str(authority.certificate().path),
            "GRPC_ADDRESS": f"127.0.0.1:{await server.port()}",
            "HTTP_PORT": str(await server.web_port()),
        }
        credentials = grpc.ssl_channel_credentials(authority.ca_file.read_bytes())
        async with (
            running(*haproxy, address=address, **variables),
            grpc.aio.secure_channel(address, credentials) as channel,
        ):
            await asyncio.wait_for(channel.channel_ready(), 20)
            token = (server.data_dir / "admin.token").read_text().strip()
            yield _Proxied(server, dsn, port, authority.ca_file, Client(channel, token))


# Honest calls


async def test_answers_and_refusals_with_details_pass(proxied: _Proxied) -> None:
    idp_id = await given.idp(proxied.admin)
    read = await proxied.admin.call(proxied.admin.idps.GetIDP, idp_pb.GetIDPRequest(idp_id=idp_id))
    refused = await given.refusal(
        proxied.admin.call(proxied.admin.idps.GetIDP, idp_pb.GetIDPRequest(idp_id="1" * 600))
    )

    assert read.idp.name == "Provider"
    assert (refused.code, refused.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELDS",
    )
    assert refused.violations


async def test_a_deadline_passes(proxied: _Proxied) -> None:
    admin = proxied.admin
    idp_id = await given.idp(admin)
    update = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")

    async def is_answered_by_the_server() -> bool:
        """On a busy machine the client may end the call before the answer arrives."""
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await admin.call(admin.idps.UpdateIDP, update, timeout=0.5)
        assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        return rpc_status.from_call(refused.value) is not None

    async with given.locked_idp(proxied.dsn, idp_id):
        await given.eventually(is_answered_by_the_server)


async def test_a_stream_passes_message_by_message(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with _proxied(tmp_path, await make_database()) as proxied:
        watch = health_pb2_grpc.HealthStub(proxied.admin.channel).Watch(HealthCheckRequest())
        assert (await watch.read()).status == HealthCheckResponse.SERVING

        proxied.server.process.send_signal(signal.SIGTERM)

        assert (await watch.read()).status == HealthCheckResponse.NOT_SERVING


# Attacks


def _attacks(server: Server) -> list[str]:
    """The methods of calls with `_REQUEST_ID` that have reached the server."""
    return [each["method"] for each in server.events("call") if each["request_id"] == "attack"]


async def test_metadata_is_bounded_for_those_who_never_acknowledge_settings(
    proxied: _Proxied,
) -> None:
    async with http2.connected(proxied.port, tls=proxied.tls) as connection:
        block = http2.call(_CHECK) + _REQUEST_ID + _ACCEPT_ENCODING * 240_000
        connection.writer.write(http2.header_frames(block, stream=1))
        await connection.closed()

    before = len(proxied.server.events("call"))
    await given.idp(proxied.admin)
    await proxied.server.until(lambda: len(proxied.server.events("call")) > before)
    assert not _attacks(proxied.server)


async def test_frames_about_the_connection_do_not_reach_the_server(proxied: _Proxied) -> None:
    payload = struct.pack(">II", 0, _PROTOCOL_ERROR) + b"\x1b]0;forged\x07\nforged"
    async with http2.connected(proxied.port, tls=proxied.tls) as connection:
        connection.writer.write(http2.frame(http2.GOAWAY, 0, 0, payload) * 100)
        await connection.closed()

    await given.idp(proxied.admin)
    assert "forged" not in proxied.server.errors


async def test_a_malformed_header_harms_no_call_of_others(proxied: _Proxied) -> None:
    for name, value in {b"grpc-timeout": b"soon", b"te": b"nothing"}.items():
        async with http2.connected(proxied.port, tls=proxied.tls) as connection:
            await connection.acknowledge()
            block = http2.call(_CHECK) + http2.literal(name, value, indexed=True)
            message = http2.frame(http2.DATA, http2.END_STREAM, 1, http2.EMPTY_MESSAGE)
            connection.writer.write(http2.header_frames(block, stream=1) + message)
            await connection.end_of([1])

    request = idp_pb.ListIDPsRequest()
    await asyncio.gather(
        *(
            proxied.admin.call(proxied.admin.idps.ListIDPs, request, timeout=20)
            for _ in range(_LATER_CALLS)
        )
    )


async def test_a_call_without_a_message_does_not_reach_the_server(proxied: _Proxied) -> None:
    async with http2.connected(proxied.port, tls=proxied.tls) as connection:
        await connection.acknowledge()
        block = http2.call(_CHECK) + _REQUEST_ID
        connection.writer.write(http2.header_frames(block, stream=1))
        received = (await connection.end_of([1]))[1]

    assert b"408" in b"".join(each.payload for each in received)
    assert not _attacks(proxied.server)


async def test_one_client_address_has_a_bounded_number_of_connections(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        proxied = await stack.enter_async_context(_proxied(tmp_path, await make_database()))
        for _ in range(_MOST_CONNECTIONS - 1):  # one is that of the channel
            await stack.enter_async_context(http2.connected(proxied.port, tls=proxied.tls))

        with pytest.raises((ConnectionError, ssl.SSLError)):
            async with http2.connected(proxied.port, tls=proxied.tls):
                pass

        await given.idp(proxied.admin)
