"""A page of the log is the same whether its events are archived or not."""

from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from server.crypto.keyring import Keyring
from server.log import archives, checkpoints, positions
from server.log.archive_file import ArchiveFileError
from server.log.archive_store import Archive
from server.log.audit import Wanted, read_events, read_page
from server.store.database import Database
from tests.log.conftest import keyed_database
from tests.support import given
from tests.support.partitions import split

database = keyed_database


_KEYRING = Keyring([bytes(range(32))])
_MONTH = 31 * 86_400_000_000
# Pairs of events with the same sequence: two pairs in each of three months.
_FILL = f"""
insert into events
select 'idp-' || n % 2, sequence, 'idp', 'idp.test-' || n % 3, 1,
    jsonb_build_object('name', 'Name "ß" ' || n, 'b', 1.50, 'a', null), 'user-' || n % 4, 'org',
    'epoch'::timestamptz + sequence * interval '1 microsecond'
from generate_series(0, 11) as n, lateral (select 1 + n / 2 + n / 4 * {_MONTH} as sequence) as at
"""  # noqa: S608 -- a constant


def _at(sequence: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=sequence)


_CONDITIONS: list[dict[str, Any]] = [
    {},
    {"aggregate_id": "idp-1"},
    {"creator": "user-3"},
    {"types": ("idp.test-1",)},
    {"types": ("idp", "other")},
    {"since": _at(_MONTH + 4)},
    {"until": _at(_MONTH + 4)},
    {"before": _MONTH + 4},
    {"before": 2},
    {"after": 0},
    {"after": 1, "aggregate_id": "idp-0"},
    {"after": _MONTH + 3},
    {"since": _at(2), "until": _at(_MONTH + 4), "creator": "user-2"},
]


@pytest.fixture
async def log(database: Database, dsn: str) -> Database:
    """A log of three months, covered by checkpoints."""
    await split(database, _MONTH, 2 * _MONTH)
    async with given.sql(dsn) as sql:
        await sql.execute(_FILL)
    await positions.assign(database)
    await checkpoints.take(database, _KEYRING)
    return database


async def _archive(log: Database, directory: Path) -> list[Archive]:
    """Archives the first two months."""
    return [
        await archives.archive(log, _KEYRING, each, directory)
        for each in await archives.to_archive(log, before=_at(2 * _MONTH))
    ]


async def test_a_page_is_the_same_before_and_after_archiving(log: Database, tmp_path: Path) -> None:
    wanted = [Wanted(**conditions) for conditions in _CONDITIONS]
    pages = [
        (each, limit, await read_events(log, each, limit=limit))
        for each, limit in product(wanted, (1, 3, 100))
    ]
    assert sum(len(events) for _, _, events in pages) > 100
    first, _ = await _archive(log, tmp_path)

    for _ in ("archived", "partly restored"):
        for each, limit, events in pages:
            page = await read_page(log, each, limit=limit, directories=[tmp_path])
            assert page == (events, [])
        await archives.restore(log, tmp_path / first.file_name, first)


async def test_archives_are_named_if_a_page_may_lack_their_events(
    log: Database, tmp_path: Path
) -> None:
    first, second = await _archive(log, tmp_path)
    (tmp_path / first.file_name).unlink()

    async def unread(*directories: Path, limit: int = 100, **conditions: Any) -> list[Archive]:
        page = await read_page(log, Wanted(**conditions), limit=limit, directories=directories)
        return page.unread

    assert await unread() == [second, first]
    assert await unread(after=0) == [first, second]
    assert await unread(tmp_path) == [first]
    assert await unread(tmp_path, limit=8) == []
    assert await unread(limit=4) == []
    assert await unread(since=_at(2 * _MONTH)) == []
    assert await unread(after=_MONTH - 1) == [second]
    assert await unread(until=_at(_MONTH)) == [first]
    assert await unread(before=_MONTH) == [first]


async def test_a_file_of_another_log_is_refused(log: Database, tmp_path: Path) -> None:
    first, second = await _archive(log, tmp_path)
    (tmp_path / second.file_name).replace(tmp_path / first.file_name)

    with pytest.raises(ArchiveFileError, match="does not have the events of archive 1"):
        await read_page(log, Wanted(before=_MONTH), limit=1, directories=[tmp_path])
