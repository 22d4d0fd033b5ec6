"""The command line beside `serve`: the same commands as the API, for an operator."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import asyncpg
import click
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server import app
from server.cli import keystead as root_command
from server.migrate import migrations
from server.settings import Settings
from tests import given, process
from tests.conftest import MakeDatabase
from tests.given import Instance
from tests.passkey.links import Link
from tests.process import Finished

Keystead = Callable[..., Awaitable[Finished]]


@pytest.fixture
def keystead(instance: Instance) -> Keystead:
    """Runs a command on the database of the server that most tests share."""

    async def run(*words: str, **settings: object) -> Finished:
        return await process.keystead(
            *words, data_dir=instance.data_dir, database_url=instance.dsn, **settings
        )

    return run


async def _done(command: Awaitable[Finished]) -> str:
    """What a command printed that must succeed, without the end of the line."""
    finished = await command
    assert (finished.status, finished.errors) == (0, "")
    return finished.output.removesuffix("\n")


def _unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex}"


def _commands(group: click.Group, *words: str) -> list[tuple[str, ...]]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found += _commands(command, *words, name)
        else:
            found.append((*words, name))
    return found


@pytest.mark.parametrize("words", _commands(root_command), ids=" ".join)
def test_every_command_says_what_it_does(words: tuple[str, ...]) -> None:
    command: click.Command = root_command
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]

    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


async def test_an_operator_makes_an_organization_a_user_and_a_token_that_works(
    instance: Instance, keystead: Keystead
) -> None:
    organization, name = _unique("org"), _unique("user")

    org_id = await _done(keystead("org", "create", organization))
    user_id = await _done(keystead("user", "create", name, "--org", organization))
    await _done(keystead("user", "grant", name, "org_owner", "--org", organization))
    token = await _done(keystead("token", "create", name, "--org", org_id, "--days", "2"))

    caller = instance.admin.with_token(token, user_id)
    assert await given.idp(caller)
    assert token.startswith("kst_")
    orgs, users, tokens = await asyncio.gather(
        _done(keystead("org", "list")),
        _done(keystead("user", "list", "--org", organization)),
        _done(keystead("token", "list", user_id)),
    )
    assert f"{org_id}\t{organization}" in orgs.splitlines()
    assert users == f"{user_id}\t{name}\tORG_OWNER"
    assert len(tokens.splitlines()) == 1
    assert token not in tokens


async def test_what_an_operator_takes_back_is_gone(instance: Instance, keystead: Keystead) -> None:
    user = await given.user(instance.admin)
    await _done(keystead("user", "grant", user.user_id, "ORG_USER_MANAGER"))
    [token_line] = (await _done(keystead("token", "list", user.user_id))).splitlines()
    token_id = token_line.split("\t")[0]

    await _done(keystead("token", "revoke", user.user_id, token_id))
    await _done(keystead("user", "revoke", user.user_id, "ORG_USER_MANAGER"))
    remaining = await _done(keystead("token", "list", user.user_id))
    await _done(keystead("user", "remove", user.user_id))
    audit = await _done(keystead("audit", "--aggregate", user.user_id, "--creator", "operator"))

    assert remaining == ""
    events = [json.loads(line)["event_type"] for line in audit.splitlines()]
    assert len(events) == 4
    assert user.token not in audit


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
        return await _done(command)

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


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("user", "list", "--org", "nowhere"), "There is no organization 'nowhere'."),
        (("token", "create", "nobody"), "There is no user 'nobody' in 'default'."),
        (("org", "create", "default"), "name"),
        (("user", "create", "x" * 201), "userName: must be at most 200 characters"),
    ],
    ids=["unknown organization", "unknown user", "taken name", "invalid field"],
)
async def test_a_refusal_is_a_sentence_and_status_one(
    keystead: Keystead, words: tuple[str, ...], sentence: str
) -> None:
    refused = await keystead(*words)

    assert (refused.status, refused.output) == (1, "")
    assert sentence in refused.errors
    assert "Traceback" not in refused.errors


async def test_an_operator_makes_a_link_and_sees_what_came_of_it(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)

    url = await _done(keystead("passkey", "link", user.user_id))
    begun = await Link.of(url, instance.admin).register()

    listed = await _done(keystead("passkey", "list", user.user_id))
    assert listed.split("\t")[:3] == [begun.passkey_id, "Key", "unknown"]
    await _done(keystead("passkey", "remove", user.user_id, begun.passkey_id))
    assert await _done(keystead("passkey", "list", user.user_id)) == ""


async def test_an_operator_has_a_link_mailed(
    own_instance: Instance,
) -> None:
    admin = own_instance.admin
    await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config())
    request = user_pb.CreateUserRequest(user_name="ada", email="ada@example.com")
    user_id = (await admin.call(admin.users.CreateUser, request)).user_id

    mail_id = await _done(
        process.keystead(
            *("passkey", "link", "ada", "--send"),
            data_dir=own_instance.data_dir,
            database_url=own_instance.dsn,
        )
    )

    async with given.sql(own_instance.dsn) as rows:
        mailed = await rows.fetchrow("select kind, user_id from mails where mail_id = $1", mail_id)
    assert mailed is not None
    assert tuple(mailed) == ("passkey_registration_link", user_id)
