"""Follows the log of events: `keystead audit --follow`.

To follow the log is to ask what the next snapshot of the database shows that the last one did not.
Neither a sequence nor a time can tell: transactions commit in another order than they are numbered,
and the clock that numbers them may be set back. What PostgreSQL knows of a row can: which
transaction wrote it, and of every transaction whether a snapshot saw it (PostgreSQL, "System
Columns" and "Transaction ID and Snapshot Information Functions").
"""

import asyncio
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from server.store.audit import WANTED, LoggedEvent, Wanted, logged, read_events
from server.store.database import Database, Row, Transaction
from server.store.statement import statement
from server.values.errors import Failure, Kind

# The wanted events that `:snapshot` does not show and that were written at `:floor` or later. A row
# has the lower 32 bits of its transaction's number, which is below the end of the snapshot that
# shows the row.
_UNSEEN = statement(f"""{WANTED}
    and created_at >= coalesce(:floor::timestamptz, '-infinity')
    and not pg_visible_in_snapshot(
        (
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            - (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - xmin::text::bigint
                & 4294967295)
        )::text::xid8,
        :snapshot::text::pg_snapshot)""")

# Later statements of the transaction see the database as the next statement sees it.
_ONE_MOMENT = "set transaction isolation level repeatable read"

# The snapshot and the clock. The end of a snapshot is that of the transactions that have ended;
# age() tells how many more have begun. A standby's snapshot shows no transaction as running.
_SNAPSHOT = statement("""
select pg_current_snapshot()::text as snapshot,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as all_ended_below,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        + age(pg_snapshot_xmax(pg_current_snapshot())::xid) as none_begun_from,
    clock_timestamp() as clock, pg_is_in_recovery() as is_standby,
    pg_postmaster_start_time()::text || ' ' || pg_backend_pid()::text as session""")

# An event is numbered a moment before its transaction is, and the clock read a moment after the
# snapshot is taken. Only a process that is frozen in between makes it more than microseconds.
_MARGIN = timedelta(minutes=1)
# For so long a database that crashes may give the number of a transaction twice: that of one which
# was rolled back goes to the next that begins, until its record is on the disk. PostgreSQL sees to
# that three times in `wal_writer_delay`, of at most 10 seconds.
_REUSE_SECONDS = 60

# A connection that died unnoticed never answers.
_PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at the log. `floor`: what it has not shown is not written before; None: unknown.

    `session` is one of PostgreSQL, which outlives no crash. Of the numbers of transactions: below
    `all_ended_below` all had ended, and from `none_begun_from` on none had begun.
    """

    session: str
    snapshot: str
    all_ended_below: int
    none_begun_from: int
    clock: datetime
    moment: float  # of the clock of this machine that is never set
    floor: datetime | None = None
    found: frozenset[tuple[str, int]] = frozenset()


class Follower:
    """Shows what is in the log, then whatever is added, each event once.

    After an error `added` may be called again: it finds what was written meanwhile.
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
        """The wanted events of transactions that were committed since the last time.

        `Failure`, or TimeoutError when the database does not answer at all.
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
        """What `look` shows and the last one did not, and perhaps some of what others have shown.

        When the database has crashed between them, the last one may be wrong about transactions,
        and nobody has seen what the clock did meanwhile.
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
        """What this look does not show began when all of that had ended which an earlier one saw.

        Or it is unseen since that one, too.
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
            "The database is a standby, which cannot tell what is new. Follow the log on the"
            " server that it is a copy of.",
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
    """A past look, as if the clock of the database had always been as far back as it is now."""
    clock = min(past.clock, now.clock - timedelta(seconds=now.moment - past.moment))
    return replace(past, clock=clock, floor=past.floor and min(past.floor, clock))


def _key(row: Row) -> tuple[str, int]:
    return row["aggregate_id"], row["sequence"]
