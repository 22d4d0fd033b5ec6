"""The lives of the log, and the positions of consumers, which are of one life (decision 2).

A restored backup, or a failover that lost commits, sets the log back: it assigns positions again
that were given out for events that are lost. So it begins another life. What consumers get is the
position plus an offset of the life, the time of its begin in microseconds, which is beyond all that
was given out before. Of an earlier life, the positions up to its end remain valid.

The rule: only consumers outside of this installation get such a sum, which is called a cursor here.
Checkpoints, archives and deliveries have positions.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.store.database import Statements
from server.store.statement import statement
from server.values.errors import Failure, FixedFailure, Kind

# Begins a life if the log was set back for sure, or has another origin than its last event.
_BEGIN = statement("""
with last as (
    select position, cursor_offset from last_event_position
    where :is_set_back or (position > 0 and origin <> event_log_origin()) for update),
ended as (
    insert into event_log_lives (cursor_offset, last_position)
    select cursor_offset, position from last)
update last_event_position as begun set origin = event_log_origin(), cursor_offset = greatest(
    (extract(epoch from clock_timestamp()) * 1e6)::bigint, last.cursor_offset + last.position + 1)
from last returning begun.cursor_offset""")

# The end of the log, and the lives that ended.
_LIVES = statement("""
select position, cursor_offset,
    array(select cursor_offset from event_log_lives order by cursor_offset) as offsets,
    array(select last_position from event_log_lives order by cursor_offset) as ends
from last_event_position""")


class LogEnd(NamedTuple):
    """The last position, and the offset of the cursors of this life."""

    position: int
    cursor_offset: int

    @property
    def cursor(self) -> int:
        """The cursor of a consumer that has all events."""
        return self.cursor_offset + self.position


class Lives(NamedTuple):
    """The end of the log, and of each ended life its offset and its last position, in order."""

    end: LogEnd
    ended: Sequence[tuple[int, int]]

    def kept_of(self, earlier: LogEnd) -> int:
        """The last position up to which the log is as it was at an earlier end of it."""
        since = [last for offset, last in self.ended if offset >= earlier.cursor_offset]
        return min([earlier.position, self.end.position, *since])

    def position_of(self, cursor: int) -> int:
        """The position of a cursor. `Failure` FAILED_PRECONDITION: this log has no such event."""
        known = self.end.position
        for offset, last in [*self.ended, (self.end.cursor_offset, known)][::-1]:
            known = min(known, last)
            if cursor >= offset:
                break
        position = cursor - offset
        if position <= known:
            return position
        if offset == self.end.cursor_offset:
            raise _unknown_cursor(self.end.cursor)
        raise set_back()


async def begin(database: Statements, *, is_set_back: bool = False) -> bool:
    """Begins a life, if the log has another origin or `is_set_back`. False: it goes on."""
    return await database.fetch_row(_BEGIN, is_set_back=is_set_back) is not None


async def look(database: Statements) -> Lives:
    """The lives of the log."""
    row = await database.fetch_one(_LIVES)
    end = LogEnd(row["position"], row["cursor_offset"])
    return Lives(end, list(zip(row["offsets"], row["ends"], strict=True)))


set_back: Final = FixedFailure(
    "LOG_RESTORED",
    "Events up to the cursor to resume from are lost: the database was restored from a backup, or"
    " a failover lost its last commits. Drop cached data, and begin without a cursor.",
    kind=Kind.FAILED_PRECONDITION,
)


def _unknown_cursor(last: int) -> Failure:
    return Failure(
        Kind.FAILED_PRECONDITION,
        "SEQUENCE_UNKNOWN",
        f"The log ends at the cursor {last}, before the one to resume from: the database was"
        " restored from a backup, or the cursor is of another database. Drop cached data, and begin"
        " without a cursor.",
    )
