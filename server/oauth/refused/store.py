"""The table `application_refusals`, and every statement on it.

Its rows are no projections: anybody can cause them, so they are not in the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.store import counted
from server.store.counted import MAX_ROWS
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import Query
from server.store.statement import statement


@dataclass(slots=True)
class KeptRefusal:
    """Refusals of an application with the same cause and value; the request IDs newest first."""

    application_id: str
    owner: str
    endpoint: str
    reason: str
    parameter: str
    value: str
    count: int
    refused_at: datetime
    request_ids: list[str]

    @property
    def subject(self) -> str:
        """The application."""
        return self.application_id

    @property
    def cause(self) -> tuple[str, ...]:
        """The endpoint, and the reason of its refusals."""
        return self.endpoint, self.reason

    @property
    def details(self) -> tuple[str, ...]:
        """The parameter that the reason concerns, and its value."""
        return self.parameter, self.value


@dataclass(frozen=True, slots=True)
class RefusedApplication:
    """An application with refusals. It may have been removed."""

    application_id: str
    count: int
    refused_at: datetime


_CAUSE: Final = ("endpoint", "reason")
_DETAILS: Final = ("parameter", "value")

# Adds refusals to the rows of their causes.
_ADD = counted.added("application_refusals", "application_id", *_CAUSE, *_DETAILS)

# Deletes the rows beyond the limits.
_TRIM = counted.trimmed(
    "application_refusals", subject="application_id", cause=_CAUSE, details=_DETAILS
)

# The applications of an organization with refusals; some may be removed.
_REFUSED_APPLICATIONS = statement("""
select distinct application_id from application_refusals
where owner = :organization_id and refused_at > now() - interval '7 days'""")

# The applications with the latest refusals.
LIST_APPLICATIONS: Final = Query(
    """
select application_id, sum(count)::bigint as count, max(refused_at) as refused_at
from application_refusals
where owner = :organization_id and refused_at > now() - interval '7 days'
group by application_id order by max(refused_at) desc limit 10""",
    RefusedApplication,
)

# The latest refusals of applications of an organization.
LIST: Final = Query(
    f"""
select application_id, endpoint, reason, parameter, value, owner, count, refused_at, request_ids
from application_refusals
where owner = :organization_id and refused_at > now() - interval '7 days'
    and application_id = any(:application_ids::text[])
    and (:request_id::text = '' or :request_id = any(request_ids))
order by refused_at desc limit {MAX_ROWS}""",
    KeptRefusal,
)

# Those of an organization that is removed.
_FORGET = statement("delete from application_refusals where owner = :organization_id")

ENDED: Final = retention(
    "application_refusals", until="refused_at", after="now() - interval '7 days'"
)


async def forget(transaction: Statements, organization_id: str) -> None:
    """Deletes the refusals of an organization that is removed."""
    await transaction.fetch(_FORGET, organization_id=organization_id)


async def refused_applications(database: Statements, organization_id: str) -> list[str]:
    """The IDs of applications of the organization with refusals; some may be removed."""
    rows = await database.fetch(_REFUSED_APPLICATIONS, organization_id=organization_id)
    return [row["application_id"] for row in rows]


async def add(database: Statements, refusals: Sequence[KeptRefusal]) -> None:
    """Adds refusals, and deletes those beyond the limits."""
    await counted.add(database, _ADD, _TRIM, refusals)
