"""The table `application_refusals`, and every statement on it.

Its rows are no projections: anybody can cause them, so they are not in the log.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from pydantic_core import to_json

from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import Query
from server.store.statement import statement

# Of an application; of a reason at an endpoint; of a row.
MAX_ROWS: Final = 50
MAX_VALUES: Final = 5
MAX_REQUEST_IDS: Final = 10


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


_KEY = "application_id, endpoint, reason, parameter, value"

# Adds refusals to the rows of their causes. In the order of the key, so that servers that write
# the same rows do not wait for each other in a circle.
_ADD = statement(f"""
insert into application_refusals as kept
    ({_KEY}, owner, count, refused_at, request_ids)
select {_KEY}, owner, count, refused_at, request_ids
from jsonb_to_recordset(:rows::text::jsonb) as row (application_id text, endpoint text,
    reason text, parameter text, value text, owner text, count bigint, refused_at timestamptz,
    request_ids text[])
order by {_KEY}
on conflict ({_KEY}) do update set
    count = kept.count + excluded.count,
    refused_at = greatest(kept.refused_at, excluded.refused_at),
    request_ids = (excluded.request_ids || kept.request_ids)[1:{MAX_REQUEST_IDS}]""")

# Deletes the rows beyond the limits. Of a reason at an endpoint, the newest row and the most
# frequent ones stay, so that random values displace no value that was sent twice. Of an
# application, each reason keeps a row before any keeps a second one.
_TRIM = statement(f"""
with newest as (
    select *, row_number() over (
        partition by application_id, endpoint, reason
        order by refused_at desc) = 1 as is_newest
    from application_refusals where application_id = any(:application_ids::text[])),
ranked as (
    select *, row_number() over (
        partition by application_id, endpoint, reason
        order by is_newest desc, count desc, refused_at desc) as of_reason
    from newest),
placed as (
    select {_KEY}, of_reason, row_number() over (
        partition by application_id
        order by of_reason, count desc, refused_at desc) as of_application
    from ranked)
delete from application_refusals where ctid = any(array(
    select kept.ctid from application_refusals as kept join placed using ({_KEY})
    where of_reason > {MAX_VALUES} or of_application > {MAX_ROWS}
    for update of kept skip locked))""")

# The applications of an organization with refusals; some may be removed.
_REFUSED_APPLICATIONS = statement("""
select distinct application_id from application_refusals
where owner = :organization_id and refused_at > now() - interval '7 days'""")

# The latest refusals of applications of an organization.
LIST: Final = Query(
    f"""
select {_KEY}, owner, count, refused_at, request_ids from application_refusals
where owner = :organization_id and refused_at > now() - interval '7 days'
    and application_id = any(:application_ids::text[])
    and (:request_id::text = '' or :request_id = any(request_ids))
order by refused_at desc limit {MAX_ROWS}""",
    KeptRefusal,
)

ENDED: Final = retention(
    "application_refusals", until="refused_at", after="now() - interval '7 days'"
)


async def refused_applications(database: Statements, organization_id: str) -> list[str]:
    """The IDs of applications of the organization with refusals; some may be removed."""
    rows = await database.fetch(_REFUSED_APPLICATIONS, organization_id=organization_id)
    return [row["application_id"] for row in rows]


async def add(database: Statements, refusals: Sequence[KeptRefusal]) -> None:
    """Adds refusals, and deletes those beyond the limits."""
    rows: list[dict[str, Any]] = [asdict(each) for each in refusals]
    await database.fetch(_ADD, rows=to_json(rows).decode())
    await database.fetch(_TRIM, application_ids=list({each.application_id for each in refusals}))
