"""Starts and stops the server of a cluster, which records its process and state in postmaster.pid.

The caller holds the exclusive lock.
"""

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.process.embedded_postgres.errors import EmbeddedPostgresError
from server.process.embedded_postgres.programs import Programs

_TIMEOUT_S: Final = 120  # crash recovery replays up to max_wal_size, 1 GB
_MAX_LOG_BYTES: Final = 10_000_000
# Access control, which postgresql.conf must not override. The server's working directory is the
# cluster: a relative socket path is short enough and needs no access to parent directories.
_REACH: Final = (
    "-p 5432 -c listen_addresses= -c unix_socket_directories=. -c unix_socket_permissions=0700"
)
_NOT_DURABLE: Final = " -c fsync=off -c full_page_writes=off"


@dataclass(frozen=True, slots=True)
class Postmaster:
    """The server of a cluster, which runs or not."""

    cluster: Path
    programs: Programs

    def ensure_started(self, *, durable: bool) -> None:
        """Start the server unless it runs; wait for a start or stop in progress."""
        deadline = time.monotonic() + _TIMEOUT_S
        while True:
            if not self._is_alive():
                try:
                    return self._start(durable=durable)
                except EmbeddedPostgresError as error:
                    # The child processes of a killed server need a moment to end.
                    passing = "pre-existing shared memory" in str(error) or self._is_alive()
                    if not passing or time.monotonic() > deadline:
                        raise
            elif _is_ready(self.cluster):
                return None
            elif time.monotonic() > deadline:
                pid = postmaster_pid(self.cluster.parent)
                raise EmbeddedPostgresError(
                    f"The embedded PostgreSQL (process {pid}) has been starting or stopping for "
                    f"{_TIMEOUT_S} seconds. See {self.programs.log}, and end that process if it "
                    "hangs."
                )
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server if it runs."""
        if not self._is_alive():
            return
        try:
            self._control("stop", f"-t{_TIMEOUT_S}", "-m", "fast")
        except EmbeddedPostgresError:
            if self._is_alive():  # without a checkpoint; the next start recovers
                self._control("stop", "-m", "immediate")

    def _start(self, *, durable: bool) -> None:
        log = self.programs.log
        with contextlib.suppress(FileNotFoundError):
            if log.stat().st_size > _MAX_LOG_BYTES:
                log.replace(log.with_suffix(".log.1"))
        options = _REACH if durable else _REACH + _NOT_DURABLE
        self._control("start", f"-t{_TIMEOUT_S}", "-o", options)

    def _control(self, action: str, *words: str) -> None:
        self.programs.run("pg_ctl", action, "-s", "-w", *words, cluster=self.cluster)

    def _is_alive(self) -> bool:
        pid = _recorded_pid(self.cluster)
        if pid is None or _is_other_program(pid, self.cluster):
            # PostgreSQL would mistake the process for a server and refuse to start. It detects
            # remaining processes of an old server by its shared memory, without these files.
            for name in (".s.PGSQL.5432.lock", "postmaster.pid"):
                (self.cluster / name).unlink(missing_ok=True)
            return False
        return self.programs.status("pg_ctl", "status", cluster=self.cluster) == 0


def postmaster_pid(data_dir: Path) -> int:
    """The process ID of the running PostgreSQL."""
    pid = _recorded_pid(data_dir / "postgres")
    if pid is None:
        raise EmbeddedPostgresError(f"No embedded PostgreSQL is running in {data_dir}.")
    return pid


def _recorded_pid(cluster: Path) -> int | None:
    """The process ID of the server, if any.

    After a power cut the file may be empty or filled with zeros.
    """
    first = next(iter(_lines(cluster)), "")
    return int(first) if first.isdecimal() else None


def _is_ready(cluster: Path) -> bool:
    """Whether the server accepts connections."""
    return _lines(cluster)[7:] == ["ready"]


def _is_other_program(pid: int, cluster: Path) -> bool:
    """Whether another program reused the process ID, or the process is a zombie in a container.

    The working directory of a postmaster is its cluster. If it cannot be read (no such process, no
    permission, no /proc), PostgreSQL decides.
    """
    process = Path("/proc", str(pid))
    try:
        return not (process / "cwd").samefile(cluster)
    except FileNotFoundError:
        return process.exists()
    except PermissionError:
        return False


def _lines(cluster: Path) -> list[str]:
    """The first line is the process ID, the eighth the state."""
    try:
        text = (cluster / "postmaster.pid").read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [line.strip() for line in text.splitlines()]
