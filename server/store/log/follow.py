"""Follows the log of events: `keystead audit --follow`.

Each look at the log reads the events that the snapshot of the last look did not show. Sequences and
times cannot find those events: transactions commit in another order than their events are numbered,
and the clock that numbers the events may be set back. PostgreSQL can: it knows which transaction
wrote a row, and whether a snapshot shows the effects of a transaction (PostgreSQL, "System Columns"
and "Transaction ID and Snapshot Information Functions").
"""

import asyncio
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from server.store.database import Database, Row, Transaction
from server.store.log.audit import WANTED, LoggedEvent, Wanted, logged, read_events
from server.store.statement import statement
from server.values.errors import Failure, Kind

# The wanted events that `:snapshot` does not show and that were written at `:floor` or later. A row
# has only the lower 32 bits of its transaction ID. The full ID is below the end (xmax) of the
# snapshot that shows the row.
_UNSEEN = statement(f"""{WANTED}
    and created_at >= coalesce(:floor::timestamptz, '-infinity')
    and not pg_visible_in_snapshot(
        (
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            - (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - xmin::text::bigint
                & 4294967295)
        )::text::xid8,
        :snapshot::text::pg_snapshot)""")

# All statements of the transaction use the snapshot of its next statement.
_ONE_MOMENT = "set transaction isolation level repeatable read"

# The snapshot and the clock. The end (xmax) of a snapshot follows the last transaction that has
# ended; age() counts the later ones that have begun. A standby's shows no transaction as running.
_SNAPSHOT = statement("""
select pg_current_snapshot()::text as snapshot,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as all_ended_below,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        + age(pg_snapshot_xmax(pg_current_snapshot())::xid) as none_begun_from,
    clock_timestamp() as clock, pg_is_in_recovery() as is_standby,
    pg_postmaster_start_time()::text || ' ' || pg_backend_pid()::text as session""")

# An event gets its time before its transaction gets an ID, and the clock is read after the
# snapshot is taken. Each takes microseconds, or longer if the process is frozen in between.
_MARGIN = timedelta(minutes=1)
# After a crash, PostgreSQL may reuse transaction IDs that it assigned within this time before: IDs
# of transactions that were rolled back and whose records were not on disk yet. Records are on disk
# after three times `wal_writer_delay`, which is at most 10 seconds.
_REUSE_SECONDS = 60

# Without this limit, a dead connection would be waited for without end.
_PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at the log. No event that it did not show has a time before `floor`; None: unknown.

    `session` names the database session, which a crash ends. All transactions with an ID below
    `all_ended_below` had ended, and none with an ID from `none_begun_from` on had begun.
    """

    session: str
    snapshot: str
    all_ended_below: int
    none_begun_from: int
    clock: datetime
    moment: float  # of the monotonic clock of this machine
    floor: datetime | None = None
    found: frozenset[tuple[str, int]] = frozenset()


class Follower:
    """Reads the existing events of the log, then the added ones, each event once.

    After an error `added` may be called again: it finds the events written meanwhile.
    """

    def __init__(self, database: Database, wanted: Wanted) -> None:
        self._database = database
        self._wanted = wanted
        self._looks: deque[_Look] = deque()

    async def existing(self, *, limit: int) -> list[LoggedEvent]:
        """The latest events that are wanted, oldest first."""
        async with self._database.transaction() as transaction:
            look = await _look(transaction)
            events = await read_events(transaction, self._wanted, limit=limit)
        self._looks.append(self._with_floor(look))
        return events

    async def added(self) -> list[LoggedEvent]:
        """The wanted events of transactions that were committed since the last look.

        `Failure`, or TimeoutError if the database does not answer at all.
        """
        async with asyncio.timeout(_PATIENCE_SECONDS) as patience:
            async with self._database.transaction() as transaction:
                look = await _look(transaction)
                patience.reschedule(None)
                rows = await self._unseen(transaction, look)
        shown = frozenset[tuple[str, int]]().union(*(each.found for each in self._looks))
        new = [row for row in rows if _key(row) not in shown]
        self._looks = deque(_earlier(each, look) for each in self._looks)
        found = frozenset(map(_key, new))
        self._looks.append(replace(self._with_floor(look), found=found))
        while self._looks[1].moment < look.moment - _REUSE_SECONDS:
            self._looks.popleft()
        return logged(new)

    async def _unseen(self, transaction: Transaction, look: _Look) -> list[Row]:
        """The events that `look` shows and the last look did not.

        If the database has crashed between the two looks, it may have reused transaction IDs and
        its clock may have been set. Then the result may repeat events that were shown before.
        """
        last, floor = self._looks[-1], _earlier(self._looks[-1], look).floor
        if look.session != last.session:
            last, floor = self._looks[0], None
        return await transaction.fetch(
            _UNSEEN,
            **asdict(self._wanted),
            snapshot=last.snapshot,
            floor=floor and floor - _MARGIN,
        )

    def _with_floor(self, look: _Look) -> _Look:
        """The look with its floor, the clock of the latest look whose transactions have all ended.

        A transaction that `look` does not show began after that. Else the last floor still holds.
        """
        for each in (look, *reversed(self._looks)):
            if each.none_begun_from <= look.all_ended_below:
                return replace(look, floor=each.clock)
        return replace(look, floor=self._looks[-1].floor if self._looks else None)


async def _look(transaction: Transaction) -> _Look:
    await transaction.script(_ONE_MOMENT)
    row = await transaction.fetch_one(_SNAPSHOT)
    if row["is_standby"]:
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "DATABASE_IS_STANDBY",
            "The database is a standby, on which new events cannot be found. Follow the log on"
            " its primary.",
        )
    return _Look(
        row["session"],
        row["snapshot"],
        row["all_ended_below"],
        row["none_begun_from"],
        row["clock"],
        time.monotonic(),
    )


def _earlier(past: _Look, now: _Look) -> _Look:
    """A past look, with earlier times if the clock of the database has been set back since."""
    clock = min(past.clock, now.clock - timedelta(seconds=now.moment - past.moment))
    return replace(past, clock=clock, floor=past.floor and min(past.floor, clock))


def _key(row: Row) -> tuple[str, int]:
    return row["aggregate_id"], row["sequence"]
