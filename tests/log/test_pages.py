"""Every page of the log is a range of one index, on a log of any length."""

import json
from dataclasses import asdict
from typing import Any

import asyncpg

from server.log.pages import MOST_EXAMINED, NEWEST_FIRST, OLDEST_FIRST, Conditions
from server.store.statement import Statement
from tests.support import given

_INDEXES = {
    "aggregate": "events_pkey",
    "event_type": "events_owner_event_type",
    "owner": "events_owner",
    "all": "events_sequence",
}
# The other partitions are empty, and have indexes of other names.
_INDEXES_OF_FIRST = {"events_created_at", *_INDEXES.values()}
_CONDITIONS = {
    "aggregate": Conditions(owner="org-1", aggregate_id="idp-1001"),
    "event_type": Conditions(owner="org-1", event_types=("idp.type-3",)),
    "owner": Conditions(owner="org-1", creator="user-11"),
    "all": Conditions(creator="nobody"),
}
_EVENTS = 100_000
# Each organization has every tenth event; an aggregate has a hundred events.
_FILL = """
insert into events
select 'idp-' || n % 1000, 1795000000000000 + n * 1000, 'idp', 'idp.type-' || n / 10 % 5, 1,
    '{"name": "Provider"}', 'user-' || n % 100, 'org-' || n % 10,
    'epoch'::timestamptz + (1795000000000000 + n * 1000) * interval '1 microsecond'
from generate_series(1, $1::int) as n"""


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for below in plan.get("Plans", []) for node in _nodes(below))]


async def _plan(sql: asyncpg.Connection, page: Statement, conditions: Conditions) -> Any:
    """The executed plan of a page from the middle of the log to its end."""
    middle = 1795000000000000 + _EVENTS // 2 * 1000
    values = asdict(conditions) | {
        "sequence": middle,
        "beside": "",
        "end": 0 if page in NEWEST_FIRST.values() else 2**62,
        "examined": MOST_EXAMINED,
        "limit": 201,
    }
    explained = await sql.fetchval(
        f"explain (analyze, format json) {page.sql}", *page.arguments(values)
    )
    return json.loads(explained)[0]["Plan"]


async def test_a_page_is_a_range_of_one_index(dsn: str) -> None:
    async with given.sql(dsn) as sql:
        await sql.execute(_FILL, _EVENTS)
        await sql.execute("analyze events")
        # A prepared statement may get one plan for all values.
        for mode in ("force_custom_plan", "force_generic_plan"):
            await sql.execute(f"set plan_cache_mode = {mode}")
            for order in (NEWEST_FIRST, OLDEST_FIRST):
                for name, page in order.items():
                    nodes = _nodes(await _plan(sql, page, _CONDITIONS[name]))

                    used = {node["Index Name"] for node in nodes if "Index Name" in node}
                    [read] = [each for each in nodes if each.get("Relation Name") == "events_first"]
                    assert used & _INDEXES_OF_FIRST == {_INDEXES[name]}, (page, mode)
                    examined = read["Actual Rows"] + read.get("Rows Removed by Filter", 0)
                    assert examined <= MOST_EXAMINED + 100, (page, mode)
