"""The refusals that are kept for applications are bounded, whatever is sent."""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from server.oauth.refused import store
from server.oauth.refused.causes import Cause
from server.oauth.refused.recorder import Refusable, Refusals
from server.oauth.refused.store import KeptRefusal
from server.operate.housekeeping import forget_ended
from server.store.counted import (
    MAX_CAUSES,
    MAX_REQUEST_IDS,
    MAX_ROWS,
    MAX_VALUES,
    CauseBuffer,
)
from server.store.database import Database, connected
from server.telemetry.metrics import Metrics
from tests.support import given

_URI = "REDIRECT_URI_NOT_REGISTERED"


def _refusal(value: str = "", **fields: Any) -> KeptRefusal:
    regular: dict[str, Any] = {
        "application_id": "shop",
        "owner": "org",
        "endpoint": "authorize",
        "reason": _URI,
        "parameter": "redirect_uri",
        "count": 1,
        "refused_at": datetime.now(UTC),
        "request_ids": ["request"],
    }
    return KeptRefusal(value=value, **regular | fields)


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    async with given.sql(dsn) as sql:
        await given.claims_of_organizations(sql, "org")
    async with connected(dsn, pool_size=2) as own:
        yield own


async def _rows(database: Database, *application_ids: str, **fields: Any) -> list[KeptRefusal]:
    given = {"organization_id": "org", "request_id": "", **fields}
    return [*await store.LIST.all(database, application_ids=application_ids or ["shop"], **given)]


def test_the_same_refusal_is_one_row_with_its_last_requests() -> None:
    buffer = CauseBuffer[KeptRefusal]()
    for number in range(MAX_REQUEST_IDS + 5):
        buffer.add(_refusal("https://a.example", request_ids=[f"request {number}"]))
    [row] = buffer.take()
    assert row.count == MAX_REQUEST_IDS + 5
    assert row.request_ids[0] == f"request {MAX_REQUEST_IDS + 4}"
    assert len(row.request_ids) == MAX_REQUEST_IDS
    assert buffer.take() == []


def test_random_values_displace_none_that_came_twice() -> None:
    buffer = CauseBuffer[KeptRefusal]()
    for _ in range(2):
        buffer.add(_refusal("https://right.example"))
    for number in range(1000):
        buffer.add(_refusal(f"https://{number}.example"))
    rows = buffer.take()
    assert len(rows) == MAX_VALUES
    assert {"https://right.example", "https://999.example"} <= {each.value for each in rows}


def test_a_full_buffer_displaces_the_application_with_the_most_reasons() -> None:
    buffer = CauseBuffer[KeptRefusal]()
    buffer.add(_refusal("https://right.example", application_id="other"))
    for number in range(3 * MAX_CAUSES):
        buffer.add(_refusal(reason=f"REASON_{number}"))
    rows = buffer.take()
    assert len(rows) == MAX_CAUSES
    assert sum(each.application_id == "other" for each in rows) == 1


async def test_a_flood_leaves_bounded_rows_and_those_of_other_reasons_and_applications(
    database: Database,
) -> None:
    await store.add(database, [_refusal("https://right.example", application_id="other")])
    await store.add(database, [_refusal(reason="SECRET_WRONG", endpoint="token", parameter="")])
    twice = "https://right.example"
    await store.add(database, [_refusal(twice, count=2, request_ids=["of Bob"])])
    at_once = {"refused_at": datetime.now(UTC)}
    for number in range(30):
        values = [f"https://{number}-{place}.example" for place in range(MAX_VALUES)]
        await store.add(
            database,
            [
                *(_refusal(each, **at_once) for each in values),
                *(
                    _refusal(each, endpoint=endpoint, reason=f"REASON_{number % 12}")
                    for each in values
                    for endpoint in ("authorize", "token")
                ),
            ],
        )
    rows = await _rows(database)
    assert len(rows) == MAX_ROWS
    assert [each.reason for each in rows].count(_URI) <= MAX_VALUES
    assert [each for each in rows if each.reason == "SECRET_WRONG"]
    assert await _rows(database, "other")
    await store.add(database, [_refusal(twice)])
    [found] = await _rows(database, "shop", "other", request_id="of Bob")
    assert (found.value, found.count) == (twice, 3)


async def test_two_servers_that_write_the_same_rows_add_up(database: Database, dsn: str) -> None:
    async with connected(dsn, pool_size=2) as other:

        async def write(server: Database) -> None:
            for _ in range(20):
                rows = [_refusal(f"https://{each}.example") for each in range(MAX_VALUES)]
                random.shuffle(rows)
                await store.add(server, rows)

        await asyncio.gather(*map(write, (database, other, database, other)))
    rows = await _rows(database)
    assert [each.count for each in rows] == [80] * MAX_VALUES


async def test_refusals_are_forgotten_after_seven_days(database: Database, dsn: str) -> None:
    old = datetime.now(UTC) - timedelta(days=7, minutes=1)
    await store.add(database, [_refusal("old", refused_at=old), _refusal("new")])
    assert [each.value for each in await _rows(database)] == ["new"]
    await forget_ended(database)
    async with given.sql(dsn) as sql:
        assert await sql.fetchval("select array_agg(value) from application_refusals") == ["new"]


async def test_a_look_up_that_fails_keeps_nothing(dsn: str) -> None:
    async with connected(dsn, pool_size=1) as ended:
        refusals = Refusals(ended, Metrics().refusals)
    await refusals.note(
        SimpleNamespace(request_id="request"), Refusable("token", "shop"), Cause.SECRET_WRONG
    )
    await refusals.write()


async def test_random_client_ids_keep_nothing(database: Database) -> None:
    refusals = Refusals(database, Metrics().refusals)
    call = SimpleNamespace(request_id="request")
    random = [f"x{number}" for number in range(20)]
    wrong = ["", "x" * 201, "https://client.example/metadata", "\0"]
    for client_id in random:
        await refusals.note(call, Refusable("token", client_id), Cause.INVALID_FIELDS)
    for client_id in wrong:
        await refusals.note(call, Refusable("logout", client_id), Cause.LOGOUT_REQUEST_INVALID)
    await refusals.note(call, Refusable("authorize", "shop"), Cause.UNKNOWN_CLIENT)
    await refusals.write()
    assert await _rows(database, "shop", *random, *wrong[:-1]) == []
