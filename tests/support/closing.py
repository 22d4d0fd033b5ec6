"""Servers of asyncio whose clients may still connect when they end."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Collection, Coroutine
from typing import Any, Protocol


@contextlib.asynccontextmanager
async def closing(server: asyncio.Server) -> AsyncIterator[None]:
    """Closes the server at the end of the block, when it has begun to serve what it has accepted.

    `Server.close` alone leaves a connection open that it is accepting in that moment, and the
    garbage collector warns about it in a later test (https://github.com/python/cpython/issues/109564).
    """
    try:
        yield
    finally:
        for listening in server.sockets:
            asyncio.get_running_loop().remove_reader(listening.fileno())
        for _ in ("the transport", "the protocol"):
            await asyncio.sleep(0)
        server.close()


class Serve(Protocol):
    """Serves a connection until it ends."""

    def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, /
    ) -> Coroutine[Any, Any, None]: ...


@contextlib.asynccontextmanager
async def serving(
    serve: Serve,
    context: ssl.SSLContext | None = None,
    *,
    at: int = 0,
    not_at: Collection[int] = (),
) -> AsyncIterator[int]:
    """Serves connections until the end of the block, which ends them; gives the port, 0 for any.

    With a context, over TLS.
    """
    connections: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(serve(reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    while True:
        server = await asyncio.start_server(accept, "127.0.0.1", at, ssl=context)
        port: int = server.sockets[0].getsockname()[1]
        if port not in not_at:
            break
        server.close()
    try:
        async with closing(server):
            yield port
    finally:
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
