"""The file `postmaster.pid`, in which a server of PostgreSQL records its process and its state."""

from pathlib import Path

from server.process.embedded_postgres.errors import EmbeddedPostgresError


def postmaster_pid(data_dir: Path) -> int:
    """The process ID of the running PostgreSQL."""
    pid = recorded_pid(data_dir / "postgres")
    if pid is None:
        raise EmbeddedPostgresError(f"No embedded PostgreSQL is running in {data_dir}.")
    return pid


def recorded_pid(cluster: Path) -> int | None:
    """The process ID of the server, if any.

    After a power cut the file may be empty or filled with zeros.
    """
    first = next(iter(_lines(cluster)), "")
    return int(first) if first.isdecimal() else None


def is_ready(cluster: Path) -> bool:
    """Whether the server accepts connections."""
    return _lines(cluster)[7:] == ["ready"]


def is_other_program(pid: int, cluster: Path) -> bool:
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
