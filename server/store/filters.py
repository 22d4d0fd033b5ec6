"""The fields by which a list can be filtered, and the orders that it can have, as SQL.

A list declares `Filters` and `Orders` beside its statements. `Filters.condition` is a condition of
such a statement, whose parameters have the values of `Filters.read`: null without a comparison.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Generic, NamedTuple, TypeVar

from server.values.filter_text import Comparison, comparisons

_COUNT: Final = re.compile(r"[0-9]{1,9}")
_INSTANT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_ANY: Final = "*"

Value = TypeVar("Value", int, datetime)


class Field(ABC):
    """A field of a list. `expression` is its SQL; the parameters begin with its `name`."""

    operators: tuple[str, ...]

    @abstractmethod
    def condition(self, name: str) -> str:
        """Whether a row meets the comparisons with the field."""

    @abstractmethod
    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        """The values of the parameters. ValueError: a comparison is wrong."""


class _Range(Field, Generic[Value]):
    """Values in an order, of which a comparison selects a range."""

    operators: tuple[str, ...] = ("=", "<", ">", "<=", ">=")
    _type: str

    def __init__(self, expression: str) -> None:
        self._expression = expression

    @abstractmethod
    def _value(self, comparison: Comparison) -> Value:
        """The value. ValueError: it is none."""

    @abstractmethod
    def _next(self, value: Value) -> Value:
        """The value after this one."""

    def condition(self, name: str) -> str:
        since, until = f":{name}_since::{self._type}", f":{name}_until::{self._type}"
        return f"""({since} is null or {self._expression} >= {since})
        and ({until} is null or {self._expression} < {until})"""

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        since, until = self._bounds(made)
        return {f"{name}_since": since, f"{name}_until": until}

    def _bounds(self, made: Sequence[Comparison]) -> tuple[Value | None, Value | None]:
        """The first value, and the first one after the range. None: the range has no such end."""
        since: list[Value] = []
        until: list[Value] = []
        for each in made:
            value = self._value(each)
            if each.operator in ("=", ">=", ">"):
                since.append(self._next(value) if each.operator == ">" else value)
            if each.operator in ("=", "<", "<="):
                until.append(value if each.operator == "<" else self._next(value))
        return max(since, default=None), min(until, default=None)


class Count(_Range[int]):
    """A number from 0 on."""

    _type = "bigint"

    def _value(self, comparison: Comparison) -> int:
        if not _COUNT.fullmatch(comparison.value):
            raise comparison.refused(f"must compare {comparison.field} with a number such as 0")
        return int(comparison.value)

    def _next(self, value: int) -> int:
        return value + 1


class Moment(_Range[datetime]):
    """An instant that each row has."""

    _type = "timestamptz"

    def _value(self, comparison: Comparison) -> datetime:
        try:
            if _INSTANT.fullmatch(comparison.value):
                return datetime.fromisoformat(comparison.value).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        example = '"2026-06-01T00:00:00Z"'
        raise comparison.refused(
            f"must compare {comparison.field} with an instant as in RFC 3339, such as {example}"
        )

    def _next(self, value: datetime) -> datetime:
        return min(value, _LAST) + timedelta(microseconds=1)


class Instant(Moment):
    """An instant, which may be missing: `field:*` selects the rows that have it."""

    operators: tuple[str, ...] = (*Moment.operators, ":")

    def condition(self, name: str) -> str:
        has = f":has_{name}::boolean[]"
        return f"""{super().condition(name)}
        and ({has} is null or ({self._expression} is not null) = all({has}))"""

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        ranged = [each for each in made if each.operator != ":"]
        has = {not each.is_negated for each in made if each.operator == ":" and _is_any(each)}
        return {**super().values(name, ranged), f"has_{name}": sorted(has) or None}


class TimeOfId(Moment):
    """The milliseconds with which a UUID of version 7 or 8 begins: a range of the index of IDs."""

    def condition(self, name: str) -> str:
        return f"""{self._expression} >= coalesce(:{name}_since::text, '')
        and {self._expression} < coalesce(:{name}_until::text, '~')"""

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        since, until = self._bounds(made)
        return {
            f"{name}_since": since and _begin_of_id(since),
            f"{name}_until": until and _begin_of_id(until),
        }


def _begin_of_id(at: datetime) -> str:
    """The first 12 digits of the first UUID that is not before an instant."""
    milliseconds = -((_EPOCH - at) // timedelta(milliseconds=1))
    digits = f"{max(milliseconds, 0):012x}"
    return f"{digits[:8]}-{digits[8:]}"


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC) - timedelta(microseconds=1)


def _is_any(comparison: Comparison) -> bool:
    """True. ValueError: the comparison is not `field:*`."""
    if comparison.value != _ANY:
        raise comparison.refused(f"must be {comparison.field}:* , which selects those that have it")
    return True


class _Named(Field):
    """Values with names, which may begin with the prefix of the enum of the API."""

    def __init__(self, expression: str, names: Collection[str], *, prefix: str) -> None:
        self._expression = expression
        self._names = tuple(names)
        self._prefix = prefix

    def _name(self, comparison: Comparison) -> str:
        name = comparison.value.removeprefix(self._prefix)
        if name not in self._names:
            known = ", ".join(self._names)
            raise comparison.refused(f"must compare {comparison.field} with one of {known}")
        return name


class OneOf(_Named):
    """One of several values."""

    operators = ("=", "!=")

    def condition(self, name: str) -> str:
        return f"(:{name}::text[] is null or {self._expression} = any(:{name}::text[]))"

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        left = set(self._names)
        for each in made:
            selected = self._selected(each)
            left = left & selected if each.operator == "=" else left - selected
        return {name: sorted(left) if made else None}

    def _selected(self, comparison: Comparison) -> set[str]:
        """The values of a comparison. ValueError: there is none."""
        return {self._name(comparison)}


class Kinds(OneOf):
    """One of several values in groups: `field = "user.*"` compares with all that begin so."""

    def _selected(self, comparison: Comparison) -> set[str]:
        begins = comparison.value.removesuffix(_ANY)
        if begins != comparison.value and begins.endswith("."):
            found = {each for each in self._names if each.startswith(begins)}
        else:
            found = {comparison.value} & set(self._names)
        if not found:
            examples = f"{self._names[0]} or {self._names[0].partition('.')[0]}.*"
            raise comparison.refused(
                f"must compare {comparison.field} with a known value, such as {examples}"
            )
        return found


class Key(Field):
    """The ID of another object, which leads an index."""

    operators = ("=",)

    def __init__(self, expression: str) -> None:
        self._expression = expression

    def condition(self, name: str) -> str:
        return f"(:{name}::text[] is null or {self._expression} = all(:{name}::text[]))"

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        for each in made:
            if not each.value or "\x00" in each.value:
                raise each.refused(f"must compare {each.field} with an ID")
        return {name: sorted({each.value for each in made}) or None}


class Labels(_Named):
    """Any number of values: `field:VALUE` selects rows that have it, `field:*` those with any."""

    operators = (":",)

    def condition(self, name: str) -> str:
        return f"""(:{name}::text[] is null or {self._expression} @> :{name}::text[])
        and (:no_{name}::text[] is null or not {self._expression} && :no_{name}::text[])
        and (:has_{name}::boolean[] is null
            or ({self._expression} <> '{{}}') = all(:has_{name}::boolean[]))"""

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        has = {not each.is_negated for each in made if each.value == _ANY}
        of = [each for each in made if each.value != _ANY]
        wanted = [self._name(each) for each in of if not each.is_negated]
        unwanted = [self._name(each) for each in of if each.is_negated]
        return {
            name: wanted or None,
            f"no_{name}": unwanted or None,
            f"has_{name}": sorted(has) or None,
        }


class Sets(Field):
    """Sets of rows, by the IDs of the sets: `field:ID` selects the members.

    `Filters.read` gives the IDs of the sets. The caller replaces them by those of the rows that
    are in all of them.
    """

    operators = (":",)

    def condition(self, name: str) -> str:
        # A set of thousands is hashed, other than with `= any`.
        return f"(:{name}::text[] is null or id in (select unnest(:{name}::text[])))"

    def values(self, name: str, made: Sequence[Comparison]) -> dict[str, object]:
        for each in made:
            if each.is_negated or each.value == _ANY or "\x00" in each.value:
                raise each.refused(f"must be {each.field}:ID, with the ID of one of them")
        return {name: sorted({each.value for each in made}) or None}


class Filters:
    """The fields of a list, by their names in the API."""

    def __init__(self, **fields: Field) -> None:
        self._fields = fields
        self.condition = "\n        and ".join(
            each.condition(name) for name, each in fields.items()
        )

    @property
    def names(self) -> Sequence[str]:
        """The names of the fields."""
        return sorted(self._fields)

    def read(self, text: str) -> dict[str, object]:
        """The values of the parameters of `condition`. ValueError: the text is wrong."""
        made: dict[str, list[Comparison]] = {name: [] for name in self._fields}
        for each in comparisons(text):
            if each.field not in made:
                known = ", ".join(self.names)
                raise each.refused(f"must not have the field {each.field}; the fields are {known}")
            operators = self._fields[each.field].operators
            if each.operator not in operators:
                problem = f"must have one of {' '.join(operators)} after {each.field}"
                raise each.refused(problem)
            if each.is_negated and each.operator != ":":
                raise each.refused("must have NOT before a comparison with : only")
            made[each.field].append(each)
        found: dict[str, object] = {}
        for name, field in self._fields.items():
            found |= field.values(name, made[name])
        return found


class Order(NamedTuple):
    """A field by whose values a list is ordered, and the direction."""

    field: str
    is_descending: bool


def read_order(text: str, fields: Collection[str]) -> Order | None:
    """The order of a list (AIP-132); None of an empty text. ValueError: it is none of these."""
    words = [each for each in text.split(" ") if each]
    match words:
        case []:
            return None
        case [field] | [field, "asc" | "desc"] if field in fields:
            return Order(field, words[-1] == "desc")
    known = ", ".join(sorted(fields))
    raise ValueError(f"must be one of {known}, alone or followed by a space and desc")
