"""Lists of what only grows, such as mails and deliveries, by filters, newest or oldest first.

A feature declares a `GrowingList` beside its statements, with the ranges of indexes in which it can
look for rows. The rule: a page reads a bounded range of one index, whatever its filter selects.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import pydantic

from server.access.listing import (
    MOST_COUNTED,
    ConditionedPage,
    Listed,
    OrderedPage,
    TotalSize,
    pattern_of_orders,
)
from server.store.database import Row, Statements
from server.store.filters import Field, Filters, TimeOfId, read_order
from server.store.statement import Statement, statement
from server.validation.fields import MAX_NAME, Printable, described
from server.validation.paging import NEWEST

_ORDERS: Final = ("created_at",)
_COLLATION: Final = 'collate "C"'  # of IDs
_ID: Final = re.compile(r"[A-Za-z0-9-]{1,128}")

# The rows that are examined for a page, and for a number.
MOST_EXAMINED: Final = 5_000
_EXAMINED_FOR_NUMBER: Final = 2 * MOST_COUNTED

Model = TypeVar("Model")


class GrowingPage(OrderedPage, ConditionedPage):
    """A page of the objects that a filter selects, newest first by default."""

    orders: ClassVar = _ORDERS

    order_by: Annotated[
        Printable,
        pydantic.Field(max_length=MAX_NAME),
        described(pattern=pattern_of_orders(_ORDERS)),
    ]


class IndexRange(NamedTuple):
    """The rows of an index with values in its leading columns, before the key.

    `also` is a further condition, such as that of a partial index.
    """

    values: Mapping[str, str]
    also: str = "true"


class GrowingList(Generic[Model]):
    """The list of a table whose IDs are in the order of time: its statements, made at import."""

    def __init__(
        self,
        table: str,
        key: str,
        columns: str,
        read: Callable[[Row], Model],
        *,
        fields: Mapping[str, Field],
        within: str,
        ranges: Mapping[str, IndexRange],
        narrowest: Callable[[Mapping[str, Any]], str],
    ) -> None:
        """`fields` are those of the filter, without `created_at`; `within` is a condition.

        `ranges` are those of indexes by names. They have the parameters of `fields` and
        `:organization_id`, from which `narrowest` chooses one of them.
        """
        self.filters = Filters(created_at=TimeOfId(key), **fields)
        condition = f"{within} and {self.filters.condition}"
        self._read = read
        self._narrowest = narrowest
        self.pages: Mapping[str, Statement] = {
            f"{name} {direction}": statement(f"""
with examined as (
    select *, row_number() over (order by {_order(each, key, direction)}) as place
    from {table} where {_within(each, key, after=direction)}
    order by {_order(each, key, direction)} limit :examined),
compared as (select *, {condition} as is_selected from examined as {table})
select {columns}, is_selected, place, {key} as list_id
from compared as {table} where is_selected or place = :examined
order by {key} {direction} limit :limit""")
            for name, each in ranges.items()
            for direction in ("asc", "desc")
        }
        self.numbers: Mapping[str, Statement] = {
            name: statement(f"""
select count(*) filter (where is_selected) as number, count(*) as examined
from (
    select {condition} as is_selected
    from (
        select * from {table} where {_within(each, key)}
        order by {_order(each, key, "desc")} limit :examined) as {table}
    ) as compared""")
            for name, each in ranges.items()
        }

    async def read(
        self, database: Statements, command: GrowingPage, organization_id: str
    ) -> Listed[Model]:
        """A page of the objects. `Failure` INVALID_ARGUMENT for a token of another list."""
        selection = {
            "organization_id": organization_id,
            **self.filters.read(command.filter),
        }
        of = self._narrowest(selection)
        parent = command.parent(organization_id)
        order = read_order(command.order_by, _ORDERS)
        is_ascending = order is not None and not order.is_descending
        after = command.position(parent, _ID)
        rows = await database.fetch(
            self.pages[f"{of} {'asc' if is_ascending else 'desc'}"],
            **selection,
            after=after[0] if after else "" if is_ascending else NEWEST,
            examined=MOST_EXAMINED,
            limit=command.limit(),
        )
        found = [row for row in rows if row["is_selected"]]
        page, token = found[: command.size()], ""
        if len(found) > len(page):
            token = command.token(parent, page[-1]["list_id"])
        elif rows and rows[-1]["place"] == MOST_EXAMINED:
            token = command.token(parent, rows[-1]["list_id"])
        total = await self._count(database, of, selection) if command.with_total_size else None
        return Listed([self._read(row) for row in page], token, total)

    async def _count(
        self, database: Statements, of: str, selection: Mapping[str, object]
    ) -> TotalSize:
        row = await database.fetch_one(self.numbers[of], **selection, examined=_EXAMINED_FOR_NUMBER)
        is_more = row["number"] > MOST_COUNTED or row["examined"] == _EXAMINED_FOR_NUMBER
        return TotalSize(min(row["number"], MOST_COUNTED), is_more)


# Both compare rows and order by the leading columns, too. With `=`, PostgreSQL would know that they
# have one value, and read another index in the order of the key when it expects many such rows.
def _order(of: IndexRange, key: str, direction: str) -> str:
    return ", ".join(f"{each} {direction}" for each in (*of.values, key))


def _within(of: IndexRange, key: str, *, after: str = "") -> str:
    """The condition of a range, after a key in this direction."""
    first = f"coalesce(:created_at_since::text, '') {_COLLATION}"
    last = f"coalesce(:created_at_until::text, '~') {_COLLATION}"
    if after == "asc":
        first = f"greatest(:after::text, {first})"
    elif after == "desc":
        last = f"least(:after::text, {last})"
    place = ", ".join((*of.values, key))
    values = "".join(f"{each}, " for each in of.values.values())
    beyond = ">" if after == "asc" else ">="
    return f"({place}) {beyond} ({values}{first}) and ({place}) < ({values}{last}) and {of.also}"
