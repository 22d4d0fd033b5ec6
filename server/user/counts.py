"""The number of people, and of those who have a passkey, by the index `users_people`."""

from dataclasses import dataclass
from typing import Final

from server.store.database import Statements
from server.store.rows import Query, from_row
from server.store.statement import statement

_COUNT: Final = """
select count(*) as people, count(*) filter (where passkey_count > 0) as people_with_passkey
from users where locked_at is null and (email <> '' or passkey_count > 0)"""


@dataclass(frozen=True, slots=True)
class PeopleCount:
    """Users with a mail address or a passkey who are not locked; those with a passkey."""

    people: int
    people_with_passkey: int


# The people of an organization.
OF_ORGANIZATION: Final = Query(f"{_COUNT} and owner = :organization_id", PeopleCount)

# The people of the instance.
_OF_INSTANCE = statement(_COUNT)


class CountedPeople:
    """The people of the instance, as last counted; for metrics."""

    def __init__(self, database: Statements) -> None:
        self._database = database
        self.last: PeopleCount | None = None

    async def count(self) -> None:
        """Counts them."""
        self.last = from_row(PeopleCount, await self._database.fetch_one(_OF_INSTANCE))
