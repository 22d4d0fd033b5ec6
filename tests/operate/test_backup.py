"""The guide's own lines make a backup of a used installation, and restore it elsewhere."""

import asyncio
import contextlib
import re
import shutil
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from keystead.event.v1 import event_service_pb2 as event_pb
from server.process.embedded_postgres import running
from server.store.database import connected
from tests.cli.words import commands_on
from tests.group import calls as groups
from tests.passkey import links
from tests.passkey.ceremonies import ORIGIN
from tests.push import calls as pushes
from tests.session import sessions
from tests.session.sessions import SignedIn
from tests.smtp import calls as smtp
from tests.support import given, process
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance
from tests.support.mail_server import MailServer, mail_server, reply
from tests.support.partitions import split
from tests.support.push_target import NO_CONTENT, PushTarget, push_target, status
from tests.user import calls as users

_GUIDE = Path(__file__).parents[2] / "docs" / "operating.md"
_SECTION = re.compile(r"^### Backup and restore$(.*?)^### ", re.MULTILINE | re.DOTALL)
_PASSWORD = "right"
# Attempts that would be made some minutes later.
_HURRY = (
    "update mails set next_attempt_at = clock_timestamp() where state = 'pending'",
    "update push_targets set waits_until = '-infinity', next_turn_at = clock_timestamp()",
)
_UNPOSITIONED = "select count(*) from unpositioned_events"
_PENDING_TRIED = """
select (select count(*) from mails join mail_attempts using (mail_id)
        where state = 'pending' and mail_attempts.ended_at is not null)
    + (select count(*) from push_deliveries join push_attempts using (delivery_id)
        where state = 'pending' and push_attempts.ended_at is not null)"""


@dataclass(frozen=True)
class _Outside:
    """The systems that an installation talks to."""

    mails: MailServer
    target: PushTarget
    settings: Mapping[str, object]

    async def has(self, number: int) -> bool:
        """Whether each has got this number of deliveries."""
        return len(self.mails.received) == number == len(self.target.received)


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncIterator[_Outside]:
    authority = Authority(tmp_path)
    settings = {
        "smtp_allowed_networks": "127.0.0.0/8",
        "push_allowed_networks": "127.0.0.0/8,::1",
        "push_ca_file": authority.ca_file,
    }
    async with (
        mail_server(users={"mailer": _PASSWORD}) as mails,
        push_target(authority, names=["localhost"]) as target,
    ):
        yield _Outside(mails, target, settings)


