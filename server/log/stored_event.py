"""An event as it is stored, for readers of the log."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Self, TypeVar

from server.store.database import Row

_Converted = TypeVar("_Converted")

# The bytes of payloads that are converted in one turn of the event loop: a few milliseconds.
BYTES_OF_TURN: Final = 256 * 1024


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
