"""Files with secrets: written atomically, durably and for their owner only, and read if trusted."""

import contextlib
import errno
import filecmp
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_WRITABLE_BY_OTHERS: Final = 0o022
# The file system has no hard links, like many network shares: link(2).
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP})


class UnusableFileError(Exception):
    """A file cannot be read or trusted; the text says why, without its contents."""


def read_trusted_file(path: Path) -> bytes:
    """The contents. UnusableFileError if it cannot be read, or if others can write it."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            contents = file.read()
    except OSError as error:
        raise UnusableFileError(f"cannot be read: {error.strerror}") from None
    if mode & _WRITABLE_BY_OTHERS:
        raise UnusableFileError(f"can be changed by other users. Run: chmod go-w {path}")
    return contents


def write_private_file(path: Path, text: str, *, replace: bool) -> bool:
    """Writes a file (mode 0600), and creates its directory (mode 0700) if necessary.

    Without `replace`, an existing file stays, also if another process creates it at the same time.
    The result is then False.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with new_private_file(path, replace=replace) as file:
            file.write(text.encode())
    except FileExistsError:
        return False
    return True


@contextlib.contextmanager
def new_private_file(path: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """A file to write (mode 0600), which gets its name durably at the end of the block.

    FileExistsError without `replace`, if a file with other contents has the name.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        elif not _link(temporary, path):
            raise FileExistsError(path)
        _fsync_directory(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _link(temporary: Path, path: Path) -> bool:
    """Gives the file its name. False: a file with other contents has it."""
    try:
        try:
            path.hardlink_to(temporary)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            path.touch(exist_ok=False)  # excludes other processes; a crash leaves an empty file
            temporary.replace(path)
    except FileExistsError:
        return path.is_file() and filecmp.cmp(temporary, path, shallow=False)
    return True


def rename_private_file(path: Path, name: Path) -> None:
    """Renames a file durably within its directory."""
    path.replace(name)
    _fsync_directory(name.parent)


def _fsync_directory(path: Path) -> None:
    """Syncs the directory; without it a crash of the machine may lose the name of the file."""
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
