"""The places where a secret could leak, each as bytes."""

import contextlib
import re
from pathlib import Path

import asyncpg
import psutil

from server.process.embedded_postgres import postmaster_pid
from tests.support import given
from tests.support.process import Server, keystead

# Most bytes of a cluster are zero, and no form of a secret contains 64 of them in a row.
_ZEROS = re.compile(rb"\0{64,}")


async def tables(dsn: str) -> bytes:
    """All rows of all tables as text; binary columns in hexadecimal."""
    async with given.sql(dsn) as sql:
        names = await sql.fetch("""
            select format('%I.%I', schemaname, tablename) as name from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema')""")
        rows: list[asyncpg.Record] = []
        for table in names:
            rows += await sql.fetch(f"select row::text from {table['name']} as row")  # noqa: S608
    return "\n".join(row["row"] for row in rows).encode()


async def told_by(*words: str, data_dir: Path, **settings: str) -> bytes:
    """The output and the errors of a command."""
    finished = await keystead(*words, data_dir=data_dir, **settings)
    assert finished.output, finished.errors
    return f"{finished.output}\n{finished.errors}".encode()


def command_lines() -> bytes:
    """The command lines of all processes, which every user of the machine can read."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(process.read_bytes())
    return b"\n".join(lines)


def environment_of_postgres(cluster_dir: Path) -> bytes:
    """The environment of all its processes."""
    postmaster = psutil.Process(postmaster_pid(cluster_dir))
    environment = list(postmaster.environ().items())
    for child in postmaster.children():
        with contextlib.suppress(psutil.NoSuchProcess):  # a session that has ended meanwhile
            environment += child.environ().items()
    return "\n".join(f"{name}={value}" for name, value in environment).encode()


def metrics_of_workers(server: Server) -> bytes:
    """The files by which the workers share their metrics."""
    [folder] = {
        Path(worker.environ()["PROMETHEUS_MULTIPROC_DIR"])
        for worker in psutil.Process(server.process.pid).children()
    }
    assert folder.stat().st_mode & 0o777 == 0o700
    return b"\n".join(file.read_bytes() for file in folder.iterdir())


def files_of_postgres(cluster_dir: Path, *, since: Path) -> bytes:
    """The files that are newer than the file `since`, and the log of PostgreSQL."""
    return (
        b"\n".join(
            _ZEROS.sub(bytes(64), path.read_bytes())
            for path in cluster_dir.glob("postgres*/**/*")
            if path.is_file() and path.stat().st_mtime_ns >= since.stat().st_mtime_ns
        )
        + (cluster_dir / "postgres.log").read_bytes()
    )
