"""Rows as objects."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from unittest.mock import AsyncMock

import pytest

from server.store.rows import Details, Query, from_row
from server.values.errors import Failure, NotFound, Resource

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Thing:
    name: str
    labels: tuple[str, ...]
    details: Details


def row(**columns: Any) -> Any:
    details = Details(7, NOW, NOW, "org")._asdict()
    return {"name": "n", "labels": ["a", "b"], "unknown": 1} | details | columns


def test_a_field_is_the_column_of_its_name() -> None:
    assert from_row(Thing, row()) == Thing(
        name="n", labels=("a", "b"), details=Details(7, NOW, NOW, "org")
    )


def test_further_fields_are_not_read() -> None:
    assert from_row(Thing, row(), labels=("c",)).labels == ("c",)


def test_a_field_without_a_column_is_an_error() -> None:
    lacking = row()
    del lacking["name"]

    with pytest.raises(KeyError):
        from_row(Thing, lacking)


_NOT_FOUND: Final = NotFound("thing", "There is no such thing.")
_THINGS: Final = Query("select :thing_id", Thing, missing=("thing_id", _NOT_FOUND))


async def test_a_query_makes_an_object_of_each_row() -> None:
    database = AsyncMock()
    database.fetch.return_value = [row(name="a"), row(name="b")]

    assert [each.name for each in await _THINGS.all(database, thing_id="1")] == ["a", "b"]
    database.fetch.assert_awaited_once_with(_THINGS, thing_id="1")


async def test_a_query_of_one_finds_it_or_none_or_fails() -> None:
    database = AsyncMock()
    database.fetch_row.side_effect = [row(), row(), None, None]

    assert await _THINGS.one(database, thing_id="1") == from_row(Thing, row())
    assert await _THINGS.one_or_none(database, thing_id="1") == from_row(Thing, row())
    assert await _THINGS.one_or_none(database, thing_id="1") is None
    with pytest.raises(Failure, match="THING_NOT_FOUND") as refused:
        await _THINGS.one(database, thing_id="1")
    assert refused.value.resource == Resource("thing", "1")


async def test_a_query_can_have_a_function_for_its_rows() -> None:
    database = AsyncMock()
    database.fetch_row.side_effect = [row(), None]
    names = Query("select", lambda found: found["name"].upper())

    assert await names.one(database) == "N"
    with pytest.raises(LookupError):
        await names.one(database)
