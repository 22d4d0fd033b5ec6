"""Raw bytes on a socket, for invalid HTTP, and a web port that receives them."""

import asyncio
import contextlib
import fcntl
import json
import logging
import select
import socket
import ssl
import struct
import sys
import termios
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import pytest
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.http.limits import Limits
from bridge.port import WebPort
from server.crypto.server_certificate import ServerCertificate

PATIENCE_SECONDS = 60

Result = TypeVar("Result")
LoopFactory = Callable[[], asyncio.AbstractEventLoop]

# The program runs on uvloop; tests and embedding applications run on asyncio's own loop.
on_both_loops = pytest.mark.parametrize(
    "loop_factory",
    [asyncio.new_event_loop, uvloop.new_event_loop],
    ids=["asyncio", "uvloop"],
    scope="module",
)


@dataclass(frozen=True)
class Answer:
    """One response. Names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def reason(self) -> str:
        """The `ErrorInfo.reason` of an error."""
        details = json.loads(self.body)["details"]
        return str(next(each["reason"] for each in details if "reason" in each))


class Connection:
    """A socket to a web port."""

    def __init__(
        self,
        port: int,
        *,
        host: str = "127.0.0.1",
        receive_buffer: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(PATIENCE_SECONDS)
        self._socket.connect((host, port))
        if tls is not None:
            self._socket = tls.wrap_socket(self._socket, server_hostname=host)
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._file.close()
        self._socket.close()

    @property
    def name(self) -> tuple[str, int]:
        """The address of this end, over IPv4."""
        host, port = self._socket.getsockname()
        return host, port

    def send(self, data: bytes) -> None:
        """Sends all bytes."""
        self._socket.sendall(data)

    def deliver(self, data: bytes) -> None:
        """Sends all bytes, and waits until the other end of the connection has received them."""
        self.send(data)
        while int.from_bytes(fcntl.ioctl(self._socket, termios.TIOCOUTQ, bytes(4)), sys.byteorder):
            if self._is_reset():
                raise ConnectionResetError

    def send_what_is_taken(self, piece: bytes, *, turns: int, turn: Callable[[], object]) -> int:
        """Sends pieces until the peer reads nothing for some turns. Returns the bytes sent."""
        self._socket.setblocking(False)
        taken = refused = 0
        while refused < turns and taken < 64 * 1024 * 1024:
            try:
                taken += self._socket.send(piece)
            except BlockingIOError:
                refused += 1
                turn()
        self._socket.settimeout(PATIENCE_SECONDS)
        return taken

    def half_close(self) -> None:
        """Shuts down the sending side; reading continues."""
        self._socket.shutdown(socket.SHUT_WR)

    def end_tls(self) -> None:
        """Sends the TLS close_notify, and waits for that of the server."""
        assert isinstance(self._socket, ssl.SSLSocket)
        with contextlib.suppress(OSError):
            self._socket.unwrap()

    def reset(self) -> None:
        """Ends the connection as a crashed client does, with RST instead of FIN."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.__exit__(None, None, None)

    def answer(self, *, head: bool = False) -> Answer:
        """The next response. EOFError if there is none. `head`: it has no body."""
        line = self._line()
        version, status, _ = line.split(" ", 2)
        assert version == "HTTP/1.1", line
        headers = {}
        while line := self._line():
            name, value = line.split(": ", 1)
            assert name not in headers
            headers[name] = value
        if head or status.startswith("1"):
            body = b""
        elif "content-length" in headers:
            body = self.read(int(headers["content-length"]))
        else:
            body = b"".join(self._chunks())
        return Answer(int(status), headers, body)

    def read(self, size: int) -> bytes:
        """This number of bytes."""
        data = self._file.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def receive(self, size: int) -> bytes:
        """At most this number of bytes; none beyond them is read into a buffer."""
        return self._socket.recv(size)

    def has_answer(self, *, within: float) -> bool:
        """Whether bytes can be read within the time."""
        return bool(select.select([self._socket], [], [], within)[0])

    def is_closed(self) -> bool:
        """Waits for the end of the connection. False if bytes arrive in place of it."""
        try:
            return self._file.read(1) == b""
        except ConnectionResetError:
            return True

    def _is_reset(self) -> bool:
        poll = select.poll()
        poll.register(self._socket, 0)
        return bool(poll.poll(0))

    def _line(self) -> str:
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError
        return line[:-2].decode("latin1")

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._line(), 16):
            yield self.read(size)
            self.read(2)
        self.read(2)


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock that tests set forward, so that they do not wait for timeouts."""

    def __init__(self) -> None:
        self._skipped = 0.0
        super().__init__()

    def time(self) -> float:
        return super().time() + self._skipped

    def skip(self, seconds: float) -> None:
        """Sets the clock forward."""
        self._skipped += seconds


class Served:
    """A web port with its own event loop in its own thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self._loop = loop
        self.port = port

    def connect(self, *, receive_buffer: int = 0) -> Connection:
        """A new connection."""
        return Connection(self.port, receive_buffer=receive_buffer)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs something in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)

    def settle(self) -> None:
        """Waits until the received bytes have been read and the due timers have run."""
        self.run(_turns())

    def skip(self, seconds: float) -> None:
        """Sets the clock forward. For a port on a `SkippingLoop`."""
        assert isinstance(self._loop, SkippingLoop)
        self.settle()
        self._loop.skip(seconds)
        self.settle()


