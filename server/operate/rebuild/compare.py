"""Compares the live tables with the fresh ones, and repairs the rows that differ.

The rule: a repair writes only rows of aggregates that differed, or had events since the comparison.
So its duration depends on the damage, not on the size of the tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from server.operate.rebuild.errors import UnreplayableLogError
from server.operate.rebuild.projections import AGGREGATE_COLUMNS, MAY_BE_FORGOTTEN, TABLES
from server.store.database import Transaction
from server.store.statement import statement

# Aggregates that have the same unique value.
_CONFLICTS = statement("""
select kind as of, string_agg(aggregate_id, ', ' order by aggregate_id) as aggregates
from pg_temp.unique_claims group by kind, value having count(*) > 1
union all
select 'SMTP configuration', string_agg(id, ', ' order by id) from pg_temp.smtp_configurations
group by org_id having count(*) > 1
limit 1""")

# The columns of each live table, and those of its primary key.
_COLUMNS = statement("""
select name as table, format('%I.%I', current_schema(), name) as live,
    array_agg(quote_ident(attname) order by attnum) as columns,
    array_agg(quote_ident(attname) order by attnum) filter (where attnum = any(indkey)) as key
from unnest(:tables::text[]) with ordinality as tables (name, place)
    join pg_attribute on attrelid = format('%I.%I', current_schema(), name)::regclass
        and attnum > 0 and not attisdropped
    join pg_index on indrelid = attrelid and indisprimary
group by name, place order by place""")

# Prepares a comparison. The index stands in for the primary key, during a repair too.
_PREPARE: Final = f"""
create index on pg_temp.unique_claims (kind, value);
analyze {", ".join(f"pg_temp.{table}" for table in TABLES)};
set local work_mem = '64MB'"""

# The numbers of rows that only the live table has, and of rows that only the fresh table has. Notes
# the aggregates of both.
_DIFFERENCE: Final = """
with pair as materialized (
    select live.{aggregate} as live_id, fresh.{aggregate} as fresh_id,
        coalesce(forgotten.may_be, false) as may_be_forgotten
    from {live} as live full join pg_temp.{table} as fresh using ({key})
        left join lateral (
            select {may_be_forgotten} as may_be from (select fresh.*) as row) as forgotten on true
    where live is distinct from fresh),
differing as (
    insert into differing
    select live_id from pair where live_id is not null
    union
    select fresh_id from pair where fresh_id is not null)
select count(live_id) as surplus, count(fresh_id) filter (where not may_be_forgotten) as missing
from pair"""

# Notes the aggregates that had events since the comparison: the same event may have changed a
# damaged row and a fresh one in different ways.
_NOTE_NEW: Final = """
insert into differing select aggregate_id from numbered_events;
analyze differing"""

# Deletes the rows that only the live table has.
_DELETE_SURPLUS: Final = """
delete from {live} as live
where live.{aggregate} in (select aggregate_id from differing)
    and not exists (
        select from pg_temp.{table} as fresh where ({live_key}) = ({fresh_key}))"""

# Writes the rows that the live table lacks or that differ.
_WRITE_FRESH: Final = """
insert into {live} as live ({columns})
select {columns} from pg_temp.{table}
where {aggregate} in (select aggregate_id from differing)
on conflict ({key}) do update set ({columns}) = (select excluded.*)
where live is distinct from excluded"""


@dataclass(frozen=True, slots=True)
class Difference:
    """The surplus and missing rows of a read table, compared with the log.

    A changed row counts as both.
    """

    table: str
    surplus: int
    missing: int


async def compare(transaction: Transaction) -> tuple[Difference, ...]:
    """The tables that differ, as of the beginning of the transaction. UnreplayableLogError."""
    await transaction.script(_PREPARE)
    if conflict := await transaction.fetch_row(_CONFLICTS):
        raise UnreplayableLogError(
            f"the aggregates {conflict['aggregates']} have the same {conflict['of']}"
        )
    found = [await _compare(transaction, names) for names in await _names(transaction)]
    return tuple(each for each in found if each.surplus or each.missing)


async def lock(transaction: Transaction) -> None:
    """Blocks all writers, because each appends an event together with its projections.

    Readers go on.
    """
    tables = ", ".join(names["live"] for names in await _names(transaction))
    await transaction.script(f"lock table {tables} in exclusive mode")


async def repair(transaction: Transaction) -> None:
    """Makes the live tables equal to the fresh ones, which are complete. All writers are blocked.

    The events since the comparison are in `numbered_events`.
    """
    await transaction.script(_NOTE_NEW)
    tables = await _names(transaction)
    deletions = [_DELETE_SURPLUS.format(**names) for names in reversed(tables)]
    insertions = [_WRITE_FRESH.format(**names) for names in tables]
    await transaction.script(";".join([*deletions, *insertions]))


async def _compare(transaction: Transaction, names: dict[str, str]) -> Difference:
    row = await transaction.fetch_one(statement(_DIFFERENCE.format(**names)))
    return Difference(names["table"], row["surplus"], row["missing"])


async def _names(transaction: Transaction) -> list[dict[str, str]]:
    """The names in each table, for the statements of this module; referenced tables first."""
    rows: Any = await transaction.fetch(_COLUMNS, tables=list(TABLES))
    return [
        {
            "table": row["table"],
            "live": row["live"],
            "aggregate": AGGREGATE_COLUMNS[row["table"]],
            "columns": ", ".join(row["columns"]),
            "key": ", ".join(row["key"]),
            "live_key": _prefixed("live", row["key"]),
            "fresh_key": _prefixed("fresh", row["key"]),
            "may_be_forgotten": MAY_BE_FORGOTTEN.get(row["table"], "false"),
        }
        for row in rows
    ]


def _prefixed(name: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{name}.{column}" for column in columns)
