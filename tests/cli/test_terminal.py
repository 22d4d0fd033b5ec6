"""Tables and sentences at a terminal. Pipes get lines, which other tests of this folder read."""

import asyncio
import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli.sentences import SENTENCES, Sentences
from server.cli.terminal import from_now
from server.event.disclosure import EVENTS
from server.log.audit import Wanted, read_events
from server.log.event import StoredEvent
from server.store.database import connected
from tests.group import calls as groups
from tests.idp import calls as idps
from tests.session.sessions import with_passkey
from tests.support import given
from tests.support.given import Instance
from tests.user import calls as users

pytestmark = pytest.mark.python_differs("argparse words help and errors anew")

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("distance", "text"),
    [
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=119), "1 hour ago"),
        (timedelta(hours=47), "1 day ago"),
        (timedelta(days=60), "60 days ago"),
        (timedelta(days=61), "2026-09-25"),
        (-timedelta(seconds=59), "now"),
        (-timedelta(hours=3), "in 3 hours"),
        (-timedelta(days=61), "2027-01-25"),
    ],
)
def test_times_are_from_now(distance: timedelta, text: str) -> None:
    assert from_now(_NOW - distance, _NOW) == text


def test_every_event_has_a_sentence_without_hashes() -> None:
    assert SENTENCES.keys() == EVENTS.keys()
    for sentence in SENTENCES.values():
        assert "hash" not in sentence
        assert "key}" not in sentence


async def _at_a_terminal(
    environment: Mapping[str, str], *arguments: str, columns: int = 200, typed: str = ""
) -> str:
    """The output of a command at a terminal of this width, with this answer to its question."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    # pytest-xdist sets COLUMNS, which has precedence over the terminal.
    inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", *arguments),
        env={**inherited, "TERM": "xterm", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    read = asyncio.create_task(asyncio.to_thread(_read_all, ours))
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return _STYLE.sub("", (await read).replace("\r\n", "\n"))


def _read_all(terminal: int) -> str:
    found = b""
    try:
        while chunk := os.read(terminal, 65536):
            found += chunk
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(terminal)
    return found.decode()


def _environment_of(instance: Instance) -> Mapping[str, str]:
    """The settings of the instance."""
    return {"KEYSTEAD_DATABASE_URL": instance.dsn, "KEYSTEAD_DATA_DIR": str(instance.data_dir)}


@pytest.fixture
def environment(instance: Instance) -> Mapping[str, str]:
    return _environment_of(instance)


async def test_a_list_is_a_table_with_headers(own_instance: Instance) -> None:
    environment = _environment_of(own_instance)
    org_id = await given.organization(own_instance.admin, name="A [bold]name")

    wide = await _at_a_terminal(environment, "org", "list")
    narrow = await _at_a_terminal(environment, "org", "list", columns=50)
    raw = await _at_a_terminal(environment, "org", "list", "--json")

    lines = wide.splitlines()
    assert lines[0].split()[:3] == ["org", "id", "name"]
    [line] = [each for each in lines if org_id in each]
    assert line.split()[:4] == [org_id, "A", "[bold]name", "no"]
    assert re.search(rf"org id +{org_id}\nname +A \[bold]name\n", narrow)
    assert raw.startswith('{"org_id": ')


@pytest.mark.parametrize("width", [80, 200])
async def test_a_user_is_shown_on_one_screen(own_instance: Instance, width: int) -> None:
    environment = _environment_of(own_instance)
    admin = own_instance.admin
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    person = await with_passkey(await given.user(admin, org_id=org_id, name=f"ada-{width}"))
    for number in range(7):
        await person.sign_in(device_name=f"Firefox {number} " + "on Linux " * 9)
    group_id = await groups.group(owner, name=f"team-{width}", display_name="Team")
    await groups.add_member(owner, group_id, person.user_id)

    shown = await _at_a_terminal(environment, "user", "show", person.user_id, columns=width)

    assert max(map(len, shown.splitlines())) <= width
    assert re.search(rf"(?m)^user name +ada-{width}$", shown)
    assert "lock reason" not in shown
    parts = re.findall(r"(?m)^(passkeys|sessions|groups|applications|mails) (\d+)$", shown)
    assert [(name, int(number)) for name, number in parts if name != "mails"] == [
        *(("passkeys", 1), ("sessions", 7), ("groups", 1), ("applications", 0)),
    ]
    assert re.search(r"(?m)^name +display name\nteam-\d+ +Team *$", shown)
    assert "and 2 more: see --json" in shown


async def test_objects_within_an_object_are_sections_of_their_own(own_instance: Instance) -> None:
    environment = _environment_of(own_instance)
    admin = own_instance.admin
    person = await given.user(admin, roles=[user_pb.ROLE_ORG_AUDITOR])

    system = await _at_a_terminal(environment, "system", "show", columns=80)
    user = await _at_a_terminal(environment, "user", "show", person.user_id, columns=80)

    assert max(map(len, system.splitlines())) <= 80
    assert "{" not in system + user
    assert re.search(r"\n\ndatabase\nversion +\d", system)
    assert re.search(r"\n\nfindings\nstate +check +message +remedy +\n", system)
    assert re.search(r"(?m)^KEYSTEAD_WORKERS +1 +(yes|no) *$", system)
    assert re.search(r"\n\nrole grants\nrole +granted at .*\nORG_AUDITOR +now ", user)


async def test_an_organization_is_removed_once_its_name_is_typed(own_instance: Instance) -> None:
    environment = _environment_of(own_instance)
    admin = own_instance.admin
    org_id = await given.organization(admin, name="Former")
    await given.user(admin, org_id=org_id)

    told = await _at_a_terminal(environment, "org", "remove", org_id, typed="Former\n")

    assert "The organization 'Former' was removed." in told
    assert "Former" not in await _at_a_terminal(environment, "org", "list")


async def test_a_list_of_users_has_one_line_a_person_at_80_columns(own_instance: Instance) -> None:
    admin = own_instance.admin
    org_id = await given.organization(admin)
    people = {"user_name": "ada", "display_name": "=1+1;=2", "email": "ada@example.com"}
    await users.create(admin, org_id=org_id, **people)
    await users.create(admin, org_id=org_id, user_name="bob", display_name="B" * 90)
    environment = _environment_of(own_instance)

    listed = await _at_a_terminal(environment, "user", "list", "--org", org_id, columns=80)
    as_csv = await _at_a_terminal(environment, "user", "list", "--org", org_id, "--csv")

    header, ada, bob = listed.splitlines()
    assert header.split() == [
        "user",
        "name",
        "display",
        "name",
        "state",
        "last",
        "sign",
        "in",
        "at",
    ]
    assert ada.split() == ["ada", "=1+1;=2", "ACTIVE", "-"]
    assert bob.startswith("bob")
    assert max(map(len, listed.splitlines())) <= 80
    # A spreadsheet would compute the name, or, where lists have semicolons, the rest of it.
    assert "ada,,ada@example.com,,'=1+1;'=2,ACTIVE,," in as_csv


_MAIL = """
insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference, parameters,
    has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at, created_at, ended_at,
    org_id)
