"""While a server runs, only its owner can reach the embedded database and its files."""

import contextlib
import os
import pwd
import stat
import subprocess
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from server.process.embedded_postgres import bin_dir, postmaster_pid
from server.process.embedded_postgres.account import SystemAccount
from server.process.embedded_postgres.binaries import executable_by
from tests.support.process import Server, serve

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")

_NOBODY = pwd.getpwnam("nobody").pw_uid


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[Server]:
    """A server in a directory that everybody may enter, so that only its own protection counts."""
    with tempfile.TemporaryDirectory() as parent:
        _open_to_all(parent)
        data_dir = Path(parent, "data")
        _open_to_all(data_dir)
        async with serve(data_dir, log_level="debug") as server:
            await server.web_port()
            yield server


def _open_to_all(folder: str | Path) -> None:
    Path(folder).mkdir(exist_ok=True)
    Path(folder).chmod(0o755)


@pytest.fixture(params=["nobody", "the account of PostgreSQL"])
def outsider(request: pytest.FixtureRequest, server: Server) -> int:
    """An account that is neither root nor that of the server."""
    if request.param == "nobody":
        return _NOBODY
    return (server.data_dir / "postgres").stat().st_uid


@dataclass(frozen=True)
class _Attempt:
    status: int
    output: bytes
    errors: str


def _as(uid: int, *command: str | Path) -> _Attempt:
    done = subprocess.run(
        command, user=uid, group=uid, extra_groups=[], capture_output=True, check=False
    )
    return _Attempt(done.returncode, done.stdout, done.stderr.decode())


def test_every_file_of_the_data_directory_is_for_its_owner_alone(server: Server) -> None:
    modes = {}
    for path in server.data_dir.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # PostgreSQL has removed it meanwhile
            modes[path] = path.lstat().st_mode
    opened = {path for path, mode in modes.items() if stat.S_IMODE(mode) & 0o077}

    assert {"admin.token", "encryption.keys", "postgres", "postgres.log"} <= {
        path.name for path in modes
    }
    assert opened == set()


def test_nobody_reads_a_secret_or_a_row(server: Server, outsider: int) -> None:
    folder = server.data_dir
    relations = sorted((folder / "postgres" / "base").rglob("[0-9]*"))
    private = [folder / "admin.token", folder / "encryption.keys", folder / "postgres.log"]
    if outsider == _NOBODY:  # the account of PostgreSQL may read rows
        private += [folder / "postgres" / "pg_hba.conf", relations[-1]]

    attempts = [_as(outsider, "/bin/cat", path) for path in private]

    assert {attempt.output for attempt in attempts} == {b""}
    assert all("Permission denied" in attempt.errors for attempt in attempts)


def test_the_user_of_the_server_reads_its_secrets(server: Server) -> None:
    for name in ("admin.token", "encryption.keys"):
        assert _as(0, "/bin/cat", server.data_dir / name).output


@pytest.mark.parametrize("role", ["keystead", "postgres"])
def test_nobody_else_connects_to_the_embedded_database(
    server: Server, outsider: int, role: str
) -> None:
    attempt = _as(outsider, *_psql(server, role))

    assert (attempt.status, attempt.output) == (2, b"")
    expected = "Permission denied" if outsider == _NOBODY else "Peer authentication failed"
    assert expected in attempt.errors


def test_the_user_of_the_server_connects_to_the_embedded_database(server: Server) -> None:
    assert _as(0, *_psql(server, "keystead")).output == b"keystead\n"


def _psql(server: Server, role: str) -> list[str | Path]:
    where = f"host={server.data_dir / 'postgres'} port=5432 user={role} dbname=keystead"
    programs = executable_by(SystemAccount(_NOBODY, _NOBODY), bin_dir())
    return [programs / "psql", "-wAtc", "select current_user", where]


def test_the_socket_of_the_database_is_its_owners_and_only_on_the_file_system(
    server: Server,
) -> None:
    file = server.data_dir / "postgres" / ".s.PGSQL.5432"

    assert stat.S_ISSOCK(file.lstat().st_mode)
    assert stat.S_IMODE(file.lstat().st_mode) == 0o700
    assert _listens(postmaster_pid(server.data_dir), "unix") == {"./.s.PGSQL.5432"}


def test_the_embedded_database_listens_on_no_port(server: Server) -> None:
    assert _listens(postmaster_pid(server.data_dir), "inet") == set()


def test_a_port_of_the_embedded_database_would_be_noticed(server: Server) -> None:
    assert len(_listens(server.process.pid, "inet")) == 2


def _listens(pid: int, kind: str) -> set[str]:
    """The sockets of a process and its children: names, or addresses."""
    root = psutil.Process(pid)
    connections = root.net_connections(kind)
    for child in root.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # a session that has ended meanwhile
            connections += child.net_connections(kind)
    return {
        str(connection.laddr)
        for connection in connections
        if kind == "unix" or connection.status in (psutil.CONN_LISTEN, psutil.CONN_NONE)
    } - {""}


def test_nobody_reads_the_environment_of_the_server(server: Server, outsider: int) -> None:
    environment = Path("/proc", str(server.process.pid), "environ")

    attempt = _as(outsider, "/bin/cat", environment)

    assert attempt.output == b""
    assert "Permission denied" in attempt.errors
    assert b"KEYSTEAD_DATA_DIR" in environment.read_bytes()
    assert stat.S_IMODE(environment.stat().st_mode) == 0o400
