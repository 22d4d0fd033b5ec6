"""Prints lists: one line per row with tab-separated columns, or one JSON object with --json.

A terminal gets a table in place of the lines (`terminal.py`).

The rule: columns keep their number and order, and new ones are appended, so that `cut` and `awk`
keep working. No column contains a tab or a line end: stored text has no control characters, and
JSON escapes them.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from operator import attrgetter
from typing import Any, TypeAlias

import click

from server.cli import terminal
from server.cli.installation import Work
from server.cli.parameters import json_option
from server.net.trial import Step

_ROWS_OF_PAGE = 1000

Cell: TypeAlias = (
    str | int | datetime | tuple[str, ...] | Mapping[str, Any] | list[dict[str, Any]] | None
)
# The cells by the names of the columns, which are the fields of the JSON object.
ListRow: TypeAlias = Mapping[str, Cell]
RowOf: TypeAlias = Callable[[Any], ListRow]
# Reads a page, by `after` (an ID, or empty) and `limit`.
ListAfter: TypeAlias = Callable[..., Awaitable[Sequence[Any]]]


def print_list(rows: Iterable[ListRow], *, as_json: bool) -> None:
    """Prints the list. Times are UTC in ISO 8601; in text an absent value is "-"."""
    if not as_json and terminal.is_terminal():
        terminal.print_table([_cells(row) for row in rows])
        return
    for row in rows:
        click.echo(line_of(row, as_json=as_json))


def line_of(row: ListRow, *, as_json: bool) -> str:
    """The line of a row for programs."""
    if as_json:
        return json.dumps(row, default=_time, ensure_ascii=False)
    return "\t".join(_text(value) for value in row.values())


def columns(*names: str) -> RowOf:
    """The row of an object with these attributes; `a as b` renames a to b, as in SQL."""
    pairs = [(name.split(" as ")[-1], attrgetter(name.split(" as ")[0])) for name in names]
    return lambda item: {column: attribute(item) for column, attribute in pairs}


def listed(row_of: RowOf) -> Callable[[Callable[..., ListAfter]], Work]:
    """The function of a command that prints a list, with --json; `ListAfter` reads its pages.

    The first cell of a row is its ID.
    """

    def decorated(list_of: Callable[..., ListAfter]) -> Work:
        @json_option
        @wraps(list_of)
        async def print_all(*of: Any, as_json: bool) -> None:
            rows = all_rows(list_of(*of), row_of)
            if not as_json and terminal.is_terminal():
                print_list([row async for row in rows], as_json=False)
                return
            async for row in rows:
                print_list([row], as_json=as_json)

        return print_all

    return decorated


async def all_rows(list_after: ListAfter, row_of: RowOf) -> AsyncIterator[ListRow]:
    """All rows of a list that `list_after` reads in pages."""
    after = ""
    while True:
        rows = [row_of(item) for item in await list_after(after=after, limit=_ROWS_OF_PAGE)]
        for row in rows:
            yield row
        if len(rows) < _ROWS_OF_PAGE:
            return
        after = str(next(iter(rows[-1].values())))


def print_value(name: str, value: str, *, as_json: bool) -> None:
    """Prints the result of a command: the value alone, or a JSON object with it."""
    click.echo(line_of({name: value}, as_json=as_json))


def print_object(row: ListRow, *, as_json: bool) -> None:
    """Prints one object: in text a line per field with its name, or one JSON object."""
    if not as_json and terminal.is_terminal():
        terminal.print_fields(_cells(row))
        return
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
        case Mapping():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return json.dumps(value, ensure_ascii=False) if value else "-"
        case int():
            return str(value)
        case _:
            return value or "-"


def _time(value: datetime) -> str:
    return value.isoformat(timespec="seconds")
