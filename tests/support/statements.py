"""All statements of the server, and their plans on a database that pretends to be large."""

import functools
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from typing import Any

import asyncpg

import server
from server.access.growing import GrowingList
from server.access.listing import Listing
from server.access.makers import MadeCredentials
from server.log.removals import Removals
from server.operate.rebuild.projections import TABLES
from server.store.object_names import ObjectNames
from server.store.statement import Statement

# A table of the large installation has this many rows.
ROWS = 10_000_000

# Tables that stay small, each with the reason.
SMALL = {
    "schema_versions": "a row for each migration",
    "last_event_position": "one row",
    "event_log_lives": "a row for each restored backup and failover",
    "encryption_keys": "one, and another one during a rotation",
    "retired_encryption_keys": "a row for each rotation",
    "servers": "a row for each process",
    "signing_keys": "one a month, deleted when expired",
    "rsa_signing_keys": "one a month, deleted when expired",
    "write_probe": "a transaction that is rolled back",
    "recovery_requests": "bounded; nothing is written while there are too many",
    "unpositioned_events": "a queue that is emptied within a second",
    "event_archives": "a row for each month",
    "push_position": "one row",
    "events_default": "empty unless a clock was wrong",
}

_SAMPLE = 1000

# Columns with few values, as SQL of the number of the row. Other columns have distinct values.
_FEW = {
    "owner": "'owner-' || n % 50",
    "scope_id": "'owner-' || n % 50",
    "organization_id": "'owner-' || n % 50",
    "creator": "'creator-' || n % 50",
    "aggregate_type": "(array['user', 'idp', 'organization'])[n % 3 + 1]",
    "event_type": "'type-' || n % 40",
    "kind": "(array['user_name', 'credential_id'])[n % 2 + 1]",
    "key_id": "'key'",
    "state": "case when n % 20 = 0 then 'pending' else 'sent' end",
    "verified_at": "case when n % 2 = 0 then now() end",
    "used_at": "case when n % 2 = 0 then now() end",
    "replaced_at": "case when n % 2 = 0 then now() end",
    "ended_at": "case when n % 20 > 0 then now() - n * interval '1 hour' end",
    "issuer": "'issuer-' || n % 50",
    # As `created_at`, so that several partitions have events.
    "sequence": "(extract(epoch from now()) * 1000000)::bigint + (n - 500) * 3600000000",
}

# By type. All identifiers of the n-th rows are equal, which satisfies the foreign keys.
_ANY = {
    "text": "'id-' || n",
    "bytea": "sha256(n::text::bytea)",
    "bigint": "n",
    "integer": "n % 5",
    "smallint": "1",
    "boolean": "n % 2 = 0",
    "jsonb": "'{}'",
    "text[]": "array['value-' || n % 50]",
    "integer[]": "array[n % 5]",
    "date": "current_date - n::int",
    "timestamp with time zone": "now() + (n - 500) * interval '1 hour'",
    "tstzrange": "null",
}

_COLUMNS = """
select relation.relname as table, attribute.attname as column,
    format_type(attribute.atttypid, null) as type
from pg_class as relation join pg_attribute as attribute on attribute.attrelid = relation.oid
where relation.relkind in ('r', 'p') and not relation.relispartition
    and relation.relnamespace = current_schema()::regnamespace
    and attribute.attnum > 0 and not attribute.attisdropped
order by relation.oid, attribute.attnum"""

# The planner multiplies the estimated rows of a page with its estimate of the table's pages.
_PRETEND = """
update pg_class set reltuples = reltuples * $1
where relnamespace = current_schema()::regnamespace and reltuples >= 100
    and relkind in ('r', 'i')"""

_LEADING_COLUMNS = """
select relation.relname as index, pg_get_indexdef(indexrelid, 1, true) as column
from pg_index join pg_class as relation on relation.oid = indexrelid
where relation.relnamespace = current_schema()::regnamespace"""


@functools.cache
def statements() -> Mapping[str, Statement]:
    """The compiled statements of all modules by their names, like `user.store.GET`.

    Without those that cannot be prepared: `lock table`, and those on the tables of a rebuild.
    """
    found: dict[int, tuple[str, Statement]] = {}
    for module in pkgutil.walk_packages(server.__path__, "server."):
        if not module.name.endswith("__main__"):
            names = vars(importlib.import_module(module.name))
            place = module.name.removeprefix("server.")
            for name, value in names.items():
                for path, each in _within(f"{place}.{name}", value):
                    found.setdefault(id(each), (path, each))
    return {
        name: each
        for name, each in found.values()
        if not name.startswith("operate.rebuild.") and not each.sql.lstrip().startswith("lock ")
    }


def _within(name: str, value: object) -> Iterator[tuple[str, Statement]]:
    """The statements of a value: itself, its attributes, or the items that it contains."""
    if isinstance(value, Statement):
        yield name, value
    elif isinstance(value, GrowingList | Listing | MadeCredentials | ObjectNames | Removals):
        for attribute, each in vars(value).items():
            yield from _within(f"{name}.{attribute}", each)
    elif isinstance(value, Mapping | list | tuple):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in items:
            yield from _within(f"{name}[{key}]", item)


async def pretend_to_be_large(connection: asyncpg.Connection) -> None:
    """Fills the growing tables with a sample, and sets their statistics to `ROWS` rows."""
    columns: dict[str, dict[str, str]] = {}
    for row in await connection.fetch(_COLUMNS):
        if row["table"] not in SMALL:
            value = _FEW.get(row["column"], _ANY[row["type"]])
            columns.setdefault(row["table"], {})[row["column"]] = value
    await connection.execute("insert into encryption_keys values ('key', now())")
    for table in dict.fromkeys([*TABLES, *columns]):  # referenced tables first
        if table in SMALL:
            continue
        values = columns[table]
        # S608: names of the schema, and constants of this module.
        await connection.execute(
            f"insert into {table} ({', '.join(values)})"  # noqa: S608
            f" select {', '.join(values.values())} from generate_series(1, {_SAMPLE}) as n"
        )
    await connection.execute("truncate unpositioned_events")  # written by a trigger
    await connection.execute("analyze")
    await connection.execute(_PRETEND, ROWS / _SAMPLE)


async def generic_plan(connection: asyncpg.Connection, statement: Statement) -> dict[str, Any]:
    """The plan of PostgreSQL for any values of the parameters. The statement is not executed."""
    await connection.execute(f"prepare planned as {statement.sql}")
    nulls = ", ".join(["null"] * len(statement.names))
    arguments = f"({nulls})" if nulls else ""
    plan = await connection.fetchval(f"explain (format json) execute planned{arguments}")
    await connection.execute("deallocate planned")
    return dict(json.loads(plan)[0]["Plan"])


def nodes(
    plan: Mapping[str, Any], *, is_limited: bool = False
) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """A plan node and all nodes below it, each with whether a limit ends it early."""
    yield plan, is_limited
    for part in plan.get("Plans", ()):
        yield from nodes(part, is_limited=is_limited or plan["Node Type"] == "Limit")


async def leading_columns(connection: asyncpg.Connection) -> Mapping[str, str]:
    """The first column, or expression, of each index, as `bare` gives it."""
    rows = await connection.fetch(_LEADING_COLUMNS)
    return {row["index"]: bare(row["column"]) for row in rows}


def bare(expression: str) -> str:
    """An expression without parentheses, casts to text and collations, which plans write anew."""
    return re.sub(r"[()]|::text| COLLATE \w+", "", expression)
