"""Connections of PostgreSQL's own administrator to a cluster that chaos has created."""

import contextlib
from collections.abc import AsyncIterator

import asyncpg


@contextlib.asynccontextmanager
async def connected(port: int, *, password: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection through this port of the loopback address."""
    connection = await asyncpg.connect(
        host="127.0.0.1", port=port, user="postgres", password=password, database="postgres"
    )
    try:
        yield connection
    finally:
        await connection.close()
