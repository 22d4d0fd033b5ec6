"""The data directory, its disk, and the permissions of files with secrets."""

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from server.settings.settings import Settings
from server.settings.sources import variable
from server.settings.types import holds_secret, nearest_existing
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, found

# Free space of the data directory. Besides the data, PostgreSQL keeps up to 1 GB of write-ahead log
# (max_wal_size), and stops without space for the next segment of 16 MB.
_LITTLE_SPACE: Final = 1_000_000_000
_TOO_LITTLE_SPACE: Final = 100_000_000


def check(settings: Settings) -> list[Finding]:
    """The data directory, its disk, and the files with secrets."""
    folder = settings.data_dir.absolute()
    return [
        *_data_dir(folder),
        *(_disk_space(folder) if settings.database_url is None else []),
        *_secret_files(settings),
    ]


def _data_dir(folder: Path) -> list[Finding]:
    """Users who can write to the data directory can replace the keys."""
    if not os.access(nearest_existing(folder), os.R_OK | os.W_OK | os.X_OK):
        return found(FindingReason.FOLDER_CLOSED, folder=folder)
    if not folder.exists():
        return found(FindingReason.FOLDER_MISSING, folder=folder)
    if folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return found(FindingReason.FOLDER_OPEN, folder=folder)
    return found(FindingReason.FOLDER, folder=folder)


def _disk_space(folder: Path) -> list[Finding]:
    """On a full disk the embedded database refuses all writes, and then stops."""
    try:
        free = shutil.disk_usage(nearest_existing(folder)).free
    except OSError:  # this user cannot query it
        return []
    megabytes = free // 1_000_000
    if free < _TOO_LITTLE_SPACE:
        return found(FindingReason.SPACE_TOO_LITTLE, megabytes=megabytes, folder=folder)
    if free < _LITTLE_SPACE:
        return found(FindingReason.SPACE_LITTLE, megabytes=megabytes, folder=folder)
    return found(FindingReason.SPACE, megabytes=megabytes)


def _secret_files(settings: Settings) -> list[Finding]:
    """A group may read secret files, as in Kubernetes, but not everybody."""
    files = {
        variable(name): origin.path
        for name, origin in settings.origins().items()
        if origin.path and holds_secret(getattr(settings, name))
    }
    if settings.tls_key_file:
        files[variable("tls_key_file")] = settings.tls_key_file
    readable = [
        finding
        for name, path in files.items()
        if _everybody_may_read(path)
        for finding in found(FindingReason.SECRET_READABLE, name=name, path=path)
    ]
    admin_token = settings.data_dir / "admin.token"
    if _everybody_may_read(admin_token):
        readable += found(FindingReason.ADMIN_TOKEN_READABLE, path=admin_token)
    return readable or found(FindingReason.SECRETS_CLOSED)


def _everybody_may_read(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # it is missing, or its directory denies access
        return False
