"""Lists of the objects of an organization by filters, a text and an order, with their number.

A feature declares a `Listing` beside its statements, and a command with its fields. Its table has
an index by owner and ID, of which an organization has thousands of objects and not millions: a page
examines all of them. Lists of users and of what grows have statements of their own.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from pydantic import Field, field_validator

from server.access.user_aggregate import contains
from server.store.database import Row, Statements
from server.store.filters import Filters, read_order
from server.store.statement import Statement, statement
from server.validation.fields import MAX_NAME, Printable, described
from server.validation.paging import Page
from server.values.filter_text import MAX_CHARACTERS

MOST_COUNTED: Final = 10_000
MAX_QUERY: Final = 200
# The microseconds of the time of an order, and the ID of an object.
_POSITION: Final = re.compile(r"([0-9]{1,18}):([A-Za-z0-9][A-Za-z0-9._:-]{0,127})")
# After the microseconds of any time; the key of a page token has 18 digits.
EVER: Final = 10**18 - 1
_TIMES: Final = ("creation_date", "change_date")

Model = TypeVar("Model")


def pattern_of_orders(fields: Sequence[str]) -> str:
    """The pattern of `order_by` in the description of the API."""
    return f"^ *(({'|'.join(fields)})( +(asc|desc))? *)?$"


class TotalSize(NamedTuple):
    """The number of objects of a list. `is_more`: there are more, or may be."""

    size: int
    is_more: bool


class Listed(NamedTuple, Generic[Model]):
    """A page. `next_page_token` is empty on the last; `total` is None unless asked for."""

    items: Sequence[Model]
    next_page_token: str
    total: TotalSize | None

    @property
    def size_fields(self) -> Mapping[str, Any]:
        """The fields of a response about the list, by their names."""
        return {
            "next_page_token": self.next_page_token,
            "total_size": self.total.size if self.total else 0,
            "total_size_is_minimum": self.total is not None and self.total.is_more,
        }


def number_of(row: Row) -> TotalSize:
    """The number of the objects that a `counted` statement has found."""
    return TotalSize(min(row["number"], MOST_COUNTED), row["number"] > MOST_COUNTED)


def counted(table: str, key: str, where: str) -> Statement:
    """The statement that counts the rows of a condition, in the order of the index of its list."""
    return statement(f"""
select count(*) as number from (
    select from {table} where {where} order by {key} desc limit {MOST_COUNTED + 1}) as found""")


class Listing(Generic[Model]):
    """A list of objects of an organization: its statements, made at import."""

    def __init__(
        self,
        table: str,
        columns: str,
        read: Callable[[Row], Model],
        *,
        filters: Filters,
        searched: Sequence[str],
    ) -> None:
        """`searched` are the columns in which a text is searched."""
        self.filters = filters
        self._read = read
        matches = f"""owner = :organization_id and {filters.condition}
    and (:query::text = '' or id = :query or {contains(searched, ":query::text")})"""
        self.by_id: Statement = statement(f"""
select {columns}, id as list_id, 0::bigint as list_key from {table}
where id > :after_id and :after_key::bigint >= 0 and {matches}
order by id limit :limit""")
        self.ordered: Mapping[str, Statement] = {
            f"{time} {direction}": statement(f"""
select {columns}, id as list_id, {microseconds(time)} as list_key from {table}
where ({microseconds(time)}, id) {beyond} (:after_key::bigint, :after_id) and {matches}
order by list_key {direction}, id {direction} limit :limit""")
            for time in _TIMES
            for direction, beyond in (("asc", ">"), ("desc", "<"))
        }
        self.number: Statement = counted(table, "id", matches)

    async def read(
        self, database: Statements, command: "FilteredPage", organization_id: str
    ) -> Listed[Model]:
        """A page of the objects. `Failure` INVALID_ARGUMENT for a token of another list."""
        parent = command.parent(organization_id)
        order = read_order(command.order_by, _TIMES)
        after = command.position(parent, _POSITION)
        selection = {
            "organization_id": organization_id,
            "query": command.query,
            **self.filters.read(command.filter),
        }
        is_descending = order is not None and order.is_descending
        direction = "desc" if is_descending else "asc"
        rows = await database.fetch(
            self.ordered[f"{order.field} {direction}"] if order else self.by_id,
            **selection,
            after_key=int(after[1]) if after else EVER if is_descending else 0,
            after_id=after[2] if after else "~" if is_descending else "",
            limit=command.limit(),
        )
        page, token = rows[: command.size()], ""
        if len(rows) > len(page):
            token = command.token(parent, f"{page[-1]['list_key']}:{page[-1]['list_id']}")
        total = None
        if command.with_total_size:
            total = number_of(await database.fetch_one(self.number, **selection))
        return Listed([self._read(row) for row in page], token, total)

    async def count(self, database: Statements, organization_id: str) -> TotalSize:
        """The number of all objects."""
        every = {"organization_id": organization_id, "query": "", **self.filters.read("")}
        return number_of(await database.fetch_one(self.number, **every))


def microseconds(time: str) -> str:
    """An expression: the microseconds of a time since 1970."""
    return f"(extract(epoch from {time}) * 1000000)::bigint"


# A filter of a list, which a check of the list reads.
FilterText = Annotated[
    Printable,
    Field(max_length=MAX_CHARACTERS),
    described(pattern=r"^( *|[^\x00-\x1f\x7f-\x9f]*[=<>:][^\x00-\x1f\x7f-\x9f]*)$"),
]


class ConditionedPage(Page):
    """A page of the objects that a filter selects. Each subclass names its filters."""

    filters: ClassVar[Filters]

    filter: FilterText
    with_total_size: bool

    @field_validator("filter")
    @classmethod
    def _of_the_list(cls, text: str) -> str:
        cls.filters.read(text)
        return text


class SelectedPage(ConditionedPage):
    """The same of those that a text selects, too."""

    query: Annotated[Printable, Field(max_length=MAX_QUERY)]


class OrderedPage(Page):
    """A page of a list in an order. A subclass describes its orders in `order_by`."""

    orders: ClassVar[Sequence[str]]

    order_by: Annotated[Printable, Field(max_length=MAX_NAME)]

    @field_validator("order_by")
    @classmethod
    def _one_of_the_orders(cls, text: str) -> str:
        read_order(text, cls.orders)
        return text

    def parent(self, owner_id: str) -> str:
        """The list in its page tokens, without its text, which can be a name or a mail address."""
        parts = [getattr(self, name, "") for name in ("query", "filter", "order_by")]
        if not any(parts):
            return owner_id
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return f"{owner_id}:~{digest}"  # no ID begins with ~


class FilteredPage(OrderedPage, SelectedPage):
    """A page of the objects that a text and a filter select, in an order."""

    orders: ClassVar[Sequence[str]] = _TIMES

    order_by: Annotated[
        Printable, Field(max_length=MAX_NAME), described(pattern=pattern_of_orders(_TIMES))
    ]
