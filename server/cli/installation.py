"""The settings of the environment and their database, for commands.

The rule: only `keystead serve` and `keystead migrate` create a database. Every other command needs
an existing one with the current schema.
"""

import contextlib
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import click
import uvloop

from server.crypto.encryption_keys import require_admitted
from server.crypto.keyring import Keyring, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.process.embedded_postgres import has_data, running
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.settings.unknown import unknown_variables
from server.store.database import Database, connected
from server.store.schema import require_current
from server.telemetry import logs

Result = TypeVar("Result")
# The function of a command, with an `Installation` and other parameters. False: it has failed.
Work: TypeAlias = Callable[..., Coroutine[Any, Any, bool | None]]


def load_settings() -> Settings:
    """Loads the settings, and warns of variables that resemble one."""
    for sentence in unknown_variables():
        click.echo(sentence, err=True)
    settings = Settings.load()
    configure_logs(settings)
    return settings


def configure_logs(settings: Settings) -> None:
    """Sets up logging as the settings say."""
    logs.configure(
        settings.log_level,
        settings.log_format,
        with_traces=settings.otlp_endpoint is not None,
    )


@contextlib.contextmanager
def dsn_of(settings: Settings) -> Iterator[str]:
    """The DSN. An embedded PostgreSQL runs at least until the end of the block."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
    else:
        with running(settings.data_dir) as cluster:
            yield cluster.dsn


@contextlib.contextmanager
def existing_dsn(settings: Settings) -> Iterator[str]:
    """The same, but does not create an embedded database."""
    if settings.database_url is None and not has_data(settings.data_dir):
        raise click.ClickException(
            f"There is no database in {settings.data_dir.absolute()}. Set {PREFIX}DATA_DIR to the"
            " directory of `keystead serve`, or start the server once."
        )
    with dsn_of(settings) as dsn:
        yield dsn


@dataclass(frozen=True, slots=True)
class Installation:
    """The settings, and an existing database whose schema is current."""

    settings: Settings
    database: Database

    def keyring(self) -> Keyring:
        """The encryption keys. EncryptionKeyError without a valid key."""
        return load_keyring(self.settings.encryption_keys, self.settings.key_file)

    async def keyring_of_servers(self) -> Keyring:
        """The encryption keys, for a secret that a server will decrypt.

        EncryptionKeyError if a key of a stored secret is missing, or if no server has the first
        key.
        """
        keyring = self.keyring()
        keyring.must_have(await key_ids_in_use(self.database))
        await require_admitted(self.database, keyring)
        return keyring


def run(work: Callable[[Installation], Coroutine[Any, Any, Result]]) -> Result:
    """Runs a function with the installation."""
    settings = load_settings()

    async def connect_and_work(dsn: str) -> Result:
        async with connected(dsn, pool_size=1) as database:
            await require_current(database)
            return await work(Installation(settings, database))

    with existing_dsn(settings) as dsn:
        return uvloop.run(connect_and_work(dsn))


def in_installation(work: Work) -> Callable[..., None]:
    """The function of a command that runs this one with the installation and its parameters.

    If it returns False, the command exits with status 1.
    """

    @wraps(work)
    def run_work(**parameters: Any) -> None:
        if run(lambda at: work(at, **parameters)) is False:
            sys.exit(1)

    return run_work
