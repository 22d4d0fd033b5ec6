"""A server does not continue checkpoints of which it knows that the last ones are gone."""

from pathlib import Path

import asyncpg
import pytest

from server.crypto.keyring import Keyring
from server.log import positions
from server.log.checkpoints import Checkpoint, TamperedLogError, last_checkpoint
from server.log.witness import CheckpointFileError, Kept, Witness, append, latest, line_of, read
from server.store.database import Database
from tests.conftest import own_sql
from tests.log.conftest import keyed_database

database = keyed_database


_KEYRING = Keyring([bytes(range(32))])
_WRITE = """
insert into events
select 'idp-1', sequence, 'idp', 'idp.test', 1, '{}', 'ada', 'org',
    'epoch'::timestamptz + sequence * interval '1 microsecond'
from (select (extract(epoch from clock_timestamp()) * 1e6)::bigint as sequence) as at"""


sql = own_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints"


async def _take(database: Database, sql: asyncpg.Connection, witness: Witness) -> Checkpoint:
    """Writes an event and takes its checkpoint."""
    await sql.execute(_WRITE)
    await positions.assign(database)
    taken = await witness.take()
    assert taken is not None
    return taken


async def _tamper(sql: asyncpg.Connection) -> None:
    """Removes the last checkpoint, and changes the event that it covers."""
    await sql.execute("set session_replication_role = replica")
    await sql.execute("""
        delete from event_checkpoints where number = (select max(number) from event_checkpoints)""")
    await sql.execute("""
        update events set creator = 'eve' where sequence = (select max(sequence) from events)""")
    await sql.execute("set session_replication_role = origin")


def _write(path: Path, text: str) -> None:
    path.write_text(text)


def _text(path: Path) -> str:
    return path.read_text()


def _cut_short(path: Path) -> None:
    with path.open("a") as file:
        file.write("2\t00ff")


async def test_each_checkpoint_is_appended_to_the_file(
    database: Database, sql: asyncpg.Connection, path: Path
) -> None:
    witness = Witness(database, _KEYRING, path)

    taken = [await _take(database, sql, witness) for _ in range(2)]
    await witness.take()  # nothing new

    lines = [line_of(each) for each in taken]
    assert _text(path).splitlines() == lines
    assert read(path) == [Kept.of(each) for each in taken]


async def test_without_events_there_is_no_file(database: Database, path: Path) -> None:
    assert await Witness(database, _KEYRING, path).take() is None
    assert latest(path) is None


@pytest.mark.parametrize("has_file", [True, False], ids=["by the file", "by its memory"])
async def test_a_server_notices_that_the_last_checkpoint_is_gone(
    database: Database, sql: asyncpg.Connection, path: Path, has_file: bool
) -> None:
    witness = Witness(database, _KEYRING, path if has_file else None)
    await _take(database, sql, witness)
    await _take(database, sql, witness)
    await _tamper(sql)
    before = await last_checkpoint(database)
    if has_file:
        witness = Witness(database, _KEYRING, path)  # a server that was started since

    with pytest.raises(TamperedLogError, match=r"Checkpoint 2, which .* is not in the database"):
        await _take(database, sql, witness)

    assert await last_checkpoint(database) == before


async def test_a_checkpoint_in_the_place_of_the_removed_one_is_noticed(
    database: Database, sql: asyncpg.Connection, path: Path
) -> None:
    await _take(database, sql, Witness(database, _KEYRING, path))
    await _take(database, sql, Witness(database, _KEYRING, path))
    await _tamper(sql)
    await _take(database, sql, Witness(database, _KEYRING, None))  # knows nothing

    with pytest.raises(TamperedLogError, match="Checkpoint 2"):
        await Witness(database, _KEYRING, path).take()


async def test_a_line_that_a_crash_cut_short_is_skipped(
    database: Database, sql: asyncpg.Connection, path: Path
) -> None:
    first = await _take(database, sql, Witness(database, _KEYRING, path))
    _cut_short(path)

    second = await _take(database, sql, Witness(database, _KEYRING, path))

    assert read(path) == [Kept.of(first), Kept.of(second)]


async def test_the_latest_line_of_a_long_file_is_found(
    database: Database, sql: asyncpg.Connection, path: Path
) -> None:
    checkpoint = await _take(database, sql, Witness(database, _KEYRING, None))
    _write(path, "".join(f"{number}\t{'0' * 64}\ttime\t7\n" for number in range(100, 1100)))
    append(path, checkpoint)

    assert latest(path) == Kept(1099, "0" * 64)


async def test_a_file_of_something_else_is_left_alone(
    database: Database, sql: asyncpg.Connection, path: Path
) -> None:
    _write(path, "notes\n")

    with pytest.raises(CheckpointFileError, match="is not a file of checkpoints"):
        await _take(database, sql, Witness(database, _KEYRING, path))

    assert _text(path) == "notes\n"
    assert await last_checkpoint(database) is None


async def test_without_the_file_no_checkpoint_is_taken(
    database: Database, sql: asyncpg.Connection, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointFileError, match="cannot be read: Is a directory"):
        await _take(database, sql, Witness(database, _KEYRING, tmp_path))
