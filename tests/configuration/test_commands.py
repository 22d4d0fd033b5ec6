"""The commands as processes: their options, output and exit status."""

import json
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli.configuration import command
from server.cli.configuration.changes import PlacePlan
from tests.configuration.files import configured
from tests.support import given, process
from tests.support.given import Client, Instance
from tests.support.process import Finished

_FILE = "groups:\n  a: {display_name: A}\n"


class Commands:
    """Runs commands with the token of an owner, in a folder with a file."""

    def __init__(self, instance: Instance, token: str, folder: Path) -> None:
        self.file = folder / "keystead.yaml"
        self.file.write_text(_FILE)
        self.token_file = folder / "token"
        self.token_file.write_text(f"{token}\n")
        self.url = f"http://127.0.0.1:{instance.web_port}"
        self._run = partial(process.keystead, data_dir=folder)

    async def __call__(self, *words: str) -> Finished:
        access = ["--url", self.url, "--token-file", str(self.token_file)]
        return await self._run(*words, *access)


@pytest.fixture
def keystead(instance: Instance, owner: Client, tmp_path: Path) -> Commands:
    """The commands on the organization of an owner, without a database."""
    return Commands(instance, owner.token, tmp_path)


async def test_check_ends_with_2_until_the_file_is_applied(keystead: Commands) -> None:
    file = str(keystead.file)

    planned = await keystead("plan", file)
    checked = await keystead("plan", file, "--check")
    applied = await keystead("apply", file, "--json")
    checked_again = await keystead("plan", file, "--check", "--prune")
    exported = await keystead("export", "configuration")
    as_json = await keystead("export", "configuration", "--json")

    assert (planned.status, planned.output) == (0, '+ groups.a\n    display_name: "A"\n')
    assert planned.errors == "1 object to change.\n"
    assert (checked.status, checked_again.status) == (2, 0)
    assert checked_again.errors == "Nothing to change.\n"
    assert json.loads(applied.output)["outcome"] == "done"
    schema = f"{keystead.url}/configuration.schema.json"
    assert exported.output.startswith(
        f"# yaml-language-server: $schema={schema}\n$schema: {schema}\n"
    )
    keystead.file.write_text(exported.output)
    assert (await keystead("plan", file, "--check")).status == 0
    assert json.loads(as_json.output)["groups"] == {"a": {"display_name": "A"}}


async def test_an_object_that_the_file_lacks_is_named_and_differs(keystead: Commands) -> None:
    await keystead("apply", str(keystead.file))
    keystead.file.write_text("groups: {}\n")

    checked = await keystead("plan", str(keystead.file), "--check", "--json")
    removed = await keystead("apply", str(keystead.file), "--prune")

    assert (checked.status, checked.output) == (2, "")
    assert "groups.a is not in the file; --prune removes it." in checked.errors
    assert removed.output == "- groups.a\n"


async def test_a_refused_change_ends_with_1(keystead: Commands) -> None:
    keystead.file.write_text("settings: {client_metadata_hosts: [no host]}\n")

    refused = await keystead("apply", str(keystead.file))

    assert (refused.status, refused.output) == (1, "")
    assert "line 1: settings: organization.clientMetadataHosts.0: " in refused.errors


async def test_an_organization_is_named_by_id_or_name(
    keystead: Commands, admin: Client, org_id: str
) -> None:
    keystead.token_file.write_text(admin.token)
    file = str(keystead.file)
    await given.organization(admin, name="By name")

    for organization in (org_id, "By name"):
        assert (await keystead("apply", file, "--org", organization)).status == 0
        assert (await keystead("plan", file, "--check", "--org", organization)).status == 0
    unknown = await keystead("plan", file, "--org", "unknown")
    whole = await keystead("export", "configuration", "--instance")

    assert (unknown.status, "no organization 'unknown'" in unknown.errors) == (1, True)
    assert "\n  By name:\n" in whole.output


async def test_what_is_missing_or_wrong_about_the_access_is_said(keystead: Commands) -> None:
    plan = partial(process.keystead, "plan", str(keystead.file), data_dir=keystead.file.parent)
    without_url = await plan()
    without_token = await plan(url=keystead.url)
    wrong = await plan(url=keystead.url, token="kst_wrong")
    nowhere = await plan(url="http://127.0.0.1:1", token="kst_wrong")
    foreign = await keystead("plan", str(keystead.file), "--org", str(uuid4()))

    assert (without_url.status, "by --url, or by KEYSTEAD_URL" in without_url.errors) == (1, True)
    assert (without_token.status, "KEYSTEAD_TOKEN" in without_token.errors) == (1, True)
    assert (wrong.status, "another one by --token-file" in wrong.errors) == (1, True)
    assert (nowhere.status, "Check the URL" in nowhere.errors) == (1, True)
    assert (foreign.status, "The server refused: " in foreign.errors) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        "plan",
        "plan {0}/k.yaml --chekc",
        "plan {0}/k.yaml --token-file {0}/missing",
        "plan {0}/k.yaml --token-file {0}/binary",
    ],
)
async def test_wrong_usage_of_plan_is_no_difference(tmp_path: Path, words: str) -> None:
    (tmp_path / "k.yaml").write_text(_FILE)
    (tmp_path / "binary").write_bytes(b"\xff")

    finished = await process.keystead(
        *words.format(tmp_path).split(), data_dir=tmp_path, url="https://id.example.com"
    )

    assert (finished.status, "Usage: " in finished.errors) == (1, True)


@pytest.mark.parametrize(
    ("words", "result", "status"),
    [
        ("apply", True, 0),
        ("apply", False, 1),
        ("plan", [PlacePlan((), {}, unnamed=["groups.a"])], 0),
        ("plan --check", [PlacePlan((), {}, unnamed=["groups.a"])], 2),
        ("plan --check", [PlacePlan((), {}, unfinished=["groups.a is not proven."])], 0),
        ("plan --check", [PlacePlan((), {})], 0),
        ("plan --chekc", [], 1),
    ],
)
def test_the_exit_status_tells_the_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, result: object, status: int
) -> None:
    monkeypatch.setattr(command.ApiAccess, "run", lambda *_: result)
    file = tmp_path / "k.yaml"
    file.write_text(_FILE)
    name, *options = words.split()

    finished = CliRunner().invoke(getattr(command, name), [str(file), *options])

    assert finished.exit_code == status


async def test_a_token_that_may_read_less_says_what_is_left_out(
    instance: Instance, keystead: Commands, admin: Client, org_id: str, tmp_path: Path
) -> None:
    async with configured(instance, admin, tmp_path, org_id) as org:
        await org.apply(_FILE)
    role = user_pb.ROLE_ORG_APPLICATION_MANAGER
    manager = await given.user(admin, org_id=org_id, roles=[role])
    keystead.token_file.write_text(manager.token)

    exported = await keystead("export", "configuration")

    assert (exported.status, "groups:\n  a:\n" in exported.output) == (0, True)
    assert "The token may not read settings, which is left out." in exported.errors
