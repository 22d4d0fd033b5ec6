"""`keystead import`: files of users, imports that are ended, and files of the refused."""

import asyncio
import contextlib
import json
import re
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from google.protobuf import json_format

from keystead.user.v1 import user_import_pb2 as pb
from server.cli.moving import importing, retrying
from server.cli.moving.state import ImportProgress
from server.values.errors import Failure, Kind
from tests.cli.words import Keystead, commands_on
from tests.group import calls as group_calls
from tests.moving import people
from tests.support import given, process
from tests.support.given import Client, Instance


@pytest.fixture
def keystead(instance: Instance) -> Keystead:
    return commands_on(instance)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.ndjson"


def _write(file: Path, *users: pb.ImportedUser) -> None:
    file.write_text("".join(f"{json.dumps(json_format.MessageToDict(user))}\n" for user in users))


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


async def test_a_file_is_imported_once(
    keystead: Keystead, owner: Client, org_id: str, file: Path
) -> None:
    passkey = people.passkey()
    _write(file, people.user(passkeys=[passkey.message], groups=["staff"]), people.user())

    first = await keystead("import", str(file), "--org", org_id, "--create-groups")
    again = await keystead("import", str(file), "--org", org_id, "--create-groups")

    assert first.errors == "The group 'staff' was created.\n"
    assert first.output == "2 users imported, 0 imported before, 0 refused.\n"
    assert again.output == "0 users imported, 2 imported before, 0 refused.\n"
    session = await passkey.sign_in(owner)
    [group] = await group_calls.of_user(owner, session.answer.user_id)
    assert group.name == "staff"
    assert [each.name for each in file.parent.iterdir()] == [file.name]


async def test_the_refused_are_in_a_file_that_can_be_corrected(
    keystead: Keystead, org_id: str, file: Path
) -> None:
    _write(file, people.user(), people.user(email="?"))
    _append(file, '\n[]\nx\n{"userId": "a", "password": "secret"}\n')

    finished = await keystead("import", str(file), "--org", org_id)

    refused = file.with_name("people.ndjson.refused")
    assert (finished.status, finished.output.splitlines()) == (
        1,
        [
            "1 user imported, 0 imported before, 4 refused.",
            f"The refused users with their wrong fields are in {refused}.",
        ],
    )
    wrong = [json.loads(line) for line in refused.read_text().splitlines()]
    problems = [each["wrongFields"][0] for each in wrong]
    assert [each["description"][:30] for each in problems[:2]] == [
        "Line 4 is not a JSON object",
        "Line 5 is not a JSON object",
    ]
    assert "password" in problems[2]["description"]
    assert problems[3]["field"] == "email"
    assert refused.stat().st_mode & 0o777 == 0o600
    refused.write_text(json.dumps(wrong[3] | {"email": ""}))
    again = await keystead("import", str(file), "--org", org_id)
    assert (again.status, f"{refused} has the users" in again.errors) == (1, True)
    corrected = await keystead("import", str(refused), "--org", org_id)
    assert corrected.output == "1 user imported, 0 imported before, 0 refused.\n"


async def test_a_dry_run_writes_nothing(
    keystead: Keystead, owner: Client, org_id: str, file: Path
) -> None:
    taken = people.user(email="ada@example.com")
    _write(file, taken, people.user(email="ADA@example.com"))

    tried = await keystead("import", str(file), "--org", org_id, "--dry-run", "--create-groups")

    assert (tried.status, tried.output.splitlines()[-1]) == (
        1,
        "1 user would be imported, 0 imported before, 1 refused.",
    )
    assert json.loads(tried.output.splitlines()[0])["wrongFields"][0]["field"] == "email"
    assert await people.states(owner, taken) == [people.IMPORTED]


async def test_a_dry_run_tries_the_groups_that_would_be_created(
    keystead: Keystead, org_id: str, file: Path
) -> None:
    _write(file, people.user(groups=["staff"]))
    words = ("import", str(file), "--org", org_id)

    tried = await keystead(*words, "--dry-run", "--create-groups")
    again = await keystead(*words, "--create-groups", "--dry-run")
    refused = await keystead(*words, "--dry-run")

    assert tried.errors == again.errors == "The group 'staff' would be created.\n"
    assert tried.output == "1 user would be imported, 0 imported before, 0 refused.\n"
    assert (refused.status, "1 refused" in refused.output) == (1, True)


