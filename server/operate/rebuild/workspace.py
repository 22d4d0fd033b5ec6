"""The schema `keystead_rebuild`: the fresh tables, and the progress of a rebuild.

Its tables are unlogged: they need no write-ahead log and burden no standby. After a crash or
failover of PostgreSQL all of them are empty, so a rebuild without a row of `rebuild_run` was not
begun.

    rebuild_run        one row: the projections, and the last position whose events are in batches
    rebuild_batches    the batches in their stages; `digest` is null until a batch is replayed
    rebuild_pieces     the events of a batch: ranges of sequences of aggregates
    rebuild_differing  aggregates with rows that differ, or that may since the comparison

The rule: an event is in one batch, and a batch is replayed in the transaction that says so.
"""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.operate.rebuild.errors import RebuildRunningError
from server.operate.rebuild.projections import TABLES, projecting_function
from server.operate.unfinished_rebuild import LOCK_NUMBER, exists
from server.store.database import Database, Transaction
from server.store.schema import migrations
from server.store.statement import statement

# A lock that ends with its transaction.
_LOCK = statement(f"select pg_try_advisory_xact_lock({LOCK_NUMBER}) as is_mine")

# The transaction that holds the lock is idle during the rebuild. Its last statement must have no
# snapshot: the driver leaves the portal of a query open, whose snapshot would keep all versions of
# updated rows, and each event of an aggregate would be slower than the one before.
_STAY = "set local idle_in_transaction_session_timeout = 0"

# The advisory lock of the transactions that use the schema. Those of a killed rebuild may go on in
# PostgreSQL for a moment. They lock the tables in an order of their own, so the removal of the
# tables would deadlock with them.
_USE_NUMBER = 7240033
_USE = statement(f"select pg_advisory_xact_lock_shared({_USE_NUMBER})")
_DISCARD = f"""
select pg_advisory_xact_lock({_USE_NUMBER});
drop schema if exists keystead_rebuild cascade"""

# A table with the columns of the live one. Its other indexes would only make projections slower.
_FRESH_TABLE = """
create unlogged table keystead_rebuild.{table}
    (like {table} including defaults including constraints)"""

# The primary keys of the live tables, and then their foreign keys, which delete rows with others.
# Without those of unique values across aggregates: they are unique at the end, but not in between,
# because aggregates are not replayed in the order of time.
_KEYS = statement("""
select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
from pg_constraint
where conrelid = any(:tables::text[]::regclass[]) and contype in ('p', 'f')
    and conrelid <> all('{unique_claims, smtp_configs}'::regclass[])
order by contype desc, conname""")

# The indexes that the projections search besides.
_INDEXES = """
create index on unique_claims (aggregate_id);
create index on idp_links (idp_id);
create index on group_members (group_id)"""

_PROGRESS_TABLES = """
create unlogged table rebuild_run (projections text not null, position bigint not null);
create unlogged table rebuild_batches (
    batch  bigint primary key,
    stage  bigint not null,
    events bigint not null,
    digest bigint
);
create unlogged table rebuild_pieces (
    batch          bigint           not null,
    aggregate_id   text collate "C" not null,
    aggregate_type text             not null,
    first_sequence bigint           not null,
    last_sequence  bigint           not null
);
create index on rebuild_pieces (batch);
create index on rebuild_pieces (aggregate_id, last_sequence);
create unlogged table rebuild_differing (aggregate_id text collate "C")"""

# The projections of an unfinished rebuild.
_PROJECTIONS = statement("select projections from keystead_rebuild.rebuild_run")


@asynccontextmanager
async def locked(database: Database) -> AsyncIterator[None]:
    """Excludes other rebuilds until the end of the block. RebuildRunningError."""
    async with database.transaction() as transaction:
        if not (await transaction.fetch_one(_LOCK))["is_mine"]:
            raise RebuildRunningError
        await transaction.script(_STAY)
        yield


async def is_begun(database: Database) -> bool:
    """Whether there is an unfinished rebuild that this release can continue."""
    if not await exists(database):
        return False
    row = await database.fetch_row(_PROJECTIONS)
    return row is not None and row["projections"] == projections_id()


async def make(transaction: Transaction) -> None:
    """Makes a new schema, with empty tables."""
    tables = [_FRESH_TABLE.format(table=table) for table in TABLES]
    await transaction.script(";".join([_DISCARD, "create schema keystead_rebuild", *tables]))
    keys = [
        f"alter table {row['table']} add {row['definition']}"
        for row in await transaction.fetch(_KEYS, tables=list(TABLES))
    ]
    in_schema, as_before = "set local search_path = keystead_rebuild", "reset search_path"
    await transaction.script(
        ";".join([in_schema, *keys, _INDEXES, _PROGRESS_TABLES, projecting_function(), as_before])
    )


@asynccontextmanager
async def in_use(database: Database, *, begin: str = "") -> AsyncIterator[Transaction]:
    """A transaction during which the schema stays; `begin` is its first statement."""
    async with database.transaction() as transaction:
        if begin:
            await transaction.script(begin)
        await transaction.fetch(_USE)
        yield transaction


async def discard(database: Database) -> None:
    """Removes the schema, if there is one."""
    async with database.transaction() as transaction:
        await transaction.script(_DISCARD)


def projections_id() -> str:
    """Identifies the projections and the read tables of this release."""
    parts = [projecting_function(), *(migration.sql for migration in migrations())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
