"""ExportUsers: what moves out, and in again."""

import json
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from google.protobuf.json_format import ParseDict

from keystead.user.v1 import user_import_pb2 as pb
from server.operate.rebuild.run import rebuild
from server.store.database import connected
from server.user import store as user_store
from tests.cli.words import commands_on
from tests.group import calls as group_calls
from tests.idp import test_mappings
from tests.idp.signins import Site
from tests.moving import people
from tests.moving.people import IMPORTED
from tests.session import sessions
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.images import png
from tests.user import calls


async def _exported(admin: Client, org_id: str, size: int = 1) -> list[pb.ImportedUser]:
    """All users of an organization, in pages."""
    users, request = list[pb.ImportedUser](), pb.ExportUsersRequest(page_size=size)
    while True:
        answer = await admin.call(admin.users.ExportUsers, request, x_service_orgid=org_id)
        users += answer.users
        request.page_token = answer.next_page_token
        if not request.page_token:
            return users


async def test_users_move_out_and_in_again(relying: Instance, site: Site) -> None:
    await group_calls.group(site.owner, "staff")
    passkey = people.passkey(sign_count=7, name="Key", transports=["usb"])
    idp = await people.name_of_idp(site)
    moved = people.user(
        display_name="Ada",
        email="ada@example.com",
        email_verified=True,
        given_name="Ada",
        groups=["staff"],
        passkeys=[passkey.message],
        idp_links=[pb.ImportedIDPLink(idp=idp, subject="ada")],
        lock_reason="left",
        is_locked=True,
        picture=png(9),
    )
    await people.send(site.owner, moved)

    [exported, owner] = sorted(
        await _exported(relying.admin, site.org_id),
        key=lambda each: each.user_id == site.owner.user_id,
    )
    assert owner.user_id == site.owner.user_id
    assert exported.HasField("created_at")
    assert exported.picture == png(9)
    await calls.remove(site.owner, moved.user_id)
    assert await people.states(site.owner, exported) == [IMPORTED]
    [again, _] = sorted(
        await _exported(relying.admin, site.org_id, size=200),
        key=lambda each: each.user_id == site.owner.user_id,
    )

    assert again == exported


async def test_groups_of_a_provider_move_as_such_and_end_by_its_claims(site: Site) -> None:
    for name in ("staff", "ops", "night"):
        await group_calls.group(site.owner, name)
    await test_mappings.map_claims(site, test_mappings.row("groups"))
    session = await test_mappings.sign_in(site, groups=["ops", "night"])
    user_id = session.answer.user_id
    [staff] = [
        each.group_id for each in await group_calls.list_all(site.owner) if each.name == "staff"
    ]
    await group_calls.add_member(site.owner, staff, user_id)

    [moved] = [
        each
        for each in await _exported(site.instance.admin, site.org_id)
        if each.user_id == user_id
    ]
    await calls.remove(site.owner, user_id)
    assert await people.states(site.owner, moved) == [IMPORTED]
    before = await test_mappings.groups_of(site, session)
    assert (await test_mappings.sign_in(site, groups=["ops"])).answer.user_id == user_id

    assert (list(moved.groups), list(moved.idp_links[0].groups)) == (["staff"], ["night", "ops"])
    assert before == ["night", "ops", "staff"]
    assert await test_mappings.groups_of(site, session) == ["ops", "staff"]
    async with connected(site.instance.dsn, pool_size=2) as database:
        assert (await rebuild(database, repair=False)).differences == ()


async def test_an_export_has_what_sign_ins_changed(admin: Client, org_id: str) -> None:
    person = await sessions.person(admin, org_id=org_id)
    await person.sign_in(sign_count=9)

    [exported] = await _exported(admin, org_id)

    [passkey] = exported.passkeys
    assert (passkey.sign_count, passkey.HasField("last_used_at")) == (9, True)


async def test_an_address_that_an_administrator_vouches_for_is_not_exported_as_verified(
    admin: Client, org_id: str
) -> None:
    person = await given.user(admin, org_id=org_id)
    await calls.patch(
        admin,
        person.user_id,
        ["email", "email_verification"],
        email="ada@example.com",
        email_verification="EMAIL_VERIFICATION_ADMINISTRATOR",
    )

    [exported] = await _exported(admin, org_id)

    assert (exported.email, exported.email_verified) == ("ada@example.com", False)


