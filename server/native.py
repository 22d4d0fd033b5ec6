"""The native port: a grpc.aio server, started, kept alive and stopped without losing a call."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import grpc
import structlog

from server.address import split_host_port
from server.rpc import MAX_MESSAGE_BYTES, Methods

_METADATA_BYTES = 16 * 1024
_OPTIONS = (
    # gRPC's own refusal has no details, so messages that are a little too large reach the seam,
    # which refuses them with the same answer as on the other ports. Beyond this, memory counts more
    # than the wording.
    ("grpc.max_receive_message_length", 2 * MAX_MESSAGE_BYTES),
    # Between the soft and the hard limit gRPC refuses at random.
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    # Finds connections whose other end is gone; lets clients do the same without being taken for an
    # attack.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
_WATCH_SECONDS = 0.01
# How long the calls of a server whose loop died have to finish. Those that reached it too late to
# be taken wait as long for nothing, until their client is told to connect again.
_ORPHANED_SECONDS = 2.0
# How long refused calls and open streams have to hear about the end, after all admitted calls have
# finished.
_FAREWELL_SECONDS = 0.3

_log = structlog.get_logger("native")


class AddressInUseError(Exception):
    """Something else listens at this address; the message says what to do."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"Cannot listen on {address}: it is in use, or no address of this machine. Stop what"
            " uses it, or set KEYSTEAD_GRPC_ADDRESS to another."
        )


class NativePort:
    """A grpc.aio server at one address. `port` is the real one when 0 was asked for."""

    def __init__(self, methods: Methods, address: str, *, shared: bool) -> None:
        self._methods = methods
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._options = (*_OPTIONS, ("grpc.so_reuseport", int(shared)))

    @contextlib.asynccontextmanager
    async def serving(self, *, grace: float) -> AsyncIterator[None]:
        """Serves until the end of the block; calls in flight then get `grace` seconds to finish."""
        self._server = await self._started()
        async with asyncio.TaskGroup() as tasks:
            watch = tasks.create_task(self._keep_alive(tasks))
            try:
                yield
            finally:
                watch.cancel()
                self._methods.close()
                if not await self._methods.drained(grace):
                    _log.warning(
                        "calls are cut off", calls=self._methods.in_flight, grace_seconds=grace
                    )
                await asyncio.sleep(_FAREWELL_SECONDS)
                await self._server.stop(_FAREWELL_SECONDS)

    async def _started(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=self._options)
        self._methods.serve_on(server)
        host = f"[{self._host}]" if ":" in self._host else self._host
        try:
            self.port = server.add_insecure_port(f"{host}:{self.port}")
        except RuntimeError as error:
            raise AddressInUseError(f"{host}:{self.port}") from error
        await server.start()
        return server

    async def _keep_alive(self, tasks: asyncio.TaskGroup) -> None:
        """Starts another server when the serving loop of this one has died.

        One request whose path is not UTF-8 ends that loop inside grpcio (seen in 1.85.1:
        `method().decode()`), before any code of ours runs: it closes the port and takes no more
        calls. Those in flight go on. There is no public way to see it.
        """
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            if self._server._server.is_running():  # type: ignore[attr-defined] # noqa: SLF001
                continue
            try:
                started = await self._started()
            except AddressInUseError as error:
                _log.error("the gRPC server ended by itself; trying again", detail=str(error))
                continue
            _log.error("the gRPC server ended by itself and was started again", port=self.port)
            tasks.create_task(self._server.stop(_ORPHANED_SECONDS))
            self._server = started
