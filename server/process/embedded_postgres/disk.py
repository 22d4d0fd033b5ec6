"""Recognizes a full disk: the log of PostgreSQL, which would say so, is on the same disk."""

import errno
import os
from pathlib import Path
from typing import Final

# The errors of a full disk and of a quota.
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
# A new cluster has 48 MB. A running one adds segments of 16 MB to its write-ahead log.
_NEEDED_BYTES: Final = 64 * 2**20


def free_bytes(path: Path) -> int:
    """The free space for the files of this directory; 0 if there is no room for another file."""
    disk = os.statvfs(path)
    if disk.f_files and not disk.f_favail:
        return 0
    return disk.f_bavail * disk.f_frsize


def shortage(path: Path, *, free: int, output: str = "") -> str:
    """The sentences for people if there is too little space, or if the output says so."""
    if free >= _NEEDED_BYTES and not any(os.strerror(each) in output for each in FULL):
        return ""
    mount_point = next(each for each in (path, *path.parents) if each.is_mount())
    return (
        f"The disk of {mount_point} is full: {free // 2**20} MB were free, and PostgreSQL"
        f" needs {_NEEDED_BYTES // 2**20} MB. Make room and start Keystead again."
    )
