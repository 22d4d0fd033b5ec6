"""`keystead archive`."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListRow, print_list
from server.cli.parameters import Time, json_option
from server.cli.progress import shown_progress
from server.log import archives
from server.log.archive_file import ArchiveFileError
from server.log.archive_store import Archive, list_archives
from server.values.counted import counted
from server.values.progress import Progress

_files_argument: Final = click.argument(
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    nargs=-1,
    required=True,
    help="Files that `keystead archive` has written.",
)


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.option("--before", type=Time(), help="Archive months that ended before this date, in UTC.")
@click.option(
    "--to",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIRECTORY",
    help="Where to write the files.",
)
@click.pass_context
def archive(context: click.Context, /, before: datetime | None, directory: Path | None) -> None:
    """Move old events from the database to files, one for each month.

    The first file has all events up to the month of the upgrade to this release. Every event must
    be covered by a checkpoint. Files are compressed JSON lines with names and addresses of people:
    keep them like backups. Nothing else changes for users, but `keystead rebuild` needs all files
    to be restored first.
    """
    if context.invoked_subcommand:
        return
    if before is None or directory is None:
        raise click.UsageError("--before and --to are needed.")

    _archive(before=before, directory=directory)


@in_installation
async def _archive(at: Installation, before: datetime, directory: Path) -> None:
    keyring = at.keyring()
    partitions = await archives.to_archive(at.database, before=before)
    for each in partitions:
        with shown_progress() as line:
            made = await archives.archive(at.database, keyring, each, directory, tell=line.tell)
        events = counted(made.event_count, "event is", "events are")
        click.echo(f"{events} now in {directory / made.file_name}.")
    if not partitions:
        click.echo("No month with events ended before that date.")


@archive.command("list")
@json_option
@in_installation
async def list_command(at: Installation, *, as_json: bool) -> None:
    """List all archives.

    Columns: number, file, events, time before which the events were written, first position, last
    position, time of archiving, whether the events are back in the database, SHA-256 over the
    digests of the events.
    """
    print_list(map(_row, await list_archives(at.database)), as_json=as_json)


def _row(archive: Archive) -> ListRow:
    return {
        "number": archive.number,
        "file": archive.file_name,
        "events": archive.event_count,
        "before": archive.partition.until,
        "first_position": archive.ranges[0][0],
        "last_position": archive.ranges[-1][1] - 1,
        "archived_at": archive.archived_at,
        "is_restored": archive.is_restored,
        "digest": archive.digest.hex(),
    }


@archive.command("verify")
@_files_argument
@in_installation
async def verify(at: Installation, files: Sequence[Path]) -> bool:
    """Verify that files have the archived events. Exits with status 1 if one does not.

    `keystead audit verify --archives DIRECTORY` verifies the whole log; this command compares files
    with the records of archives alone.
    """
    verified = await _verify(at, files)
    for path, found in verified.items():
        events = counted(found.event_count, "event")
        click.echo(f"{path} has the {events} of archive {found.number}.")
    return len(verified) == len(set(files))


@archive.command("restore")
@_files_argument
@in_installation
async def restore(at: Installation, files: Sequence[Path]) -> bool:
    """Put the events of files back into the database.

    Nothing is restored unless all files are intact. The files stay. To remove the events again,
    archive them again.
    """
    verified = await _verify(at, files)
    if len(verified) < len(set(files)):
        click.echo("Nothing was restored.", err=True)
        return False
    for path, found in verified.items():
        with shown_progress() as line:
            is_restored = await archives.restore(at.database, path, found, tell=line.tell)
        if is_restored:
            words = f"event of {path} is", f"events of {path} are"
            click.echo(f"{counted(found.event_count, *words)} back in the database.")
        else:
            click.echo(f"The events of {path} are in the database already.")
    return True


async def _verify(at: Installation, files: Sequence[Path]) -> dict[Path, Archive]:
    """The archives of the intact files. Prints the reason for each other one."""
    keyring = at.keyring()
    verified = dict[Path, Archive]()
    for path in files:
        try:
            with shown_progress() as line:
                line.tell(Progress(f"Reading {path}"))
                verified[path] = await archives.verify(at.database, keyring, path)
        except ArchiveFileError as error:
            click.echo(str(error), err=True)
    return verified
