"""Archived events are in a file that is proven complete, or still in the database."""

import asyncio
import gzip
import hashlib
import json
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from server.crypto.keyring import Keyring
from server.log import archives, checkpoints, partitions, positions
from server.log.archive_file import ArchiveFileError
from server.log.archive_store import (
    Archive,
    EventsArchivedError,
    list_archives,
    mac_of,
    require_all_events,
    without_archiving,
)
from server.log.archives import ArchiveError
from server.log.checkpoints import digest_of
from server.log.feed import Feed
from server.log.partitions import Partition
from server.log.verification import Part, Verification
from server.operate.rebuild.run import rebuild
from server.store.database import Database
from server.values.errors import Failure
from server.values.progress import Progress
from tests.log.conftest import keyed_database
from tests.support import given
from tests.support.partitions import split

database = keyed_database


_KEYRING = Keyring([bytes(range(32))])
_BEFORE = datetime(1970, 2, 2, tzinfo=UTC)
# A second partition must have the name of another month than the third.
_MONTH = 31 * 86_400_000_000
_FILL = """
insert into events
select 'idp-' || n % 3, 1000 + n, 'idp', 'idp.test', 1,
    jsonb_build_object('name', 'Name "ß" ' || n, 'number', n / 3.0), 'ada', 'org',
    'epoch'::timestamptz + (1000 + n) * interval '1 microsecond'
from generate_series(1, 16) as n"""
_EVENTS = "select * from events order by aggregate_id, sequence"
_POSITIONS = "select * from event_positions order by position"


