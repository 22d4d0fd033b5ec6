"""Creates the cluster, with the roles and the access control of Keystead."""

import os
import pwd
import shutil
import tempfile
from pathlib import Path
from typing import Final

from server.process.embedded_postgres.account import SystemAccount
from server.process.embedded_postgres.locks import opened
from server.process.embedded_postgres.programs import Programs

_INITDB: Final = (
    "--username=postgres --auth-local=peer --auth-host=reject --data-checksums --no-instructions "
    "--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C "
    # The operator may change the following settings in postgresql.conf.
    "-c max_connections=100 -c shared_buffers=128MB -c timezone=UTC -c log_timezone=UTC "
    # Keystead logs errors; the log of PostgreSQL would expose user data and fill the disk.
    "-c log_min_messages=log -c log_checkpoints=off -c log_connections="
)
_SCRIPT: Final = "CREATE ROLE keystead LOGIN\nCREATE DATABASE keystead OWNER keystead\n"


def ensure_created(cluster: Path, programs: Programs, lock: int, *, durable: bool) -> None:
    """Create the cluster atomically, by a rename. The caller holds `lock`."""
    data_dir = cluster.parent
    for leftover in data_dir.glob("postgres.init-*"):
        shutil.rmtree(leftover)
    if cluster.exists():
        return
    staging = Path(tempfile.mkdtemp(prefix="postgres.init-", dir=data_dir))
    try:
        _create(staging, programs, lock, durable=durable)
        staging.rename(cluster)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    with opened(data_dir, os.O_RDONLY) as directory:
        os.fsync(directory)


def _create(cluster: Path, programs: Programs, lock: int, *, durable: bool) -> None:
    if programs.account:
        os.chown(cluster, *programs.account, follow_symlinks=False)
    sync = [] if durable else ["--no-sync"]
    # initdb survives a kill of this process. It inherits the lock, so other processes wait.
    programs.run("initdb", *_INITDB.split(), *sync, cluster=cluster, keep=lock)
    users = {pwd.getpwuid(uid).pw_name for uid in (0, os.geteuid())}
    mapping = [f'keystead "{user}" {role}\n' for user in users for role in ("keystead", "postgres")]
    _replace(cluster / "pg_ident.conf", "".join(mapping), programs.account)
    _replace(cluster / "pg_hba.conf", "local all all peer map=keystead\n", programs.account)
    options = ["-c", "exit_on_error=true", "-c", f"fsync={durable}", "postgres"]
    programs.run("postgres", "--single", *options, cluster=cluster, script=_SCRIPT, keep=lock)


def _replace(file: Path, text: str, owner: SystemAccount | None) -> None:
    file.unlink()  # replaced, since root must not follow links
    with opened(file, os.O_WRONLY | os.O_EXCL) as descriptor:
        os.write(descriptor, text.encode())
        if owner:
            os.fchown(descriptor, *owner)
