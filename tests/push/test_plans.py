"""A turn of a target costs the same for any number of deliveries, also before statistics exist."""

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


@pytest.fixture
async def explained(make_database: MakeDatabase) -> AsyncIterator[Explained]:
    """The plans on tables that were never analyzed."""
    async with given.sql(await make_database()) as connection:
        await connection.execute(_FILL)
        yield Explained(connection)


async def test_a_turn_reads_the_backlog_by_its_indexes(explained: Explained) -> None:
    by_name = statements()
    lease = timedelta(minutes=1)

    await explained.fetch(
        by_name["push.leases._ACQUIRE"], target_ids=["target"], limit=48, lease=lease
    )

    [plan] = explained.plans
    assert "push_deliveries_aggregate on push_deliveries other" in plan
    assert "push_deliveries_due on push_deliveries each" in plan
    assert "push_deliveries_leased" in plan
