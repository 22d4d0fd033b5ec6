"""Runs the programs of PostgreSQL on a cluster, as its account."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.process.embedded_postgres.account import SystemAccount
from server.process.embedded_postgres.disk import free_bytes, shortage
from server.process.embedded_postgres.errors import EmbeddedPostgresError
from server.process.embedded_postgres.locks import opened

# PostgreSQL makes every path absolute, but its account may have no access to parents of the data
# directory (such as /root). This kernel link avoids these parents.
_HERE: Final = "/proc/self/cwd"


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs in `directory`. Their account is None if it is that of this process."""

    directory: Path
    account: SystemAccount | None
    log: Path

    def run(
        self, program: str, *words: str, cluster: Path, script: str = "", keep: int = -1
    ) -> None:
        """Run a program that must succeed, with its output in the log.

        `keep` is a descriptor that it inherits.
        """
        free = free_bytes(cluster)
        with opened(self.log) as log:
            before = os.fstat(log).st_size
            code = self.status(
                program, *words, cluster=cluster, output=log, script=script, keep=keep
            )
        if code != 0:
            with self.log.open(errors="replace") as file:
                file.seek(before)
                last_words = "".join(file.readlines()[-12:]).strip()
            free = min(free, free_bytes(cluster))  # initdb deletes what it has written
            reasons = (
                f"The embedded PostgreSQL in {cluster} failed ({program}, exit code {code}).",
                shortage(cluster, free=free, output=last_words),
                f"The end of {self.log}:\n{last_words}" if last_words else "",
            )
            raise EmbeddedPostgresError(" ".join(filter(None, reasons)))

    def status(
        self,
        program: str,
        *words: str,
        cluster: Path,
        output: int = subprocess.DEVNULL,
        script: str = "",
        keep: int = -1,
    ) -> int:
        """The exit status of a program."""
        uid, gid = self.account or (None, None)
        here = _HERE if Path("/proc/self").exists() else str(cluster)  # macOS: needs open parents
        return subprocess.run(  # noqa: S603 -- the package's own program, without user input
            [self.directory / program, *words[:1], "-D", here, *words[1:]],
            cwd=cluster,  # entered as root, before the change of user
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
            # Not an empty list, with which Python 3.12.0 keeps the groups of root (CVE-2023-6507)
            extra_groups=[self.account.gid] if self.account else None,
        ).returncode
