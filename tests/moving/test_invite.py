"""`keystead invite`: people without a passkey get links by mail, in runs that can be stopped."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from keystead.user.v1 import user_import_pb2 as import_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.cli.words import Keystead, commands_on
from tests.conftest import MakeInstance
from tests.group import calls as groups
from tests.moving import people
from tests.smtp import calls as smtp
from tests.support import given, process
from tests.support.given import Client, Instance

_INVITE = ("invite", "--without-passkey", "--org")


@pytest.fixture(scope="module")
async def mailing(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with an SMTP configuration, and one mail an hour to an address."""
    async with make_instance(mail_hourly_limit=1) as server:
        await smtp.add(server.admin)
        yield server


@pytest.fixture
def keystead(mailing: Instance) -> Keystead:
    return commands_on(mailing)


@pytest.fixture
async def owner(mailing: Instance) -> Client:
    """The owner of an organization, who has neither an address nor a passkey."""
    org_id = await given.organization(mailing.admin)
    roles = [user_pb.ROLE_ORG_OWNER]
    return await given.user(mailing.admin, org_id=org_id, roles=roles)


@pytest.fixture
async def org_id(owner: Client) -> str:
    found = await owner.call(owner.users.GetCurrentUser, user_pb.GetCurrentUserRequest())
    return str(found.user.details.resource_owner)


def _person(**fields: object) -> import_pb.ImportedUser:
    return people.user(**{"email": f"{uuid4().hex}@example.com"} | fields)


async def _mailed(mailing: Instance, *users: import_pb.ImportedUser) -> int:
    """The number of links that these users got."""
    async with given.sql(mailing.dsn) as sql:
        ids = [each.user_id for each in users]
        query = "select count(*) from passkey_links where user_id = any($1)"
        return int(await sql.fetchval(query, ids))


async def test_people_without_a_passkey_get_one_link_however_often_it_runs(
    keystead: Keystead, mailing: Instance, owner: Client, org_id: str
) -> None:
    moved = _person(passkeys=[people.passkey().message])
    others = [_person() for _ in range(450)]  # more than two pages
    await people.send(owner, moved, *others)

    tried = await keystead(*_INVITE, org_id, "--dry-run")
    assert await _mailed(mailing, *others) == 0
    first = await keystead(*_INVITE, org_id)
    again = await keystead(*_INVITE, org_id)

    refused = [
        "1 refused: The user has no mail address to which a link could be sent.",
        "1 of 451 people have a passkey.",
    ]
    assert (first.status, tried.status, again.status) == (0, 0, 0)
    assert tried.output.splitlines()[0] == (
        "450 users would be invited, 0 invited before, 0 with a passkey, 1 refused."
    )
    assert first.output.splitlines()[0] == (
        "450 users were invited, 0 invited before, 0 with a passkey, 1 refused."
    )
    assert again.output.splitlines()[0] == (
        "0 users were invited, 450 invited before, 0 with a passkey, 1 refused."
    )
    assert first.output.splitlines()[-1] == refused[-1]
    assert first.output.splitlines()[1].startswith("1 refused: ")
    assert await _mailed(mailing, moved) == 0
    assert await _mailed(mailing, *others) == 450


async def test_a_reminder_goes_to_members_of_a_group(
    keystead: Keystead, mailing: Instance, owner: Client, org_id: str
) -> None:
    member, other = _person(), _person()
    await people.send(owner, member, other)
    group_id = await groups.group(owner, "staff")
    await groups.add_member(owner, group_id, member.user_id)

    for _ in range(2):
        done = await keystead(*_INVITE, org_id, "--group", "staff", "--again-after", "0d")
        assert done.output.startswith("1 user was invited"), done

    assert await _mailed(mailing, member) == 2
    assert await _mailed(mailing, other) == 0


async def test_a_run_keeps_to_its_limit_and_its_time(
    keystead: Keystead, mailing: Instance, owner: Client, org_id: str
) -> None:
    invited = [_person() for _ in range(5)]
    await people.send(owner, *invited)

    # One at a time; the pause after the first is longer than the run.
    stopped = await keystead(*_INVITE, org_id, "--limit-per-hour", "1", "--stop-after", "0m")
    assert "Stopped by --stop-after" in stopped.output
    assert await _mailed(mailing, *invited) == 0

    paced = await keystead(*_INVITE, org_id, "--limit-per-hour", "36000")
    assert paced.output.startswith("5 users were invited"), paced


async def test_a_run_that_is_stopped_by_the_terminal_goes_on_later(
    keystead: Keystead, mailing: Instance, owner: Client, org_id: str
) -> None:
    invited = [_person() for _ in range(20)]
    await people.send(owner, *invited)

    output = await _interrupted(mailing, org_id, invited)
    after_stop = await _mailed(mailing, *invited)
    finished = await keystead(*_INVITE, org_id)

    assert "Stopped. The same command goes on with the others." in output
    assert 0 < after_stop < 20
    assert f"{after_stop} invited before" in finished.output
    assert finished.output.startswith(f"{20 - after_stop} user")
    assert await _mailed(mailing, *invited) == 20


async def _interrupted(
    mailing: Instance, org_id: str, invited: list[import_pb.ImportedUser]
) -> str:
    """The output of a slow run, which gets SIGINT after its first mail."""
    words = (*_INVITE, org_id, "--limit-per-hour", "60")
    environment = process._environment(mailing.data_dir, {"database_url": mailing.dsn})  # noqa: SLF001
    run = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", *words),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    async with asyncio.timeout(60):
        while not await _mailed(mailing, *invited):  # noqa: ASYNC110 -- another process mails
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)
        run.send_signal(signal.SIGINT)
        output, _ = await run.communicate()
    assert run.returncode == 1
    return output.decode()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("invite",), "Missing option '--without-passkey'"),
        ((*_INVITE, "nowhere"), "There is no organization 'nowhere'"),
        ((*_INVITE, "default", "--group", "nobody"), "There is no group 'nobody'"),
        ((*_INVITE, "default", "--again-after", "soon"), "is not a duration such as 90m, 8h or 7d"),
        ((*_INVITE, "default", "--again-after", "91d"), "notAgainWithinSeconds"),
    ],
)
async def test_a_wrong_option_is_named(
    keystead: Keystead, words: tuple[str, ...], problem: str
) -> None:
    refused = await keystead(*words)

    assert refused.status != 0
    assert problem in refused.errors
