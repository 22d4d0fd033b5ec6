"""`keystead migrate SYSTEM`: the exports of other systems as files for `keystead import`."""

import contextlib
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from server.cli.configuration.export import dumped
from server.cli.groups import CommandGroup
from server.cli.operate import migrate_schema
from server.cli.private_files import PrivateFile
from server.moving.sources import (
    auth0,
    auth0_configuration,
    csv_file,
    keycloak,
    keycloak_configuration,
    kratos,
    pocket_id,
    pocket_id_configuration,
    zitadel,
    zitadel_configuration,
)
from server.moving.sources.configured import Configure, Configured
from server.moving.sources.moved import Choices, Left, Read, SourceError, with_one_address
from server.values.counted import counted

_FILES: Final = click.argument(
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    nargs=-1,
    required=True,
    help="Files of the export.",
)
_TO: Final = click.option(
    "--to",
    type=PrivateFile(),
    default="-",
    help="File for `keystead import`. Default: standard output.",
)
_RP_ID: Final = click.option(
    "--rp-id", default="", help="Relying party ID of the passkeys: the host of the other system."
)
_CONFIGURATION: Final = click.option(
    "--configuration",
    type=PrivateFile(),
    help="File for `keystead apply`, with the applications and identity providers of the export.",
)
_SECRETS: Final = click.option(
    "--secrets",
    type=PrivateFile(),
    help="File for a shell, with the variables that the configuration reads secrets from.",
)
_ATTRIBUTES: Final = click.option(
    "--attribute", "attributes", multiple=True, help="Attribute that moves. Can be repeated."
)

_NAMESPACE: Final = click.option(
    "--namespace",
    default="",
    help="Origin of users without an ID, such as a domain; their IDs are made of it.",
)

# Errors of readers that meet other values than those of an export.
_MALFORMED: Final = (
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
    OverflowError,
    RecursionError,
)
_MAX_SHOWN: Final = 200


@click.group("migrate", cls=CommandGroup, invoke_without_command=True)
@click.pass_context
def migrate(context: click.Context, /) -> None:
    """Migrate the database to the schema of this release, or users from another system.

    `keystead serve` migrates the database at its start. Without a command, this one does so
    earlier. Its commands turn the export of another system into a file for `keystead import`, and
    say what cannot move. They need no database.
    """
    if context.invoked_subcommand is None:
        migrate_schema()


def _source(name: str, read: Read, help_: str, configure: Configure | None = None) -> None:
    def command(
        files: Sequence[Path],
        to: Any,
        rp_id: str,
        attributes: Sequence[str],
        configuration: Any = None,
        secrets: Any = None,
    ) -> None:
        if secrets and not configuration:
            raise click.UsageError(
                "--secrets has the secrets of a file that --configuration names."
            )
        left = Left()
        _migrate(read, files, to, Choices(rp_id, frozenset(attributes)), left)
        if configure and configuration:
            _configure(configure, files, Configured(left), configuration, secrets)
        _report(left)

    options = (_FILES, _TO, *((_CONFIGURATION, _SECRETS) if configure else ()), _RP_ID, _ATTRIBUTES)
    for option in reversed(options):
        command = option(command)
    migrate.command(name, help=help_)(command)


@migrate.command("csv", help="Migrate users and groups from a table.")
@_FILES
@_TO
@_NAMESPACE
@_ATTRIBUTES
def _csv(files: Sequence[Path], to: Any, namespace: str, attributes: Sequence[str]) -> None:
    choices = Choices(attributes=frozenset(attributes), namespace=namespace)
    left = Left()
    _migrate(csv_file.users, files, to, choices, left)
    _report(left)


_source(
    "keycloak",
    keycloak.users,
    "Migrate users, passkeys, groups, links and clients from the export of a Keycloak realm.",
    keycloak_configuration.configure,
)
_source(
    "pocket-id",
    pocket_id.users,
    "Migrate users, passkeys, groups and clients from Pocket ID.",
    pocket_id_configuration.configure,
)
_source("kratos", kratos.users, "Migrate identities with passkeys and links from Ory Kratos.")
_source(
    "zitadel",
    zitadel.users,
    "Migrate users, links and applications from Zitadel, which exports no passkeys.",
    zitadel_configuration.configure,
)
_source(
    "auth0",
    auth0.users,
    "Migrate users, passkeys, links and clients from Auth0.",
    auth0_configuration.configure,
)


def _migrate(read: Read, files: Sequence[Path], to: Any, choices: Choices, left: Left) -> None:
    place, users, passkeys = _Place(), 0, 0
    with _told(place):
        for user in with_one_address(_users(read, files, choices, left, place), left):
            print(json.dumps(user, ensure_ascii=False), file=to)
            users, passkeys = users + 1, passkeys + bool(user.get("passkeys"))
    click.echo(f"{counted(users, 'user')}, {passkeys} of them with a passkey.", err=True)


def _configure(
    configure: Configure,
    files: Sequence[Path],
    found: Configured,
    configuration: Any,
    secrets: Any,
) -> None:
    """Writes the file for `keystead apply`, and the variables of its secrets."""
    place = _Place()
    with _told(place):
        for place.file in files:
            configure(place.file.read_bytes(), found)
    configuration.write(dumped(found.content))
    click.echo(
        f"{counted(len(found.content.get('applications', ())), 'application')} and"
        f" {counted(len(found.content.get('idps', ())), 'identity provider')}.",
        err=True,
    )
    if secrets:
        for variable, text in found.secrets.items():
            print(f"{variable}={shlex.quote(text)}", file=secrets)
    elif found.secrets:
        found.left.note(f"set {', '.join(found.secrets)}, or name a file for them by --secrets", 0)


def _report(left: Left) -> None:
    for sentence, number in sorted(left.counts.items()):
        shown = "".join(each if each.isprintable() else "?" for each in sentence)
        click.echo(f"{number:,} x {shown}." if number else f"{shown}.", err=True)


@contextlib.contextmanager
def _told(place: "_Place") -> Iterator[None]:
    """Tells people in which file a reader failed. `ClickException`."""
    try:
        yield
    except SourceError as error:
        raise click.ClickException(f"{place.file}: {error}") from None
    except _MALFORMED as error:
        raise click.ClickException(
            f"{place.file} is not an export of this system, after {counted(place.users, 'user')}:"
            f" {type(error).__name__} at {ascii(str(error))[1:-1][:_MAX_SHOWN]}."
        ) from None


@dataclass(slots=True)
class _Place:
    """The file that is read, and the number of its users so far."""

    file: Path = Path()
    users: int = 0


def _users(
    read: Read, files: Sequence[Path], choices: Choices, left: Left, place: _Place
) -> Iterator[dict[str, Any]]:
    for place.file in files:
        place.users = 0
        for user in read(place.file.read_bytes(), choices, left):
            yield user
            place.users += 1
