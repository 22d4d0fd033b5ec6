"""Commands for the whole installation."""

import asyncio
import json
from pathlib import Path
from uuid import uuid4

from server import app
from server.crypto.encryption_keys import Presence
from server.crypto.keyring import load_keyring
from server.settings.settings import Settings
from server.store.database import connected
from server.store.schema import migrations
from tests.cli.words import Keystead, columns, commands_on, done, objects
from tests.conftest import Installation
from tests.operate.doctor.installation import add_smtp_config
from tests.support import given, process
from tests.support.databases import MakeDatabase
from tests.support.given import Instance


async def test_the_log_is_rebuilt_and_keys_are_rotated(installation: Installation) -> None:
    await add_smtp_config(installation)
    key_file = installation.data_dir / "encryption.keys"
    old = key_file.read_text()
    key_file.write_text("b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4=\n" + old)

    keystead = commands_on(installation)

    rotated, checked = await asyncio.gather(
        done(keystead("rotate-keys")), done(keystead("rebuild", "--check"))
    )

    assert rotated.startswith("3 secrets re-encrypted. All of them have the key ")
    assert checked.endswith("every table equals the log.")
    key_file.write_text(key_file.read_text().removesuffix(old))
    settings = Settings.model_validate({"data_dir": installation.data_dir})
    await app.prepare(settings, installation.dsn)  # it has every key that it needs


async def test_an_event_that_cannot_be_replayed_is_named(installation: Installation) -> None:
    async with given.sql(installation.dsn) as sql:
        await sql.execute(
            """
            insert into events select 'forged', sequence, aggregate_type, event_type, revision,
                '{}', creator, owner, created_at
            from events where event_type = 'user.added'"""
        )

    checked = await commands_on(installation)("rebuild", "--check")

    assert checked.status == 1
    assert "cannot be replayed: event " in checked.errors
    assert "Traceback" not in checked.errors


async def test_a_difference_is_found_and_repaired(installation: Installation) -> None:
    async with given.sql(installation.dsn) as rows:
        await rows.execute("delete from organizations")

    keystead = commands_on(installation)
    found, repaired, checked = [
        await keystead(*words)
        for words in [("rebuild", "--check"), ("rebuild",), ("rebuild", "--check")]
    ]

    assert [found.status, repaired.status, checked.status] == [1, 0, 0]
    assert "organizations: 0 rows too many, 1 missing" in found.output
    assert "is repaired" in repaired.output


async def test_two_commands_at_once_on_the_embedded_database_of_a_server(tmp_path: Path) -> None:
    async with process.serve_forked(tmp_path) as server:
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
    dsn = await make_database(empty=True)

    refused = await process.keystead("org", "list", data_dir=tmp_path, database_url=dsn)
    migrated = await process.keystead("migrate", data_dir=tmp_path, database_url=dsn)
    listed = await process.keystead("org", "list", data_dir=tmp_path, database_url=dsn)

    assert (refused.status, refused.output) == (1, "")
    assert "run: keystead migrate" in refused.errors
    assert migrated.output == f"{len(migrations())} migrations applied.\n"
    assert (listed.status, listed.output) == (0, "")


async def test_the_log_is_read_from_a_time_on_as_it_prints_times(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)
    words = ("audit", "--json", "--aggregate", user.user_id)
    [first, *rest] = await objects(keystead(*words))
    times = [rest[0]["created_at"], "2000-01-01", "9999-12-31T00:00Z"]

    since, until = [
        await asyncio.gather(*(objects(keystead(*words, option, at)) for at in times))
        for option in ("--since", "--until")
    ]

    assert first not in since[0]
    assert since == [rest, [first, *rest], []]
    assert until == [[first], [], [first, *rest]]


