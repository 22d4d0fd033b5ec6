"""Projections that are made of the fields of an event."""

from collections.abc import Mapping
from typing import Any

from server.log.event import Event, event
from server.log.projection import changed, differs, inserted
from server.store.database import Database
from server.store.statement import statement


@event("thing.added")
class _Added(Event):
    name: str
    size: int
    parts: tuple[str, ...]
    not_a_column: str
    encoded: str
    is_new: bool = True
    note: str | None = None


@event("thing.changed")
class _Changed(Event):
    name: str | None = None
    size: int | None = None
    is_new: bool | None = None


_EVENT = """
with event as (
    select 'a' as aggregate_id, 7::bigint as sequence, now() as created_at,
        :payload::jsonb as payload)"""
_DIFFERS = statement(f"select {differs(_Changed)} as differs from things")  # noqa: S608 -- constants
_ADD = statement(
    _EVENT
    + inserted(
        "things",
        _Added,
        but=["not_a_column"],
        id="aggregate_id",
        encoded="decode(payload->>'encoded', 'base64')",
    )
)
_CHANGE = statement(_EVENT + changed("things", _Changed))
_READ = statement("select * from things")


async def _things(database: Database) -> list[Mapping[str, Any]]:
    return [
        {name: value for name, value in row.items() if not name.endswith("_date")}
        for row in await database.fetch(_READ)
    ]


async def test_an_event_becomes_a_row_and_changes_it_where_its_fields_are_not_none(
    database: Database,
) -> None:
    async with database.transaction() as transaction:
        await transaction.script(
            "create table things (id text, name text, size int, parts text[], encoded bytea,"
            " is_new boolean, note text, sequence bigint, creation_date timestamptz,"
            " change_date timestamptz)"
        )
    # As stored before the event had `is_new`.
    old = _Added("x", 2**20, ("p", "q"), "", "YQ==", is_new=None)  # type: ignore[arg-type]
    await database.fetch(_ADD, payload=old.payload())

    added = {
        "id": "a",
        "name": "x",
        "size": 2**20,
        "parts": ["p", "q"],
        "encoded": b"a",
        "is_new": True,
        "note": None,
        "sequence": 7,
    }
    assert await _things(database) == [added]
    for change, differs_from_row in (
        (_Changed(name="x", size=2**20, is_new=True), False),
        (_Changed(), False),
        (_Changed(size=3), True),
        (_Changed(name="y", is_new=False), True),
    ):
        row = await database.fetch_one(_DIFFERS, payload=change.payload())
        assert row["differs"] == differs_from_row, change
    await database.fetch(_CHANGE, payload=_Changed(size=3).payload())
    await database.fetch(_CHANGE, payload=_Changed(name="y", is_new=False).payload())
    assert await _things(database) == [added | {"name": "y", "size": 3, "is_new": False}]
