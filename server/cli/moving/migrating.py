"""`keystead migrate SYSTEM`: the exports of other systems as files for `keystead import`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from server.cli.groups import CommandGroup
from server.cli.operate import migrate_schema
from server.cli.private_files import PrivateFile
from server.moving.sources import auth0, csv_file, keycloak, kratos, pocket_id, zitadel
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


def _source(name: str, read: Read, help_: str) -> None:
    @migrate.command(name, help=help_)
    @_FILES
    @_TO
    @_RP_ID
    @_ATTRIBUTES
    def command(files: Sequence[Path], to: Any, rp_id: str, attributes: Sequence[str]) -> None:
        _migrate(read, files, to, Choices(rp_id, frozenset(attributes)))


@migrate.command("csv", help="Migrate users and groups from a table.")
@_FILES
@_TO
@_NAMESPACE
@_ATTRIBUTES
def _csv(files: Sequence[Path], to: Any, namespace: str, attributes: Sequence[str]) -> None:
    choices = Choices(attributes=frozenset(attributes), namespace=namespace)
    _migrate(csv_file.users, files, to, choices)


_source(
    "keycloak",
    keycloak.users,
    "Migrate users, passkeys, groups and links from the export of a Keycloak realm.",
)
_source("pocket-id", pocket_id.users, "Migrate users, passkeys and groups from Pocket ID.")
_source("kratos", kratos.users, "Migrate identities with passkeys and links from Ory Kratos.")
_source(
    "zitadel", zitadel.users, "Migrate users and links from Zitadel, which exports no passkeys."
)
_source("auth0", auth0.users, "Migrate users, passkeys and links from Auth0.")


def _migrate(read: Read, files: Sequence[Path], to: Any, choices: Choices) -> None:
    left, place, users, passkeys = Left(), _Place(), 0, 0
    try:
        for user in with_one_address(_users(read, files, choices, left, place), left):
            print(json.dumps(user, ensure_ascii=False), file=to)
            users, passkeys = users + 1, passkeys + bool(user.get("passkeys"))
    except SourceError as error:
        raise click.ClickException(f"{place.file}: {error}") from None
    except _MALFORMED as error:
        raise click.ClickException(
            f"{place.file} is not an export of this system, after {counted(place.users, 'user')}:"
            f" {type(error).__name__} at {ascii(str(error))[1:-1][:_MAX_SHOWN]}."
        ) from None
    click.echo(f"{counted(users, 'user')}, {passkeys} of them with a passkey.", err=True)
    for sentence, number in sorted(left.counts.items()):
        shown = "".join(each if each.isprintable() else "?" for each in sentence)
        click.echo(f"{number:,} x {shown}." if number else f"{shown}.", err=True)


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
