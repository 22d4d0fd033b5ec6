"""The plans of statements, without their execution."""

from typing import Any

import asyncpg

from server.store.statement import Statement


class Explained:
    """A database that plans each statement with its arguments, and returns no rows."""

    def __init__(self, sql: asyncpg.Connection) -> None:
        self._sql = sql
        self.plans: list[str] = []

    async def fetch(self, statement: Statement, /, **values: object) -> list[Any]:
        """No rows."""
        rows = await self._sql.fetch(f"explain {statement.sql}", *statement.arguments(values))
        self.plans.append("\n".join(line for (line,) in rows))
        return []

    async def fetch_one(self, statement: Statement, /, **values: object) -> Any:
        """Counts of none."""
        await self.fetch(statement, **values)
        return {"count": 0, "pending": 0, "overdue_seconds": 0.0}

    fetch_row = fetch_one
