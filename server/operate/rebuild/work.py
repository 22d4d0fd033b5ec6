"""Works through batches, several at a time, and reports the progress."""

import asyncio
import enum
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from itertools import groupby
from typing import Any

from server.operate.rebuild.rounds import Batch
from server.values.progress import Progress, Tell


class RebuildStep(enum.StrEnum):
    """A step of a rebuild."""

    READ = "Reading the log"
    VERIFY = "Checking the events that were replayed before"
    REPLAY = "Replaying"
    COMPARE = "Comparing"
    REPAIR = "Repairing"


class Work:
    """Works with a number of connections, and tells the progress at each step and batch."""

    def __init__(self, connections: int, tell: Tell) -> None:
        self._connections = connections
        self.tell = tell

    async def through(
        self,
        batches: Iterable[Batch],
        act: Callable[[Batch], Awaitable[None]],
        step: RebuildStep,
        *,
        done: int = 0,
    ) -> None:
        """Acts on all batches, several of a stage at a time. `done`: the events of earlier runs."""
        batches = list(batches)
        if not batches:
            return
        progress = Progress(step, done, done + sum(batch.events for batch in batches))

        async def act_on(waiting: Iterator[Batch]) -> None:
            nonlocal progress
            for batch in waiting:  # which the tasks share
                await act(batch)
                progress = progress._replace(done=progress.done + batch.events)
                self.tell(progress)

        self.tell(progress)
        for _, stage in groupby(batches, key=lambda batch: batch.stage):
            await self._together(act_on, iter(list(stage)))

    async def _together(
        self, task: Callable[[Iterator[Batch]], Coroutine[Any, Any, None]], waiting: Iterator[Batch]
    ) -> None:
        """Runs a task for each connection. The first error ends all, and is raised."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self._connections):
                    tasks.create_task(task(waiting))
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
