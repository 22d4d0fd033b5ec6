"""Finds the objects of organizations by their names, for the command line."""

from server.store.database import Statements
from server.store.folding import folded
from server.store.statement import statement


class ObjectNames:
    """The names of the objects of a read table, which need not be unique."""

    def __init__(self, table: str, *, column: str = "name") -> None:
        # S608: constants of the stores.
        self._find_owner = statement(f"select owner from {table} where id = :object_id")  # noqa: S608
        self._find = statement(f"""
select id from {table}
where owner = :organization_id
    and ({column} = :name or {folded(column)} = {folded(":name")})
order by id""")  # noqa: S608

    async def find_owner(self, database: Statements, object_id: str) -> str | None:
        """The organization of an object. None: there is no such object."""
        row = await database.fetch_row(self._find_owner, object_id=object_id)
        return row["owner"] if row else None

    async def find(self, database: Statements, *, organization_id: str, name: str) -> list[str]:
        """The ids of the organization's objects with a name, in any case and Unicode form of it."""
        rows = await database.fetch(self._find, organization_id=organization_id, name=name)
        return [row["id"] for row in rows]
