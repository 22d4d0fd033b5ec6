"""The partitions of the table `events`, each a month of the log (decision 3).

The first partition has all events up to the month of the upgrade to partitions. `events_default`
has events whose time no other partition covers, so that no write is refused. It is empty unless a
clock was wrong.

The rule: a partition is added empty and ahead of time, and only `archives` removes
one. Statements of calls name the table `events` alone.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from server.store.database import Database, Row, Statements, Transaction
from server.store.migrate import ONE_AT_A_TIME, SHORT_WAIT
from server.store.statement import statement
from server.values.errors import Failure, Kind

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final = "events_first"
# The number of months after the present one that have a partition.
_MONTHS_AHEAD: Final = 1

_PARTITIONS: Final = r"""
select child.relname::text as name,
    substring(bound from 'FROM \(''(-?\d+)')::bigint as first_sequence,
    substring(bound from 'TO \(''(-?\d+)')::bigint as until_sequence
from pg_inherits join pg_class as child on child.oid = inhrelid,
    pg_get_expr(child.relpartbound, child.oid) as bound
where inhparent = 'events'::regclass and bound <> 'DEFAULT'"""

# The partitions but for `events_default`, oldest first. The first one has no lower bound.
_LIST = statement(f"select * from ({_PARTITIONS}) as each order by until_sequence")

# The present month and the next ones, unless a partition covers them, or `events_default` has
# events of that month, which a new partition would not take over.
_MISSING = statement(f"""
select first_sequence, until_sequence from (
    select (extract(epoch from month) * 1000000)::bigint as first_sequence,
        (extract(epoch from month + interval '1 month') * 1000000)::bigint as until_sequence
    from date_trunc('month', now() at time zone 'UTC') as present,
        generate_series(present, present + :ahead::int * interval '1 month', '1 month') as month
    ) as wanted
where not exists (
        select from ({_PARTITIONS}) as each
        where coalesce(each.first_sequence, wanted.first_sequence) < wanted.until_sequence
            and each.until_sequence > wanted.first_sequence)
    and not exists (
        select from events_default
        where sequence >= wanted.first_sequence and sequence < wanted.until_sequence)
order by first_sequence""")

# The number of events that no other partition covers, and the time of the first one.
_MISPLACED = statement("select count(*) as events, min(created_at) as since from events_default")

# The number of events of a range.
_COUNT = statement("""
select count(*) as events from events
where sequence >= coalesce(:first_sequence::bigint, -9223372036854775808)
    and sequence < :until_sequence""")

_CREATE: Final = """
create table {name} (like events including all);
create trigger events_are_append_only before update or delete or truncate on {name}
    for each statement execute function events_are_append_only();
revoke update, delete, truncate on {name} from current_user"""

# Rows that are in the table already have been checked by the constraint when the table is attached,
# so PostgreSQL does not read them while it holds its locks.
_ATTACH: Final = """
alter table {name} add constraint of_partition check (sequence < {until}{and_from});
alter table events attach partition {name} for values from ({first}) to ({until});
alter table {name} drop constraint of_partition"""

_DETACH: Final = "alter table events detach partition {name}"
_DROP: Final = "drop table {name}"


@dataclass(frozen=True, slots=True)
class Partition:
    """A range of sequences, from `first_sequence` (None: the beginning) to before another."""

    first_sequence: int | None
    until_sequence: int

    @classmethod
    def of(cls, row: Row) -> Self:
        """The partition of a row, which may have further columns."""
        return cls(row["first_sequence"], row["until_sequence"])

    @property
    def name(self) -> str:
        """The name of its table."""
        return _FIRST if self.first_sequence is None else f"events_{self._first():%Y_%m}"

    @property
    def until(self) -> datetime:
        """The time from which on it has no events."""
        return EPOCH + timedelta(microseconds=self.until_sequence)

    def has(self, sequence: int) -> bool:
        """Whether an event with this sequence belongs to it."""
        is_late_enough = self.first_sequence is None or sequence >= self.first_sequence
        return is_late_enough and sequence < self.until_sequence

    def _first(self) -> datetime:
        return EPOCH + timedelta(microseconds=self.first_sequence or 0)


def sequence_at(moment: datetime) -> int:
    """The lowest sequence of events of this time: microseconds since the Unix epoch."""
    return (moment - EPOCH) // timedelta(microseconds=1)


async def list_partitions(database: Statements) -> list[Partition]:
    """The partitions but for `events_default`, oldest first."""
    return [Partition.of(row) for row in await database.fetch(_LIST)]


async def missing_months(database: Statements) -> list[Partition]:
    """The partitions of the present and the next month, if they do not exist."""
    return [Partition.of(row) for row in await database.fetch(_MISSING, ahead=_MONTHS_AHEAD)]


async def create_table(transaction: Transaction, partition: Partition) -> None:
    """Creates the table of a partition, empty and not attached yet."""
    await transaction.script(_CREATE.format(name=partition.name))


async def attach(transaction: Transaction, partition: Partition) -> None:
    """Makes the table of a partition part of `events`. Writers go on meanwhile."""
    first = partition.first_sequence
    await transaction.script(
        _ATTACH.format(
            name=partition.name,
            first="minvalue" if first is None else first,
            and_from="" if first is None else f" and sequence >= {first}",
            until=partition.until_sequence,
        )
    )


async def detach(transaction: Transaction, partition: Partition) -> None:
    """Takes a partition out of `events`. All statements on `events` wait until the commit."""
    await transaction.script(_DETACH.format(name=partition.name))


async def drop_table(transaction: Transaction, partition: Partition) -> None:
    """Deletes the table of a partition that is detached."""
    await transaction.script(_DROP.format(name=partition.name))


async def count_events(database: Statements, partition: Partition) -> int:
    """The number of events of a partition."""
    row = await database.fetch_one(
        _COUNT, first_sequence=partition.first_sequence, until_sequence=partition.until_sequence
    )
    return int(row["events"])


async def misplaced_events(database: Statements) -> tuple[int, datetime | None]:
    """The number of events in `events_default`, and the time of the first one."""
    row = await database.fetch_one(_MISPLACED)
    return row["events"], row["since"]


async def add_partitions(database: Database) -> None:
    """Adds the partitions of the log for the present and the next month, if they are missing.

    Does nothing while another transaction, such as a backup, holds a lock for longer than a moment:
    there is a month to try again.
    """
    if not await missing_months(database):
        return
    try:
        async with database.transaction() as transaction:
            await transaction.script(SHORT_WAIT)
            await transaction.fetch(ONE_AT_A_TIME)
            for partition in await missing_months(transaction):
                await create_table(transaction, partition)
                await attach(transaction, partition)
    except Failure as failure:
        if failure.kind is not Kind.ABORTED:
            raise
