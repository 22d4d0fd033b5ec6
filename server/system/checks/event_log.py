"""The event log: its checkpoints and its partitions."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from server.log import witness
from server.log.checkpoints import last_checkpoint, uncovered_for
from server.log.partitions import misplaced_events
from server.log.witness import CheckpointFileError
from server.settings.settings import Settings
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, problem, warning
from server.values.counted import counted

_OLDEST_UNCOVERED: Final = timedelta(hours=1)


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """The checkpoints, their file and the partitions."""
    path = settings.checkpoint_file
    return [
        *await _checkpoints(database),
        *(await _file(database, path) if path else []),
        *await _partitions(database),
    ]


async def _checkpoints(database: Statements) -> list[Finding]:
    """A server takes a checkpoint every ten minutes."""
    age = await uncovered_for(database)
    if age is not None and age > _OLDEST_UNCOVERED:
        return warning(
            "event log",
            f"Events of {counted(age // timedelta(hours=1), 'hour')} ago are in no checkpoint.",
            "Check that a server runs and whether its log names failures of housekeeping, or run:"
            " keystead audit checkpoint",
        )
    return ok(
        "event log",
        "Each event older than an hour is in a checkpoint. To compare them: keystead audit verify",
    )


async def _file(database: Statements, path: Path) -> list[Finding]:
    """The last checkpoint of the file must be in the database, and the file must be up to date."""
    try:
        kept = witness.latest(path)
    except CheckpointFileError as error:
        return problem("checkpoint file", str(error))
    if kept and not await witness.is_stored(database, kept):
        return problem(
            "checkpoint file",
            f"Checkpoint {kept.number}, which {path} has, is not in the database any more: somebody"
            " removed it, or an older backup was restored.",
            "Run: keystead audit verify. After a restore, stop the servers, run: keystead restored."
            " Then move the file away, keep it, and start the servers.",
        )
    last = await last_checkpoint(database)
    has_newer = last is not None and (kept is None or kept.number < last.number)
    if last and has_newer and datetime.now(UTC) - last.taken_at > _OLDEST_UNCOVERED:
        return warning(
            "checkpoint file",
            f"Checkpoint {last.number} is not in {path}.",
            "Check that a server of this machine runs with the setting and can write to the file.",
        )
    return ok("checkpoint file", f"The database has the last checkpoint of {path}.")


async def _partitions(database: Statements) -> list[Finding]:
    """Events get into the default partition if the clock was wrong, or no partition was added."""
    misplaced, since = await misplaced_events(database)
    if not misplaced:
        return []
    return warning(
        "event partitions",
        f"{counted(misplaced, 'event')}, from {since:%Y-%m-%d} on: there is no partition for the"
        " month. Such events are read as usual and cannot be archived.",
        "Check the clock of the database, and whether the log names failures of housekeeping.",
    )
