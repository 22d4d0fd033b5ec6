"""Organizations, users, their tokens, passkeys and sessions, by the command line."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.cli import paging
from server.crypto.keyring import create_key_file
from tests.cli.words import Keystead, columns, commands_on, done, objects, unique
from tests.passkey import ceremonies
from tests.passkey.links import Link
from tests.session import sessions
from tests.smtp import calls as smtp
from tests.support import given, process
from tests.support.certificates import Authority
from tests.support.given import Instance
from tests.user import calls


async def test_an_operator_makes_an_organization_a_user_and_a_token_that_works(
    instance: Instance, keystead: Keystead
) -> None:
    organization, name = unique("org"), unique("user")

    org_id = await done(keystead("org", "create", organization))
    user_id = await done(keystead("user", "create", name, "--org", organization))
    await done(keystead("user", "grant", name, "org_owner", "--org", organization))
    token = await done(keystead("token", "create", name, "--org", org_id, "--expires-at", "+2d"))

    caller = instance.admin.with_token(token, user_id)
    assert await given.idp(caller)
    assert token.startswith("kst_")
    orgs, users, [[_id, _name, expires_at, *_]] = await asyncio.gather(
        columns(keystead("org", "list")),
        columns(keystead("user", "list", "--org", organization)),
        columns(keystead("token", "list", user_id)),
    )
    assert [org_id, organization, "no", "-", "no", "no"] in orgs
    assert users == [[user_id, name, "ORG_OWNER", "-", "-", name, "ACTIVE", "-", "-"]]
    assert datetime.fromisoformat(expires_at).utcoffset() == timedelta()


async def test_an_operator_lets_a_workload_act_as_a_user(
    instance: Instance, keystead: Keystead
) -> None:
    user_id = (await calls.create(instance.admin)).user_id
    words = (
        *("token", "create-workload-credential", user_id, "--issuer", "https://ci.example.com"),
        *("--audience", f"https://id.example.com/{user_id}", "--subject", "deploy"),
    )
    claims = ("--claim", "owner_id=4711", "--claim", "ref=refs/heads/a=b")

    token_id = await done(keystead(*words, *claims))
    without_value = await keystead(*words, "--claim", "owner_id")
    twice = await keystead(*words, "--claim", "a=1", "--claim", "a=2")

    [token] = await calls.tokens(instance.admin, user_id)
    assert (token.token_id, token.workload.subject) == (token_id, "deploy")
    assert dict(token.workload.claims) == {"owner_id": "4711", "ref": "refs/heads/a=b"}
    [listed] = await columns(keystead("token", "list", user_id))
    assert listed[-1] == "deploy"
    for refused in (without_value, twice):
        assert refused.status == 2
        assert "NAME=VALUE" in refused.errors


async def test_an_operator_adds_a_certificate_from_standard_input(
    instance: Instance, keystead: Keystead, tmp_path: Path
) -> None:
    user, certificate = await given.user(instance.admin), Authority(tmp_path).certificate()
    words = ("token", "create-certificate", user.user_id, "-", "--name", "orders")

    token_id = await done(keystead(*words, stdin=certificate.pem.encode()))
    again = await keystead(*words, stdin=certificate.pem.encode())

    tokens = await objects(keystead("token", "list", user.user_id, "--json"))
    assert [
        (each["token_id"], each["thumbprint"]) for each in tokens if each["name"] == "orders"
    ] == [(token_id, certificate.thumbprint)]
    assert again.status == 1
    assert f"has this certificate as token {token_id}" in again.errors


async def test_revoked_tokens_and_roles_and_removed_users_are_gone(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)
    await done(keystead("user", "grant", user.user_id, "ORG_USER_MANAGER"))
    [[token_id, *_]] = await columns(keystead("token", "list", user.user_id))

    await done(keystead("token", "revoke", user.user_id, token_id))
    await done(keystead("user", "revoke", user.user_id, "ORG_USER_MANAGER"))
    remaining = await done(keystead("token", "list", user.user_id))
    await done(keystead("user", "remove", user.user_id))
    events = await objects(
        keystead("audit", "--json", "--aggregate", user.user_id, "--creator", "operator")
    )

    assert remaining == ""
    assert len(events) == 4
    assert user.token not in str(events)


async def test_an_operator_cannot_lock_the_last_instance_owner(own_instance: Instance) -> None:
    last = await commands_on(own_instance)("user", "lock", own_instance.admin.user_id)

    assert last.status == 1
    assert "the only instance owner without an end who can sign in" in last.errors


async def test_an_operator_creates_a_link_and_lists_the_registered_passkey(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)

    url = await done(keystead("passkey", "link", user.user_id))
    begun = await Link.of(url, instance.admin).register()

    [listed], [as_json] = await asyncio.gather(
        columns(keystead("passkey", "list", user.user_id)),
        objects(keystead("passkey", "list", user.user_id, "--json")),
    )
    assert listed == [begun.passkey_id, "Key", "-", as_json["creation_date"]]
    assert (as_json["passkey_id"], as_json["user_verified"]) == (begun.passkey_id, True)
    renamed = await done(keystead("passkey", "rename", user.user_id, begun.passkey_id, "Phone"))
    assert renamed == f"The passkey was renamed: {begun.passkey_id}"
    await done(keystead("passkey", "remove", user.user_id, begun.passkey_id))
    assert await done(keystead("passkey", "list", user.user_id)) == ""


async def test_the_access_of_a_lost_passkey_ends_with_it(
    instance: Instance, keystead: Keystead
) -> None:
    person = await sessions.person(instance.admin)
    lost = await sessions.with_passkey(person.client)
    await calls.create_token((await lost.sign_in()).client, person.user_id)

    kept = await done(keystead("passkey", "remove", person.user_id, person.passkey_id))
    ended = await done(
        keystead("passkey", "remove", "--lost-or-stolen", person.user_id, lost.passkey_id)
    )

    nothing = "sessions 0, access of applications 0, tokens 0"
    assert kept.splitlines() == [
        f"The passkey was removed: {person.passkey_id}",
        f"Ended: {nothing}",
    ]
    assert ended.splitlines() == [
        f"The passkey was removed: {lost.passkey_id}",
        "Ended: sessions 1, access of applications 0, tokens 1",
    ]


async def test_an_operator_gets_a_link_to_the_console_for_the_administrator(
    own_instance: Instance,
) -> None:
    url = await done(commands_on(own_instance)("console"))

    link = Link.of(url, own_instance.admin)
    assert (await link.check()).return_to == "http://localhost:8080/console/"
    assert (await link.register()).passkey_id


async def test_a_link_to_the_console_is_of_no_use_to_a_user_without_roles(
    instance: Instance, keystead: Keystead
) -> None:
    user = await given.user(instance.admin)

    refused = await keystead("console", user.user_id)

    assert refused.status == 1
    assert "has no role that opens the console" in refused.errors


async def test_an_operator_has_a_link_mailed(own_instance: Instance) -> None:
    admin = own_instance.admin
    await smtp.add(admin)
    user_id = (await calls.create(admin, user_name="ada", email="ada@example.com")).user_id

    mail_id = await done(commands_on(own_instance)("passkey", "link", "ada", "--send"))

    async with given.sql(own_instance.dsn) as rows:
        mailed = await rows.fetchrow("select kind, user_id from mails where mail_id = $1", mail_id)
    assert mailed is not None
    assert tuple(mailed) == ("passkey_registration_link", user_id)


async def test_no_link_is_mailed_under_a_key_that_the_servers_do_not_have(
    own_instance: Instance, tmp_path: Path
) -> None:
    admin = own_instance.admin
    await smtp.add(admin)
    await calls.create(admin, user_name="ada", email="ada@example.com")
    create_key_file(tmp_path / "encryption.keys")

    refused = await process.keystead(
        *("passkey", "link", "ada", "--send"), data_dir=tmp_path, database_url=own_instance.dsn
    )

    assert (refused.status, refused.output) == (1, "")
    assert "that are not configured" in refused.errors
    async with given.sql(own_instance.dsn) as rows:
        assert await rows.fetchval("select count(*) from mails") == 0
        assert await rows.fetchval("select count(*) from passkey_links") == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--display-name", "Ada Lovelace"), ("Ada Lovelace", "ada@example.com")),
        (("--email", "countess@example.com"), ("Ada", "countess@example.com")),
        (("--display-name", "", "--email", ""), ("ada", "")),
    ],
    ids=["display name", "address", "nothing of either"],
)
async def test_only_the_given_fields_are_set(
    instance: Instance,
    keystead: Keystead,
    sql: asyncpg.Connection,
    words: tuple[str, ...],
    expected: tuple[str, str],
) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))
    created = ("ada", "--display-name", "Ada", "--email", "ada@example.com")
    user_id = await done(keystead("user", "create", *created, "--org", organization))

    await done(keystead("user", "set", "ada", *words, "--org", organization))

    user: user_pb.User = await calls.get(instance.admin, user_id)
    creator = "select creator from events where aggregate_id = $1 and event_type = 'user.changed'"
    assert (user.display_name, user.email) == expected
    assert await sql.fetchval(creator, user_id) == "operator"


async def test_an_operator_sees_the_sessions_of_an_organization(
    instance: Instance, keystead: Keystead, monkeypatch: pytest.MonkeyPatch
) -> None:
    org_id = await given.organization(instance.admin)
    people = [
        await sessions.person(instance.admin, org_id=org_id, name=name) for name in ("ada", "bob")
    ]
    expected = [[(await person.sign_in()).session_id for _ in range(2)] for person in people]
    for rows in (1, 3, 200):
        monkeypatch.setattr(paging, "MAX_PAGE_SIZE", rows)
        listed = await columns(keystead("session", "list", "--org", org_id))
        assert [(row[0], row[-1]) for row in listed] == [
            *((session_id, "ada") for session_id in expected[0]),
            *((session_id, "bob") for session_id in expected[1]),
        ]
    of_one = await objects(keystead("session", "list", "ada", "--org", org_id, "--json"))
    assert [each["session_id"] for each in of_one] == expected[0]


async def test_an_operator_sees_the_sessions_of_a_user_and_ends_one(
    instance: Instance, keystead: Keystead
) -> None:
    person = await sessions.person(instance.admin)
    kept, ended = await person.sign_in(), await person.sign_in(device_name="Phone")

    last = await done(keystead("session", "end", ended.session_id))
    [listed] = await objects(keystead("session", "list", person.user_id, "--json"))
    [row] = await columns(keystead("session", "list", person.user_id))

    assert (listed["session_id"], listed["passkey_id"]) == (kept.session_id, person.passkey_id)
    assert (listed["device_name"], listed["ip_address"]) == ("", "127.0.0.1")
    assert last == f"The session ended: {ended.session_id}"
    assert row[:3] == [kept.session_id, "-", "127.0.0.1"]
    assert (row[4], row[-1]) == (listed["idle_expires_at"], listed["user_name"])
    all_ended = await done(keystead("session", "end-all", person.user_id))
    assert all_ended == f"Sessions of '{person.user_id}' that ended: 1"
    refused = await given.refusal(ceremonies.begin(ended.client))
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
