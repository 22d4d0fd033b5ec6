"""A streaming standby of the embedded PostgreSQL that the bench has started."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import asyncpg

from bench.link import Link
from server.process.embedded_postgres import bin_dir, running
from server.process.embedded_postgres.account import find_account
from server.process.embedded_postgres.binaries import executable_by
from server.process.embedded_postgres.programs import Programs

_REPLICATION = "local replication postgres peer map=keystead\n"


@contextlib.contextmanager
def standby(primary: Path, folder: Path, way: Link) -> Iterator[str]:
    """The URL of the administrator of a standby in `folder`, until the end of the block.

    `primary` is the data directory of its primary, which it follows through `way`.
    """
    with (primary / "postgres" / "pg_hba.conf").open("a") as rules:
        rules.write(_REPLICATION)
    asyncio.run(_reload(way.dsn))
    cluster = folder / "postgres"
    account = find_account(primary / "postgres")
    folder.mkdir()
    cluster.mkdir(mode=0o700)
    if account:
        os.chown(cluster, *account)
    programs = Programs(executable_by(account, bin_dir()), account, log=folder / "postgres.log")
    source = f"host=127.0.0.1 port={way.port} user=postgres sslmode=disable"
    words = ("--checkpoint=fast", "--write-recovery-conf", "-d", source)
    programs.run("pg_basebackup", *words, cluster=cluster)
    with running(folder) as server:
        yield server.admin_dsn


async def _reload(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("select pg_reload_conf()")
    await connection.close()
