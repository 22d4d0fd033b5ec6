"""The event log."""

from server.crypto.keyring import load_keyring
from server.event import checkpoints
from server.operate.doctor import State
from server.store.database import connected
from server.store.log import positions
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, only


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
            "insert into events select 'a', extract(epoch from now()) * 1e6, 'idp', 'idp.test', 1,"
            " '{}', 'b', 'c', now() - interval '3 hours'",
        )
        await positions.assign(database)

    found = await only(installation, "event log")

    assert (covered.state, found.state) == (State.OK, State.WARNING)
    assert found.message.startswith("Events of 3 hours ago are in no checkpoint.")
