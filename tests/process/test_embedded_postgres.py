"""The embedded PostgreSQL: its start and end by several processes, and access to it."""

import asyncio
import contextlib
import multiprocessing
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from server.process.embedded_postgres import (
    Cluster,
    EmbeddedPostgresError,
    account,
    bin_dir,
    binaries,
    creation,
    disk,
    lifetime,
    postmaster,
    postmaster_pid,
    running,
)

pytestmark = pytest.mark.python_differs("signals, forks and the end of asyncio.run differ")

# A second process that uses the cluster until its input ends. On Ctrl-C it drains like `serve`,
# which needs the database.
_USER = """
import subprocess, sys
from pathlib import Path
from server.process.embedded_postgres import running
with running(Path(sys.argv[1]), durable=False) as cluster:
    try:
        print("ready", flush=True)
        sys.stdin.read()
    except KeyboardInterrupt:
        psql = [cluster.bin_dir / "psql", "-qAtc", "SELECT 'drained'", cluster.dsn]
        subprocess.run(psql, check=True)
"""
_NOBODY = pwd.getpwnam("nobody").pw_uid
_NAMELESS = 54_321
_ROOT = Path(__file__).parents[2]
_FAST: dict[str, Any] = {"durable": False}
_PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def created(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    data_dir = tmp_path_factory.mktemp("created") / "data"
    with running(data_dir, **_FAST):
        pass
    yield data_dir
    shutil.rmtree(data_dir.parent)


@pytest.fixture
def data_dir(created: Path) -> Iterator[Path]:
    """A cluster that is stopped before and after the test."""
    yield created
    kill_leftover(created)


@pytest.fixture
def own_copy(created: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy for a test that changes it."""
    # With owners and modes, which `shutil` does not copy
    subprocess.run(["/bin/cp", "-a", created, tmp_path / "data"], check=True)
    yield tmp_path / "data"
    kill_leftover(tmp_path / "data")
    shutil.rmtree(tmp_path)  # 46 MB, and pytest keeps the directories of three runs


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    kill_leftover(tmp_path / "data")
    shutil.rmtree(tmp_path)


def kill_leftover(data_dir: Path) -> None:
    """Kill the server that a failed test left behind, so that later tests do not fail."""
    with contextlib.suppress(EmbeddedPostgresError, ProcessLookupError):
        os.kill(postmaster_pid(data_dir), signal.SIGKILL)


@contextlib.contextmanager
def another_process(data_dir: Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a second user of the cluster, in its own process group as a shell would."""
    with subprocess.Popen(
        [sys.executable, "-c", _USER, str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
        start_new_session=True,
        **options,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def leave(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=_PATIENCE_SECONDS)
    assert process.returncode == 0


def ask(dsn: str, query: str) -> Any:
    async def connect_and_ask() -> Any:
        connection = await asyncpg.connect(dsn, timeout=_PATIENCE_SECONDS)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(connect_and_ask())


def is_stopped(data_dir: Path) -> bool:
    with pytest.raises(EmbeddedPostgresError, match="No embedded PostgreSQL is running"):
        postmaster_pid(data_dir)
    return not list((data_dir / "postgres").glob(".s.PGSQL*"))


def test_the_first_start_creates_a_closed_cluster_and_the_last_one_out_stops_it(
    empty: Path,
) -> None:
    before = empty.parent.stat()
    with running(empty) as cluster:
        version, durable, checksums = ask(
            cluster.dsn,
            "SELECT ARRAY[current_setting('server_version_num'), current_setting('fsync'),"
            " current_setting('data_checksums')]",
        )
        assert int(version) >= 180000
        assert (durable, checksums) == ("on", "on")
        locale = "SELECT datlocale FROM pg_database WHERE datname = 'keystead'"
        assert ask(cluster.dsn, locale) == "C.UTF-8"
        assert (empty / "postgres").stat().st_mode & 0o777 == 0o700
        assert (empty / "postgres.log").stat().st_mode & 0o777 == 0o600
    assert is_stopped(empty)
    after = empty.parent.stat()
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)
    assert before.st_mode & 0o077 == 0, "this test is about a directory that the server cannot pass"


def test_data_survives_a_stop_and_a_start(data_dir: Path) -> None:
    with running(data_dir, **_FAST) as cluster:
        ask(cluster.dsn, "CREATE TABLE survivor AS SELECT 42 AS answer")
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.dsn, "SELECT answer FROM survivor") == 42


def test_the_application_role_owns_its_database_and_is_no_superuser(data_dir: Path) -> None:
    role = "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls"
    owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.dsn, f"{role} FROM pg_roles WHERE rolname = current_user") is False
        assert ask(cluster.dsn, owner) == "keystead"
        assert ask(cluster.admin_dsn, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")


def test_there_is_no_tcp_port_and_no_secret_of_ours_in_the_server(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSTEAD_MASTER_KEY", "a-secret")
    monkeypatch.setenv("PGPORT", "7777")
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.admin_dsn, "SHOW listen_addresses") == ""
        environment = Path(f"/proc/{postmaster_pid(data_dir)}/environ").read_bytes()
        assert b"a-secret" not in environment


def test_a_second_use_in_the_same_process_shares_the_server(data_dir: Path) -> None:
    with running(data_dir, **_FAST) as first:
        pid = postmaster_pid(data_dir)
        with running(data_dir, **_FAST) as second:
            assert second == first
        assert postmaster_pid(data_dir) == pid
        assert ask(first.dsn, "SELECT 1") == 1
    assert is_stopped(data_dir)


def test_the_first_process_out_leaves_the_server_to_the_second(data_dir: Path) -> None:
    with another_process(data_dir) as first, another_process(data_dir) as second:
        pid = postmaster_pid(data_dir)
        leave(first)
        assert postmaster_pid(data_dir) == pid
        leave(second)
    assert is_stopped(data_dir)


def test_processes_that_start_at_once_get_one_server(empty: Path) -> None:
    with contextlib.ExitStack() as stack:
        command = [sys.executable, "-c", _USER, str(empty)]
        pipe = subprocess.PIPE
        processes = [
            stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=_ROOT))
            for _ in range(4)
        ]
        for process in processes:
            stack.callback(process.kill)
        for process in processes:
            assert process.communicate(timeout=_PATIENCE_SECONDS)[0] == b"ready\n"
            assert process.returncode == 0
    assert is_stopped(empty)


