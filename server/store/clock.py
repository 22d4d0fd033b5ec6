"""The time of the database, in a process whose own clock may be wrong.

The rule: a time that the database wrote is never compared with the clock of this machine.
"""

import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class DatabaseClock:
    """The clock of the database, as a statement read it, and continued by the monotonic clock."""

    read: datetime
    _read_at: float = field(default_factory=time.monotonic)

    def now(self) -> datetime:
        """The time of the database now."""
        return self.read + timedelta(seconds=time.monotonic() - self._read_at)
