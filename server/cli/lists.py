"""Prints lists: one line per row with tab-separated columns, or one JSON object with --json.

The rule: columns keep their number and order, and new ones are appended, so that `cut` and `awk`
keep working. No column contains a tab or a line end: stored text has no control characters, and
JSON escapes them.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import click

# A limit above the length of any list.
EVERYTHING = 1_000_000

Cell = str | int | datetime | tuple[str, ...] | Mapping[str, Any] | None
# The cells by the names of the columns, which are the fields of the JSON object.
ListRow = Mapping[str, Cell]


def print_list(rows: Iterable[ListRow], *, as_json: bool) -> None:
    """Prints the list. Times are UTC in ISO 8601; in text an absent value is "-"."""
    for row in rows:
        line = "\t".join(_text(value) for value in row.values())
        click.echo(json.dumps(row, default=_time, ensure_ascii=False) if as_json else line)


def print_object(row: ListRow, *, as_json: bool) -> None:
    """Prints one object: in text a line per field with its name, or one JSON object."""
    lines: Iterable[ListRow] = ({"field": name, "value": value} for name, value in row.items())
    print_list([row] if as_json else lines, as_json=as_json)


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