def test_a_server_whose_user_was_killed_is_adopted_and_stopped(data_dir: Path) -> None:
    with another_process(data_dir) as process:
        process.kill()
        process.wait()
    orphan = postmaster_pid(data_dir)
    with running(data_dir, **_FAST) as cluster:
        assert postmaster_pid(data_dir) == orphan
        assert ask(cluster.dsn, "SELECT 1") == 1
    assert is_stopped(data_dir)


def kill_server(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}/cwd").exists():  # the kernel takes a moment; a zombie has none
        time.sleep(0.005)


async def test_a_killed_server_is_started_again_and_recovers(data_dir: Path) -> None:
    # Durable, because `synchronous_commit=off` may lose the latest commits
    with running(data_dir) as cluster:
        connection = await asyncpg.connect(cluster.dsn)
        await connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        killed = postmaster_pid(data_dir)
        kill_server(killed)
        with running(data_dir):
            assert postmaster_pid(data_dir) != killed
            revived = await asyncpg.connect(cluster.dsn)
            assert await revived.fetchval("SELECT answer FROM kept") == 42
            await revived.close()
        connection.terminate()
    assert is_stopped(data_dir)


@pytest.mark.parametrize("pid", [os.getpid(), 2**22 - 1], ids=["recycled", "gone"])
def test_a_stale_postmaster_file_does_not_prevent_a_start(data_dir: Path, pid: int) -> None:
    cluster_dir = data_dir / "postgres"
    for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
        stale = cluster_dir / name
        stale.write_text(f"{pid}\n{cluster_dir}\n1\n5432\n.\n\n 1 1\nready\n")
        os.chown(stale, cluster_dir.stat().st_uid, cluster_dir.stat().st_gid)
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.dsn, "SELECT 1") == 1


@pytest.mark.parametrize(
    "content", [b"", b"\n", bytes(64), b"\xff"], ids=["empty", "a line", "zeros", "garbage"]
)
def test_a_postmaster_file_that_a_power_cut_spoilt_does_not_prevent_a_start(
    data_dir: Path, content: bytes
) -> None:
    cluster_dir = data_dir / "postgres"
    for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
        spoilt = cluster_dir / name
        spoilt.write_bytes(content)
        os.chown(spoilt, cluster_dir.stat().st_uid, cluster_dir.stat().st_gid)
    with pytest.raises(EmbeddedPostgresError, match="is running"):
        postmaster_pid(data_dir)
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.dsn, "SELECT 1") == 1


def test_ctrl_c_lets_the_process_drain_before_the_server_stops(data_dir: Path) -> None:
    with another_process(data_dir) as process:
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.read() == "drained\n"
        assert process.wait(timeout=_PATIENCE_SECONDS) == 0
    assert is_stopped(data_dir)


