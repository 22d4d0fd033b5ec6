"""A real PostgreSQL for the session, and real servers on port 0 called by real channels."""

import asyncio
import contextlib
import functools
import inspect
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import hypothesis
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server import app
from server.deliveries.loop import PACE, Pace
from server.passkey.recovery import INTERVAL_SECONDS
from server.process.garbage import collect_less_often, without_collection
from server.settings.settings import Settings
from server.store.database import Database, connected
from server.store.pool import Pool
from server.store.turns import Claim
from tests.support import given
from tests.support.databases import (
    MakeDatabase,
    cluster,
    databases,
    end_databases,
    make_database,
)
from tests.support.given import Client, Instance
from tests.support.preparing import prepare
from tests.support.transports import Transports
from tests.support.web_client import web_client

__all__ = ["cluster", "databases", "end_databases", "make_database"]  # fixtures

MakeInstance = Callable[..., contextlib.AbstractAsyncContextManager[Instance]]


@dataclass(frozen=True)
class Installation:
    """A database and a data directory that are prepared for a server."""

    dsn: str
    data_dir: Path


# `nohup` and background jobs of a shell ignore these signals, and child processes inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
# SIGTERM ends tests as Ctrl-C does: with the servers and the PostgreSQL that they started.
signal.signal(signal.SIGTERM, signal.default_int_handler)

# Every run has the same examples and no time limit for each, since tests share the processor.
hypothesis.settings.load_profile("ci")


# Less than the time after which a worker is ended, with all the tests that it has left (Makefile).
_TEST_SECONDS = 200


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test that waits for something that has failed fails at that line, and ends no worker."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.obj = _limited(item.obj)


