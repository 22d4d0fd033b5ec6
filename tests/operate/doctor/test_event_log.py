"""The event log."""

from dataclasses import replace
from pathlib import Path

from server.crypto.keyring import load_keyring
from server.log import checkpoints, positions, witness
from server.log.witness import Witness
from server.store.database import connected
from server.system.checks.findings import Finding, State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, only

_HOURS_AGO = """
set session_replication_role = replica;
update event_checkpoints set taken_at = taken_at - interval '2 hours'"""


async def test_events_of_a_month_without_a_partition_are_a_warning(
    installation: Installation,
) -> None:
    await execute(
        installation,
        "insert into events values ('a', 4e15, 'idp', 'idp.test', 1, '{}', 'b', 'c', now())",
    )

    found = await only(installation, "event partitions")

    assert found.state is State.WARNING
    assert found.message.startswith("1 event, from ")


async def test_events_that_no_checkpoint_covers_for_hours_are_a_warning(
    installation: Installation,
) -> None:
    keyring = load_keyring((), installation.data_dir / "encryption.keys")
    async with connected(installation.dsn, pool_size=1) as database:
        await positions.assign(database)
        await checkpoints.take(database, keyring)
        covered = await only(installation, "event log")
        await execute(
            installation,
            "insert into events select 'a', extract(epoch from at) * 1e6, 'idp', 'idp.test', 1,"
            " '{}', 'b', 'c', at from (select now() - interval '3 hours' as at) as hours_ago",
        )
        await positions.assign(database)

    found = await only(installation, "event log")

    assert (covered.state, found.state) == (State.OK, State.WARNING)
    assert found.message.startswith("Events of 3 hours ago are in no checkpoint.")


async def test_the_file_of_checkpoints_is_compared_with_the_database(
    installation: Installation, tmp_path: Path
) -> None:
    keyring = load_keyring((), installation.data_dir / "encryption.keys")
    path = tmp_path / "checkpoints"

    async def found() -> Finding:
        return await only(installation, "checkpoint file", checkpoint_file=path)

    async with connected(installation.dsn, pool_size=1) as database:
        await positions.assign(database)
        last = await Witness(database, keyring, path).take()
    assert last is not None
    agrees = await found()
    path.unlink()
    await execute(installation, _HOURS_AGO)
    behind = await found()
    witness.append(path, replace(last, number=last.number + 1))
    ahead = await found()

    assert (agrees.state, behind.state) == (State.OK, State.WARNING)
    assert behind.message.startswith(f"Checkpoint {last.number} is not in {path}.")
    assert ahead.state is State.PROBLEM
    assert f"Checkpoint {last.number + 1}, which {path} has, is not in" in ahead.message


async def test_a_file_that_is_not_of_checkpoints_is_a_problem(
    installation: Installation, tmp_path: Path
) -> None:
    found = await only(installation, "checkpoint file", checkpoint_file=tmp_path)

    assert found.state is State.PROBLEM
    assert found.message.endswith("Correct the path, or its permissions.")
