"""A server with one object of every kind that requests name, and its transports."""

import itertools
from collections.abc import AsyncIterator, Iterable

import asyncpg
import pytest

from server.rpc.preconditions.changes import change_of
from server.wiring.services import OBJECTS
from tests.hostile.target import Target, Victim
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.transports import Transports

# Every method that changes something, with its change.
CHANGES = {
    method.name: (method, change)
    for method in given.METHODS
    if (change := change_of(method, OBJECTS)) is not None
}
# Those that `if-match` can be a condition of, and those that can be tried and repeated.
CONDITIONAL = [name for name, (_, change) in CHANGES.items() if change.lock]
RETRIED = [name for name, (_, change) in CHANGES.items() if not change.refuses]
DOORS = ["gRPC", "grpc-web", "JSON"]


def in_turns(names: Iterable[str]) -> list[tuple[str, str]]:
    """Each change with one of the doors, in turns, and the first change with every door.

    The headers are read behind the doors, which have nothing to do with single methods.
    """
    first, *others = names
    return [
        *((first, door) for door in DOORS),
        *zip(others, itertools.cycle(DOORS), strict=False),
    ]


@pytest.fixture(scope="package")
async def target(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Target]:
    """A server in its own process."""
    folder, dsn = tmp_path_factory.mktemp("preconditions"), await make_database()
    async with Target.running(folder, dsn) as target:
        yield target


@pytest.fixture(scope="package")
async def transports(target: Target) -> AsyncIterator[Transports]:
    """All transports."""
    async with Transports.of(target.instance) as transports:
        yield transports


@pytest.fixture(scope="package")
async def untouched(target: Target) -> Victim:
    """A victim for changes that are refused."""
    return await target.victim()


@pytest.fixture
async def database(target: Target) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server."""
    connection = await asyncpg.connect(target.instance.dsn)
    yield connection
    await connection.close()
