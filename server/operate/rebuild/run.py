"""The steps of a rebuild."""

import asyncio
import enum
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from server.log.archive_store import require_all_events
from server.operate.rebuild import compare, rounds, workspace
from server.operate.rebuild.compare import Comparison, Difference
from server.operate.rebuild.errors import UnknownEventError, UnreplayableLogError
from server.operate.rebuild.replay import replay, verify
from server.operate.rebuild.rounds import Batch
from server.store.database import Database, Transaction
from server.values.progress import Progress, Tell, tell_nobody

# All statements of the transaction see the same rows.
_SNAPSHOT: Final = "set transaction isolation level repeatable read"

# The number of new events that are left for the transaction that blocks writers.
_FEW_EVENTS: Final = 500


class RebuildStep(enum.StrEnum):
    """A step of a rebuild."""

    READ = "Reading the log"
    VERIFY = "Checking the events that were replayed before"
    REPLAY = "Replaying"
    COMPARE = "Comparing"
    REPAIR = "Repairing"


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a rebuild. `blocked_seconds`: how long writers had to wait."""

    events: int
    differences: tuple[Difference, ...]
    blocked_seconds: float = 0.0


async def rebuild(
    database: Database,
    *,
    repair: bool,
    connections: int = 1,
    start_over: bool = False,
    tell: Tell = tell_nobody,
) -> Report:
    """Compares the read tables with the log; `repair` corrects the rows that differ.

    Goes on with an unfinished rebuild, unless `start_over`. Uses `connections` and one more, which
    the pool must have. Raises RebuildRunningError, EventsArchivedError, UnknownEventError,
    UnreplayableLogError, ChangedLogError.
    """
    if database.pool.size <= connections:
        raise ValueError("a rebuild takes one connection more than it replays with")
    steps = _Rebuild(database, connections, tell)
    async with workspace.locked(database):
        try:
            report = await steps.take(repair=repair, start_over=start_over)
        except (UnknownEventError, UnreplayableLogError):
            # Another release is needed, or another log: neither can go on with this rebuild.
            await workspace.discard(database)
            raise
        await workspace.discard(database)
    return report


class _Rebuild:
    def __init__(self, database: Database, connections: int, tell: Tell) -> None:
        self._database = database
        self._connections = connections
        self._tell = tell

    async def take(self, *, repair: bool, start_over: bool) -> Report:
        """All steps between the lock and the removal of the schema."""
        if start_over or not await workspace.is_begun(self._database):
            await self._begin()
        else:
            await self._verify()
        await self._catch_up()
        comparison = await self._compare()
        blocked_seconds = 0.0
        if repair and comparison.differences:
            await self._catch_up()
            blocked_seconds = await self._repair(comparison)
        events = sum(batch.events for batch in await rounds.list_batches(self._database))
        return Report(events, comparison.differences, blocked_seconds)

    async def _begin(self) -> None:
        self._tell(Progress(RebuildStep.READ))
        async with self._database.transaction() as transaction:
            await transaction.script(_SNAPSHOT)
            await require_all_events(transaction)
            await workspace.make(transaction)
            await rounds.add_all(transaction)

    async def _verify(self) -> None:
        batches = await rounds.list_batches(self._database)
        replayed = [batch for batch in batches if batch.is_done]
        await self._through(replayed, verify, RebuildStep.VERIFY)

    async def _catch_up(self) -> None:
        """Replays all batches, then rounds of new events until few are left for the next step.

        Ends too when a round has no fewer events than the one before: writers are as fast as the
        replay.
        """
        await self._replay()
        found, before = await self._replay_round(), math.inf
        while _FEW_EVENTS < found < before:
            found, before = await self._replay_round(), found

    async def _replay_round(self) -> int:
        async with workspace.in_use(self._database) as transaction:
            found = await rounds.add_new(transaction)
        await self._replay()
        return found

    async def _replay(self) -> None:
        batches = await rounds.list_batches(self._database)
        left = [batch for batch in batches if not batch.is_done]
        done = sum(batch.events for batch in batches if batch.is_done)
        await self._through(left, replay, RebuildStep.REPLAY, done=done)

    async def _through(
        self,
        batches: Sequence[Batch],
        act: Callable[[Transaction, Batch], Awaitable[None]],
        step: RebuildStep,
        *,
        done: int = 0,
    ) -> None:
        """Acts on each batch in a transaction, on several of a stage at a time.

        Tells the progress; `done` are the events of earlier runs. The first error ends all.
        """
        if not batches:
            return
        progress = Progress(step, done, done + sum(batch.events for batch in batches))

        async def act_on(waiting: Iterator[Batch]) -> None:
            nonlocal progress
            for batch in waiting:  # which the tasks share
                async with workspace.in_use(self._database) as transaction:
                    await act(transaction, batch)
                progress = progress._replace(done=progress.done + batch.events)
                self._tell(progress)

        self._tell(progress)
        for _, stage in groupby(batches, key=lambda batch: batch.stage):
            waiting = iter(list(stage))
            try:
                async with asyncio.TaskGroup() as tasks:
                    for _ in range(self._connections):
                        tasks.create_task(act_on(waiting))
            except ExceptionGroup as group:
                raise group.exceptions[0] from group

    async def _compare(self) -> Comparison:
        """Compares as of one instant, while writers go on."""
        self._tell(Progress(RebuildStep.COMPARE))
        async with workspace.in_use(self._database, begin=_SNAPSHOT) as transaction:
            await _replay_new(transaction)
            return await compare.compare(transaction)

    async def _repair(self, comparison: Comparison) -> float:
        """Repairs while writers wait; returns for how many seconds."""
        self._tell(Progress(RebuildStep.REPAIR))
        began = time.monotonic()
        async with workspace.in_use(self._database, begin=compare.LOCK) as transaction:
            await _replay_new(transaction)
            await compare.repair(transaction, since=comparison.batch)
        return time.monotonic() - began


async def _replay_new(transaction: Transaction) -> None:
    """Replays the events since the last round, in this transaction."""
    await rounds.add_new(transaction)
    for batch in await rounds.list_batches(transaction):
        if not batch.is_done:
            await replay(transaction, batch)
