"""A network between a server and PostgreSQL: a TCP proxy that delays all bytes, both ways.

The rule: bytes of one direction keep their order, also while the round-trip time changes.
"""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit, urlunsplit

_CHUNK_BYTES = 65_536
_LOCAL = "127.0.0.1"


class Link:
    """A way to one PostgreSQL. `round_trip_seconds` may change at any time."""

    def __init__(self, dsn: str) -> None:
        """`dsn` names the PostgreSQL behind the link, by a host or by the folder of its socket."""
        self.round_trip_seconds = 0.0
        self.port = 0
        self._url = urlsplit(dsn)

    @property
    def dsn(self) -> str:
        """The URL through the link."""
        user, at, _ = self._url.netloc.rpartition("@")
        return urlunsplit(
            self._url._replace(netloc=f"{user}{at}{_LOCAL}:{self.port}", query="sslmode=disable")
        )

    async def serve(self) -> None:
        """Accepts connections from now on, in the running event loop."""
        server = await asyncio.start_server(self._accept, _LOCAL, 0)
        self.port = server.sockets[0].getsockname()[1]

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            there = await self._connect()
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._carry(reader, there[1]))
                ways.create_task(self._carry(there[0], writer))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if folder := parse_qs(self._url.query).get("host"):
            return await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.5432")
        return await asyncio.open_connection(self._url.hostname, self._url.port or 5432)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction, until its end, which is delayed too."""
        loop = asyncio.get_running_loop()
        sent: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            data = b"."
            while data:
                arrives_at, data = await sent.get()
                if (left := arrives_at - loop.time()) > 0:
                    await asyncio.sleep(left)
                writer.write(data)
            writer.close()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(deliver())
            data = b"."
            while data:
                try:
                    data = await reader.read(_CHUNK_BYTES)
                except OSError:  # a killed peer
                    data = b""
                sent.put_nowait((loop.time() + self.round_trip_seconds / 2, data))


@contextlib.contextmanager
def link(dsn: str) -> Iterator[Link]:
    """A link, served by a thread until the end of the block."""
    loop, made = asyncio.new_event_loop(), Link(dsn)
    loop.run_until_complete(made.serve())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
