"""Prints lists: one line per row with tab-separated columns, or one JSON object with --json.

A terminal gets a table in place of the lines (`terminal.py`).

The rule: columns keep their number and order, and new ones are appended, so that `cut` and `awk`
keep working. No column contains a tab or a line end: stored text has no control characters, and
JSON escapes them.
"""

import csv
import json
import re
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import click

from server.cli import terminal

Cell: TypeAlias = (
    str | int | datetime | tuple[str, ...] | Mapping[str, Any] | list[dict[str, Any]] | None
)
# The cells by the names of the columns, which are the fields of the JSON object.
ListRow: TypeAlias = Mapping[str, Cell]
# The rows of a list that is shown with its object.
_MOST_OF_PART: Final = 5
# The place at which a formula begins, in some spreadsheet. Where numbers have decimal commas,
# spreadsheets begin a cell after each semicolon, also between quotation marks.
_FORMULA: Final = re.compile(r"(\A|;)(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")


def print_list(rows: Iterable[ListRow], *, as_json: bool) -> None:
    """Prints the list. Times are UTC in ISO 8601; in text an absent value is "-"."""
    if not as_json and terminal.is_terminal():
        terminal.print_table([_cells(row) for row in rows])
        return
    for row in rows:
        click.echo(line_of(row, as_json=as_json))


async def print_all(
    rows: AsyncIterator[ListRow], *, as_json: bool, narrow: Sequence[str] = ()
) -> None:
    """The same, each row when it is read; a table needs all rows.

    `narrow` are the columns at a terminal that is too narrow for all.
    """
    if not as_json and terminal.is_terminal():
        terminal.print_table([_cells(row) async for row in rows], narrow=narrow)
        return
    async for row in rows:
        print_list([row], as_json=as_json)


async def print_csv(rows: AsyncIterator[ListRow], columns: Sequence[str]) -> None:
    """Prints CSV (RFC 4180) with a header if there are columns; an absent value is empty."""
    lines = csv.writer(sys.stdout)
    if columns:
        lines.writerow(columns)
    async for row in rows:
        cells = ("" if each in (None, "", ()) else _text(each) for each in row.values())
        lines.writerow(map(_harmless, cells))


def _harmless(text: str) -> str:
    """The text, unless a spreadsheet would take it for a formula, which `'` prevents.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    return _FORMULA.sub(r"\1'", text)


def line_of(row: ListRow, *, as_json: bool) -> str:
    """The line of a row for programs."""
    if as_json:
        return json.dumps(row, default=_time, ensure_ascii=False)
    return "\t".join(_text(value) for value in row.values())


def print_object(row: ListRow, *, as_json: bool) -> None:
    """Prints one object: in text a line per field with its name, or one JSON object.

    At a terminal, the objects in it follow as sections of their own.
    """
    if not as_json and terminal.is_terminal():
        inner = {name: value for name, value in row.items() if _is_inner(value)}
        terminal.print_fields(_cells({k: v for k, v in row.items() if k not in inner}))
        for name, value in inner.items():
            _print_inner(name, value)
        return
    lines: Iterable[ListRow] = ({"field": name, "value": value} for name, value in row.items())
    print_list([row] if as_json else lines, as_json=as_json)


def _is_inner(value: Cell) -> bool:
    return bool(value) and isinstance(value, Mapping | list)


def _print_inner(name: str, value: Any) -> None:
    """Prints the fields of an object, or the rows of a list, below its name."""
    terminal.print_heading(name)
    if isinstance(value, Mapping):
        terminal.print_fields(_cells(value))
    else:
        terminal.print_table([_cells(each) for each in value], folds=True)


def print_part(name: str, rows: Sequence[ListRow]) -> None:
    """Prints the first rows of a list of an object at a terminal, below its name and number."""
    terminal.print_heading(name, len(rows))
    shown = [_cells(row) for row in rows[:_MOST_OF_PART]]
    terminal.print_table(shown, narrow=list(shown[0]) if shown else ())
    if more := len(rows) - len(shown):
        click.echo(f"and {more} more: see --json")


def _cells(row: ListRow) -> terminal.TextRow:
    return {
        name: value if isinstance(value, datetime) else _text(value) for name, value in row.items()
    }


def _text(value: Cell) -> str:
    match value:
        case datetime():
            return _time(value)
        case tuple():
            return ",".join(value) or "-"
        case bool():
            return "yes" if value else "no"
        case Mapping() | list():
            return json.dumps(value, default=_time, ensure_ascii=False) if value != [] else "-"
        case int():
            return str(value)
        case _:
            return value or "-"


def _time(value: datetime) -> str:
    return value.isoformat(timespec="seconds")
