"""Fields of commands that choose events by their types, or by what types begin with: `user.*`."""

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from server.event.disclosure import EVENT_TYPES
from server.validation.fields import described

_MAX_TYPES: Final = 100
_GROUPS: Final = sorted({f"{each.partition('.')[0]}.*" for each in EVENT_TYPES})
_KNOWN: Final = frozenset((*EVENT_TYPES, *_GROUPS))


def matching(event_types: Iterable[str]) -> frozenset[str]:
    """The values of a field, and the types of this release that begin with one of them."""
    values = frozenset(event_types)
    groups = tuple(each.removesuffix("*") for each in values if each.endswith("*"))
    return values.union(each for each in EVENT_TYPES if each.startswith(groups))


def _event_types(values: tuple[str, ...]) -> tuple[str, ...]:
    if len(values) > _MAX_TYPES:
        raise ValueError(f"must have at most {_MAX_TYPES} entries")
    problems = [
        InitErrorDetails(
            type=PydanticCustomError("value_error", "{error}", {"error": problem}),
            loc=(index,),
            input=None,
        )
        for index, value in enumerate(values)
        if (problem := _problem(value, before=values[:index]))
    ]
    if problems:
        raise ValidationError.from_exception_data("values", problems)
    return values


def _problem(value: str, *, before: tuple[str, ...]) -> str:
    if value not in _KNOWN:
        return "must be a type that /openapi.json lists, such as user.added or user.*"
    return "must not be listed twice" if value in before else ""


EventTypes = Annotated[
    tuple[str, ...],
    BeforeValidator(tuple),
    AfterValidator(_event_types),
    described(maxItems=_MAX_TYPES, items={"type": "string", "enum": [*EVENT_TYPES, *_GROUPS]}),
]
