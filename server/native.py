"""The native port: the methods on a grpc.aio server, started, kept alive and stopped without losing a call."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import grpc
import structlog

from server.address import split_host_port
from server.rpc import MAX_MESSAGE_BYTES, Methods

_METADATA_BYTES = 16 * 1024
_OPTIONS = (
    # gRPC's own refusal has no details, so messages that are a little too large reach the seam, which refuses them
    # with the same answer as on the other ports. Beyond this, memory counts more than the wording.
    ("grpc.max_receive_message_length", 2 * MAX_MESSAGE_BYTES),
    # Between the soft and the hard limit gRPC refuses at random.
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    # Finds connections whose other end is gone; lets clients do the same without being taken for an attack.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
_WATCH_SECONDS = 0.05
# How long refused calls and open streams have to hear about the end, after all admitted calls have finished.
_FAREWELL_SECONDS = 0.3

_log = structlog.get_logger("native")


class AddressInUseError(Exception):
    """Another process serves this address; the message says what to do."""


class NativePort:
    """A grpc.aio server at one address. `port` is the real one when 0 was asked for."""

    def __init__(self, methods: Methods, address: str, *, shared: bool) -> None:
        self._methods = methods
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._options = (*_OPTIONS, ("grpc.so_reuseport", int(shared)))

    @contextlib.asynccontextmanager
    async def serving(self, *, grace: float) -> AsyncIterator[None]:
        """Serves until the end of the block; then calls in flight finish within `grace` seconds."""
        self._server = await self._started()
        watch = asyncio.create_task(self._keep_alive())
        try:
            yield
        finally:
            watch.cancel()
            self._methods.close()
            if not await self._methods.drained(grace):
                _log.warning("calls are cut off", calls=self._methods.in_flight, grace_seconds=grace)
            await asyncio.sleep(_FAREWELL_SECONDS)
            await self._server.stop(_FAREWELL_SECONDS)

    async def _started(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=self._options)
        self._methods.serve_on(server)
        host = f"[{self._host}]" if ":" in self._host else self._host
        try:
            self.port = server.add_insecure_port(f"{host}:{self.port}")
        except RuntimeError as error:
            raise AddressInUseError(
                f"Cannot listen on {host}:{self.port}: it is in use, or no address of this machine. Stop what uses"
                " it, or set KEYSTEAD_GRPC_ADDRESS to another."
            ) from error
        await server.start()
        return server

    async def _keep_alive(self) -> None:
        """Starts another server when the serving loop of this one has died.

        One request whose path is not UTF-8 ends that loop inside grpcio (seen in 1.85.1: `method().decode()`), before
        any code of ours runs; calls in flight go on, but nobody listens any more. There is no public way to see it.
        """
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            if self._server._server.is_running():  # type: ignore[attr-defined] # noqa: SLF001
                continue
            _log.error("the gRPC server ended by itself and is started again", port=self.port)
            ended, self._server = self._server, await self._started()
            with contextlib.suppress(Exception):  # what ended it is of no more use
                await ended.stop(None)
