"""The end of a server of asyncio whose clients may still connect."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


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
