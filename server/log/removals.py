"""Removes all objects of a kind that an organization has, each by an event of its own."""

from collections.abc import Mapping

from server.log.append import Projections, append
from server.log.event import Event
from server.store.database import Statements
from server.store.statement import statement


class Removals:
    """The statements that remove the objects of a table. The caller has locked the organization.

    `where` selects the objects of `:organization_id`. The fields of the event that are columns of
    the table are `columns`. `also` are further statements, as of `append`.
    """

    def __init__(
        self,
        event: type[Event],
        table: str,
        projections: Projections,
        *,
        where: str = "owner = :organization_id",
        columns: tuple[str, ...] = (),
        also: Mapping[str, str] | None = None,
    ) -> None:
        self._lock = statement(f"select from {table} where {where} order by id for update")
        further = "".join(f", {each}" for each in columns)
        fields = ", ".join(f"'{each}', target.{each}" for each in columns)
        self._remove = append(
            event,
            target=f"""
    select id, owner, sequence, creation_date, change_date, true as changed{further}
    from {table} where {where} for update""",
            projections=projections,
            payload=f"jsonb_build_object({fields})",
            also=also,
        )

    async def all(self, transaction: Statements, organization_id: str, creator: str) -> int:
        """Removes them; returns their number."""
        # The statement of the removal reads the rest of the objects as of its beginning.
        await transaction.fetch(self._lock, organization_id=organization_id)
        removed = await transaction.fetch(
            self._remove, creator=creator, organization_id=organization_id
        )
        return len(removed)
