"""A real PostgreSQL for the session, and real servers on port 0 called by real channels."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import asyncpg
import hypothesis
import pytest

from server import app
from server.mail.loop import PACE, Pace
from server.settings.settings import Settings
from server.store.database import Database, connected
from tests.support import given
from tests.support.databases import MakeDatabase, cluster, make_database
from tests.support.given import Client, Instance

__all__ = ["cluster", "make_database"]  # fixtures

MakeInstance = Callable[..., contextlib.AbstractAsyncContextManager[Instance]]

# Run by `nohup`, or in the background of a shell, tests ignore these, and so would what they start.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and however long each takes: tests share the processor.
hypothesis.settings.load_profile("ci")


class FailuresByName:
    """Prints the name of a failed test when it fails: a run that is cut off has no summary."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            reason = str(report.longrepr).rstrip().rpartition("\n")[2]
            self._terminal.write_line(f"\nFAILED {report.nodeid}: {reason}", red=True)


@pytest.hookimpl(trylast=True)  # the terminal is configured first
def pytest_configure(config: pytest.Config) -> None:
    """Registers `FailuresByName`, except in a worker of pytest-xdist, which has no terminal."""
    if terminal := config.pluginmanager.get_plugin("terminalreporter"):
        config.pluginmanager.register(FailuresByName(terminal))


@pytest.fixture(scope="session", autouse=True)
def default_settings() -> Iterator[None]:
    """The settings of whoever runs the tests are not theirs, but for the database."""
    with pytest.MonkeyPatch.context() as environment:
        for name in os.environ:
            if name.startswith("KEYSTEAD_") and name != "KEYSTEAD_DATABASE_URL":
                environment.delenv(name)
        yield


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