async def test_the_log_is_read_by_types_and_page_by_page(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)
    await given.token(instance.admin, user.user_id)
    words = ("audit", "--json", "--aggregate", user.user_id)
    events = await objects(keystead(*words))
    added, first, second = events
    assert [each["event_type"] for each in events] == ["user.added"] + ["user.token_created"] * 2

    found = await asyncio.gather(
        *(
            objects(keystead(*words, *options))
            for options in (
                ("--type", "user.added"),
                ("--type", "user.token_created", "--type", "user.added"),
                ("--type", "user"),
                ("--type", "organization"),
                ("--limit", "1"),
                ("--limit", "1", "--before", str(second["sequence"])),
                ("--limit", "1", "--after", str(added["sequence"])),
                ("--after", str(added["sequence"]), "--before", str(second["sequence"])),
            )
        )
    )
    of_user = f"aggregate_id = {user.user_id}"
    filtered = await asyncio.gather(
        *(
            objects(keystead("audit", "--json", "--filter", f"{of_user} AND {text}", *options))
            for text, *options in (
                ("event_type = user.added",),
                ("event_type != user.added", "--limit", "1"),
                (f"created_at >= {first['created_at']}",),
                (f"creator = {user.user_id}",),
            )
        )
    )
    in_text = await columns(keystead("audit", "--aggregate", user.user_id, "--limit", "1"))

    assert found == [[added], events, events, [], [second], [first], [first], [first]]
    assert filtered == [[added], [second], [first, second], []]
    assert second["withheld_fields"] == ["name"]
    assert in_text == [
        [*(str(each) for each in [*second.values()][:-2]), json.dumps(second["payload"]), "name"]
    ]


async def test_the_log_is_printed_without_personal_data_unless_it_is_asked_for(
    instance: Instance, keystead: Keystead
) -> None:
    name = f"canary-{uuid4().hex}"
    user = await given.user(instance.admin, name=name)
    words = ("audit", "--aggregate", user.user_id)

    usual, whole = await asyncio.gather(keystead(*words), keystead(*words, "--with-personal-data"))
    [added, *_] = await objects(keystead(*words, "--json"))

    assert name not in usual.output
    assert name in whole.output
    assert "user_name" in added["withheld_fields"]


async def test_a_page_of_the_log_parts_no_events_of_one_sequence(
    installation: Installation,
) -> None:
    async with given.sql(installation.dsn) as rows:
        await rows.execute(
            """
            insert into events
            select 'aggregate ' || number, 9e18::bigint + number / 2, 'idp', 'idp.changed', 1, '{}',
                'somebody', 'org', now()
            from generate_series(0, 5) as number"""
        )

    async def page(*options: str) -> list[str]:
        words = ("audit", "--json", "--type", "idp.changed", "--limit", "1", *options)
        found = await objects(commands_on(installation)(*words))
        return [each["aggregate_id"][-1] for each in found]

    middle = str(9 * 10**18 + 1)
    assert await page() == ["4", "5"]
    assert await page("--before", middle) == ["0", "1"]
    assert await page("--after", middle) == ["4", "5"]
    assert await page("--after", "0") == ["0", "1"]


async def test_signing_keys_are_rotated_encrypted_anew_and_withdrawn(
    installation: Installation,
) -> None:
    key_file = installation.data_dir / "encryption.keys"
    old = key_file.read_text()

    async def run(*words: str) -> str:
        return await done(commands_on(installation)(*words))

    published, again = await run("rotate-signing-key"), await run("rotate-signing-key")
    key_file.write_text("b25lIG9mIHRoZSBrZXlzIG9mIDMyIGJ5dGVzLi4uLi4=\n" + old)
    encrypted = await run("rotate-keys")
    withdrawn = await run("rotate-signing-key", "--now")
    only_rsa = await run("rotate-signing-key", "--now", "--algorithm", "RS256")

    assert published.count("is published and signs from") == 2
    assert again == published.replace("is published", "was published before")
    assert encrypted.startswith("4 secrets re-encrypted.")
    assert "4 keys withdrawn" in withdrawn
    assert "60 minutes" in withdrawn
    assert "The RS256 key " in only_rsa
    assert "The ES256 key " not in only_rsa
    assert "1 key withdrawn" in only_rsa


async def test_the_first_rsa_key_waits_for_servers_of_an_earlier_release(
    installation: Installation,
) -> None:
    keyring = load_keyring((), installation.data_dir / "encryption.keys")
    async with connected(installation.dsn, pool_size=1) as database:
        await Presence(database, keyring).announce()
    async with given.sql(installation.dsn) as sql:
        await sql.execute("update servers set schema_version = null")
        await sql.execute("delete from rsa_signing_keys")

    printed = await done(commands_on(installation)("rotate-signing-key"))

    assert "The ES256 key " in printed
    assert "There is no RS256 key yet" in printed
