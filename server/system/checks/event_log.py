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
from server.system.checks.findings import Finding, problem
from server.system.checks.reasons import FindingReason, Said, found
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
        hours = age // timedelta(hours=1)
        return found(FindingReason.EVENTS_UNCOVERED, hours=Said(counted(hours, "hour"), hours))
    return found(FindingReason.EVENTS_COVERED)


async def _file(database: Statements, path: Path) -> list[Finding]:
    """The last checkpoint of the file must be in the database, and the file must be up to date."""
    try:
        kept = witness.latest(path)
    except CheckpointFileError as error:
        return problem("checkpoint file", str(error))
    if kept and not await witness.is_stored(database, kept):
        return found(FindingReason.CHECKPOINT_LOST, number=kept.number, path=path)
    last = await last_checkpoint(database)
    has_newer = last is not None and (kept is None or kept.number < last.number)
    if last and has_newer and datetime.now(UTC) - last.taken_at > _OLDEST_UNCOVERED:
        return found(FindingReason.CHECKPOINT_NOT_IN_FILE, number=last.number, path=path)
    return found(FindingReason.CHECKPOINT_FILE, path=path)


async def _partitions(database: Statements) -> list[Finding]:
    """Events get into the default partition if the clock was wrong, or no partition was added."""
    misplaced, since = await misplaced_events(database)
    if not misplaced:
        return []
    return found(
        FindingReason.EVENTS_MISPLACED,
        events=Said(counted(misplaced, "event"), misplaced),
        date=f"{since:%Y-%m-%d}",
    )
