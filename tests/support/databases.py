"""The PostgreSQL of a test session, and databases on it.

The embedded server is in memory, because most of the processor time of a new database is that of
its five hundred files. Databases of tests that have ended are dropped, so that few are there at a
time.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from server.log.partitions import add_partitions
from server.process.embedded_postgres import running
from server.store.database import connected
from server.store.migrate import migrate
from server.store.turns import ANONYMOUS, Claim, current_claimant

MakeDatabase = Callable[..., Awaitable[str]]

_MEMORY = Path("/dev/shm")  # noqa: S108 -- the file system in memory of Linux
_NEEDED_BYTES = 2**31  # for several workers; a container may have only 64 MB


@dataclass
class Databases:
    """The names of databases that exist, and of those whose tests have ended."""

    names: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def databases() -> Databases:
    """The databases of `make_database`."""
    return Databases()


@pytest.fixture(autouse=True)
def end_databases(databases: Databases) -> Iterator[None]:
    """Ends the databases that a test creates. Those of its module already exist at its start."""
    before = len(databases.names)
    yield
    databases.ended += databases.names[before:]
    del databases.names[before:]


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The DSN of a server for the tests: the embedded one, or that of KEYSTEAD_DATABASE_URL."""
    if url := os.environ.get("KEYSTEAD_DATABASE_URL"):
        yield url
        return
    has_room = _MEMORY.exists() and shutil.disk_usage(_MEMORY).free > _NEEDED_BYTES
    # Not a directory of pytest, which keeps those of the last three runs.
    with (
        tempfile.TemporaryDirectory(
            prefix="keystead-tests-", dir=_MEMORY if has_room else None
        ) as folder,
        running(Path(folder), durable=False) as embedded,
    ):
        yield embedded.admin_dsn


@pytest.fixture(scope="session")
async def make_database(cluster: str, databases: Databases) -> AsyncIterator[MakeDatabase]:
    """Creates databases and returns their DSNs: migrated, unless `empty`.

    With `options` of `create database`, such as an encoding, the database is empty.

    A copy of a migrated database costs a third of the migrations. On the server of
    KEYSTEAD_DATABASE_URL all are dropped at the end; the directory of the embedded server is
    removed as a whole.
    """
    is_given = "KEYSTEAD_DATABASE_URL" in os.environ
    # It needs half of the processor time, but a checkpoint, which is expensive on disks.
    strategy = "" if is_given else " strategy file_copy"
    connection = await asyncpg.connect(cluster)

    async def drop(names: list[str]) -> None:
        while names:
            await connection.execute(f"drop database {names.pop()} with (force)")

    async def create(template: str, options: str = "") -> str:
        await drop(databases.ended)
        name = f"keystead_test_{uuid4().hex}"
        await connection.execute(f"create database {name} template {template}{strategy} {options}")
        databases.names.append(name)
        return urlunsplit(urlsplit(cluster)._replace(path=f"/{name}"))

    async def make(*, empty: bool = False, options: str = "") -> str:
        if options:
            return await create("template0", options)
        return await create("template1" if empty else migrated)

    async with connected(await create("template1"), pool_size=1) as database:
        await migrate(database)
        await add_partitions(database)
    [migrated] = databases.names

    yield make
    if is_given:
        await drop(databases.names + databases.ended)
    await connection.close()


@dataclass
class _Call:
    claim: Claim
    transaction: Any = None


@contextlib.contextmanager
def in_call(claim: Claim = Claim(ANONYMOUS)) -> Iterator[None]:  # noqa: B008 -- it is immutable
    """The statements of the block are those of a call with this claim."""
    reset = current_claimant.set(_Call(claim))
    try:
        yield
    finally:
        current_claimant.reset(reset)
