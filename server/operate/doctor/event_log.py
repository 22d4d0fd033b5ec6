"""The event log: its checkpoints, its partitions, and an unfinished rebuild."""

from datetime import timedelta
from typing import Final

from server.operate.doctor.findings import Finding, ok, warning
from server.operate.unfinished_rebuild import find_leftover
from server.store.database import Statements
from server.store.log.event_checkpoints import uncovered_for
from server.store.log.event_partitions import misplaced_events
from server.values.counted import counted

_OLDEST_UNCOVERED: Final = timedelta(hours=1)


async def check(database: Statements) -> list[Finding]:
    """The checkpoints, the partitions, and an unfinished rebuild."""
    return [
        *await _checkpoints(database),
        *await _partitions(database),
        *await _rebuild(database),
    ]


async def _checkpoints(database: Statements) -> list[Finding]:
    """A server takes a checkpoint every ten minutes."""
    age = await uncovered_for(database)
    if age is not None and age > _OLDEST_UNCOVERED:
        return warning(
            "event log",
            f"Events of {counted(age // timedelta(hours=1), 'hour')} ago are in no checkpoint."
            " Check that a server runs and whether its log names failures of housekeeping, or run:"
            " keystead audit checkpoint",
        )
    return ok("event log", "Its checkpoints are up to date. To check them: keystead audit verify")


async def _partitions(database: Statements) -> list[Finding]:
    """Events get into the default partition if the clock was wrong, or no partition was added."""
    misplaced, since = await misplaced_events(database)
    if not misplaced:
        return []
    return warning(
        "event partitions",
        f"{counted(misplaced, 'event')}, from {since:%Y-%m-%d} on: there is no partition for the"
        " month. Such events are read as usual and cannot be archived. Check the clock of the"
        " database, and whether the log names failures of housekeeping.",
    )


async def _rebuild(database: Statements) -> list[Finding]:
    """A rebuild that was interrupted leaves its tables, so that the next one continues."""
    leftover = await find_leftover(database)
    if leftover is None:
        return []
    done = f"{leftover.replayed} of {leftover.events} events are replayed"
    if leftover.is_running:
        return ok("rebuild", f"`keystead rebuild` is running: {done}.")
    return warning(
        "rebuild",
        f"`keystead rebuild` was interrupted: {done}. Run it again to continue. To discard it, run"
        " this SQL: drop schema keystead_rebuild cascade",
    )
