"""The verification names events that were changed without the keys."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest

from server.crypto.keyring import Keyring
from server.log import checkpoints, positions
from server.log.checkpoints import CheckpointKeyError, TamperedLogError, last_checkpoint
from server.log.verification import Verification
from server.log.witness import Kept
from server.store.database import Database
from tests.log.conftest import keyed_database
from tests.support import given

database = keyed_database


_KEYRING = Keyring([bytes(range(32))])
# Three aggregates with four events each: the first part of 1970, the others of now.
_FILL = """
insert into events
select 'idp-' || n % 3, sequence, 'idp', 'idp.test', 1,
    jsonb_build_object('name', 'Name ' || n, 'number', n / 3.0), 'ada', 'org',
    'epoch'::timestamptz + sequence * interval '1 microsecond'
from generate_series(1, 12) as n, lateral (
    select n + case when $1::int = 1 then 1000
        else (extract(epoch from now()) * 1e6)::bigint + $1 * 1000 end as sequence) as at"""
# An event that somebody with access to the database inserts as the server does.
_INSERT = """
insert into events
select $1, sequence, 'idp', 'idp.test', 1, '{}', 'eve', 'org',
    'epoch'::timestamptz + sequence * interval '1 microsecond'
from (select (extract(epoch from now() - $2::interval) * 1e6)::bigint as sequence) as at"""
# Changes that a superuser can make.
_UNGUARDED = "set session_replication_role = replica"


@pytest.fixture
async def sql(
    dsn: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[asyncpg.Connection]:
    """A database with twelve events, and a checkpoint for every five."""
    monkeypatch.setattr(checkpoints, "_MOST_EVENTS", 5)
    async with given.sql(dsn) as sql:
        await _write(sql, database, 1)
        await checkpoints.take(database, _KEYRING)
        await sql.execute(_UNGUARDED)
        yield sql


async def _write(sql: asyncpg.Connection, database: Database, part: int) -> None:
    await sql.execute(_FILL, part)
    await positions.assign(database)


async def _problems(database: Database, *expected: Kept, accepted: int = 0) -> list[str]:
    log = Verification(database, _KEYRING, expected, times_accepted_until=accepted)
    return [each async for each in log.problems()]


async def _expect_problems(database: Database, beginnings: list[str]) -> None:
    problems = await _problems(database)
    for problem, beginning in zip(problems, beginnings, strict=True):
        assert problem.startswith(beginning)


async def test_a_log_that_nobody_changed_is_as_its_checkpoints_say(
    database: Database, sql: asyncpg.Connection
) -> None:
    """Nor is an event of a long catch-up older than the checkpoints that did not reach its end."""
    last = await last_checkpoint(database)

    assert last is not None
    assert (last.number, last.last_position) == (3, 12)
    assert await _problems(database) == []


async def test_nothing_new_takes_no_checkpoint(database: Database, sql: asyncpg.Connection) -> None:
    before = await last_checkpoint(database)

    await checkpoints.take(database, _KEYRING)

    assert await last_checkpoint(database) == before


_CHANGED = "update events set {} where sequence = 1007"
_CHANGED_CHECKPOINT = "update event_checkpoints set {} where number = 2"
# Changes of stored rows, each with the beginnings of all problems.
_CHANGES: dict[str, tuple[str, list[str]]] = {
    **{
        f"a changed event: {change}": (
            _CHANGED.format(change),
            ["Position 7: idp.test, event 1007 of idp-1 was changed"],
        )
        for change in (
            "payload = '{}'",
            'payload = payload || \'{"name": "Name 04"}\'',
            "creator = 'eve'",
            "owner = 'other'",
            "aggregate_type = 'user'",
            "revision = 2",
            "created_at = created_at + interval '1 microsecond'",
        )
    },
    "a changed type": (
        _CHANGED.format("event_type = 'idp.other'"),
        ["Position 7: idp.other, event 1007 of idp-1 was changed"],
    ),
    "removed events": (
        "delete from events where sequence in (1007, 1008, 1010)",
        ["Positions 7 to 8: removed.", "Position 10: removed."],
    ),
    "a tail that was cut off": (
        (
            "delete from events where sequence > 1009;"
            "delete from event_positions where position > 9;"
            "update last_event_position set position = 9"
        ),
        ["Position 10: removed.", "Positions 11 to 12: removed."],
    ),
    "an event in the place of another": (
        "update event_positions set sequence = 1004 where position = 7",
        [
            "Position 7: idp.test, event 1004 of idp-1 was changed or replaced.",
            "idp.test, event 1007 of idp-1 has no position",
            "Position 7: event 1004 of idp-1 came after a later one",
        ],
    ),
    "a second event with the same key": (
        (
            "alter table events drop constraint events_key;"
            "insert into events select aggregate_id, sequence, aggregate_type, event_type,"
            " revision, '{}', 'eve', owner, created_at from events where sequence = 1007"
        ),
        ["2 rows for idp.test, event 1007 of idp-1: the others were inserted."],
    ),
    "a second event at the same position": (
        (
            "alter table event_positions drop constraint event_positions_pkey;"
            "insert into events select 'idp-9', 5, 'idp', 'idp.test', 1, '{}', 'a', 'b', now();"
            "insert into event_positions values (7, 'idp-9', 5)"
        ),
        ["2 rows for the position 7: others were inserted."],
    ),
    "an event past the triggers": (
        "insert into events select 'idp-9', 5, 'idp', 'idp.test', 1, '{}', 'a', 'b', now()",
        ["idp.test, event 5 of idp-9 has no position"],
    ),
    "a second checkpoint with the same number": (
        (
            "alter table event_checkpoints drop constraint event_checkpoints_pkey;"
            "insert into event_checkpoints select * from event_checkpoints limit 1"
        ),
        [
            "Checkpoint 1 is stored twice: one of the two was inserted.",
            "Checkpoint 1 was changed, or the one before it",
        ],
    ),
    **{
        f"a changed checkpoint: {change}": (
            _CHANGED_CHECKPOINT.format(change),
            ["Checkpoint 2 was changed"],
        )
        for change in (
            "digests = overlay(digests placing '\\x00'::bytea from 1)",
            "taken_at = taken_at + interval '1 second'",
        )
    },
    "a changed code of a checkpoint": (
        _CHANGED_CHECKPOINT.format("mac = sha256(mac)"),
        ["Checkpoint 2 was changed", "Checkpoint 3 was changed"],
    ),
    "a removed checkpoint": (
        "delete from event_checkpoints where number = 2",
        ["The checkpoints 2 to 2 are missing.", "Checkpoint 3 was changed"],
    ),
}


@pytest.mark.parametrize(("change", "expected"), _CHANGES.values(), ids=_CHANGES.keys())
async def test_a_change_of_stored_rows_is_named(
    database: Database, sql: asyncpg.Connection, change: str, expected: list[str]
) -> None:
    await sql.execute(change)

    await _expect_problems(database, expected)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            "'idp-1', 1005, 'idp', 'idp.test', 1, '{}', 'a', 'b', now()",
            ["Position 13: the time of", "Position 13: event 1005 of idp-1 came after a later one"],
        ),
        (
            (
                "'idp-9', extract(epoch from now()) * 1e6, 'idp', 'idp.test', 1, '{}', 'a', 'b',"
                " now() - interval '1 day'"
            ),
            ["Position 13: the time of idp.test, event "],
        ),
    ],
    ids=["between others", "with another time than its sequence"],
)
async def test_an_event_that_was_inserted_is_named_although_a_checkpoint_covers_it(
    database: Database, sql: asyncpg.Connection, values: str, expected: list[str]
) -> None:
    await sql.execute("set session_replication_role = origin")
    await sql.execute(f"insert into events select {values}")
    await positions.assign(database)
    await checkpoints.take(database, _KEYRING)

    await _expect_problems(database, expected)


@pytest.mark.parametrize("aggregate", ["idp-1", "idp-9"], ids=["known object", "new object"])
@pytest.mark.parametrize("is_covered", [True, False], ids=["covered", "not covered"])
async def test_an_event_that_was_inserted_with_an_earlier_time_is_named(
    database: Database, sql: asyncpg.Connection, aggregate: str, is_covered: bool
) -> None:
    await sql.execute("set session_replication_role = origin")
    await sql.execute(_INSERT, aggregate, timedelta(hours=1))
    await _write(sql, database, 2)
    if is_covered:
        await checkpoints.take(database, _KEYRING)

    [problem] = await _problems(database)

    assert problem.startswith("Position 13: idp.test, event ")
    assert f" of {aggregate} is older than a checkpoint before it" in problem
    assert await _problems(database, accepted=13) == []


@pytest.mark.parametrize("change", ["mac = sha256(mac)", "last_position = 5"])
async def test_a_checkpoint_that_was_changed_is_not_continued(
    database: Database, sql: asyncpg.Connection, change: str
) -> None:
    await sql.execute(f"update event_checkpoints set {change} where number = 3")  # noqa: S608
    await sql.execute("set session_replication_role = origin")
    await _write(sql, database, 2)

    with pytest.raises(TamperedLogError, match="Checkpoint 3, or the one before it, was changed"):
        await checkpoints.take(database, _KEYRING)


async def test_removed_checkpoints_are_not_begun_again(
    database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("delete from event_checkpoints")
    await sql.execute("update events set payload = '{}' where sequence = 1007")

    with pytest.raises(TamperedLogError, match="All checkpoints of the event log are gone"):
        await checkpoints.take(database, _KEYRING)
    assert await _problems(database) == ["All checkpoints were removed: their key still exists."]


async def test_what_was_cut_off_with_its_checkpoints_is_found_by_one_that_was_kept(
    database: Database, sql: asyncpg.Connection
) -> None:
    last = await last_checkpoint(database)
    assert last is not None
    kept = Kept.of(last)
    assert await _problems(database, kept) == []
    await sql.execute("delete from events where sequence > 1010")
    await sql.execute("delete from event_positions where position > 10")
    await sql.execute("delete from event_checkpoints where number > 2")

    assert await _problems(database) == []
    [problem] = await _problems(database, kept)
    assert problem.startswith("Checkpoint 3 is missing")

    await sql.execute("update last_event_position set position = 10")
    await sql.execute("set session_replication_role = origin")
    await _write(sql, database, 2)
    await checkpoints.take(database, _KEYRING)
    assert await _problems(database, kept) == [
        "Checkpoint 3 is not the one that was kept elsewhere."
    ]


async def test_of_many_checkpoints_that_were_replaced_the_range_is_named(
    database: Database, sql: asyncpg.Connection
) -> None:
    others = [Kept(number, "0" * 64) for number in (2, 3)]

    assert await _problems(database, *others) == [
        "Checkpoints 2 to 3 are not those that were kept elsewhere."
    ]


async def test_processes_that_take_one_at_once_take_each_once(
    database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("set session_replication_role = origin")
    for part in range(2, 12):
        await sql.execute(_FILL, part)
        await asyncio.gather(
            *(positions.assign(database) for _ in range(2)),
            *(checkpoints.take(database, _KEYRING) for _ in range(4)),
        )
    await positions.assign(database)
    await checkpoints.take(database, _KEYRING)

    last = await last_checkpoint(database)

    assert last is not None
    assert last.last_position == 11 * 12
    assert await _problems(database) == []


async def test_an_event_that_commits_late_is_covered_by_a_later_checkpoint(
    dsn: str, database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("set session_replication_role = origin")
    async with given.sql(dsn) as late:
        transaction = late.transaction()
        await transaction.start()
        await late.execute(_FILL.replace("'idp-'", "'late-'"), 2)
        await _write(sql, database, 2)
        await checkpoints.take(database, _KEYRING)
        await transaction.commit()
    await positions.assign(database)
    await checkpoints.take(database, _KEYRING)

    last = await last_checkpoint(database)

    assert last is not None
    assert last.last_position == 36
    assert await _problems(database) == []


async def test_keys_rotate_and_checkpoints_stay(
    database: Database, sql: asyncpg.Connection
) -> None:
    new = os.urandom(32)

    assert await checkpoints.rotate_key(database, Keyring([new, bytes(range(32))]))

    assert not await checkpoints.rotate_key(database, Keyring([new]))
    assert [each async for each in Verification(database, Keyring([new])).problems()] == []


async def test_without_the_key_no_other_one_takes_its_place(
    database: Database, sql: asyncpg.Connection
) -> None:
    await sql.execute("delete from secrets")
    await sql.execute("set session_replication_role = origin")
    await _write(sql, database, 2)

    with pytest.raises(CheckpointKeyError):
        await checkpoints.take(database, _KEYRING)
    with pytest.raises(CheckpointKeyError):
        await _problems(database)
