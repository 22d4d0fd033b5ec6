"""The cost of a delivery does not grow with their number, whatever the statistics of the tables."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.explained import Explained
from tests.support.statements import statements

# A target with a backlog of one hour: three deliveries of each aggregate.
_FILL = """
insert into push_targets (target_id, next_turn_at) values ('target', now());
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at)
select n::text, 'target', 'webhook', 'org', (n / 3)::text, 'group.changed', n, '{}', 'pending', at,
    at, at + interval '3 days', at
from generate_series(1, 5000) as n, lateral (
    select now() - interval '1 hour' + n * interval '1 ms' as at) as at"""


# Deliveries that ended: with statistics of them, the planner expects no pending ones.
_FILL_ENDED = """
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at, ended_at)
select 'ended ' || n, 'target', 'webhook', 'org', n::text, 'group.changed', -n, '{}', 'sent', at,
    at, at + interval '3 days', at, at
from generate_series(1, 5000) as n, lateral (select now() - interval '2 hours' as at) as at;
analyze push_deliveries"""


@pytest.fixture(params=["never analyzed", "analyzed without pending deliveries"])
async def explained(
    make_database: MakeDatabase, request: pytest.FixtureRequest
) -> AsyncIterator[Explained]:
    """The plans with a backlog."""
    async with given.sql(await make_database()) as connection:
        if request.param != "never analyzed":
            await connection.execute(_FILL_ENDED)
        await connection.execute(_FILL)
        yield Explained(connection)


async def test_a_turn_reads_the_backlog_by_its_indexes(explained: Explained) -> None:
    await explained.fetch(
        statements()["push.leases._ACQUIRE"],
        target_ids=["target"],
        limit=48,
        lease=timedelta(minutes=1),
    )

    [plan] = explained.plans
    assert "push_deliveries_aggregate on push_deliveries other" in plan
    assert "push_deliveries_due on push_deliveries each" in plan
    assert "push_deliveries_leased" in plan


async def test_results_are_recorded_by_the_key(explained: Explained) -> None:
    result = {
        "delivery_ids": "1",
        "numbers": 1,
        "target_ids": "target",
        "tiers": 0,
        "works": True,
        "statuses": 200,
        "answers": "",
        "reasons": "",
        "messages": "",
        "states": "sent",
        "stay_due": False,
    }
    columns = {name: [value] * 12 for name, value in result.items()}

    await explained.fetch(statements()["push.leases._RECORD"], **columns)

    [plan] = explained.plans
    assert "push_deliveries_pkey on push_deliveries delivery" in plan
    assert "push_deliveries_aggregate on push_deliveries each" in plan
    assert "Index Cond: ((target_id = recorded" in plan
    assert "push_deliveries_due" not in plan
