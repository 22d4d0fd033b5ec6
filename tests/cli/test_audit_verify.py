"""`keystead audit checkpoint` and `keystead audit verify`."""

import asyncio
import os
from functools import partial
from pathlib import Path

import pytest

from server.process.embedded_postgres import bin_dir
from tests.cli.words import commands_on
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Instance


async def test_a_checkpoint_is_taken_kept_and_required(own_instance: Instance) -> None:
    run = partial(commands_on(own_instance), "audit")

    none = await run("verify")
    assert (none.status, none.output) == (
        1,
        "There is no checkpoint yet. Run: keystead audit checkpoint\n",
    )

    taken = await run("checkpoint")
    number, mac, _, last_position = taken.output.rstrip("\n").split("\t")
    intact = await run("verify", "--expect", f"{number}:{mac}")
    assert (intact.status, intact.errors) == (0, "")
    count = f"{last_position} of {last_position} events were verified in the database"
    assert intact.output.startswith(f"{count}, positions 1 to {last_position}.\n")

    replaced = await run("verify", "--expect", f"{number}:{'0' * 64}")
    assert replaced.status == 1
    assert (await run("verify", "--expect", "nothing")).status == 2

    async with given.sql(own_instance.dsn) as sql:
        await sql.execute("set session_replication_role = replica")
        await sql.execute("delete from events where event_type = 'user.added'")
    removed = await run("verify")
    assert removed.status == 1
    assert "removed" in removed.output
    assert "1 problem: not all events agree with 1 checkpoint" in removed.output
    assert (await run("--limit", "1")).status == 0


# Changes that a superuser of PostgreSQL can make without the encryption keys, and the problem by
# which each is found.
_CHANGE = "update events set creator = 'eve' where event_type = 'user.added'"
_REMOVE_KEY = "delete from secrets where aggregate_id = 'event_checkpoints'"
_TAMPERINGS = {
    "the last checkpoint": (
        [_CHANGE, "delete from event_checkpoints where number = 2"],
        "Checkpoint 2 is missing",
    ),
    "all checkpoints and their key": (
        [_CHANGE, _REMOVE_KEY, "delete from event_checkpoints"],
        "The key of the checkpoints of the event log is missing",
    ),
}


@pytest.mark.parametrize("change", _TAMPERINGS)
async def test_changes_of_a_superuser_are_noticed_and_not_signed(
    own_instance: Instance, tmp_path: Path, change: str
) -> None:
    changes, problem = _TAMPERINGS[change]
    run = partial(commands_on(own_instance), "audit", checkpoint_file=tmp_path / "checkpoints")

    assert (await run("checkpoint")).status == 0
    await given.user(own_instance.admin)
    assert (await run("checkpoint")).status == 0
    intact = await run("verify")
    assert (intact.status, intact.errors) == (0, "")
    assert "2 checkpoints kept outside of the database: 0 of the database are newer." in (
        intact.output
    )

    async with given.sql(own_instance.dsn) as connection:
        await connection.execute("set session_replication_role = replica")
        for sql in changes:
            await connection.execute(sql)
    taken = await run("checkpoint")
    verified = await run("verify")

    assert verified.status == 1
    assert problem in verified.output + verified.errors
    assert taken.status == 1
    assert "is not in the database any more" in taken.errors


async def test_a_restored_dump_is_as_the_checkpoints_of_the_original_say(
    own_instance: Instance, make_database: MakeDatabase
) -> None:
    """With the commands of docs/operating-event-log.md."""
    restored = await make_database(empty=True)
    dump = str(own_instance.data_dir / "keystead.sql")
    original = partial(commands_on(own_instance), "audit")
    run = partial(original, database_url=restored)

    taken = await original("checkpoint")
    number, mac, *_ = taken.output.split("\t")
    await _client("pg_dump", "-Ox", own_instance.dsn, "-f", dump)
    await _client("psql", restored, "-v", "ON_ERROR_STOP=1", "-f", dump)

    verified = await run("verify", "--expect", f"{number}:{mac}")
    assert (verified.status, verified.errors) == (0, "")
    async with given.sql(restored) as sql:
        await sql.execute("set session_replication_role = replica")
        await sql.execute("update events set creator = 'eve' where event_type = 'user.added'")
    assert "was changed" in (await run("verify")).output


async def _client(program: str, *words: str) -> None:
    """Runs a client program of PostgreSQL."""
    running = await asyncio.create_subprocess_exec(
        bin_dir() / program, *words, env=dict(os.environ), stdout=asyncio.subprocess.DEVNULL
    )
    assert await running.wait() == 0