@pytest.mark.parametrize("megabytes", [8, 30])
def test_a_disk_without_room_for_a_cluster_is_named(megabytes: int) -> None:
    with (
        small_disk(megabytes) as small,
        pytest.raises(EmbeddedPostgresError) as refused,
        running(small / "data", **_FAST),
    ):
        pass

    assert f"The disk of {small} is full: " in str(refused.value)
    assert "PostgreSQL needs 64 MB. Make room" in str(refused.value)


def test_a_disk_that_is_full_at_the_start_is_named() -> None:
    with small_disk(160) as small:
        with running(small / "data", **_FAST):
            pass
        with contextlib.suppress(OSError), (small / "filling").open("wb", buffering=0) as filling:
            while filling.write(bytes(2**20)):
                pass

        with pytest.raises(EmbeddedPostgresError) as refused, running(small / "data", **_FAST):
            pass

        assert f"The disk of {small} is full: 0 MB were free" in str(refused.value)
        (small / "filling").unlink()
        with running(small / "data", **_FAST) as cluster:
            assert ask(cluster.dsn, "SELECT 1") == 1


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A file system of this size."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        mount = ["/bin/mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("only root of the machine can mount a file system")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["/bin/umount", "--lazy", folder], check=True)


def test_only_a_disk_that_is_too_small_is_blamed(tmp_path: Path) -> None:
    megabyte = 2**20
    assert disk.shortage(tmp_path, free=64 * megabyte, output="FATAL: another reason") == ""
    assert "65 MB were free" in disk.shortage(
        tmp_path, free=65 * megabyte, output="could not write: No space left on device"
    )
    assert "63 MB were free" in disk.shortage(tmp_path, free=63 * megabyte)


def test_a_very_long_and_odd_path_works(own_copy: Path, tmp_path: Path) -> None:
    data_dir = own_copy.rename(tmp_path / ("a, b=$(false)&c'\"ü%20" + "x" * 180))
    with running(data_dir, **_FAST) as cluster:
        assert ask(cluster.dsn, "SELECT 1") == 1
        psql = [str(cluster.bin_dir / "psql"), "-qAtc", "SELECT 1", cluster.dsn]
        assert subprocess.run(psql, check=True, capture_output=True).stdout == b"1\n"
    assert is_stopped(data_dir)


