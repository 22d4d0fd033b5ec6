"""An event as it is stored, for readers of the log."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from server.store.database import Row


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A row of `events`."""

    sequence: int
    event_type: str
    aggregate_type: str
    aggregate_id: str
    owner: str
    creator: str
    created_at: datetime
    payload: Mapping[str, Any]

    @classmethod
    def of(cls, row: Row) -> Self:
        """The event of a row, which may have further columns."""
        fields = {name: row[name] for name in cls.__match_args__}
        return cls(**fields | {"payload": json.loads(row["payload"])})