values ($1, 'passkey_registration_link', 'user', $2, '', '', '{}', false, 'example.com', 'sent',
    now(), now(), now(), now(), now(), 'org')"""


async def test_lists_at_80_columns_have_the_whole_ids_that_commands_need(
    own_instance: Instance,
) -> None:
    admin = own_instance.admin
    org_id = await given.organization(admin)
    environment = _environment_of(own_instance)
    person = await with_passkey(await given.user(admin, org_id=org_id, name="a" * 60))
    session = await person.sign_in(device_name="Firefox on Linux " * 5)
    mail_id = str(uuid4())
    async with given.sql(own_instance.dsn) as sql:
        await sql.execute(_MAIL, mail_id, f"{'b' * 60}@example.com")

    sessions, mails = await asyncio.gather(
        _at_a_terminal(environment, "session", "list", "--org", org_id, columns=80),
        _at_a_terminal(environment, "mail", "list", columns=80),
    )

    [line] = sessions.splitlines()[1:]
    session_id = session.answer.session_id
    assert re.fullmatch(rf"{session_id}  Firefox on L\u2026 +now +aaaaaaa+\u2026 *", line)
    [line] = mails.splitlines()[1:]
    assert re.fullmatch(rf"{mail_id}  passkey_\w+\u2026 +SENT +bbbbbbb+\u2026 *", line)


async def test_the_log_is_in_sentences_that_name_people(
    instance: Instance, environment: Mapping[str, str]
) -> None:
    ada = await given.user(instance.admin, name="ada-of-the-log")

    told = await _at_a_terminal(environment, "audit", "--aggregate", ada.user_id)
    raw = await _at_a_terminal(environment, "audit", "--aggregate", ada.user_id, "--raw")

    date, created, token, *_ = told.splitlines()
    assert date.endswith(", UTC")
    assert created.partition(" ")[2].endswith(" created the user ada-of-the-log")
    assert token.partition(" ")[2].endswith(" created a token of ada-of-the-log's account")
    assert "\tuser.added\t" in raw


async def test_the_log_is_saved_as_csv(instance: Instance, environment: Mapping[str, str]) -> None:
    ada = await given.user(instance.admin)

    told = await _at_a_terminal(environment, "audit", "--aggregate", ada.user_id, "--csv")

    header, created, token = csv.reader(io.StringIO(told))
    assert header[:3] == ["created_at", "sequence", "event_type"]
    assert (created[2], token[2]) == ("user.added", "user.token_created")
    assert "display_name" not in json.loads(created[header.index("payload")])
    assert "display_name" in created[header.index("withheld_fields")].split(",")


async def test_each_date_is_told_once(instance: Instance) -> None:
    async with connected(instance.dsn, pool_size=1) as database:
        sentences = Sentences(database, idle_timeout=timedelta(hours=1))
        event = _event("user.removed", {"ended_session_ids": ["1", "2"]}, aggregate_id="gone")

        first = await sentences.lines([event])
        next_day = replace(event, created_at=event.created_at + timedelta(seconds=1))
        second = await sentences.lines([event, next_day])

    line = "23:59:59 the operator removed the user gone; 2 sessions ended"
    assert first == ["2026-11-25, UTC", line]
    assert second == [line, "2026-11-26, UTC", line.replace("23:59:59", "00:00:00")]


async def test_a_sentence_names_devices_and_objects(instance: Instance) -> None:
    admin = instance.admin
    person = await with_passkey(await given.user(admin, name="ada-with-a-device"))
    session = await person.sign_in(device_name="Chrome on Linux")
    user_id, idp_id = person.client.user_id, await given.idp(admin)
    owner = (await idps.get(admin, idp_id)).details.resource_owner
    events: list[tuple[str, dict[str, Any], str]] = [
        (
            "user.session_started",
            {"session_id": session.session_id},
            "ada-with-a-device signed in with a passkey, Chrome on Linux, 127.0.0.1",
        ),
        (
            "user.session_started",
            {"session_id": "ended"},
            "ada-with-a-device signed in with a passkey",
        ),
        ("user.passkey_renamed", {}, "ada-with-a-device renamed a passkey of their account"),
        ("user.role_granted", {"role": "ORG_OWNER"}, "ada-with-a-device granted"),
        ("user.idp_linked", {"idp_id": idp_id}, "ada-with-a-device linked their account to "),
        ("user.group_joined", {"group_id": "gone"}, "added ada-with-a-device to the group gone"),
        ("user.application_granted", {"application_id": "gone"}, "gave gone access to"),
        ("organization.brand_set", {"of_instance": True}, "set the brand of the instance"),
        ("organization.brand_set", {"of_instance": False}, f"set the brand of {user_id}"),
        (
            "organization.mail_text_set",
            {"of_instance": True, "mail_text_id": "passkey_added.de"},
            "set the mail text passkey_added.de of the instance",
        ),
        ("user.of_a_later_release", {}, f"user.of_a_later_release of {user_id}"),
    ]

    async with connected(instance.dsn, pool_size=1) as database:
        sentences = Sentences(database, idle_timeout=timedelta(hours=1))
        for event_type, payload, words in events:
            event = _event(event_type, payload, aggregate_id=user_id, creator=user_id, owner=owner)
            assert words in await sentences.sentence(event)


def _event(event_type: str, payload: dict[str, Any], **fields: str) -> StoredEvent:
    columns = {"sequence": 1, "owner": "", "creator": "operator", **fields}
    return StoredEvent(
        created_at=datetime(2026, 11, 25, 23, 59, 59, tzinfo=UTC),
        event_type=event_type,
        aggregate_type=event_type.partition(".")[0],
        payload=payload,
        **columns,  # type: ignore[arg-type]
    )


async def test_a_sentence_about_mail_names_its_organization(instance: Instance) -> None:
    admin = instance.admin
    org_id = await given.organization(admin, name="Contoso Ltd")
    place: dict[str, Any] = {"x_service_orgid": org_id}
    await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config(), **place)
    await admin.call(admin.smtp.RemoveSMTPConfig, smtp_pb.RemoveSMTPConfigRequest(), **place)

    async with connected(instance.dsn, pool_size=1) as database:
        sentences = Sentences(database, idle_timeout=timedelta(hours=1))
        wanted = Wanted(types=("smtp_config",))
        *_, of_organization, removed = await read_events(database, wanted, limit=100)
        told = [await sentences.sentence(each) for each in (of_organization, removed)]
        of_instance = _event("smtp_config.changed", {}, aggregate_id="config", owner=org_id)
        of_instance_told = await sentences.sentence(of_instance)

    assert of_instance_told == "the operator changed the SMTP configuration"
    named = "the SMTP configuration of the organization Contoso Ltd"
    assert [each.partition(" ")[2] for each in told] == [f"added {named}", f"removed {named}"]
