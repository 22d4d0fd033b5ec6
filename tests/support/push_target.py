"""A target of webhooks and logout tokens on loopback, with faults that a test chooses."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.support.certificates import Authority
from tests.support.closing import serving

# Answers a request in its own way, given the stream to the client.
Answer: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Received:
    """A request: its path, its headers in lower case, and its content."""

    path: str
    headers: Mapping[str, str]
    content: bytes


def status(line: str, content: bytes = b"", headers: str = "") -> Answer:
    """Answers with this status line: `status("500 Internal Server Error")`."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {line}\r\ncontent-length: {len(content)}\r\n{headers}\r\n"
        writer.write(head.encode() + content)
        await writer.drain()

    return answer


async def hang(_writer: asyncio.StreamWriter) -> None:
    """Gives no answer, and keeps the connection open."""
    await asyncio.Event().wait()


async def cut(writer: asyncio.StreamWriter) -> None:
    """Closes the connection without an answer."""
    writer.transport.abort()


async def garbage(writer: asyncio.StreamWriter) -> None:
    """Answers with something that is not HTTP."""
    writer.write(b"\x1b[31m SSH-2.0 \xff\x00\r\n\r\n")
    await writer.drain()


async def dripping(writer: asyncio.StreamWriter) -> None:
    """Accepts, and sends its content byte by byte without an end."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


def _flood(head: bytes, part: bytes) -> Answer:
    """Begins with the head, and repeats the part as fast as the client reads it."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(part)
            await writer.drain()

    return answer


endless = _flood(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536)
# Interim responses (RFC 9110, section 15.2).
interim = _flood(b"", b"HTTP/1.1 100 C\r\n\r\n" * 4096)
tiny_chunks = _flood(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 4096)
NO_CONTENT = status("204 No Content")


@dataclass
class PushTarget:
    """Accepts every request by `answer`, which a test may replace at any time."""

    port: int = 0
    scheme: str = "https"
    answer: Answer = NO_CONTENT
    received: list[Received] = field(default_factory=list)
    # The number of requests that are being answered, and its maximum.
    answering: int = 0
    most_answering: int = 0
    # The number of connections so far, and of those that are open.
    connections: int = 0
    open_connections: int = 0

    @property
    def url(self) -> str:
        """The URL of the target."""
        return f"{self.scheme}://localhost:{self.port}/hook?from=keystead"

    async def until(self, number: int) -> list[Received]:
        """Waits until this number of requests have arrived."""
        while len(self.received) < number:  # noqa: ASYNC110 -- nothing signals it
            await asyncio.sleep(0.01)
        return self.received

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of a connection."""
        self.connections += 1
        self.open_connections += 1
        try:
            with (
                contextlib.closing(writer),
                contextlib.suppress(OSError, asyncio.IncompleteReadError),
            ):
                while not writer.is_closing():
                    await self._serve_one(reader, writer)
        finally:
            self.open_connections -= 1

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.split("\r\n")[:-2]
        pairs = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in pairs}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        self.received.append(Received(first.split(" ")[1], headers, content))
        self.answering += 1
        self.most_answering = max(self.most_answering, self.answering)
        try:
            await self.answer(writer)
        finally:
            self.answering -= 1


@contextlib.asynccontextmanager
async def push_target(
    authority: Authority, *, answer: Answer = NO_CONTENT, **certificate: Any
) -> AsyncIterator[PushTarget]:
    """Runs a target at https://localhost until the end of the block."""
    target = PushTarget(answer=answer)
    context = authority.certificate(**certificate).context()
    async with serving(target.serve, context) as target.port:
        yield target


@contextlib.asynccontextmanager
async def plain_target() -> AsyncIterator[PushTarget]:
    """Runs a target at http://localhost until the end of the block."""
    target = PushTarget(scheme="http")
    async with serving(target.serve) as target.port:
        yield target
