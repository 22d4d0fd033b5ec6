"""Files that only their owner may read, written atomically and durably."""

import os
import tempfile
from pathlib import Path


def write_private_file(path: Path, text: str, *, replace: bool) -> bool:
    """Writes a file (mode 0600), and creates its directory (mode 0700) if necessary.

    Without `replace`, an existing file stays, also one that another process creates at the same
    time; the result is then False.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            try:
                path.hardlink_to(temporary)
            except FileExistsError:
                return False
        _fsync_directory(path.parent)
        return True
    finally:
        temporary.unlink(missing_ok=True)


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
