"""A port on loopback that forwards connections, changes the answers, and can be cut off."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from tests.support.closing import closing
from tests.support.process import free_port

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Change = Callable[[bytes], bytes]


class Gateway:
    """Forwards to the connection of `connect`, until it is cut off."""

    def __init__(self, connect: Callable[[], Awaitable[Streams]], change: Change | None) -> None:
        self.port = free_port()
        self._connect = connect
        self._change = change
        self._is_cut = False
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    @contextlib.asynccontextmanager
    async def running(
        cls, connect: Callable[[], Awaitable[Streams]], change: Change | None = None
    ) -> AsyncIterator["Gateway"]:
        """Forwards until the end of the block. `change` is applied to each piece of an answer."""
        gateway = cls(connect, change)
        server = await asyncio.start_server(gateway._forward, "127.0.0.1", gateway.port)
        async with closing(server):
            try:
                yield gateway
            finally:
                gateway.cut()

    def cut(self) -> None:
        """Ends all connections and accepts no new ones."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        """Forwards again."""
        self._is_cut = False

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            other_reader, other_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        both = {writer, other_writer}
        self._writers |= both
        try:
            await asyncio.gather(
                _copy(reader, other_writer, None), _copy(other_reader, writer, self._change)
            )
        finally:
            self._writers -= both


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, change: Change | None
) -> None:
    """Copies until one of the ends is closed."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(change(data) if change else data)
            await writer.drain()
    writer.close()
