"""Files that are opened without following links, and exclusive locks on them."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def opened(path: Path, flags: int = os.O_RDWR | os.O_APPEND) -> Iterator[int]:
    """The descriptor of a file, which is created, or of a directory."""
    create = 0 if path.is_dir() else os.O_CREAT
    descriptor = os.open(path, flags | create | os.O_NOFOLLOW, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def exclusive(lock: int) -> Iterator[None]:
    """Holds the lock of a descriptor."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)
