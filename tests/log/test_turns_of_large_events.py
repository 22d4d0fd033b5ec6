"""Events with large payloads, such as logos, leave the event loop to other tasks."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from server.crypto.keyring import Keyring
from server.log import checkpoints
from server.log import event as event_module
from server.log.pages import Conditions, list_events
from server.log.positions import assign, read_positions
from server.store.database import Database
from tests.log.conftest import keyed_database
from tests.support import given

database = keyed_database


_LOGO = 32 * 1024
_FILL = """
insert into events
select 'org-' || n, n, 'org', 'org.test', 1, '{"logo": ""}', 'ada', 'org',
    'epoch'::timestamptz + n * interval '1 microsecond'
from generate_series(1, 3) as n"""


async def test_a_turn_converts_a_bounded_number_of_bytes() -> None:
    rows: list[Any] = [{"payload": "x" * _LOGO}] * 40
    converted, seen = 0, list[int]()

    def convert(_row: object) -> None:
        nonlocal converted
        converted += _LOGO

    async def look() -> None:
        while True:
            seen.append(converted)
            await asyncio.sleep(0)

    looking = asyncio.create_task(look())
    await asyncio.sleep(0)
    await event_module.by_turns(rows, convert)
    looking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await looking

    turns = [after - before for before, after in zip(seen, [*seen[1:], converted], strict=True)]
    assert sum(turns) == 40 * _LOGO
    assert max(turns) == event_module.BYTES_OF_TURN


async def _list(database: Database) -> None:
    await list_events(
        database,
        Conditions(),
        since=None,
        until=None,
        oldest_first=True,
        after=None,
        size=10,
    )


@pytest.mark.parametrize(
    "read",
    [
        _list,
        lambda database: read_positions(database, after=0, until=3, types=[]),
        lambda database: checkpoints.take(database, Keyring([bytes(range(32))])),
    ],
    ids=["page", "stream", "checkpoint"],
)
async def test_other_tasks_have_turns_while_events_are_read(
    dsn: str,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    read: Callable[[Database], Awaitable[object]],
) -> None:
    async with given.sql(dsn) as sql:
        await sql.execute(_FILL)
    await assign(database)
    given_up = list[float]()

    async def sleep(seconds: float) -> None:
        given_up.append(seconds)

    monkeypatch.setattr(event_module, "BYTES_OF_TURN", 1)
    monkeypatch.setattr(event_module, "asyncio", SimpleNamespace(sleep=sleep))
    await read(database)

    assert given_up == [0, 0, 0]
