"""The users whom the removal of former RP IDs (KEYSTEAD_FORMER_RP_IDS) would lock out."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.passkey import former_store
from server.passkey.former_store import MoveCounts, UnmovedUser
from server.store.database import Statements
from server.validation.fields import OptionalRPID
from server.validation.paging import Page
from server.values.errors import Violation, invalid


class ListUnmovedUsers(Page):
    """List the users whom the removal of a former RP ID, or of all, would lock out."""

    rp_id: OptionalRPID


@dataclass(frozen=True, slots=True)
class Removal:
    """The RP IDs that leave and those that stay."""

    leaving: tuple[str, ...]
    staying: tuple[str, ...]
    present: str

    async def count(self, database: Statements) -> MoveCounts:
        """The numbers of users with passkeys of the IDs that leave."""
        return await former_store.COUNT.one(
            database, leaving=self.leaving, staying=self.staying, rp_id=self.present
        )

    async def list_unmoved(
        self, database: Statements, *, after: str, limit: int
    ) -> Sequence[UnmovedUser]:
        """The users who would be locked out, after an ID."""
        return await former_store.LIST.all(
            database, leaving=self.leaving, staying=self.staying, after=after, limit=limit
        )


class CountedUnmoved:
    """The users whom the removal of all former RP IDs would lock out, as last counted."""

    def __init__(self, database: Statements, rp_ids: "RPIDs") -> None:
        self._database = database
        self._rp_ids = rp_ids
        self.last: int | None = None

    async def count(self) -> None:
        """Counts them, if there are former RP IDs."""
        if self._rp_ids.former:
            self.last = (await self._rp_ids.removal("").count(self._database)).unmoved_count


@dataclass(frozen=True, slots=True)
class RPIDs:
    """The RP ID of the server, and its former ones."""

    present: str
    former: tuple[str, ...]

    def removal(self, rp_id: str) -> Removal:
        """The removal of a former RP ID, empty: of all. `Failure` INVALID_ARGUMENT for another."""
        if rp_id and rp_id not in self.former:
            known = ", ".join(self.former) or "none"
            raise invalid(Violation("rpId", f"must be a former RP ID or empty; these are {known}"))
        leaving = (rp_id,) if rp_id else self.former
        return Removal(leaving, tuple({self.present, *self.former} - {*leaving}), self.present)
