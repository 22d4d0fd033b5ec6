"""`keystead import`."""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import click

from keystead.user.v1 import user_import_pb2 as pb
from server.access.caller import OPERATOR
from server.cli.declared.call import OperatorCall
from server.cli.installation import Installation, in_installation
from server.cli.moving import state
from server.cli.moving.lines import WRONG_FIELDS, Line, LineBatch, batches, count
from server.cli.moving.retrying import retried
from server.cli.moving.state import ImportProgress
from server.cli.names import organization_id_of
from server.cli.parameters import organization_option
from server.cli.progress import ProgressLine, shown_progress
from server.group import store as group_store
from server.group.commands import CreateGroup
from server.group.commands import add as add_group
from server.moving.service import MovingUsers
from server.store.database import Database, Statements
from server.validation.fields import read
from server.values.counted import counted
from server.values.progress import Progress
from server.wiring.policies import import_policy

_Send: TypeAlias = Callable[[pb.ImportUsersRequest], Awaitable[pb.ImportUsersResponse]]


@click.command("import")
@click.argument(
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Lines of ImportedUser as JSON.",
)
@organization_option
@click.option("--dry-run", is_flag=True, help="Only try: write nothing to the database.")
@click.option("--create-groups", is_flag=True, help="Create groups that the organization lacks.")
@in_installation
async def import_command(
    at: Installation, file: Path, *, organization: str, dry_run: bool, create_groups: bool
) -> bool:
    """Import users with their passkeys from a file, whose lines are ImportedUser as JSON.

    `keystead migrate SYSTEM` makes such a file from the export of another system. An import that
    was ended goes on where it was, by FILE.state. Users who are refused are in FILE.refused, each
    with its wrong fields: correct them there, and import that file. The exit status is 1 if users
    are refused.
    """
    organization_id = await organization_id_of(at.database, organization)
    with shown_progress() as line:
        if dry_run:
            done = await _try(at, file, organization_id, line, creates_groups=create_groups)
        else:
            if create_groups:
                for name in await _created_groups(at.database, organization_id, file):
                    click.echo(f"The group '{name}' was created.", err=True)
            done = await _import(at, file, organization_id, line)
    _report(file, done, dry_run=dry_run)
    return not done.refused


async def _try(
    at: Installation, file: Path, organization_id: str, line: ProgressLine, *, creates_groups: bool
) -> ImportProgress:
    """Tries the whole file in one transaction, which is undone; prints the refused users."""
    done, total = ImportProgress(organization_id, ""), count(file)
    async with undone(at.database) as transaction:
        if creates_groups:
            for name in await _created_groups(transaction, organization_id, file):
                click.echo(f"The group '{name}' would be created.", err=True)
        send = _sender(at, transaction, organization_id)
        with file.open("rb") as content:
            for batch in batches(content):
                for each in await _send_batch(batch, send, done):
                    click.echo(each, nl=False)
                line.tell(Progress("Trying", done.lines, total, "users"))
    return done


@contextlib.asynccontextmanager
async def undone(database: Database) -> AsyncIterator[Statements]:
    """A transaction without an effect."""
    with contextlib.suppress(_UndoneError):
        async with database.transaction() as transaction:
            yield transaction
            raise _UndoneError


class _UndoneError(Exception):
    """Undoes a transaction."""


async def _import(
    at: Installation, file: Path, organization_id: str, line: ProgressLine
) -> ImportProgress:
    """Imports the rest of the file. Its state is written after each batch."""
    done, total = ImportProgress.of(file, organization_id), count(file)
    send, refused = _sender(at, at.database, organization_id), state.refused_path(file)
    done.store(file)
    refused.touch(mode=0o600)
    with file.open("rb") as content, refused.open("ab") as refusals:
        refusals.truncate(done.refused_bytes)
        content.seek(done.offset)
        for batch in batches(content, done.lines):
            for each in await _send_batch(batch, send, done):
                refusals.write(each.encode())
            refusals.flush()
            done.refused_bytes, done.offset = refusals.tell(), batch.end
            done.store(file)
            line.tell(Progress("Importing", done.lines, total, "users"))
    state.forget(file)
    if not done.refused:
        refused.unlink()
    return done


def _sender(at: Installation, statements: Statements, organization_id: str) -> _Send:
    """Calls ImportUsers as the operator. A call that lost a race is made again."""
    users = MovingUsers(statements, policy=import_policy(at.settings))
    call: Any = OperatorCall(organization_id)

    async def send(request: pb.ImportUsersRequest) -> pb.ImportUsersResponse:
        return await retried(lambda: users.ImportUsers(request, call))

    return send


async def _send_batch(batch: LineBatch, send: _Send, done: ImportProgress) -> list[str]:
    """Imports a batch, counts its results, and returns the lines of the refused users."""
    refused = [
        _refused(each, [{"field": "", "description": each.problem}])
        for each in batch.lines
        if each.problem
    ]
    users = [each for each in batch.lines if each.user is not None]
    request = pb.ImportUsersRequest(users=[each.user for each in users if each.user])
    results = (await send(request)).results if users else ()
    for each, result in zip(users, results, strict=True):
        done.imported += result.state == pb.IMPORT_STATE_IMPORTED
        done.same += result.state == pb.IMPORT_STATE_SAME
        if result.state == pb.IMPORT_STATE_REFUSED:
            refused.append(_refused(each, map(_field, result.wrong_fields)))
    done.refused += len(refused)
    done.lines = batch.lines[-1].number
    return refused


def _field(wrong: pb.WrongField) -> dict[str, str]:
    return {"field": wrong.field, "description": wrong.description}


def _refused(line: Line, wrong: Iterable[dict[str, str]]) -> str:
    content: dict[str, Any] = {WRONG_FIELDS: list(wrong), **line.content}
    return f"{json.dumps(content, ensure_ascii=False)}\n"


async def _created_groups(statements: Statements, organization_id: str, file: Path) -> list[str]:
    """Creates the groups whose names the file has and the organization lacks; their names."""
    names = set[str]()
    with file.open("rb") as content:
        for batch in batches(content):
            for user in (each.user for each in batch.lines if each.user):
                names.update(user.groups, *(link.groups for link in user.idp_links))
    found = await group_store.lock_named(statements, names, organization_id)
    created = sorted(names - found.keys())
    for name in created:
        command = read(CreateGroup, {"name": name, "display_name": ""})
        await add_group(statements, command, actor=OPERATOR, organization_id=organization_id)
    return created


def _report(file: Path, done: ImportProgress, *, dry_run: bool) -> None:
    imported = counted(done.imported, "user")
    words = "would be imported" if dry_run else "imported"
    click.echo(f"{imported} {words}, {done.same} imported before, {done.refused} refused.")
    if done.refused and not dry_run:
        click.echo(f"The refused users with their wrong fields are in {state.refused_path(file)}.")
