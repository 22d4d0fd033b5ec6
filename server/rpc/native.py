"""The native port: a grpc.aio server, started and stopped without losing a call."""

import contextlib
import errno
import resource
from collections.abc import AsyncIterator

import grpc

from server.rpc.methods import MAX_MESSAGE_BYTES, Methods
from server.values.host_port import CannotListenError, check_listening, split_host_port

_METADATA_BYTES = 16 * 1024
_PENDING_CALLS = 10_000
_TABLE_BYTES = 4_096  # the default of RFC 9113
# Each may have 100 calls, which take some 20 KiB each while they wait for anything.
_MOST_CONNECTIONS = 1_024
_OPTIONS = (
    # gRPC's own refusal has no details, so messages that are a little too large reach the seam,
    # which refuses them with the same answer as on the other ports. Beyond this, memory counts more
    # than the wording.
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES + 1024 * 1024),
    # Between the soft and the hard limit gRPC refuses at random.
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    # Finds connections whose other end is gone; lets clients do the same without being taken for an
    # attack.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    # Of calls that wait to be taken gRPC refuses some at random, as CANCELLED: by default from 1000
    # on.
    ("grpc.server.max_pending_requests", _PENDING_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", _PENDING_CALLS),
    # A call takes memory for as long as its message is in coming. Less than 100 RFC 9113, section
    # 6.5.2, advises against.
    ("grpc.max_concurrent_streams", 100),
    # Otherwise a client that opens as many as it may has some refused (RST_STREAM 7), because gRPC
    # counts those that have just ended too (seen in 1.83.2). Without, 20,000 streams opened and
    # reset at once still cost a tenth of a second.
    ("grpc.http.overload_protection", 0),
    # Until a client acknowledges these settings it is held to none of the limits that are among
    # them: streams, metadata, table.
    ("grpc.http2.settings_timeout", 5_000),
    # For the first bytes of a connection. By default two minutes.
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Without a call. Clients connect anew by themselves.
    ("grpc.max_connection_idle_ms", 5 * 60_000),
)
# How long late calls and open streams have at most to hear about the end, after all admitted calls
# have finished.
_FAREWELL_SECONDS = 1


class NativePort:
    """A grpc.aio server at one address. `port` is the real one when 0 was asked for."""

    def __init__(
        self, methods: Methods, address: str, *, shared: bool, header_table: bool = False
    ) -> None:
        self._methods = methods
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._shared = shared
        self._options = (
            *_OPTIONS,
            ("grpc.so_reuseport", int(shared)),
            ("grpc.max_allowed_incoming_connections", _most_connections()),
            # A malformed header stays in the table as an error, and fails every later call of the
            # connection that refers to it, whoever makes it (decision 22).
            ("grpc.http2.hpack_table_size.decoder", _TABLE_BYTES if header_table else 0),
        )

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serves until the end of the block, which `Methods.drained` should precede."""
        server = grpc.aio.server(options=self._options)
        self._methods.serve_on(server)
        host = f"[{self._host}]" if ":" in self._host else self._host
        address = f"{host}:{self.port}"
        try:
            if not self._shared:  # otherwise whoever started us has looked, and holds the address
                check_listening(self._host, self.port)
            self.port = server.add_insecure_port(address)
        except OSError as error:
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", error) from error
        except RuntimeError as error:  # taken in between; gRPC does not say why
            in_use = OSError(errno.EADDRINUSE, str(error))
            raise CannotListenError(address, "KEYSTEAD_GRPC_ADDRESS", in_use) from error
        await server.start()
        try:
            yield
        finally:
            # What waits to be taken gRPC ends as CANCELLED.
            await self._methods.quiet(_FAREWELL_SECONDS)
            await server.stop(_FAREWELL_SECONDS)


def _most_connections() -> int:
    """Half of the files that the process may open, which the web port asks for."""
    _, open_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(open_files // 2, _MOST_CONNECTIONS)
