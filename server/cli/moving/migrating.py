"""`keystead migrate SYSTEM`: the exports of other systems as files for `keystead import`."""

import json
from collections.abc import Iterator, Sequence
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
_source("csv", csv_file.users, "Migrate users and groups from a table.")


def _migrate(read: Read, files: Sequence[Path], to: Any, choices: Choices) -> None:
    left, users, passkeys = Left(), 0, 0
    try:
        for user in with_one_address(_users(read, files, choices, left), left):
            print(json.dumps(user, ensure_ascii=False), file=to)
            users, passkeys = users + 1, passkeys + bool(user.get("passkeys"))
    except SourceError as error:
        raise click.ClickException(str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise click.ClickException(
            f"The file is not an export of this system: {type(error).__name__} at {error}."
        ) from None
    click.echo(f"{counted(users, 'user')}, {passkeys} of them with a passkey.", err=True)
    for sentence, number in sorted(left.counts.items()):
        click.echo(f"{number:,} x {sentence}." if number else f"{sentence}.", err=True)


def _users(
    read: Read, files: Sequence[Path], choices: Choices, left: Left
) -> Iterator[dict[str, Any]]:
    for path in files:
        yield from read(path.read_bytes(), choices, left)
