"""Lists for people at a terminal: aligned tables with headers, and times from now.

The rule: only a terminal gets them. Files and pipes get the lines of `lists.py`, which programs
read.
"""

import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from server.values.counted import counted

# The cells by the names of the columns.
TextRow = Mapping[str, str | datetime]

_UNITS: Final = ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"))
# The spaces between two columns.
_GAP: Final = 2
_MINUTE: Final = timedelta(minutes=1)
# Times that are further away are dates.
_FAR: Final = timedelta(days=60)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def print_heading(name: str, *counts: int) -> None:
    """Prints the name of a section after an empty line."""
    click.echo(" ".join([f"\n{click.style(_words(name), bold=True)}", *map(str, counts)]))


def print_table(
    rows: Sequence[TextRow], *, narrow: Collection[str] = (), folds: bool = False
) -> None:
    """Prints rows with the same columns, below their names.

    If the terminal is too narrow for them, the table has the columns `narrow`, cut to fit, or its
    cells are folded, or each row is printed as an object.
    """
    if not rows:
        return
    now = datetime.now(UTC)
    table = _cells(rows, list(rows[0]), now)
    most = shutil.get_terminal_size().columns
    if narrow and _width(table) > most:
        table = _cut(_cells(rows, [name for name in rows[0] if name in narrow], now), most)
    if folds or _width(table) <= most:
        _print(*table, folds=folds)
        return
    for at, row in enumerate(rows):
        if at:
            click.echo()
        print_fields(row)


def print_fields(row: TextRow) -> None:
    """Prints one object, a line for each field. The terminal itself folds long lines."""
    now = datetime.now(UTC)
    width = max(map(len, row), default=0)
    for name, value in row.items():
        click.echo(f"{_words(name):{width + _GAP}}{_text(value, now)}")


def _print(headers: Sequence[str], *lines: Iterable[str], folds: bool = False) -> None:
    # Imported here: the import takes longer than most commands.
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="bold")
    for header in headers:
        table.add_column(Text(header), no_wrap=not folds, overflow="fold")
    for line in lines:
        table.add_row(*map(Text, line))
    Console(markup=False, highlight=False, emoji=False).print(table)


def _cells(rows: Sequence[TextRow], columns: Sequence[str], now: datetime) -> list[list[str]]:
    """The header of a table, and its lines."""
    lines = [[_text(row[name], now) for name in columns] for row in rows]
    return [[_words(name) for name in columns], *lines]


def _widths(table: Iterable[Sequence[str]]) -> list[int]:
    from rich.cells import cell_len  # noqa: PLC0415

    return [max(map(cell_len, column)) for column in zip(*table, strict=True)]


def _width(table: Iterable[Sequence[str]]) -> int:
    """The columns of the terminal that a table takes."""
    widths = _widths(table)
    return sum(widths) + _GAP * (len(widths) - 1)


def _cut(table: Sequence[Sequence[str]], most: int) -> list[list[str]]:
    """The table, its widest columns cut to fit into the terminal. IDs stay whole."""
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415

    sizes = _widths(table)
    cut = [n for n, header in enumerate(table[0]) if not header.endswith(" id")]
    for _ in range(_width(table) - most):
        widest = max(cut, key=sizes.__getitem__)
        sizes[widest] = max(sizes[widest] - 1, 2)
    return [
        [
            f"{set_cell_size(cell, size - 1)}\u2026" if cell_len(cell) > size else cell
            for cell, size in zip(line, sizes, strict=True)
        ]
        for line in table
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _text(value: str | datetime, now: datetime) -> str:
    return from_now(value, now) if isinstance(value, datetime) else value


def from_now(moment: datetime, now: datetime) -> str:
    """ "now", "3 hours ago", "in 2 days", or the date if it is more than 60 days away."""
    distance = abs(now - moment)
    if distance > _FAR:
        return f"{moment.astimezone(UTC):%Y-%m-%d}"
    if distance < _MINUTE:
        return "now"
    unit, name = next((each for each in _UNITS if distance >= each[0]), (_MINUTE, "minute"))
    time = counted(distance // unit, name)
    return f"in {time}" if moment > now else f"{time} ago"
