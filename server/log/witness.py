"""Takes checkpoints, and notices when earlier ones are gone (decision 3).

A superuser of PostgreSQL can remove the last checkpoints and change the events that they covered.
The remaining checkpoints verify, and the next one would cover the changed log. So each process
remembers the last checkpoint that it saw, and a file outside of the database has a line for each.

The rule: no checkpoint is taken unless the last one that is known is still stored.
"""

import asyncio
from pathlib import Path

import structlog

from server.crypto.keyring import Keyring
from server.log import checkpoint_file, checkpoints
from server.log.checkpoint_file import Kept
from server.log.checkpoints import Checkpoint, TamperedLogError, get_checkpoint
from server.store.database import Statements

_log = structlog.get_logger("event_log")


async def is_stored(database: Statements, kept: Kept) -> bool:
    """Whether the database still has a checkpoint, with the same MAC."""
    stored = await get_checkpoint(database, kept.number)
    return stored is not None and Kept.of(stored) == kept


class Witness:
    """The checkpoints that one process knows from its memory, and from the file `path` if given."""

    def __init__(self, database: Statements, keyring: Keyring, path: Path | None) -> None:
        self._database = database
        self._keyring = keyring
        self._path = path
        self._seen: Kept | None = None

    async def take(self) -> Checkpoint | None:
        """Takes checkpoints of all new events, and appends the last one to the file.

        Returns the last one; None without events. TamperedLogError if the last known checkpoint is
        gone; CheckpointFileError, CheckpointKeyError, EncryptionKeyError.
        """
        in_file = None
        if self._seen:
            await self._require(self._seen, "which this server has seen")
        if self._path:
            in_file = await asyncio.to_thread(checkpoint_file.latest, self._path)
            if in_file:
                await self._require(in_file, f"which {self._path} has")
        last = await checkpoints.take(self._database, self._keyring)
        if last is None:
            return None
        self._seen = Kept.of(last)
        if self._path and (in_file is None or in_file.number < last.number):
            if in_file is None and last.number > 1:
                _log.warning("a new file of checkpoints was begun", path=str(self._path))
            await asyncio.to_thread(checkpoint_file.append, self._path, last)
        return last

    async def _require(self, kept: Kept, known: str) -> None:
        if not await is_stored(self._database, kept):
            raise TamperedLogError(
                f"Checkpoint {kept.number}, {known}, is not in the database any more."
            )