async def test_an_empty_file_has_nobody(keystead: Keystead, org_id: str, file: Path) -> None:
    _write(file)

    done = await keystead("import", str(file), "--org", org_id)

    assert done.output == "0 users imported, 0 imported before, 0 refused.\n"


@pytest.mark.parametrize("content", ["{", "{}", json.dumps({"organization_id": "", "digest": ""})])
async def test_the_state_of_another_import_is_refused(
    keystead: Keystead, org_id: str, file: Path, content: str
) -> None:
    _write(file, people.user())
    file.with_name("people.ndjson.state").write_text(content)

    refused = await keystead("import", str(file), "--org", org_id)

    assert "is the state of another import" in refused.errors


def test_others_cannot_read_the_state(file: Path) -> None:
    ImportProgress("o", "d").store(file)

    [state] = file.parent.iterdir()
    assert state.stat().st_mode & 0o777 == 0o600


async def test_an_import_that_is_killed_twice_goes_on(
    keystead: Keystead, owner: Client, instance: Instance, org_id: str, file: Path
) -> None:
    bad = people.user(email="?")
    users = [people.user() for _ in range(6000)]
    _write(file, bad, *users)

    for part in (1000, 3000):
        await _killed_after(part, instance, org_id, file)
    finished = await keystead("import", str(file), "--org", org_id)

    imported, before, refused = map(int, re.findall(r"\d+(?= )", finished.output)[:3])
    assert (imported + before, refused) == (6000, 1)  # before: killed before the state was written
    [line] = file.with_name("people.ndjson.refused").read_text().splitlines()
    assert json.loads(line)["userId"] == bad.user_id
    assert await _count(instance, org_id) == 6001


@pytest.mark.parametrize(
    ("kinds", "sent"),
    [
        ([Kind.ABORTED], 2),
        ([Kind.ABORTED] * 9, 5),
        ([Kind.UNAVAILABLE], 1),
    ],
    ids=["once", "always", "other"],
)
async def test_a_call_that_lost_a_race_is_sent_again(
    monkeypatch: pytest.MonkeyPatch, kinds: list[Kind], sent: int
) -> None:
    calls, failures = list[object](), iter(kinds)

    class Racing:
        def __init__(self, _statements: object, *, policy: object) -> None:
            assert policy

        async def ImportUsers(self, request: object, _call: object) -> object:  # noqa: N802 -- a method
            calls.append(request)
            if kind := next(failures, None):
                raise Failure(kind, "REASON", "Message.")
            return request

    monkeypatch.setattr(importing, "MovingUsers", Racing)
    monkeypatch.setattr(retrying, "_PAUSE_SECONDS", 0)
    at: Any = MagicMock()
    send = importing._sender(at, at.database, "o")  # noqa: SLF001
    with contextlib.nullcontext() if sent == 2 else pytest.raises(Failure):
        await send(pb.ImportUsersRequest())

    assert len(calls) == sent


async def _killed_after(lines: int, instance: Instance, org_id: str, file: Path) -> None:
    """Kills an import as soon as its state has these lines."""
    environment = process._environment(instance.data_dir, {"database_url": instance.dsn})  # noqa: SLF001
    words = (sys.executable, "-m", "server", "import", str(file), "--org", org_id)
    started = await asyncio.create_subprocess_exec(*words, env=environment)
    state = file.with_name("people.ndjson.state")
    async with asyncio.timeout(60):
        while not state.exists() or json.loads(state.read_text())["lines"] < lines:
            assert started.returncode is None
            await asyncio.sleep(0.01)
    started.kill()
    await started.wait()


async def _count(instance: Instance, org_id: str) -> Any:
    async with given.sql(instance.dsn) as connection:
        return await connection.fetchval("select count(*) from users where owner = $1", org_id)
