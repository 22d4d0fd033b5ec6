"""The web port: uvicorn with an ASGI application, started and stopped without losing a call."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from bridge.http.limits import Limits
from bridge.http.protocol import HttpProtocol
from bridge.http.tls import Handshakes
from server.crypto.server_certificate import ServerCertificate
from server.values.host_port import CannotListenError, split_host_port

_BACKLOG = 2048
_START_POLL_SECONDS = 0.01
# Longer than the farewell of a connection, so that remaining requests end in order.
_FAREWELL_SECONDS = 1


class WebPort:
    """An HTTP server at one address. `port` is the real one if the address has port 0.

    X-Forwarded-For and X-Forwarded-Proto are read from `trusted_proxies`, addresses and networks.
    From other clients they are ignored, as is the Forwarded of RFC 7239.
    """

    def __init__(
        self,
        application: ASGIApp,
        address: str,
        *,
        shared: bool,
        trusted_proxies: Sequence[str],
        certificate: ServerCertificate | None = None,
        limits: Limits = Limits(),  # noqa: B008 -- frozen
    ) -> None:
        """With a certificate, the port speaks only TLS."""
        self._address = address
        self._host, self.port = split_host_port(address, lowest_port=0)
        self._shared = shared
        self._certificate = certificate
        self._limits = limits
        self._config = uvicorn.Config(
            application,
            http="httptools",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            timeout_keep_alive=limits.idle_seconds,
            timeout_graceful_shutdown=_FAREWELL_SECONDS,
        )

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serves until the end of the block. Await `RunningCalls.drained` before that."""
        _allow_many_connections()
        server = _Server(self._config, self._limits, self._tls())
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

    def _tls(self) -> dict[str, Any]:
        """The event loop's options for TLS. A protocol begins after the handshake."""
        if self._certificate is None:
            return {}
        return {
            "ssl": Handshakes.of(self._certificate),
            "ssl_handshake_timeout": self._limits.handshake_seconds,
            "ssl_shutdown_timeout": self._limits.linger_seconds,
        }

    def _listening(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        # The protocol is named because asyncio sets TCP_NODELAY only on sockets known to be TCP.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for level, option, value in _options(self._limits):
            listener.setsockopt(level, option, value)
        if self._shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            listener.bind((self._host, self.port))
        except OSError as error:
            listener.close()
            raise CannotListenError(self._address, "KEYSTEAD_HTTP_ADDRESS", error) from error
        listener.listen(_BACKLOG)
        return listener


class _Server(uvicorn.Server):
    """uvicorn without signal handlers, which the whole server has, and with our protocol."""

    def __init__(self, config: uvicorn.Config, limits: Limits, tls: dict[str, Any]) -> None:
        super().__init__(config)
        self._limits = limits
        self._tls = tls

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Replaces uvicorn's method, which cannot limit the time of a handshake (seen in 0.54)."""
        loop = asyncio.get_running_loop()
        self.servers = [
            await loop.create_server(self._protocol, sock=each, backlog=_BACKLOG, **self._tls)
            for each in sockets or ()
        ]
        self.started = True

    def _protocol(self) -> asyncio.Protocol:
        return HttpProtocol(self.config, self.server_state, {}, limits=self._limits)


def _options(limits: Limits) -> Iterator[tuple[int, int, int]]:
    """Socket options, which accepted connections inherit: the limits that the kernel enforces."""
    # Detects dead connections of idle streams, as on the native port.
    yield socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    yield socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60
    yield socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10
    # Ends a connection whose client has stopped reading, even after it was closed here.
    yield socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(limits.unread_seconds * 1000)
    # Otherwise Linux lets each buffer grow to megabytes.
    yield socket.SOL_SOCKET, socket.SO_SNDBUF, limits.socket_buffer_bytes
    yield socket.SOL_SOCKET, socket.SO_RCVBUF, limits.socket_buffer_bytes


def _allow_many_connections() -> None:
    """Raises the limit of open files, which is 1024 on many systems: a connection is a file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
