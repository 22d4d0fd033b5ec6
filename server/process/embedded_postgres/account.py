"""The account that runs PostgreSQL, which refuses to run as root."""

import contextlib
import os
import pwd
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from server.process.embedded_postgres.errors import EmbeddedPostgresError
from server.process.embedded_postgres.locks import exclusive, opened

_NAME: Final = "keystead-postgres"


class SystemAccount(NamedTuple):
    """The IDs of a user and its group."""

    uid: int
    gid: int


def find_account(cluster: Path) -> SystemAccount | None:
    """The account for the server if this process is root; it is created if necessary.

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
                f"account again: chown -R {_NAME}: {cluster}"
            )
        return SystemAccount(status.st_uid, status.st_gid)
    if existing := _existing():
        return existing
    # A second useradd that runs at the same time replaces the account by one with another id.
    with opened(Path("/etc"), os.O_RDONLY) as accounts, exclusive(accounts):
        if existing := _existing():
            return existing
        reason = _create()
    if created := _existing():
        return created
    raise EmbeddedPostgresError(
        f"PostgreSQL refuses to run as root, and the account {_NAME} for it cannot be created "
        f"({reason}). Create it, or run Keystead as an ordinary user."
    )


def _existing() -> SystemAccount | None:
    with contextlib.suppress(KeyError):
        return SystemAccount(*pwd.getpwnam(_NAME)[2:4])
    return None


def _create() -> str:
    """The complaint of useradd, or an empty string."""
    command = "useradd --system --user-group --no-create-home --home-dir /nonexistent --shell"
    try:
        return subprocess.run(  # noqa: S603 -- constants
            [*command.split(), "/usr/sbin/nologin", _NAME],
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
