"""The PostgreSQL of a test session, and databases on it."""

import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from server.process.embedded_postgres import running
from server.store.database import connected
from server.store.migrate import migrate

MakeDatabase = Callable[..., Awaitable[str]]


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The DSN of a server for the tests: the embedded one, or that of KEYSTEAD_DATABASE_URL."""
    if url := os.environ.get("KEYSTEAD_DATABASE_URL"):
        yield url
        return
    # Not a directory of pytest, which keeps those of the last three runs.
    with (
        tempfile.TemporaryDirectory(prefix="keystead-tests-") as folder,
        running(Path(folder), durable=False) as embedded,
    ):
        yield embedded.admin_dsn


@pytest.fixture(scope="session")
async def make_database(cluster: str) -> AsyncIterator[MakeDatabase]:
    """Creates databases and returns their DSNs: migrated, unless `empty`.

    A copy of a migrated database costs a third of the migrations. On the server of
    KEYSTEAD_DATABASE_URL they are dropped at the end. On the embedded server that would take half a
    minute; its directory is removed as a whole.
    """
    connection = await asyncpg.connect(cluster)
    names: list[str] = []

    async def create(template: str) -> str:
        names.append(f"keystead_test_{uuid4().hex}")
        await connection.execute(f"create database {names[-1]} template {template}")
        return urlunsplit(urlsplit(cluster)._replace(path=f"/{names[-1]}"))

    async def make(*, empty: bool = False) -> str:
        return await create("template1" if empty else names[0])

    async with connected(await create("template1"), pool_size=1) as database:
        await migrate(database)

    yield make
    if "KEYSTEAD_DATABASE_URL" in os.environ:
        for name in names:
            await connection.execute(f"drop database {name} with (force)")
    await connection.close()
