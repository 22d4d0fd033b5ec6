"""What an operator does with the installation as a whole."""

import asyncio
from pathlib import Path

import asyncpg

from server import app
from server.migrate import migrations
from server.settings import Settings
from tests import given, process
from tests.cli.words import Keystead, done, objects
from tests.conftest import MakeDatabase
from tests.given import Instance
from tests.process import Finished


async def test_the_log_is_rebuilt_and_keys_are_rotated(own_instance: Instance) -> None:
    admin = own_instance.admin
    await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config())
    key_file = own_instance.data_dir / "encryption.keys"
    old = key_file.read_text()
    key_file.write_text("b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4=\n" + old)

    async def run(*words: str) -> str:
        command = process.keystead(
            *words, data_dir=own_instance.data_dir, database_url=own_instance.dsn
        )
        return await done(command)

    rotated, checked = await asyncio.gather(run("rotate-keys"), run("rebuild", "--check"))

    assert rotated == "1 secret(s) encrypted anew."
    assert checked.endswith("every table equals the log.")
    key_file.write_text(key_file.read_text().removesuffix(old))
    settings = Settings.model_validate({"data_dir": own_instance.data_dir})
    await app.prepare(settings, own_instance.dsn)  # it misses no key


async def test_a_difference_is_found_and_put_right(own_instance: Instance) -> None:
    await given.idp(own_instance.admin)
    connection = await asyncpg.connect(own_instance.dsn)
    await connection.execute("delete from idps")
    await connection.close()

    async def run(*words: str) -> Finished:
        return await process.keystead(
            *words, data_dir=own_instance.data_dir, database_url=own_instance.dsn
        )

    found, repaired, checked = [
        await run(*words)
        for words in [("rebuild", "--check"), ("rebuild",), ("rebuild", "--check")]
    ]

    assert [found.status, repaired.status, checked.status] == [1, 0, 0]
    assert "idps: 0 row(s) too many, 1 missing" in found.output
    assert "put right" in repaired.output


async def test_two_commands_at_once_on_the_embedded_database_of_a_server(tmp_path: Path) -> None:
    async with process.serve(tmp_path) as server:
        await server.port()

        created = await asyncio.gather(
            *(process.keystead("org", "create", name, data_dir=tmp_path) for name in ("a", "b"))
        )

        assert [each.status for each in created] == [0, 0]
        assert await server.end() == 0
    listed = await asyncio.gather(
        *(process.keystead("org", "list", data_dir=tmp_path) for _ in range(2))
    )
    assert all(len(each.output.splitlines()) == 3 for each in listed)
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()


async def test_a_database_that_was_never_migrated_is_migrated_on_request(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    dsn = await make_database()

    refused = await process.keystead("org", "list", data_dir=tmp_path, database_url=dsn)
    migrated = await process.keystead("migrate", data_dir=tmp_path, database_url=dsn)
    listed = await process.keystead("org", "list", data_dir=tmp_path, database_url=dsn)

    assert (refused.status, refused.output) == (1, "")
    assert "Run: keystead migrate" in refused.errors
    assert migrated.output == f"{len(migrations())} migration(s) applied.\n"
    assert (listed.status, listed.output) == (0, "")


async def test_the_log_is_read_from_a_time_on_as_it_prints_times(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)
    [first, *rest] = await objects(keystead("audit", "--aggregate", user.user_id))
    times = [rest[0]["created_at"], "2000-01-01", "9999-12-31T00:00Z"]

    since = await asyncio.gather(
        *(objects(keystead("audit", "--aggregate", user.user_id, "--since", at)) for at in times)
    )
    refused = await keystead("audit", "--since", "yesterday")

    assert first not in since[0]
    assert since == [rest, [first, *rest], []]
    assert refused.status == 2
    assert "'yesterday' is no time" in refused.errors
