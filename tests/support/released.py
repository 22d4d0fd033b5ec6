"""The statements of the latest release. `make released-statements` writes them for a release."""

import asyncio
import json
import tempfile
from pathlib import Path

import asyncpg

from server.process.embedded_postgres import running
from server.store.database import connected
from server.store.migrate import migrate
from server.store.schema import migrations
from tests.support.statements import statements

RELEASED = Path(__file__).parent.parent / "store" / "released_statements.json"

_PARAMETER_TYPES = "select parameter_types::text[] from pg_prepared_statements where name = 'one'"


async def parameter_types(connection: asyncpg.Connection, sql: str) -> list[str]:
    """Prepares a statement, and returns the types of its parameters."""
    await connection.execute(f"prepare one as {sql}")
    types = await connection.fetchval(_PARAMETER_TYPES)
    await connection.execute("deallocate one")
    return list(types)


async def _write(dsn: str) -> None:
    async with connected(dsn, pool_size=1) as database:
        await migrate(database)
    connection = await asyncpg.connect(dsn)
    released = {
        name: [each.sql, await parameter_types(connection, each.sql)]
        for name, each in sorted(statements().items())
    }
    await connection.close()
    content = {"migration": migrations()[-1].version, "statements": released}
    RELEASED.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="keystead-released-") as folder,
        running(Path(folder), durable=False) as cluster,
    ):
        asyncio.run(_write(cluster.admin_dsn))
