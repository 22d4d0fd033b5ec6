"""How a list is printed: a line each, its columns separated by tabs; with --json an object each.

The rule: the columns of a list keep their number and order, and new ones come last, so that `cut`
and `awk` find what they look for. No column contains a tab or the end of a line: nothing is stored
that has control characters, and what is an object is JSON, which escapes them.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import click

# More than any list has.
EVERYTHING = 1_000_000
# PostgreSQL's bigint.
_MOST_INTEGER = 2**63 - 1

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Value = str | int | datetime | tuple[str, ...] | Mapping[str, Any] | None
# By the name of the column, which is the field of the JSON object.
Row = Mapping[str, Value]

json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="A line of JSON each, by the names of the columns, for programs.",
)


class BigInteger(click.IntRange):
    """A number to compare with a bigint of PostgreSQL: whatever is more is as good as the most."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return min(super().convert(value, param, ctx), _MOST_INTEGER)


def limit_option(default: int) -> Callable[[Decorated], Decorated]:
    """How much of a list that only grows."""
    return click.option(
        "--limit",
        type=BigInteger(min=1),
        metavar="NUMBER",
        default=default,
        show_default=True,
        help="The latest so many.",
    )


def print_list(rows: Iterable[Row], *, as_json: bool) -> None:
    """Prints the list. Times are UTC, in ISO 8601; in text what is absent is "-"."""
    for row in rows:
        line = "\t".join(_text(value) for value in row.values())
        click.echo(json.dumps(row, default=_time, ensure_ascii=False) if as_json else line)


def _text(value: Value) -> str:
    match value:
        case datetime():
            return _time(value)
        case tuple():
            return ",".join(value) or "-"
        case Mapping():
            return json.dumps(value, ensure_ascii=False)
        case int():
            return str(value)
        case _:
            return value or "-"


def _time(value: datetime) -> str:
    return value.isoformat(timespec="seconds")