@dataclass(frozen=True)
class _Shell:
    """Runs the lines of the guide in a directory, whose `mnt` is their `/mnt`."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> "_Shell":
        (folder / ".venv").symlink_to(sys.prefix)
        for name in ("elsewhere", "archives", "backup", "keys"):
            (folder / "mnt" / name).mkdir(parents=True)
        return cls(folder)

    async def run(self, lines: str, **settings: object) -> str:
        """The output of the lines, each of which must succeed."""
        variables = {f"KEYSTEAD_{name.upper()}": str(each) for name, each in settings.items()}
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", lines.replace("/mnt/", f"{self.folder}/mnt/")),
            cwd=self.folder,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", **variables},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output = (await process.communicate())[0].decode()
        assert process.returncode == 0, output
        return output


def _lines() -> list[str]:
    """The blocks of the section: the backup, the restore, and the comparison with the log."""
    [section] = _SECTION.findall(_GUIDE.read_text())
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


@contextlib.asynccontextmanager
async def _served(dsn: str, data_dir: Path, **settings: object) -> AsyncIterator[Instance]:
    async with process.serve_forked(data_dir, database_url=dsn, **settings) as server:
        port, web_port = await server.port(), await server.web_port()
        async with Instance.connected(dsn, port, data_dir, web_port=web_port) as instance:
            yield instance


async def test_the_lines_of_the_guide_back_up_and_restore(
    tmp_path: Path, outside: _Outside, make_database: MakeDatabase
) -> None:
    backup, restore, compare = _lines()
    shell, data_dir = _Shell.made(tmp_path), tmp_path / ".keystead"
    settings = {**outside.settings, "checkpoint_file": tmp_path / "mnt/elsewhere/checkpoints"}

    with running(data_dir) as cluster:
        async with _served(cluster.dsn, data_dir, **settings) as instance:
            await _configure(instance.admin, outside)
            before = await _use(instance.admin)
            await given.eventually(lambda: outside.has(1))
            await _archive(instance, settings)
            outside.mails.faults["RCPT"] = reply("450 4.2.0 Later")
            outside.target.answer = status("500 Internal Server Error")
            after = await _use(instance.admin)
            await given.eventually(lambda: _is(instance.dsn, _PENDING_TRIED, 2))
            await _keystead(instance, settings, "audit", "checkpoint")
            await shell.run(backup)
            kept = await _end(instance.admin)
            await users.create(instance.admin)
            await given.eventually(lambda: _is_after(instance.admin, kept))
            lost = await _end(instance.admin)

    outside.mails.faults.clear()
    outside.target.answer = NO_CONTENT
    restored, dsn = tmp_path / "restored", await make_database(empty=True)
    settings["checkpoint_file"] = tmp_path / "mnt/elsewhere/checkpoints-of-restored"
    output = await shell.run(
        restore, database_url=dsn, data_dir=restored, rp_origins=ORIGIN, **settings
    )
    assert "All events agree with" in output
    shutil.copy(data_dir / "admin.token", restored)  # tokens are valid
    async with _served(dsn, restored, **settings) as instance:
        for signed_in in (before, after):
            await _still_works(instance, signed_in)
        refused = await given.refusal(_first(instance.admin, lost))
        assert refused.reason == "LOG_RESTORED"
        assert int((await _first(instance.admin, kept)).cursor) > int(kept)
        await _hurry(dsn)
        await given.eventually(lambda: _delivered(outside))
        await _keystead(instance, settings, "audit", "checkpoint")
        await shell.run(compare, database_url=dsn, data_dir=restored)
        await _keystead(instance, settings, "audit", "verify")
    assert len({each.recipients for each in outside.mails.received}) == 2


async def _configure(admin: Client, outside: _Outside) -> None:
    config = {"host": f"127.0.0.1:{outside.mails.port}", "tls": False, "user": "mailer"}
    await smtp.add(admin, given.smtp_config(**config, password=_PASSWORD))
    await pushes.add(admin, url=outside.target.url, event_types=["group.added"])


async def _use(admin: Client) -> SignedIn:
    """A person signs in; a mail is sent and a webhook is called."""
    signed_in = await sessions.signed_in(admin)
    name = signed_in.session_id
    invited = await users.create(admin, user_name=name, email=f"{name}@example.com")
    await links.create(admin, invited.user_id, send=True)
    await groups.group(admin)
    return signed_in


async def _end(admin: Client) -> str:
    """The place of a consumer that has all events."""
    return (await admin.call(admin.events.ListEvents, event_pb.ListEventsRequest())).cursor


async def _is_after(admin: Client, cursor: str) -> bool:
    return int(await _end(admin)) > int(cursor)


async def _first(admin: Client, after: str) -> event_pb.WatchEventsResponse:
    """The first message of a consumer that resumes."""
    request = event_pb.WatchEventsRequest(after_cursor=after)
    stream = admin.call(admin.events.WatchEvents, request)
    async with contextlib.aclosing(aiter(stream)) as messages:
        return await anext(messages)


async def _archive(instance: Instance, settings: Mapping[str, object]) -> None:
    """All events so far become an archived month."""
    await given.eventually(lambda: _is(instance.dsn, _UNPOSITIONED, 0))
    await _keystead(instance, settings, "audit", "checkpoint")
    async with connected(instance.dsn, pool_size=1) as database:
        await split(database, time.time_ns() // 1000)
    archives = str(instance.data_dir.parent / "mnt" / "archives")
    await _keystead(instance, settings, "archive", "--before", "9999-12-31", "--to", archives)


async def _keystead(instance: Instance, settings: Mapping[str, object], *words: str) -> None:
    finished = await commands_on(instance)(*words, **settings)
    assert finished.status == 0, finished.output + finished.errors


async def _is(dsn: str, query: str, number: int) -> bool:
    async with given.sql(dsn) as sql:
        return bool(await sql.fetchval(query) == number)


async def _hurry(dsn: str) -> None:
    async with given.sql(dsn) as sql:
        for statement in _HURRY:
            await sql.execute(statement)


async def _delivered(outside: _Outside) -> bool:
    """Whether the deliveries that were pending in the dump have arrived."""
    return len(outside.mails.received) == 2 and len(outside.target.received) == 3


async def _still_works(instance: Instance, signed_in: SignedIn) -> None:
    """The passkey, the token and the session of a person."""
    person = signed_in.person
    user = Client(instance.admin.channel, person.client.token, person.user_id)
    again = await replace(person, client=user).sign_in()
    for client in (user, user.with_token(signed_in.client.token), again.client):
        assert (await users.whoami(client)).user_id == person.user_id
