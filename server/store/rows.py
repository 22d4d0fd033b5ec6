"""Rows of read tables as the objects of their features."""

from typing import Any, TypeVar

from server.store.database import Row
from server.store.eventlog import Details, details

Model = TypeVar("Model")


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
