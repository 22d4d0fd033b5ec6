"""The steps of a rebuild."""

import contextlib
import enum
import time
from dataclasses import dataclass
from typing import Final

from server.log.positions import assign
from server.operate.rebuild import compare, replay
from server.operate.rebuild.compare import Difference
from server.store.database import Database, Transaction
from server.values.errors import Failure
from server.values.progress import Progress, Tell, tell_nobody

# Commits what is replayed. All statements of the next transaction see the same rows.
_BEGIN_SNAPSHOT: Final = "commit; begin isolation level repeatable read"
_BEGIN: Final = "commit; begin"


class RebuildStep(enum.StrEnum):
    """A step of a rebuild."""

    REPLAY = "Replaying"
    COMPARE = "Comparing"
    REPAIR = "Repairing"


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a rebuild. `blocked_seconds`: how long writers had to wait."""

    events: int
    differences: tuple[Difference, ...]
    blocked_seconds: float = 0.0


async def rebuild(database: Database, *, repair: bool, tell: Tell = tell_nobody) -> Report:
    """Compares the read tables with the log; `repair` corrects the rows that differ.

    Writers go on until the repair. Uses one connection, several transactions in turn. Raises
    EventsArchivedError, UnknownEventError, UnreplayableLogError.
    """
    async with database.transaction() as transaction:
        try:
            report = await _rebuild(transaction, repair=repair, tell=tell)
        except Exception:  # not a cancellation: closing the connection drops the tables
            with contextlib.suppress(Failure):
                await replay.drop_tables(transaction)
            raise
        await replay.drop_tables(transaction)
    return report


async def _rebuild(transaction: Transaction, *, repair: bool, tell: Tell) -> Report:
    await replay.make_tables(transaction)
    replayed = await _replay(transaction, tell)
    tell(Progress(RebuildStep.COMPARE))
    await transaction.script(_BEGIN_SNAPSHOT)
    last = await replay.replay_last(transaction, after=replayed)
    differences = await compare.compare(transaction)
    if not (repair and differences):
        return Report(replayed + last, differences)
    tell(Progress(RebuildStep.REPAIR))
    await transaction.script(_BEGIN)
    began = time.monotonic()
    await compare.lock(transaction)
    last += await replay.replay_last(transaction, after=replayed)
    await compare.repair(transaction)
    await transaction.script(_BEGIN)
    return Report(replayed + last, differences, time.monotonic() - began)


async def _replay(transaction: Transaction, tell: Tell) -> int:
    """Replays all events that have a position, and gives the last one."""
    done = 0
    while done < (end := await assign(transaction)):
        tell(Progress(RebuildStep.REPLAY, done, end))
        await transaction.script(_BEGIN)
        until = min(done + replay.RANGE, end)
        await replay.replay_range(transaction, after=done, until=until)
        done = until
    tell(Progress(RebuildStep.REPLAY, done, end))
    return done
