"""`keystead serve`: one process, or several that it watches.

The rule: an embedded PostgreSQL that was started here does not outlive the command.
"""

# ruff: noqa: PLC0415 -- what serves is imported while PostgreSQL starts

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
from server.process.signals import stop_signals
from server.process.workers import run_workers
from server.settings.settings import PREFIX, Settings


@click.command()
def serve() -> None:
    """Serve until SIGTERM, Ctrl-C or the end of the terminal.

    Migrates the database first and, on an empty one, makes the first organization and its
    administrator. Without KEYSTEAD_DATABASE_URL it starts a PostgreSQL in the data directory.
    With nohup it outlives its terminal.
    """
    settings = load_settings()
    threading.Thread(target=_import_app).start()
    with dsn_of(settings) as dsn:
        from server import app

        token_file = uvloop.run(app.prepare(settings, dsn))
        if token_file is not None:
            click.echo(f"First start. The token of the user 'admin' is in {token_file}")
            click.echo("A link to register a passkey for it: keystead passkey link admin")
        status = _serve(settings, dsn)
        # A second signal must not leave the embedded PostgreSQL behind.
        for number in stop_signals():
            signal.signal(number, signal.SIG_IGN)
    structlog.get_logger("cli").info("stopped")
    sys.exit(status)


@click.command(hidden=True)
def work() -> None:
    """Serve as one of several processes; `keystead serve` starts these."""
    from server import app

    settings = load_settings()
    with dsn_of(settings) as dsn:
        parent = sys.stdin.fileno()
        uvloop.run(app.run(settings, dsn, revive=_revive(settings), parent=parent))


def _import_app() -> None:
    """In advance: PostgreSQL starts in processes of its own, and both take their time."""
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
    """Starts the embedded PostgreSQL again when it was killed; another one is not ours to start."""
    return partial(_start_again, settings.data_dir) if settings.database_url is None else None


def _start_again(data_dir: Path) -> None:
    try:
        with running(data_dir):
            pass  # it goes on afterwards, since this process has it in use anyway
    except EmbeddedPostgresError as error:
        structlog.get_logger("cli").error("the database cannot be started", detail=str(error))
