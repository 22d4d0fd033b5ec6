"""`keystead serve`: one process, or a parent of several workers.

The rule: an embedded PostgreSQL that the command started ends with it.
"""

# ruff: noqa: PLC0415 -- the server is imported while PostgreSQL starts

import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import structlog
import uvloop

from server.cli.installation import dsn_of, load_settings
from server.process.embedded_postgres import EmbeddedPostgresError, running
from server.process.garbage import without_collection
from server.process.signals import stop_signals
from server.process.workers import run_workers
from server.settings.settings import Settings
from server.settings.sources import PREFIX


@click.command()
def serve() -> None:
    """Run the server until SIGTERM, Ctrl-C or the end of the terminal.

    Migrates the database. In an empty database it creates the default organization and its
    administrator. Without KEYSTEAD_DATABASE_URL it starts a PostgreSQL in the data directory.
    With nohup it continues after the end of the terminal.
    """
    settings = load_settings()
    threading.Thread(target=_import_app).start()
    with dsn_of(settings) as dsn:
        from server import app

        token_file = uvloop.run(app.prepare(settings, dsn))
        if token_file is not None:
            click.echo(f"First start. The token of the user 'admin' is in {token_file}")
            click.echo(f"To open the console at {settings.console_page}, run: keystead console")
        status = _serve(settings, dsn)
        # A second signal must not leave the embedded PostgreSQL behind.
        for number in stop_signals():
            signal.signal(number, signal.SIG_IGN)
    structlog.get_logger("cli").info("stopped")
    sys.exit(status)


@click.command(hidden=True)
def work() -> None:
    """Run a worker process of `keystead serve`."""
    with without_collection():
        from server import app

    settings = load_settings()
    with dsn_of(settings) as dsn:
        parent = sys.stdin.fileno()
        uvloop.run(app.run(settings, dsn, revive=_revive(settings), parent=parent))


def _import_app() -> None:
    """Imports the server while PostgreSQL starts in processes of its own."""
    with without_collection():
        from server import app  # noqa: F401


def _serve(settings: Settings, dsn: str) -> int:
    if settings.workers == 1:
        from server import app

        uvloop.run(app.run(settings, dsn, revive=_revive(settings)))
        return 0
    addresses = {
        f"{PREFIX}GRPC_ADDRESS": settings.grpc_address,
        f"{PREFIX}HTTP_ADDRESS": settings.http_address,
    }
    grace = settings.drain_delay + settings.shutdown_grace
    return run_workers(settings.workers, addresses, grace)


def _revive(settings: Settings) -> Callable[[], None] | None:
    """The function that restarts a killed embedded PostgreSQL; None for another PostgreSQL."""
    return partial(_start_again, settings.data_dir) if settings.database_url is None else None


def _start_again(data_dir: Path) -> None:
    try:
        with running(data_dir):
            pass  # PostgreSQL keeps running, because this process uses it
    except EmbeddedPostgresError as error:
        structlog.get_logger("cli").error("the database cannot be started", detail=str(error))
