"""Causes that anybody can cause, counted in memory and in a table.

A cause has a subject, and values that came with it. The rule: whatever is sent, the rows are
bounded, random values displace none that came twice, and no subject loses its rows to another.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from pydantic_core import to_json

from server.store.database import Statements
from server.store.organizations import stays
from server.store.statement import Statement, statement

# Of a subject; of a cause of it; of a row.
MAX_ROWS: Final = 50
MAX_VALUES: Final = 5
MAX_REQUEST_IDS: Final = 10
# Causes in memory. Each has at most `MAX_VALUES` rows.
MAX_CAUSES: Final = 1000

_Key: TypeAlias = tuple[str, ...]


class Counted(Protocol):
    """A row of a table of counted causes; the request IDs newest first."""

    owner: str
    count: int
    refused_at: datetime
    request_ids: list[str]

    @property
    def subject(self) -> str:
        """The ID of the object that the cause concerns."""

    @property
    def cause(self) -> _Key:
        """The cause, without the values that came with it."""

    @property
    def details(self) -> _Key:
        """These values."""


Row = TypeVar("Row", bound=Counted)


class CauseBuffer(Generic[Row]):
    """Gathers causes until they are written."""

    def __init__(self) -> None:
        self._rows: dict[_Key, dict[_Key, Row]] = {}

    def add(self, row: Row) -> None:
        """Adds a cause. Displaces those of the subject with the most causes."""
        cause = row.subject, *row.cause
        rows = self._rows.setdefault(cause, {})
        if (known := rows.get(row.details)) is not None:
            row.count += known.count
            row.request_ids = [*row.request_ids, *known.request_ids][:MAX_REQUEST_IDS]
        elif len(rows) == MAX_VALUES:
            # The first one of the least frequent.
            del rows[min(rows, key=lambda each: rows[each].count)]
        rows[row.details] = row
        if len(self._rows) > MAX_CAUSES:
            [(most, _)] = Counter(each[0] for each in self._rows).most_common(1)
            del self._rows[next(each for each in self._rows if each[0] == most)]

    def take(self) -> Sequence[Row]:
        """Empties the buffer; returns its rows."""
        rows, self._rows = self._rows, {}
        return [each for of_cause in rows.values() for each in of_cause.values()]


def added(table: str, *key: str) -> Statement:
    """The statement that adds `:rows` to those of the same key, whose columns are texts.

    Rows of organizations that were removed are left out.

    In the order of the key, so that servers that write the same rows do not wait for each other in
    a circle.
    """
    names = ", ".join(key)
    types = ", ".join(f"{each} text" for each in key)
    return statement(f"""
insert into {table} as kept ({names}, owner, count, refused_at, request_ids)
select {names}, owner, count, refused_at, request_ids
from jsonb_to_recordset(:rows::text::jsonb) as given ({types}, owner text, count bigint,
    refused_at timestamptz, request_ids text[])
where {stays("given.owner")}
order by {names}
on conflict ({names}) do update set
    count = kept.count + excluded.count,
    refused_at = greatest(kept.refused_at, excluded.refused_at),
    request_ids = (excluded.request_ids || kept.request_ids)[1:{MAX_REQUEST_IDS}]""")


def trimmed(table: str, *, subject: str, cause: Sequence[str], details: Sequence[str]) -> Statement:
    """The statement that deletes the rows of `:subjects` beyond the limits.

    Of a cause, the newest row and the most frequent ones stay, so that random values displace no
    value that was sent twice. Of a subject, each cause keeps a row before any keeps a second one.
    """
    of_cause, key = ", ".join([subject, *cause]), ", ".join([subject, *cause, *details])
    return statement(f"""
with newest as (
    select *, row_number() over (
        partition by {of_cause} order by refused_at desc) = 1 as is_newest
    from {table} where {subject} = any(:subjects::text[])),
ranked as (
    select *, row_number() over (
        partition by {of_cause}
        order by is_newest desc, count desc, refused_at desc) as of_cause
    from newest),
placed as (
    select {key}, of_cause, row_number() over (
        partition by {subject} order by of_cause, count desc, refused_at desc) as of_subject
    from ranked)
delete from {table} where ctid = any(array(
    select kept.ctid from {table} as kept join placed using ({key})
    where of_cause > {MAX_VALUES} or of_subject > {MAX_ROWS}
    for update of kept skip locked))""")


async def add(
    database: Statements, added: Statement, trimmed: Statement, rows: Sequence[Any]
) -> None:
    """Adds rows, dataclasses that are `Counted`, and deletes those beyond the limits."""
    await database.fetch(added, rows=to_json([asdict(each) for each in rows]).decode())
    await database.fetch(trimmed, subjects=list({each.subject for each in rows}))
