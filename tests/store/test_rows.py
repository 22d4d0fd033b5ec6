"""Rows as objects."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from server.store.eventlog import Details
from server.store.rows import from_row

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
