"""Rows of read tables as the objects of their features."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from server.store.database import Row, Statements
from server.store.statement import Statement, statement
from server.values.errors import NotFound

Model = TypeVar("Model")


class Details(NamedTuple):
    """The sequence, dates and owner of an object (`keystead.common.v1.Details`)."""

    sequence: int
    creation_date: datetime
    change_date: datetime
    owner: str


def details(row: Row) -> Details:
    """The details object of a result row or a read table's row."""
    return Details(row["sequence"], row["creation_date"], row["change_date"], row["owner"])


def columns_of(model: type[object], **expressions: str) -> str:
    """The columns that `from_row` reads; `expressions` are those of columns of other names."""
    fields: tuple[str, ...] = model.__match_args__  # type: ignore[attr-defined]
    names = [name for name in fields if name != "details"]
    names += Details.__annotations__ if "details" in fields else ()
    return ", ".join(f"{expressions[n]} as {n}" if n in expressions else n for n in names)


def from_row(model: type[Model], row: Row, **further: object) -> Model:
    """The dataclass whose fields are the columns of these names; `further` gives the others.

    Arrays become tuples. A field `details` is made of the columns of `Details`.
    """
    fields: dict[str, Any] = model.__dataclass_fields__  # type: ignore[attr-defined]
    for name in fields:
        if name in further:
            continue
        value = details(row) if name == "details" else row[name]
        further[name] = tuple(value) if isinstance(value, list) else value
    return model(**further)


class Query(Statement, Generic[Model]):
    """A statement whose rows are objects. Made at import."""

    __slots__ = ("_missing", "_read")

    def __init__(
        self, sql: str, of: Callable[..., Model], *, missing: tuple[str, NotFound] | None = None
    ) -> None:
        """`of` is their dataclass, for `from_row`, or a function that makes an object of a row.

        `missing` is the parameter with the ID of the object, and the failure if there is no row.
        """
        compiled = statement(sql)
        super().__init__(compiled.sql, compiled.names)
        self._read = partial(from_row, of) if isinstance(of, type) else of
        self._missing = missing

    async def all(self, database: Statements, **values: object) -> list[Model]:
        """The objects of all rows."""
        return [self._read(row) for row in await database.fetch(self, **values)]

    async def one_or_none(self, database: Statements, **values: object) -> Model | None:
        """The object of the first row. None: there is no row."""
        row = await database.fetch_row(self, **values)
        return self._read(row) if row else None

    async def one(self, database: Statements, **values: object) -> Model:
        """The same. `Failure` NOT_FOUND, or LookupError without `missing`: there is no row."""
        found = await self.one_or_none(database, **values)
        if found is not None:
            return found
        if self._missing is None:
            raise LookupError("a statement that always has a row has none")
        key, not_found = self._missing
        raise not_found(str(values[key]))
