"""Files that are replaced while the server runs."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import structlog

from server.values.errors import OperatorError

_log = structlog.get_logger("tls")


class _Expiring(Protocol):
    @property
    def expires_at(self) -> datetime: ...


_Loaded = TypeVar("_Loaded", bound=_Expiring)


class FollowedFiles(Generic[_Loaded]):
    """An object that a function loads from files, and loads again after they changed."""

    def __init__(self, name: str, load: Callable[..., _Loaded], *files: Path) -> None:
        """`load` raises OperatorError, and so does this. `name` is for the log."""
        self._name = name
        self._load = load
        self._files = files
        self._seen = self._taken = self._look()
        self.loaded = load(*files)

    async def follow(self) -> None:
        """Loads files that changed before the last call and not since, because they are complete.

        Unusable files are logged once, and the loaded object stays in use.
        """
        seen, self._seen = self._seen, await asyncio.to_thread(self._look)
        if self._seen == seen != self._taken:
            await self._take()

    async def _take(self) -> None:
        self._taken = self._seen
        try:
            self.loaded = await asyncio.to_thread(self._load, *self._files)
        except OperatorError as error:
            _log.error(f"the {self._name} is not replaced", detail=str(error))
        else:
            expires_at = self.loaded.expires_at.isoformat()
            _log.info(f"the {self._name} is replaced", expires_at=expires_at)

    def _look(self) -> list[tuple[int, ...] | None]:
        return [_version(file) for file in self._files]


def _version(file: Path) -> tuple[int, ...] | None:
    """A value that differs after a change or replacement of the file; None if it is missing."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