async def test_only_instance_owners_with_a_recent_sign_in_export(
    admin: Client, owner: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    request = pb.ExportUsersRequest()
    signed_in = await sessions.signed_in(admin, roles=["ROLE_INSTANCE_OWNER"])
    await sessions.set_sign_in(sql, signed_in, minutes=11)

    refused = await given.refusal(owner.call(owner.users.ExportUsers, request))
    old = await given.refusal(signed_in.client.call(signed_in.client.users.ExportUsers, request))

    assert (refused.reason, old.reason) == ("PERMISSION_DENIED", "REAUTHENTICATION_REQUIRED")


async def test_the_command_writes_lines_that_an_import_takes(
    instance: Instance, owner: Client, org_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "people.ndjson"
    moved = [people.user() for _ in range(201)]  # more than a page
    await people.send(owner, *moved)

    words = ("export", "users", "--org", org_id)
    exported = await commands_on(instance)(*words, "--to", str(file))
    printed = await commands_on(instance)(*words)

    lines = file.read_text().splitlines()
    assert (printed.output.splitlines(), file.stat().st_mode & 0o777) == (lines, 0o600)
    users = [ParseDict(json.loads(line), pb.ImportedUser()) for line in lines]
    assert exported.errors == "202 users exported.\n"
    assert {owner.user_id, moved[-1].user_id} < {user.user_id for user in users}


async def test_an_organization_of_large_pictures_moves_out_and_in_again(
    instance: Instance, admin: Client, owner: Client, org_id: str, tmp_path: Path
) -> None:
    """More than two messages of 4 MiB can have, in pages and batches that the commands choose."""
    file, moved = tmp_path / "people.ndjson", [people.user() for _ in range(150)]
    picture = png(also=[b"gAMA"] * 2720)
    assert 31 * 1024 < len(picture) <= 32 * 1024
    for n, user in enumerate(moved):
        if n % 3:  # users without pictures among the others
            user.picture = picture
    for n in range(0, 150, 75):
        await people.send(owner, *moved[n : n + 75])
    first = await admin.call(
        admin.users.ExportUsers, pb.ExportUsersRequest(page_size=200), x_service_orgid=org_id
    )
    assert sum(len(each.picture) for each in first.users) <= 2 * 1024 * 1024
    assert len(await _exported(admin, org_id, size=200)) == 151

    words = ("export", "users", "--org", org_id, "--to", str(file))
    assert (await commands_on(instance)(*words)).errors == "151 users exported.\n"
    other = await given.organization(admin)
    for user in moved:
        await calls.remove(admin, user.user_id)
    lines = [line for line in file.read_text().splitlines() if owner.user_id not in line]
    assert len("".join(lines)) > 4 * 1024 * 1024
    file.write_text("\n".join(lines))
    imported = await commands_on(instance)("import", str(file), "--org", other)

    assert imported.output.startswith("150 users imported, 0 imported before, 0 refused.")
    users = {each.user_id: each for each in await _exported(admin, other, size=200)}
    assert [users[each.user_id].picture for each in moved] == [each.picture for each in moved]


async def test_a_user_who_is_removed_during_an_export_ends_no_page(
    admin: Client, owner: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = [people.user(picture=png()) for _ in range(2)]
    await people.send(owner, *moved)
    read = user_store.pictures
    ids = sorted(each.user_id for each in moved)

    async def pictures(*arguments: Any, **values: Any) -> Any:
        await calls.remove(admin, ids[0])
        return await read(*arguments, **values)

    monkeypatch.setattr(user_store, "pictures", pictures)
    answer = await admin.call(
        admin.users.ExportUsers, pb.ExportUsersRequest(page_size=200), x_service_orgid=org_id
    )

    exported = {each.user_id: each.picture for each in answer.users}
    assert (exported[ids[1]], answer.next_page_token) == (png(), "")


async def test_a_call_with_more_pictures_than_a_message_has_is_refused(owner: Client) -> None:
    picture = png(also=[b"gAMA"] * 2720)
    many = [people.user(picture=picture) for _ in range(140)]

    refused = await given.refusal(people.send(owner, *many))

    assert (refused.reason, "Send a smaller one" in refused.message) == ("MESSAGE_TOO_LARGE", True)
