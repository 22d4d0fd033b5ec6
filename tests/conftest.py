"""A real PostgreSQL for the session, and real servers on port 0 called by real channels."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import hypothesis
import pytest

from server import app
from server.mail.loop import PACE, Pace
from server.process.embedded_postgres import running
from server.settings.settings import Settings
from server.store.database import Database, connected
from tests.support import given
from tests.support.given import Client, Instance

MakeDatabase = Callable[[], Awaitable[str]]
MakeInstance = Callable[..., contextlib.AbstractAsyncContextManager[Instance]]

# Run by `nohup`, or in the background of a shell, tests ignore these, and so would what they start.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and however long each takes: tests share the processor.
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def default_settings() -> Iterator[None]:
    """The settings of whoever runs the tests are not theirs, but for the database."""
    with pytest.MonkeyPatch.context() as environment:
        for name in os.environ:
            if name.startswith("KEYSTEAD_") and name != "KEYSTEAD_DATABASE_URL":
                environment.delenv(name)
        yield


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The DSN of a server for the tests: the embedded one, or that of KEYSTEAD_DATABASE_URL."""
    if url := os.environ.get("KEYSTEAD_DATABASE_URL"):
        yield url
        return
    with running(tmp_path_factory.mktemp("postgres"), durable=False) as embedded:
        yield embedded.admin_dsn


@pytest.fixture(scope="session")
async def make_database(cluster: str) -> AsyncIterator[MakeDatabase]:
    """Makes an empty database and gives its DSN; all are dropped at the end."""
    connection = await asyncpg.connect(cluster)
    names: list[str] = []

    async def make() -> str:
        names.append(f"keystead_test_{uuid4().hex}")
        await connection.execute(f"create database {names[-1]}")
        return urlunsplit(urlsplit(cluster)._replace(path=f"/{names[-1]}"))

    yield make
    for name in names:
        await connection.execute(f"drop database {name} with (force)")
    await connection.close()


@pytest.fixture(scope="session")
def make_instance(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> MakeInstance:
    """Starts a server of its own on an empty database, for a whole instance or other settings.

    `data_dir` and `dsn` make it start on what another one left behind.
    """

    @contextlib.asynccontextmanager
    async def make(
        *,
        dsn: str | None = None,
        data_dir: Path | None = None,
        mail_pace: Pace = PACE,
        **settings: object,
    ) -> AsyncIterator[Instance]:
        data_dir = data_dir or tmp_path_factory.mktemp("data")
        configured = Settings.model_validate(
            {
                "data_dir": data_dir,
                "grpc_address": "127.0.0.1:0",
                "http_address": "127.0.0.1:0",
                "drain_delay": 0,
                **settings,
            }
        )
        dsn = dsn or await make_database()
        await app.prepare(configured, dsn)
        async with (
            app.serving(configured, dsn, mail_pace=mail_pace) as ports,
            Instance.connected(dsn, ports.grpc, data_dir, web_port=ports.http) as instance,
        ):
            yield instance

    return make


@pytest.fixture(scope="session")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """The server that most tests share; each has organizations and users of its own."""
    async with make_instance() as shared:
        yield shared


@pytest.fixture
async def own_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server of this test's own, for what an instance has once, like the SMTP configuration."""
    async with make_instance() as own:
        yield own


@pytest.fixture
def admin(instance: Instance) -> Client:
    """The administrator of the shared server."""
    return instance.admin


@pytest.fixture
async def sql(instance: Instance) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server, to look behind its back."""
    async with given.sql(instance.dsn) as connection:
        yield connection


@pytest.fixture
async def database(instance: Instance) -> AsyncIterator[Database]:
    """The database as the server's commands see it, for transactions of the test's own."""
    async with connected(instance.dsn, pool_size=4) as database:
        yield database
