"""Events: facts about aggregates, as features declare them and as they are stored."""

import asyncio
import enum
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar, dataclass_transform

from pydantic_core import to_json

from server.store.database import Row

_T = TypeVar("_T")
_E = TypeVar("_E", bound="Event")
_Converted = TypeVar("_Converted")

# The bytes of payloads that are converted in one turn of the event loop: a few milliseconds.
BYTES_OF_TURN: Final = 256 * 1024


class Audience(enum.Enum):
    """The readers of the log that are shown a field of an event."""

    CALLERS = "callers of the API and operators"
    OPERATORS = "operators"
    PERSONAL = "operators who ask for personal data"


# The types of the fields of events, by their audience: identifiers that the server made,
# configuration of an organization, and facts about these;
Shown = Annotated[_T, Audience.CALLERS]
# hashes, which no caller needs, and values whose reading requires a further permission
# (`smtp.read`);
ForOperators = Annotated[_T, Audience.OPERATORS]
# values that identify a person, and text that a person chose.
Personal = Annotated[_T, Audience.PERSONAL]


@dataclass(frozen=True, slots=True)
class Event:
    """A fact about an aggregate. The fields of a subclass are its payload; None is left out.

    The type of each field names its audience: `Shown[str]`.
    """

    event_type: ClassVar[str]

    @classmethod
    def aggregate_type(cls) -> str:
        """The type of the aggregate."""
        return cls.event_type.partition(".")[0]

    @classmethod
    def of(cls, source: object, **further: object) -> Self:
        """The event whose fields are the attributes of these names; `further` gives the others."""
        names: tuple[str, ...] = cls.__match_args__
        for name in names:
            if name not in further:
                further[name] = getattr(source, name)
        return cls(**further)

    def payload(self) -> str:
        """The payload as JSON."""
        names: tuple[str, ...] = self.__match_args__  # the fields in order, made once by dataclass
        return to_json(
            {name: value for name in names if (value := getattr(self, name)) is not None}
        ).decode()


@dataclass_transform(frozen_default=True)
def event(event_type: str) -> Callable[[type[_E]], type[_E]]:
    """Declares an event. The type begins with that of its aggregate: `idp.added`."""

    def declared(kind: type[_E]) -> type[_E]:
        made = dataclass(frozen=True, slots=True)(kind)
        made.event_type = event_type
        return made

    return declared


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A row of `events`."""

    created_at: datetime
    sequence: int
    event_type: str
    aggregate_type: str
    aggregate_id: str
    owner: str
    creator: str
    payload: Mapping[str, Any]

    @classmethod
    def of(cls, row: Row | Mapping[str, Any]) -> Self:
        """The event of a row, which may have further columns."""
        fields = {name: row[name] for name in cls.__match_args__}
        return cls(**fields | {"payload": json.loads(row["payload"])})


async def by_turns(rows: Sequence[Row], convert: Callable[[Row], _Converted]) -> list[_Converted]:
    """Converts rows of `events`. Other tasks have a turn after each `BYTES_OF_TURN` of payloads."""
    converted, size = list[_Converted](), 0
    for row in rows:
        converted.append(convert(row))
        size += len(row["payload"] or "")
        if size >= BYTES_OF_TURN:
            await asyncio.sleep(0)
            size = 0
    return converted
