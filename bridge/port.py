"""The web port: uvicorn with an ASGI application, started and stopped without losing a call."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator, Sequence

import uvicorn
from starlette.types import ASGIApp

from server.address import AddressInUseError, split_host_port

_BACKLOG = 2048
_START_POLL_SECONDS = 0.01
_FAREWELL_SECONDS = 1


class WebPort:
    """An HTTP server at one address. `port` is the real one when 0 was asked for."""

    def __init__(
        self, application: ASGIApp, address: str, *, shared: bool, trusted_proxies: Sequence[str]
    ) -> None:
        self._address = address
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._shared = shared
        self._config = uvicorn.Config(
            application,
            http="httptools",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            timeout_graceful_shutdown=_FAREWELL_SECONDS,
        )

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serves until the end of the block, which `Methods.drained` should precede."""
        server = _Server(self._config)
        with self._listening() as listener:
            self.port = listener.getsockname()[1]
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            while not server.started:
                if serving.done():
                    await serving
                await asyncio.sleep(_START_POLL_SECONDS)
            try:
                yield
            finally:
                server.should_exit = True
                await serving

    def _listening(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self._shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listener.bind((self._host, self.port))
        except OSError as error:
            listener.close()
            raise AddressInUseError(self._address, "KEYSTEAD_HTTP_ADDRESS") from error
        listener.listen(_BACKLOG)
        return listener


class _Server(uvicorn.Server):
    """uvicorn without signal handlers: the whole server has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
