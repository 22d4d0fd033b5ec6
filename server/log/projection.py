"""Projections of events whose fields have the names of columns.

A field that is added to such an event becomes a column of these statements: its type gives the
cast, and its default replaces the value in stored events that lack the field.
"""

from collections.abc import Collection, Mapping
from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from server.log.event import Event

_CASTS: Final[Mapping[type, str]] = {str: "", bool: "::boolean", int: "::bigint"}


def inserted(table: str, event: type[Event], *, but: Collection[str] = (), **columns: str) -> str:
    """Inserts a row with the fields of the event, except for those that are no columns (`but`).

    `columns` are expressions, for further columns and for fields of another form.
    """
    values = {
        **_values(event, "event.payload", but),
        **columns,
        "sequence": "event.sequence",
        "creation_date": "event.created_at",
        "change_date": "event.created_at",
    }
    return f"""
        insert into {table} ({", ".join(values)})
        select {", ".join(values.values())} from event"""


def changed(table: str, event: type[Event], *, but: Collection[str] = (), **columns: str) -> str:
    """Sets the columns of the fields that are not None, in the row of the aggregate.

    Fields in `but` are no columns. `columns` are expressions for fields of another form, null if
    the field is None.
    """
    values = _values(event, "event.payload", but) | columns
    settings = "".join(
        f"{name} = coalesce({sql}, {table}.{name}), " for name, sql in values.items()
    )
    return f"""
        update {table} set {settings}sequence = event.sequence, change_date = event.created_at
        from event where {table}.id = event.aggregate_id"""


def differs(event: type[Event], *, but: Collection[str] = (), **columns: str) -> str:
    """Whether `changed` would change the row, for the `target` of its command.

    `but` and `columns` are as of `changed`.
    """
    values = _values(event, ":payload::jsonb", but) | columns
    return " or ".join(f"{name} <> coalesce({sql}, {name})" for name, sql in values.items())


def _values(event: type[Event], payload: str, but: Collection[str]) -> dict[str, str]:
    """The value of each field in a payload, an SQL expression."""
    hints = get_type_hints(event)
    return {
        field.name: _value(payload, field, hints[field.name])
        for field in fields(event)
        if field.name not in but
    }


def _value(payload: str, field: Field[Any], hint: Any) -> str:
    is_optional = isinstance(hint, UnionType)  # of a type and None
    if is_optional:
        hint = get_args(hint)[0]
    if get_origin(hint) is tuple:
        values = f"array(select jsonb_array_elements_text({payload}->'{field.name}'))"
        return f"case when {payload} ? '{field.name}' then {values} end" if is_optional else values
    value = f"{payload}->>'{field.name}'"
    if field.default not in (MISSING, None):
        value = f"coalesce({value}, '{field.default}')"
    return f"({value}){_CASTS[hint]}"
