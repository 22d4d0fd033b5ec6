"""Files that only their owner may read, written whole or not at all, and safe from a power cut."""

import os
import tempfile
from pathlib import Path


def write_private_file(path: Path, text: str, *, replace: bool) -> bool:
    """Puts a file (mode 0600) in place, and its directory (mode 0700) if there is none.

    `replace` false: a file that is there stays as it is, also one that another process puts there
    at the same time; then the answer is False.
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
    """Gives a file another name in its directory, for good."""
    path.replace(name)
    _fsync_directory(name.parent)


def _fsync_directory(path: Path) -> None:
    """Until then the name, unlike the content, may be lost when the machine crashes."""
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
