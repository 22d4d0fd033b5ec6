"""The data directory, its disk, and the permissions of files with secrets."""

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from server.settings.settings import Settings
from server.settings.sources import PREFIX, variable
from server.settings.types import holds_secret, nearest_existing
from server.system.checks.findings import Finding, State, ok, problem, warning

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
        return problem(
            "data directory",
            f"This user cannot write to {folder} or create it.",
            f"Run Keystead as its owner, or set {PREFIX}DATA_DIR to another directory.",
        )
    if not folder.exists():
        return warning("data directory", f"{folder} does not exist; the server creates it.")
    if folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return problem(
            "data directory", f"Other users can write to {folder}.", f"Run: chmod go-w {folder}"
        )
    return ok("data directory", f"Only its owner can change {folder}.")


def _disk_space(folder: Path) -> list[Finding]:
    """On a full disk the embedded database refuses all writes, and then stops."""
    try:
        free = shutil.disk_usage(nearest_existing(folder)).free
    except OSError:  # this user cannot query it
        return []
    left = f"{free // 1_000_000} MB are free for the embedded database"
    advice = (
        f"Free space on the disk of {folder}, or stop all servers, move that directory and set"
        f" {PREFIX}DATA_DIR."
    )
    if free < _TOO_LITTLE_SPACE:
        return problem("disk space", f"Only {left}: writes fail, or soon will.", advice)
    if free < _LITTLE_SPACE:
        return warning("disk space", f"Only {left}, which may need 1000 MB for a while.", advice)
    return ok("disk space", f"{left}.")


def _secret_files(settings: Settings) -> list[Finding]:
    """A group may read secret files, as in Kubernetes, but not everybody."""
    files = {
        variable(name): origin.path
        for name, origin in settings.origins().items()
        if origin.path and holds_secret(getattr(settings, name))
    }
    if settings.tls_key_file:
        files[variable("tls_key_file")] = settings.tls_key_file
    files["The token of the first administrator"] = settings.data_dir / "admin.token"
    return [
        Finding(
            "secret files",
            State.WARNING,
            f"{name} is in {path}, which every user can read.",
            f"Run: chmod o-r {path}",
        )
        for name, path in files.items()
        if _everybody_may_read(path)
    ] or ok("secret files", "No secret is in a file that everybody can read.")


def _everybody_may_read(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # it is missing, or its directory denies access
        return False