@pytest.fixture
async def sql(
    dsn: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[asyncpg.Connection]:
    """Two old partitions with eight events each; each five events are covered by a checkpoint."""
    monkeypatch.setattr(checkpoints, "_MOST_EVENTS", 5)
    async with given.sql(dsn) as sql:
        await split(database, 1009, 2000 + _MONTH)
        await sql.execute(_FILL)
        await positions.assign(database)
        await checkpoints.take(database, _KEYRING)
        yield sql


async def _archive(database: Database, directory: Path) -> list[Archive]:
    return [
        await archives.archive(database, _KEYRING, each, directory)
        for each in await archives.to_archive(database, before=_BEFORE)
    ]


def _names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


async def _problems(database: Database) -> list[str]:
    return [each async for each in Verification(database, _KEYRING).problems()]


async def test_archived_events_are_in_files_and_come_back_as_they_were(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    events, places = await sql.fetch(_EVENTS), await sql.fetch(_POSITIONS)

    first, second = await _archive(database, tmp_path)

    assert (first.event_count, first.ranges) == (8, ((1, 9),))
    assert (second.event_count, second.ranges) == (8, ((9, 17),))
    assert await sql.fetchval("select count(*) from events") == 0
    assert await sql.fetchval("select count(*) from event_positions") == 0
    assert await _problems(database) == []
    for each in (first, second):
        path = tmp_path / each.file_name
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        lines = gzip.decompress(path.read_bytes()).splitlines()
        assert [json.loads(line)["position"] for line in lines] == list(range(*each.ranges[0]))
        assert (await archives.verify(database, _KEYRING, path)).number == each.number
    assert _names(tmp_path) == {first.file_name, second.file_name}

    for each in (second, first):
        assert await archives.restore(database, tmp_path / each.file_name, each)
    assert await sql.fetch(_EVENTS) == events
    assert await sql.fetch(_POSITIONS) == places
    assert await _problems(database) == []
    assert [each.is_restored for each in await list_archives(database)] == [True, True]
    assert not await archives.restore(database, tmp_path / first.file_name, first)
    with pytest.raises(asyncpg.RaiseError, match="append-only"):
        await sql.execute("delete from events_first")

    assert len(await _archive(database, tmp_path)) == 2  # the files are the same
    assert await _problems(database) == []


async def test_an_archive_that_is_interrupted_leaves_the_events_and_is_repeated(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(partitions, "drop_table", fail)
        with pytest.raises(ConnectionError):
            await _archive(database, tmp_path)

    assert await sql.fetchval("select count(*) from events") == 16
    assert await sql.fetchval("select count(*) from event_positions") == 16
    assert await list_archives(database) == []
    assert len(await _archive(database, tmp_path)) == 2


async def test_events_that_are_not_as_the_checkpoints_say_are_not_archived(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    await sql.execute("set session_replication_role = replica")
    await sql.execute("update events set creator = 'eve' where sequence = 1003")
    with pytest.raises(ArchiveError, match="audit verify"):
        await _archive(database, tmp_path)

    await sql.execute("update events set creator = 'ada' where sequence = 1003")
    await sql.execute("delete from event_checkpoints where number > 1")
    with pytest.raises(ArchiveError, match=r"3 events of events_first are in no checkpoint"):
        await _archive(database, tmp_path)
    assert await sql.fetchval("select count(*) from events") == 16
    assert _names(tmp_path) == set()


@pytest.mark.usefixtures("sql")
async def test_progress_is_told_in_events_up_to_the_last_one(
    database: Database, tmp_path: Path
) -> None:
    told: list[Progress] = []
    partition, *_ = await archives.to_archive(database, before=_BEFORE)

    made = await archives.archive(database, _KEYRING, partition, tmp_path, tell=told.append)
    log = Verification(database, _KEYRING, directories=[tmp_path], tell=told.append)
    assert [each async for each in log.problems()] == []
    await archives.restore(database, tmp_path / made.file_name, made, tell=told.append)

    last = {each.step: each for each in told}
    assert {step: (each.done, each.total) for step, each in last.items()} == {
        f"Archiving {partition.name}": (made.event_count, made.event_count),
        "Comparing with checkpoints": (log.last.last_position, log.last.last_position),
        "Looking for inserted events": (0, 0),
        f"Restoring {partition.name}": (made.event_count, made.event_count),
    }


async def test_an_event_that_is_added_meanwhile_stops_the_archive(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    detach = partitions.detach

    async def add_and_detach(transaction: object, *, partition: Partition) -> None:
        await sql.execute(_FILL.replace("1000 + n", "1000").replace("16)", "1)"))
        await detach(transaction, partition)  # type: ignore[arg-type]

    monkeypatch.setattr(partitions, "detach", add_and_detach)
    with pytest.raises(ArchiveError, match="added to events_first"):
        await _archive(database, tmp_path)

    assert await sql.fetchval("select count(*) from events") == 17


async def test_of_two_commands_that_archive_a_month_one_is_told_of_the_other(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = archives._remove  # noqa: SLF001 -- the step after the file is written
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()

    async def archive_all_and_remove(*arguments: Any) -> Archive:
        monkeypatch.setattr(archives, "_remove", remove)
        await _archive(database, first)
        return await remove(*arguments)

    partitions = await archives.to_archive(database, before=_BEFORE)
    monkeypatch.setattr(archives, "_remove", archive_all_and_remove)
    for each in partitions:
        with pytest.raises(ArchiveError, match=r"has archived events_.* meanwhile"):
            await archives.archive(database, _KEYRING, each, second)

    assert [each.number for each in await list_archives(database)] == [1, 2]
    assert await _problems(database) == []


async def test_two_commands_that_archive_two_months_take_two_numbers(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = archives._remove  # noqa: SLF001 -- the step after the file is written
    both_have_written = asyncio.Barrier(2)

    async def remove_with_the_other(*arguments: Any) -> Archive:
        await both_have_written.wait()
        return await remove(*arguments)

    monkeypatch.setattr(archives, "_remove", remove_with_the_other)
    partitions = await archives.to_archive(database, before=_BEFORE)

    made = await asyncio.gather(
        *(archives.archive(database, _KEYRING, each, tmp_path) for each in partitions)
    )

    assert sorted(each.number for each in made) == [1, 2]
    assert await _problems(database) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("delete from event_archives where number = 1", "Positions 1 to 5: removed"),
        ("update event_archives set digest = sha256(digest)", "The record of the archive 1"),
        ("update event_archives set positions = '{[1,12)}' where number = 1", "The record of"),
        ("delete from event_checkpoints where number = 1", "The checkpoints 1 to 1 are missing"),
    ],
)
async def test_removed_events_cannot_be_passed_off_as_archived(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, change: str, problem: str
) -> None:
    await _archive(database, tmp_path)
    await sql.execute("set session_replication_role = replica")

    await sql.execute(change)

    problems = await _problems(database)
    assert any(each.startswith(problem) for each in problems), problems


async def test_events_removed_from_a_restored_archive_are_not_passed_off_as_archived(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    """Without its first position, a restored archive looks as if it was not restored."""
    [first, _] = await _archive(database, tmp_path)
    await archives.restore(database, tmp_path / first.file_name, first)
    await sql.execute("set session_replication_role = replica")

    for position in (1, 5):
        await sql.execute(
            """
            with place as (
                delete from event_positions where position = $1 returning aggregate_id, sequence)
            delete from events using place
            where events.aggregate_id = place.aggregate_id and events.sequence = place.sequence""",
            position,
        )

    for directories in ((), (tmp_path,)):
        problems, _ = await _verified(database, *directories)
        [problem] = problems
        assert problem == (
            "Position 2 is in the database, and other events of the restored archive 1 are not:"
            " they were removed."
        )


async def test_a_file_that_was_changed_or_cut_off_is_neither_verified_nor_restored(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    [first, _] = await _archive(database, tmp_path)
    path = tmp_path / first.file_name
    lines = gzip.decompress(path.read_bytes())
    changed = {
        "event": gzip.compress(lines.replace(b'"ada"', b'"eve"', 1)),
        "line": gzip.compress(lines[: lines.rindex(b"{")]),
        "end": path.read_bytes()[:-10],
        "bytes": b"something else",
        "depth": gzip.compress(b"[" * 100_000),
    }
    for name, contents in changed.items():
        file = tmp_path / name
        file.write_bytes(contents)
        with pytest.raises(ArchiveFileError):
            await archives.verify(database, _KEYRING, file)
        with pytest.raises(ArchiveFileError):
            await archives.restore(database, file, first)

    assert await sql.fetchval("select count(*) from events") == 0
    await archives.restore(database, path, first)
    path.write_bytes(b"something else")
    with pytest.raises(ArchiveFileError, match="exists with other contents"):
        await _archive(database, tmp_path)


async def _verified(database: Database, *directories: Path) -> tuple[list[str], list[Part]]:
    log = Verification(database, _KEYRING, directories=directories)
    problems = [each async for each in log.problems()]
    return problems, sorted(log.parts, key=lambda part: part.ranges)


async def test_the_whole_log_is_verified_in_the_database_and_in_files(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    assert await _verified(database) == ([], [Part(16, 16, ((1, 17),))])
    [first, second] = await _archive(database, tmp_path)
    path = tmp_path / second.file_name
    await archives.restore(database, tmp_path / first.file_name, first)
    kept = Part(8, 8, ((1, 9),))

    assert await _verified(database) == ([], [kept, Part(8, 0, ((9, 17),), second)])
    (elsewhere := tmp_path / "elsewhere").mkdir()
    in_files = Part(8, 8, ((9, 17),), second, path)
    assert await _verified(database, elsewhere, tmp_path) == ([], [kept, in_files])

    lines = gzip.decompress(path.read_bytes())
    for contents in (
        gzip.compress(lines.replace(b'"ada"', b'"eve"', 1)),
        gzip.compress(lines[: lines.rindex(b"{")]),
        gzip.compress(b"".join(lines.splitlines(keepends=True)[:-1])),
        gzip.compress(b"".join([lines, *lines.splitlines(keepends=True)[-1:]])),
        (tmp_path / first.file_name).read_bytes(),
        b"something else",
    ):
        path.write_bytes(contents)
        [problem], parts = await _verified(database, tmp_path)
        assert str(path) in problem
        assert parts == [kept, Part(8, 0, ((9, 17),), second, path)]


async def test_a_changed_checkpoint_is_not_a_problem_of_the_files_of_archives(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    await _archive(database, tmp_path)
    await sql.execute("set session_replication_role = replica")
    await sql.execute("update event_checkpoints set taken_at = now() where number = 1")

    [problem], parts = await _verified(database, tmp_path)

    assert problem.startswith("Checkpoint 1 was changed")
    assert [each.verified for each in parts] == [0, 3, 8]


async def test_an_archive_is_compared_with_the_checkpoints_and_not_with_its_record_alone(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    """As if somebody with the keys had changed the file and its record."""
    [first, _] = await _archive(database, tmp_path)
    path = tmp_path / first.file_name
    lines = gzip.decompress(path.read_bytes()).replace(b'"ada"', b'"eve"')
    path.write_bytes(gzip.compress(lines))
    digest = hashlib.sha256(b"".join(digest_of(json.loads(line)) for line in lines.splitlines()))
    changed = replace(first, digest=digest.digest())
    mac = mac_of(await checkpoints.key_of(database, _KEYRING), changed)
    await sql.execute("set session_replication_role = replica")
    await sql.execute(
        "update event_archives set digest = $1, mac = $2 where number = 1", changed.digest, mac
    )

    [problem], parts = await _verified(database, tmp_path)

    assert str(path) in problem
    assert [each.verified for each in parts] == [0, 0, 8]


async def test_positions_are_counted_where_their_event_was_verified(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    await sql.execute(_FILL.replace("1000 + n", "1016 + n"))  # both partitions, if the clock erred
    await sql.execute(_FILL.replace("1000 + n", "500 + n").replace("idp-", "early-"))
    await positions.assign(database)
    await checkpoints.take(database, _KEYRING)
    [first, second] = await _archive(database, tmp_path)
    await archives.restore(database, tmp_path / second.file_name, second)
    await sql.execute("set session_replication_role = replica")
    await sql.execute("delete from events where sequence = 1010")

    problems, parts = await _verified(database, tmp_path)

    older = [problem for problem in problems if "is older than a checkpoint before it" in problem]
    others = [problem.partition(".")[0] for problem in problems if problem not in older]
    assert (len(older), others) == (32, ["Position 10: removed"])  # in the database and the file
    path = tmp_path / first.file_name
    assert parts == [
        Part(24, 24, first.ranges, first, path),
        Part(24, 23, second.ranges),
    ]
    assert (first.ranges, second.ranges) == (((1, 9), (17, 33)), ((9, 17), (33, 49)))


async def test_nobody_waits_long_for_an_archive_that_waits_for_a_reader(
    dsn: str,
    database: Database,
    sql: asyncpg.Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archives, "_ATTEMPTS", 2)
    monkeypatch.setattr(archives, "_PAUSE_SECONDS", 0)
    await sql.execute("set lock_timeout = '3s'")  # as servers do
    async with given.sql(dsn) as backup, backup.transaction():
        await backup.fetch("select from events")
        waiting = asyncio.create_task(_archive(database, tmp_path))
        while not waiting.done():
            await sql.execute(
                _FILL.replace("1000 + n", "5000000000000").replace(
                    "'idp-' || n % 3", "gen_random_uuid()"
                )
            )
        with pytest.raises(ArchiveError, match="reads the whole event log"):
            await waiting

    assert len(await _archive(database, tmp_path)) == 2


async def test_no_event_moves_while_all_are_read(
    database: Database, sql: asyncpg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_ATTEMPTS", 1)
    async with without_archiving(database):
        with pytest.raises(ArchiveError, match="reads the whole event log"):
            await _archive(database, tmp_path)
    [first, _] = await _archive(database, tmp_path)
    async with without_archiving(database):
        with pytest.raises(ArchiveError, match="reads the whole event log"):
            await archives.restore(database, tmp_path / first.file_name, first)


async def test_readers_that_need_all_events_refuse_to_work_without_archived_ones(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    async with database.transaction() as transaction:
        await require_all_events(transaction)
    feed = Feed(database)
    [first, second] = await _archive(database, tmp_path)

    with pytest.raises(EventsArchivedError, match=f"restore {first.file_name} {second.file_name}"):
        await rebuild(database, repair=True)
    watch = feed.topic(lambda event: event).watch(15)
    with pytest.raises(Failure, match="EVENTS_ARCHIVED") as refused:
        await anext(watch)
    assert refused.value.metadata == {"afterCursor": "16"}
    assert (await anext(feed.topic(lambda event: event).watch(16))).position == 16


async def test_a_watcher_that_is_behind_ends_when_its_events_are_archived(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    watch = Feed(database).topic(lambda event: event).watch(0)
    assert (await anext(watch)).position == 0

    await _archive(database, tmp_path)

    with pytest.raises(Failure, match="EVENTS_ARCHIVED"):
        await anext(watch)
