"""The PostgreSQL server and its indexes."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import asyncpg
import pytest

from server.operate import doctor
from server.store.database import connected
from server.system.checks import postgresql
from server.system.checks.findings import State
from tests.conftest import Installation
from tests.operate.doctor.installation import execute, findings_of, only, settings_of
from tests.support import process
from tests.support.databases import MakeDatabase
from tests.support.given import Instance


async def test_a_database_server_that_has_fewer_connections_than_the_workers_want_is_a_problem(
    instance: Instance,
) -> None:
    found = await only(instance, "connections", workers=64, database_pool_size=1000)

    assert found.state is State.PROBLEM
    assert "64 workers open up to 64064 connections" in found.message


async def test_a_database_server_that_limits_the_connections_of_the_database_is_a_problem(
    installation: Installation,
) -> None:
    name = urlsplit(installation.dsn).path.removeprefix("/")
    await execute(installation, f'alter database "{name}" connection limit 5')

    found = await only(installation, "connections")

    assert found.state is State.PROBLEM
    assert "PostgreSQL allows 5" in found.message


async def test_a_database_server_with_a_database_of_another_encoding_is_a_problem(
    instance: Instance, make_database: MakeDatabase
) -> None:
    dsn = await make_database(options="encoding 'LATIN1' locale_provider libc locale 'C'")

    [found] = await doctor.examine(settings_of(instance), dsn)

    assert (found.check, found.state) == ("database", State.PROBLEM)
    assert "create database keystead owner keystead template template0" in found.message


async def test_a_database_server_under_an_old_patroni_is_a_warning(instance: Instance) -> None:
    names = {"application_name": "Patroni"}
    assert "Patroni" not in {each.check for each in await findings_of(instance)}
    connection = await asyncpg.connect(instance.dsn, server_settings=names)
    try:
        found = await only(instance, "Patroni")
    finally:
        await connection.close()

    assert found.state is State.WARNING
    assert "Upgrade Patroni" in found.message


async def test_a_database_server_with_another_clock_is_a_warning(instance: Instance) -> None:
    async with connected(instance.dsn, pool_size=1) as database:
        seen = await postgresql.look_at_server(database)
    fast = replace(seen, clock_ahead=timedelta(seconds=9))
    slow = replace(seen, clock_ahead=timedelta(seconds=-9))

    [found], [other] = [postgresql.clock(each) for each in (fast, slow)]

    assert abs(seen.clock_ahead) < timedelta(seconds=5)
    assert {found.state, other.state} == {State.WARNING}
    assert "9 seconds ahead of" in found.message
    assert "9 seconds behind" in other.message


async def test_a_database_server_of_an_old_release_is_a_problem(instance: Instance) -> None:
    async with connected(instance.dsn, pool_size=1) as database:
        seen = await postgresql.look_at_server(database)

    [found] = postgresql.version(replace(seen, version=140_012))

    assert found.state is State.PROBLEM
    assert found.message == "PostgreSQL 14 is too old. Use 15 or newer."


async def test_a_database_server_that_was_never_migrated_is_a_problem(
    instance: Instance, make_database: MakeDatabase
) -> None:
    found = await doctor.examine(settings_of(instance), await make_database(empty=True))

    assert [each.state for each in found] == [State.PROBLEM]
    assert "start the server, which creates them" in found[0].message


async def test_a_database_server_that_knows_us_by_a_role_without_rights_is_a_problem(
    instance: Instance,
) -> None:
    # A role of PostgreSQL itself, so that the test creates none.
    found = await doctor.examine(settings_of(instance), f"{instance.dsn}&role=pg_monitor")

    assert [each.state for each in found] == [State.PROBLEM]
    assert "permission denied for table" in found[0].message
    assert "Connect as the role that owns the tables" in found[0].message


async def test_a_database_server_that_is_not_there_is_a_problem(instance: Instance) -> None:
    place = f"127.0.0.1:{process.free_port()}"
    dsn = f"postgresql://nobody:a-secret@{place}/nothing"

    found = await doctor.examine(settings_of(instance), dsn)

    assert [each.state for each in found] == [State.PROBLEM]
    assert found[0].message.startswith(f"Cannot connect to the database nothing on {place}: ")
    assert "KEYSTEAD_DATABASE_URL" in found[0].message
    assert "a-secret" not in found[0].message


async def test_a_database_server_that_has_no_such_database_is_a_problem(instance: Instance) -> None:
    dsn = instance.dsn.replace(urlsplit(instance.dsn).path, "/no%20such", 1)

    found = await doctor.examine(settings_of(instance), dsn)

    assert [each.state for each in found] == [State.PROBLEM]
    assert found[0].message.startswith("Cannot connect to the database no such on ")
    assert 'database "no such" does not exist. Create the database' in found[0].message


async def test_a_database_server_of_a_newer_release_is_a_problem(
    installation: Installation,
) -> None:
    await execute(installation, "insert into schema_versions (version) values (9999)")

    found = await doctor.examine(settings_of(installation), installation.dsn)

    assert [each.state for each in found] == [State.PROBLEM]
    assert "schema version 9999" in found[0].message
    assert "Use the release that migrated the database" in found[0].message


async def test_an_index_whose_creation_was_interrupted_is_a_problem(
    installation: Installation,
) -> None:
    await execute(
        installation,
        "insert into idps select number, '', 'Same', 0, false, 1, now(), now()"
        " from generate_series(1, 2) as number",
    )
    with pytest.raises(asyncpg.UniqueViolationError):
        await execute(installation, "create unique index concurrently new_one on idps (name)")

    found = await only(installation, "indexes")
    assert found.state is State.PROBLEM
    assert "The index new_one is incomplete" in found.message

    for action in ("update idps set name = id", "reindex index concurrently new_one"):
        await execute(installation, action)
    assert "indexes" not in {each.check for each in await findings_of(installation)}