def test_other_users_of_the_machine_cannot_connect(own_copy: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can act as another user")
    # Given a directory that everybody may enter, so that only the cluster's own protection counts
    with tempfile.TemporaryDirectory() as parent:
        open_dir = Path(parent) / "data"
        Path(parent).chmod(0o755)
        own_copy.rename(open_dir)
        open_dir.chmod(0o755)
        with running(open_dir, **_FAST) as cluster:
            # When `nobody` tries to connect, and then the server's own account, which may enter
            nobody = psql_as(_NOBODY, cluster)
            account = psql_as((open_dir / "postgres").stat().st_uid, cluster)
        assert "Permission denied" in nobody
        assert "Peer authentication failed" in account


def psql_as(uid: int, cluster: Cluster) -> str:
    """Connect as this user. Returns the error message."""
    command = [str(cluster.bin_dir / "psql"), "-wAtc", "SELECT 1", cluster.dsn]
    done = subprocess.run(
        command, user=uid, group=uid, extra_groups=[], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert not done.stdout
    return done.stderr


@pytest.fixture
def reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs are where everybody may execute them: only root may enter some checkouts."""
    if os.geteuid() == 0:
        programs = binaries.executable_by(account.SystemAccount(_NOBODY, _NOBODY), bin_dir())
        monkeypatch.setattr(lifetime, "bin_dir", lambda: programs)


def run_as(uid: int, use: Callable[[Path], None]) -> None:
    """Calls the function as this user, with a directory of the user's own."""
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, uid, uid)
        # A fork without exec, because the user may not be permitted to execute this interpreter
        process = multiprocessing.get_context("fork").Process(
            target=_use_as, args=(uid, use, Path(home) / "data")
        )
        process.start()
        process.join(timeout=_PATIENCE_SECONDS)
        assert process.exitcode == 0
        assert is_stopped(Path(home) / "data")


def _use_as(uid: int, use: Callable[[Path], None], data_dir: Path) -> None:
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    use(data_dir)


@pytest.mark.usefixtures("reachable")
def test_an_ordinary_user_runs_the_server_as_themselves() -> None:
    if os.geteuid() != 0:
        pytest.skip("every other test is this test when an ordinary user runs them")

    def use(data_dir: Path) -> None:
        with running(data_dir, **_FAST) as cluster:
            psql = [str(cluster.bin_dir / "psql"), "-qAtc", "SELECT current_user", cluster.dsn]
            assert subprocess.check_output(psql) == b"keystead\n"
            assert Path(f"/proc/{postmaster_pid(data_dir)}").stat().st_uid == _NOBODY

    run_as(_NOBODY, use)


@pytest.mark.usefixtures("reachable")
def test_a_user_without_a_name_is_told_so() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become a user without a name")

    def use(data_dir: Path) -> None:
        told = f"user {_NAMELESS}, who has no name"
        with pytest.raises(EmbeddedPostgresError, match=told), running(data_dir, **_FAST):
            pass

    run_as(_NAMELESS, use)


def test_root_keeps_out_of_a_directory_whose_owner_could_plant_links(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("a rule for root")
    os.chown(tmp_path, _NOBODY, _NOBODY)
    with pytest.raises(EmbeddedPostgresError, match=f"belongs to user {_NOBODY}"):
        running(tmp_path).__enter__()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_directory_where_everybody_could_plant_a_cluster_is_refused(
    tmp_path: Path, mode: int
) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(EmbeddedPostgresError, match=f"run: chmod o-w {tmp_path}"):
        running(tmp_path).__enter__()
    assert not list(tmp_path.iterdir())


def test_an_environment_that_the_account_cannot_enter_is_copied(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user's server runs in their own environment")
    # Given an installation in a directory that only root may enter
    closed = tmp_path / "site-packages"
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(bin_dir().parents[2] / name, closed / name, copy_function=os.symlink)
    installed = closed / "embedded_postgres/pginstall/bin"
    monkeypatch.setattr(lifetime, "bin_dir", lambda: installed)
    with tempfile.TemporaryDirectory() as cache:
        Path(cache).chmod(0o755)
        monkeypatch.setattr(binaries, "_CACHE", Path(cache) / "keystead")
        with running(data_dir, **_FAST) as cluster:
            assert ask(cluster.dsn, "SELECT 1") == 1
        assert [path.name[:18] for path in Path(cache, "keystead").iterdir()] == [
            "embedded-postgres-"
        ]


def test_simultaneous_first_starts_create_one_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = iter(range(900, 1000))
    accounts: dict[str, int] = {}

    def find(name: str) -> tuple[object, ...]:
        return (name, "x", accounts[name], accounts[name])

    def create() -> str:
        created = next(ids)
        time.sleep(0.05)
        accounts["keystead-postgres"] = created
        return ""

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(pwd, "getpwnam", find)
    monkeypatch.setattr(account, "_create", create)
    with ThreadPoolExecutor(4) as starts:
        found = set(starts.map(account.find_account, [tmp_path / "none"] * 4))

    assert found == {(900, 900)}


def test_a_killed_first_start_leaves_nothing_half_made(empty: Path) -> None:
    command = [sys.executable, "-c", _USER, str(empty)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=_ROOT
    ) as process:
        while not list(empty.glob("postgres.init-*/base")):
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
    assert not (empty / "postgres").exists()
    with running(empty, **_FAST) as cluster:
        assert ask(cluster.dsn, "SELECT 1") == 1
        assert not list(empty.glob("postgres.init-*"))


def test_a_failed_first_start_leaves_nothing_and_says_why(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creation, "_INITDB", "--encoding=no-such-encoding")
    with pytest.raises(EmbeddedPostgresError, match="no-such-encoding"), running(empty):
        pass
    assert sorted(path.name for path in empty.iterdir()) == [
        "postgres.lock",
        "postgres.log",
        "postgres.users",
    ]


def test_a_failed_start_shows_the_end_of_the_log(own_copy: Path) -> None:
    with (own_copy / "postgres" / "postgresql.conf").open("a") as file:
        file.write("shared_buffers = nonsense\n")
    with (
        pytest.raises(
            EmbeddedPostgresError, match=r'invalid value .* "shared_buffers": "nonsense"'
        ),
        running(own_copy),
    ):
        pass


def test_a_large_log_is_put_aside_at_the_next_start(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postmaster, "_MAX_LOG_BYTES", 10)
    with running(data_dir, **_FAST):
        pass
    assert (data_dir / "postgres.log.1").stat().st_size > 10


def test_a_missing_package_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "embedded_postgres", None)
    with pytest.raises(EmbeddedPostgresError, match=r"keystead\[embedded\].*KEYSTEAD_DATABASE_URL"):
        running(tmp_path / "data").__enter__()
    assert not (tmp_path / "data").exists()
