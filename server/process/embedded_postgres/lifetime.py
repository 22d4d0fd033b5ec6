"""A server that runs while a process uses it."""

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from server.process.embedded_postgres.account import find_account
from server.process.embedded_postgres.binaries import bin_dir, executable_by
from server.process.embedded_postgres.creation import ensure_created
from server.process.embedded_postgres.disk import FULL, free_bytes, shortage
from server.process.embedded_postgres.errors import EmbeddedPostgresError
from server.process.embedded_postgres.locks import exclusive, opened
from server.process.embedded_postgres.postmaster import Postmaster
from server.process.embedded_postgres.programs import Programs

# sun_path has 104 bytes on macOS and 108 on Linux; "/.s.PGSQL.5432" and the final zero are 15.
_MAX_SOCKET_DIR_BYTES: Final = 89


@dataclass(frozen=True, slots=True)
class Cluster:
    """Connection strings of a running server, valid within the block of `running`."""

    dsn: str
    admin_dsn: str
    bin_dir: Path


def has_data(data_dir: Path) -> bool:
    """Whether the data directory contains a cluster."""
    return (data_dir / "postgres").exists()


@contextlib.contextmanager
def running(data_dir: Path, *, durable: bool = True) -> Iterator[Cluster]:
    """Create, start or join the server of this data directory; the last process stops it.

    `durable=False` is for tests: a crash of the machine may destroy the cluster. The value of the
    process that starts the server applies.
    """
    installed = bin_dir()
    data_dir = data_dir.resolve()
    cluster = data_dir / "postgres"
    with contextlib.ExitStack() as stack:
        try:
            data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            _require_safe(data_dir)
            lock = stack.enter_context(opened(data_dir / "postgres.lock"))
            users = stack.enter_context(opened(data_dir / "postgres.users"))
            with exclusive(lock):
                fcntl.flock(users, fcntl.LOCK_SH)
                account = find_account(cluster)
                programs = Programs(
                    executable_by(account, installed), account, log=data_dir / "postgres.log"
                )
                postmaster = Postmaster(cluster, programs)
                stack.callback(_leave, postmaster, lock, users)
                ensure_created(cluster, programs, lock, durable=durable)
                postmaster.ensure_started(durable=durable)
        except OSError as error:
            if error.errno in FULL:
                raise EmbeddedPostgresError(
                    f"The embedded PostgreSQL cannot write to {data_dir}."
                    f" {shortage(data_dir, free=free_bytes(data_dir), output=str(error))}"
                ) from error
            raise EmbeddedPostgresError(
                f"The embedded PostgreSQL cannot use {data_dir}: {error}. Run Keystead as the "
                "owner of the data, or choose another data directory."
            ) from error
        socket_dir = stack.enter_context(_short_path(cluster))
        address = f"host={quote(str(socket_dir))}&port=5432"  # otherwise PGPORT would apply
        yield Cluster(
            dsn=f"postgresql://keystead@/keystead?{address}",
            admin_dsn=f"postgresql://postgres@/postgres?{address}",
            bin_dir=programs.directory,
        )


def _require_safe(data_dir: Path) -> None:
    """Refuses a directory in which another user could replace files."""
    folder = data_dir.stat()
    if os.geteuid() == 0 and folder.st_uid != 0:
        raise EmbeddedPostgresError(
            f"{data_dir} belongs to user {folder.st_uid}, who could redirect writes of root by"
            " links. Run Keystead as that user, or choose a data directory that belongs to root."
        )
    if folder.st_mode & stat.S_IWOTH:
        raise EmbeddedPostgresError(
            f"All users can write to {data_dir}, and replace the database or the keys. Check that"
            f" its files are yours, then run: chmod o-w {data_dir}"
        )


def _leave(postmaster: Postmaster, lock: int, users: int) -> None:
    with exclusive(lock):
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # another process uses the server and will stop it
        postmaster.stop()


@contextlib.contextmanager
def _short_path(cluster: Path) -> Iterator[Path]:
    """A short path of the socket's directory, for a DSN and a socket address."""
    if len(os.fsencode(cluster)) <= _MAX_SOCKET_DIR_BYTES and "," not in str(cluster):
        yield cluster
        return
    # A link in a private directory, so that other users cannot take its name in advance. The lock
    # prevents systemd-tmpfiles from deleting the directory.
    with (
        tempfile.TemporaryDirectory(prefix="keystead-") as private,
        opened(Path(private), os.O_RDONLY) as directory,
    ):
        fcntl.flock(directory, fcntl.LOCK_SH)
        link = Path(private) / "pg"
        link.symlink_to(cluster)
        yield link