def _limited(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def limited(*arguments: object, **fixtures: object) -> None:
        async with asyncio.timeout(_TEST_SECONDS):
            await test(*arguments, **fixtures)

    return limited


class FailuresByName:
    """Prints the name of a test as soon as it fails, because an interrupted run has no summary."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            reason = str(report.longrepr).rstrip().rpartition("\n")[2]
            self._terminal.write_line(f"\nFAILED {report.nodeid}: {reason}", red=True)


@pytest.hookimpl(trylast=True)  # after the terminal reporter is registered
def pytest_configure(config: pytest.Config) -> None:
    """Registers `FailuresByName`, except in a worker of pytest-xdist, which has no terminal."""
    if terminal := config.pluginmanager.get_plugin("terminalreporter"):
        config.pluginmanager.register(FailuresByName(terminal))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Exempts the collected tests and their modules from garbage collection."""
    with without_collection():
        yield
    collect_less_often()


@pytest.fixture(scope="session", autouse=True)
def default_settings() -> Iterator[None]:
    """Removes the settings in the environment, except for the database."""
    with pytest.MonkeyPatch.context() as environment:
        for name in os.environ:
            if name.startswith("KEYSTEAD_") and name != "KEYSTEAD_DATABASE_URL":
                environment.delenv(name)
        yield


@pytest.fixture(scope="session")
def make_instance(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> MakeInstance:
    """Starts a server on an empty database of its own.

    `data_dir` and `dsn` start it on the directory and the database of an earlier server. A server
    with TLS needs the `ca_file` of its certificate; one that asks clients, a `client_certificate`.
    Its shutdown waits only `quiet_seconds` for late calls, because most tests send none.
    """

    @contextlib.asynccontextmanager
    async def make(
        *,
        dsn: str | None = None,
        data_dir: Path | None = None,
        mail_pace: Pace = PACE,
        push_pace: Pace = PACE,
        quiet_seconds: float = 0.01,
        recovery_seconds: float = INTERVAL_SECONDS,
        ca_file: Path | None = None,
        client_certificate: Path | None = None,
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
        await prepare(configured, dsn)
        async with (
            app.serving(
                configured,
                dsn,
                mail_pace=mail_pace,
                push_pace=push_pace,
                quiet_seconds=quiet_seconds,
                recovery_seconds=recovery_seconds,
            ) as ports,
            Instance.connected(
                dsn,
                ports.grpc,
                data_dir,
                web_port=ports.http,
                ca_file=ca_file,
                client_certificate=client_certificate,
            ) as instance,
        ):
            yield instance

    return make


@pytest.fixture(scope="session")
async def instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """The server that most tests share; each test creates its own organizations and users."""
    async with make_instance() as shared:
        yield shared


@pytest.fixture(scope="session")
async def mailing_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server that may send mail, to a relay that never answers."""
    async with make_instance() as server:
        await server.admin.call(server.admin.smtp.AddSMTPConfig, given.smtp_config())
        yield server


@pytest.fixture(scope="module")
async def file_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server for the tests of one file, for objects that exist once per instance."""
    async with make_instance() as own:
        yield own


@pytest.fixture
async def web(instance: Instance) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the web port without a token."""
    async with web_client(instance.web_port) as client:
        yield client


@pytest.fixture(scope="module")
async def transports(instance: Instance) -> AsyncIterator[Transports]:
    """All transports to the server."""
    async with Transports.of(instance) as transports:
        yield transports


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The callers for which connections were taken. The servers run in this process."""
    taken: list[str] = []
    take = Pool.take  # the only way to PostgreSQL

    async def counted(pool: Any, claim: Claim) -> Any:
        if claim.caller != "server":  # not health checks and background work
            taken.append(claim.caller)
        return await take(pool, claim)

    monkeypatch.setattr(Pool, "take", counted)
    return taken


@pytest.fixture
async def dsn(make_database: MakeDatabase) -> str:
    """The DSN of a migrated, otherwise empty database for this test."""
    return await make_database()


@pytest.fixture
async def own_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server for this test alone, for objects that exist once per instance."""
    async with make_instance() as own:
        yield own


@pytest.fixture
async def installation(make_database: MakeDatabase, tmp_path: Path) -> Installation:
    """An installation for this test alone. No server runs, so it costs less than `own_instance`."""
    dsn = await make_database()
    await prepare(Settings.model_validate({"data_dir": tmp_path}), dsn)
    return Installation(dsn, tmp_path)


@pytest.fixture
def admin(instance: Instance) -> Client:
    """The administrator of the shared server."""
    return instance.admin


@pytest.fixture
async def org_id(admin: Client) -> str:
    """An organization for this test alone."""
    return await given.organization(admin)


@pytest.fixture
async def owner(admin: Client, org_id: str) -> Client:
    """An owner of that organization."""
    return await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


@pytest.fixture(scope="session")
async def sql_connections() -> AsyncIterator[dict[str, asyncpg.Connection]]:
    """The connections of `sql` by DSN, kept for later tests: a new one takes 2 ms of CPU."""
    connections: dict[str, asyncpg.Connection] = {}
    yield connections
    for connection in connections.values():
        await connection.close()


@pytest.fixture
async def sql(
    instance: Instance, sql_connections: dict[str, asyncpg.Connection]
) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the server, to inspect or change it directly."""
    connection = sql_connections.get(instance.dsn)
    if connection is None or connection.is_closed():
        connection = sql_connections[instance.dsn] = await asyncpg.connect(instance.dsn)
    yield connection
    if not connection.is_closed():
        await connection.reset()


@pytest.fixture(scope="module")
async def database(instance: Instance) -> AsyncIterator[Database]:
    """The database as the server's commands see it, for the transactions of a test."""
    async with connected(instance.dsn, pool_size=4) as database:
        yield database


@pytest.fixture
async def own_database(dsn: str) -> AsyncIterator[Database]:
    """The database of `dsn`. In a file of such tests: `database = own_database`."""
    async with connected(dsn, pool_size=4) as database:
        yield database


@pytest.fixture
async def own_sql(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of `dsn`."""
    async with given.sql(dsn) as connection:
        yield connection
