"""Prints lists: one line per row with tab-separated columns, or one JSON object with --json.

The rule: columns keep their number and order, and new ones are appended, so that `cut` and `awk`
keep working. No column contains a tab or a line end: stored text has no control characters, and
JSON escapes them.
"""

import json
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Mapping,
    Sequence,
)
from datetime import datetime
from typing import Any, TypeVar

import click

from server.net.trial import Step

_ROWS_OF_PAGE = 1000

Item = TypeVar("Item")
Cell = str | int | datetime | tuple[str, ...] | Mapping[str, Any] | None
# The cells by the names of the columns, which are the fields of the JSON object.
ListRow = Mapping[str, Cell]


def print_list(rows: Iterable[ListRow], *, as_json: bool) -> None:
    """Prints the list. Times are UTC in ISO 8601; in text an absent value is "-"."""
    for row in rows:
        line = "\t".join(_text(value) for value in row.values())
        click.echo(json.dumps(row, default=_time, ensure_ascii=False) if as_json else line)


async def print_stream(rows: AsyncIterable[ListRow], *, as_json: bool) -> None:
    """Prints each row as it is read."""
    async for row in rows:
        print_list([row], as_json=as_json)


async def all_rows(
    list_after: Callable[..., Awaitable[Sequence[Item]]], row_of: Callable[[Item], ListRow]
) -> AsyncIterator[ListRow]:
    """All rows of a list that `list_after` reads in pages. The first cell of a row is its ID."""
    after = ""
    while True:
        rows = [row_of(item) for item in await list_after(after=after, limit=_ROWS_OF_PAGE)]
        for row in rows:
            yield row
        if len(rows) < _ROWS_OF_PAGE:
            return
        after = str(next(iter(rows[-1].values())))


def print_object(row: ListRow, *, as_json: bool) -> None:
    """Prints one object: in text a line per field with its name, or one JSON object."""
    lines: Iterable[ListRow] = ({"field": name, "value": value} for name, value in row.items())
    print_list([row] if as_json else lines, as_json=as_json)


def step_row(step: Step) -> ListRow:
    """A step of the test of a remote server."""
    return {
        "name": step.name,
        "succeeded": step.succeeded,
        "milliseconds": round(step.seconds * 1000),
        "reason": step.reason,
        "message": step.message,
        "facts": step.facts,
    }


def _text(value: Cell) -> str:
    match value:
        case datetime():
            return _time(value)
        case tuple():
            return ",".join(value) or "-"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return json.dumps(value, ensure_ascii=False)
        case int():
            return str(value)
        case _:
            return value or "-"


def _time(value: datetime) -> str:
    return value.isoformat(timespec="seconds")
