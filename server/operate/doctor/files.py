"""The data directory, its disk, and the permissions of files with secrets."""

import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from server.operate.doctor.findings import Finding, State, ok, problem, warning
from server.settings.settings import Settings
from server.settings.sources import PREFIX, variable
from server.settings.types import holds_secret, nearest_existing

# Free space of the data directory. Besides the data, PostgreSQL keeps up to 1 GB of write-ahead log
# (max_wal_size), and stops without space for the next segment of 16 MB.
_LITTLE_SPACE: Final = 1_000_000_000
_TOO_LITTLE_SPACE: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class File:
    """A file or directory, with the permissions of users other than its owner."""

    path: Path
    exists: bool
    is_usable: bool
    others_may_read: bool
    others_may_write: bool
    everybody_may_read: bool

    @property
    def flaw(self) -> str:
        """The reason why a file is not usable."""
        why = "cannot be read by this user" if self.exists else "is missing"
        return f"{self.path} {why}."


def look_at(path: Path) -> File:
    """Inspects a file or directory without opening it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:  # a directory may deny access
        is_hidden = isinstance(error, PermissionError)
        return File(path, is_hidden, False, False, False, False)
    needed = os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)
    return File(
        path,
        exists=True,
        is_usable=os.access(path, needed),
        others_may_read=bool(mode & 0o044),
        others_may_write=bool(mode & 0o022),
        everybody_may_read=bool(mode & stat.S_IROTH),
    )


def check(settings: Settings) -> list[Finding]:
    """The data directory, its disk, and the files with secrets."""
    folder = settings.data_dir.absolute()
    private = [settings.data_dir / "admin.token"]
    if not settings.encryption_keys:
        private.insert(0, settings.key_file)
    return [
        *data_dir(_folder_to_write(folder)),
        *(_disk_space(folder) if settings.database_url is None else []),
        *private_files(*map(look_at, private)),
        *_secret_files(_open_secrets(settings)),
    ]


def data_dir(folder: File) -> list[Finding]:
    """Users who can write to the data directory can replace the keys."""
    if not folder.is_usable:
        return problem(
            "data directory",
            f"This user cannot write to {folder.path} or create it. Run Keystead as its owner, or"
            f" set {PREFIX}DATA_DIR to another directory.",
        )
    if not folder.exists:
        return warning("data directory", f"{folder.path} does not exist; the server creates it.")
    if folder.others_may_write:
        return problem(
            "data directory",
            f"Other users can write to {folder.path}. Run: chmod go-w {folder.path}",
        )
    return ok("data directory", f"Only its owner can change {folder.path}.")


def private_files(*files: File) -> list[Finding]:
    """Only the owner may read the keys and the first token."""
    present = [file for file in files if file.exists]
    wrong = [
        *(file.flaw for file in present if not file.is_usable),
        *(
            f"{file.path} can be read by others than its owner. Run: chmod 600 {file.path}"
            for file in present
            if file.others_may_read or file.others_may_write
        ),
    ]
    if wrong:
        return [Finding("private files", State.PROBLEM, sentence) for sentence in wrong]
    return ok("private files", "Nobody else can read them.")


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
        return problem("disk space", f"Only {left}: writes fail, or soon will. {advice}")
    if free < _LITTLE_SPACE:
        return warning("disk space", f"Only {left}, which may need 1000 MB for a while. {advice}")
    return ok("disk space", f"{left}.")


def _secret_files(open_secrets: Mapping[str, Path]) -> list[Finding]:
    """A group may read secret files, as in Kubernetes, but not everybody."""
    return [
        Finding(
            "secret files",
            State.WARNING,
            f"{name} is in {path}, which every user can read. Run: chmod o-r {path}",
        )
        for name, path in open_secrets.items()
    ] or ok("secret files", "No setting has a secret in a file that everybody can read.")


def _open_secrets(settings: Settings) -> dict[str, Path]:
    """The files of secrets, by variable, that every user of the machine may read."""
    files = {
        variable(name): origin.path
        for name, origin in settings.origins().items()
        if origin.path and holds_secret(getattr(settings, name))
    }
    if settings.tls_key_file:
        files[variable("tls_key_file")] = settings.tls_key_file
    return {name: path for name, path in files.items() if look_at(path).everybody_may_read}


def _folder_to_write(path: Path) -> File:
    """A directory; usable if this user can write to it, or create it if it is missing."""
    is_usable = os.access(nearest_existing(path), os.R_OK | os.W_OK | os.X_OK)
    return replace(look_at(path), is_usable=is_usable)