async def _turns() -> None:
    # Accepting a connection and reading from it is a chain of callbacks, one in each turn.
    for _ in range(10):
        await asyncio.sleep(0)


@contextlib.contextmanager
def served(
    application: ASGIApp,
    *,
    loop_factory: LoopFactory = asyncio.new_event_loop,
    limits: Limits = Limits(),  # noqa: B008 -- frozen
    address: str = "127.0.0.1:0",
    trusted_proxies: tuple[str, ...] = (),
    certificate: ServerCertificate | None = None,
) -> Iterator[Served]:
    """Serves the application on a web port until the end of the block.

    AssertionError if anything is logged as a warning or an error: no bytes of a client may cause
    that.
    """
    ready: Future[Served] = Future()
    port = WebPort(
        application,
        address,
        shared=False,
        trusted_proxies=trusted_proxies,
        certificate=certificate,
        limits=limits,
    )

    async def serve() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        stopping.append(lambda: loop.call_soon_threadsafe(stop.set))
        async with port.serving():
            ready.set_result(Served(loop, port.port))
            await stop.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(serve())

    stopping: list[Callable[[], object]] = []
    thread = threading.Thread(target=run)
    with _quiet():
        thread.start()
        try:
            yield ready.result(PATIENCE_SECONDS)
        finally:
            for stop in stopping:
                stop()
            thread.join()


class _Kept(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    handler = _Kept(logging.WARNING)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    assert [record.getMessage() for record in handler.records] == []


async def body_of(receive: Receive) -> bytes | None:
    """The whole body of a request. None if the client leaves before its end."""
    body = bytearray()
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            return bytes(body)
    return None


async def respond(send: Send, body: bytes, *, status: int = 200) -> None:
    """Sends a whole response."""
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the method, the path and the body of the request."""
    if (body := await body_of(receive)) is not None:
        await respond(send, f"{scope['method']} {scope['path']} ".encode() + body)


async def refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers without reading the body."""
    await respond(send, b"no", status=401)


class Gate:
    """An application that echoes `/held` when a test permits it, `/left` when its client has left.

    It refuses `/refused`, and echoes other paths at once.
    """

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.left = asyncio.Event()
        self.paths: list[str] = []
        self._is_open = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.paths.append(scope["path"])
        if scope["path"] == "/refused":
            await refuse(scope, receive, send)
            return
        if scope["path"] == "/held":
            self.began.set()
            await self._is_open.wait()
        elif scope["path"] == "/left":
            await body_of(receive)
            self.began.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            self.left.set()
        await echo(scope, receive, send)

    async def open(self) -> None:
        """Permits the answers."""
        self._is_open.set()


# The head of a request whose body is sent in chunks.
CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


def request(
    target: str = "/", *lines: str, method: str = "GET", body: bytes = b"", host: str = "a"
) -> bytes:
    """A valid request with further header lines."""
    if body:
        lines = (*lines, f"Content-Length: {len(body)}")
    head = "".join(
        f"{line}\r\n" for line in (f"{method} {target} HTTP/1.1", f"Host: {host}", *lines)
    )
    return head.encode() + b"\r\n" + body


def padded(size: int, line: str = "X: ") -> bytes:
    """A request whose request line and headers have this size, as the limit counts it."""
    counted = len("/") + len("Host" + "a") + 4 + len(line) - 2 + 4
    return request("/", line + "x" * (size - counted))
