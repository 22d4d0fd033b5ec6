"""The latest release: its statements, and its calls. `make released-statements` writes the file.

The calls are a tour of a server (`tour.py`), recorded (`recording.py`) on the schema of the
release. Keys, tokens and passwords in it are of a server that ended with the recording.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from server.process.embedded_postgres import running
from server.store.database import connected
from server.store.migrate import migrate
from server.store.schema import newest_version
from tests.store.recording import WRITES, Step, recording, replay
from tests.store.tour import tour
from tests.support import given
from tests.support.statements import statements

# Statements of `rotate-keys`, `archive` and `migrate`. Commands need exactly the schema of their
# release.
_OF_COMMANDS = {
    "crypto.encryption_keys._RESTORE",
    "crypto.encryption_keys._RETIRE_OTHERS",
    "crypto.stored_secrets._REPLACE",
    "rpc.preconditions.idempotent_answers._REPLACE",
    "log.archive_store._ADD",
    "log.archive_store._REMOVE_POSITIONS",
    "store.migrate._RECORD_COMPATIBILITY",
    "store.migrate._RECORD_VERSION",
}

FILE = Path(__file__).parent / "released_statements.json"

_PARAMETER_TYPES = "select parameter_types::text[] from pg_prepared_statements where name = 'one'"


# The tables, but for that of the migrations, and partitions.
_TABLES = """
select relname from pg_class
where relkind in ('r', 'p') and not relispartition and relname <> 'schema_versions'
    and relnamespace = current_schema()::regnamespace
order by relname"""


class Release(NamedTuple):
    """The schema version of a release, its statements with their parameter types, and its calls.

    `rows` are the numbers of rows of each table after the calls.
    """

    version: int
    statements: Mapping[str, tuple[str, Sequence[str]]]
    rows: Mapping[str, int]
    steps: Sequence[Step]

    @classmethod
    def read(cls) -> Self:
        """The latest release."""
        content = json.loads(FILE.read_text())
        return cls(content["migration"], content["statements"], content["rows"], content["steps"])

    def write(self) -> None:
        """Makes this one the latest release."""
        statements = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(each)}" for name, each in self.statements.items()
        )
        steps = ",\n".join(map(json.dumps, self.steps))
        FILE.write_text(
            f'{{"migration": {self.version},\n'
            f'"statements": {{\n{statements}\n}},\n'
            f'"rows": {json.dumps(self.rows)},\n"steps": [\n{steps}\n]}}\n'
        )

    @property
    def left_out(self) -> list[str]:
        """The statements of servers that write and that no step runs."""
        called = {step[1] for step in self.steps}
        writing = {name for name, (sql, _) in self.statements.items() if WRITES.search(sql)}
        return sorted(writing - called - _OF_COMMANDS)

    async def differences(self, dsn: str) -> list[str]:
        """Replays the calls on an empty database; the steps and tables that differ afterwards."""
        sql = {name: text for name, (text, _) in self.statements.items()}
        outcomes = await replay(dsn, self.steps, sql)
        steps = [
            f"step {number}, {step[1]}: {outcome} in place of {expected}"
            for number, (step, outcome) in enumerate(zip(self.steps, outcomes, strict=True))
            if outcome != (expected := step[3] if len(step) > 2 else None)
        ]
        found = await _rows(dsn, self.rows)
        return steps + [
            f"{table}: {found[table]} rows in place of {expected}"
            for table, expected in self.rows.items()
            if found[table] != expected
        ]


async def parameter_types(connection: asyncpg.Connection, sql: str) -> list[str]:
    """Prepares a statement, and returns the types of its parameters."""
    await connection.execute(f"prepare one as {sql}")
    types = await connection.fetchval(_PARAMETER_TYPES)
    await connection.execute("deallocate one")
    return list(types)


async def record(dsn: str, folder: Path) -> Release:
    """Records the tour of a server on an empty database. `folder` is for its files."""
    with recording({each.sql: name for name, each in statements().items()}) as steps:
        await tour(dsn, folder)
    async with given.sql(dsn) as connection:
        found = {
            name: (each.sql, await parameter_types(connection, each.sql))
            for name, each in sorted(statements().items())
        }
        tables = [row["relname"] for row in await connection.fetch(_TABLES)]
    return Release(newest_version(), found, await _rows(dsn, tables), steps)


async def _rows(dsn: str, tables: Iterable[str]) -> dict[str, int]:
    async with given.sql(dsn) as connection:
        return {
            table: await connection.fetchval(f"select count(*) from {table}")  # noqa: S608
            for table in tables
        }


async def _write(cluster_dsn: str, folder: Path) -> None:
    """Writes the file, if the tour runs every statement of servers that writes."""
    one, another = [await new_database(cluster_dsn, name) for name in ("one", "another")]
    release = await record(one, folder)
    if differences := await release.differences(another):
        raise RuntimeError(f"a replay differs from its recording: {differences}")
    if release.left_out:
        raise RuntimeError(f"the tour runs no {', '.join(release.left_out)}: extend it")
    release.write()


async def new_database(cluster_dsn: str, name: str) -> str:
    """A database with the schema, on a server of its own. Gives its DSN."""
    async with given.sql(cluster_dsn) as cluster:
        await cluster.execute(f"create database {name}")
    dsn = urlunsplit(urlsplit(cluster_dsn)._replace(path=f"/{name}"))
    async with connected(dsn, pool_size=1) as database:
        await migrate(database)
    return dsn


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="keystead-released-") as folder,
        running(Path(folder), durable=False) as cluster,
    ):
        asyncio.run(_write(cluster.admin_dsn, Path(folder)))
