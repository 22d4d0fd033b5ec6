"""InviteUsers: many links by mail in one call, each as by CreatePasskeyRegistrationLink."""

import asyncio
import time
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_import_pb2 as import_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.moving import people
from tests.passkey import links
from tests.passkey.invites import HAS_PASSKEY, INVITED, INVITED_BEFORE, REFUSED, send, states
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses, calls

_UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture
async def org_id(limited: Instance) -> str:
    """An organization of the server that may send mail, with one mail an hour to an address."""
    return await given.organization(limited.admin)


@pytest.fixture
async def owner(limited: Instance, org_id: str) -> Client:
    return await given.user(limited.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])


def _person(**fields: Any) -> import_pb.ImportedUser:
    return people.user(**{"email": addresses.unused()} | fields)


async def _people(owner: Client, *users: import_pb.ImportedUser) -> list[str]:
    await people.send(owner, *users)
    return [each.user_id for each in users]


async def _imported(owner: Client, **fields: Any) -> str:
    return (await _people(owner, _person(**fields)))[0]


async def _reasons(client: Client, *user_ids: str, **fields: Any) -> list[str]:
    return [each.reason for each in await send(client, *user_ids, **fields)]


async def test_each_of_500_people_gets_a_link_of_its_own(owner: Client, limited: Instance) -> None:
    ids = await _people(owner, *(_person() for _ in range(500)))
    application_id = await applications.application(owner, name="Orders")

    results = await send(owner, *ids, application_id=application_id)

    assert [(each.user_id, each.state) for each in results] == [(each, INVITED) for each in ids]
    async with given.sql(limited.dsn) as sql:
        mails = await sql.fetch(
            "select user_id, mail_id, kind from mails where user_id = any($1)", ids
        )
        assert len(mails) == 500
        assert {each["user_id"] for each in mails} == set(ids)
        assert {each["kind"] for each in mails} == {"passkey_invitation"}
        by_user = {each["user_id"]: each["mail_id"] for each in mails}
        for user_id in ids[::250]:
            link = await links.Link.mailed(limited, sql, by_user[user_id])
            assert link.user_id == user_id
            invitation = (await link.check()).invitation
            assert invitation.application_name == "Orders"
            await link.register()
        [event] = await given.logged(sql, ids[1], "user.passkey_link_created")
        assert event["creator"] == owner.user_id
        assert event["payload"]["delivery"] == "send_link"
    again = await states(owner, *ids[:2], not_again_within_seconds=60)
    assert again == [HAS_PASSKEY, INVITED_BEFORE]


async def test_people_are_skipped_or_refused_one_by_one(owner: Client, limited: Instance) -> None:
    moved = _person(passkeys=[people.passkey().message])
    silent, locked, invited = _person(email=""), _person(is_locked=True), _person()
    ids = await _people(owner, moved, silent, locked, invited)
    stranger = await given.user(limited.admin)

    results = await send(owner, *ids, _UNKNOWN, stranger.user_id)

    assert [(each.state, each.reason) for each in results] == [
        (HAS_PASSKEY, ""),
        (REFUSED, "USER_HAS_NO_EMAIL"),
        (REFUSED, "USER_LOCKED"),
        (INVITED, ""),
        (REFUSED, "PERMISSION_DENIED"),
        (REFUSED, "PERMISSION_DENIED"),
    ]
    assert all(bool(each.description) == (each.state == REFUSED) for each in results)
    assert await states(owner, ids[0], also_with_passkey=True) == [INVITED]


async def test_a_person_with_the_maximum_of_passkeys_is_refused(owner: Client) -> None:
    handle = b"the handle"
    passkeys = [people.passkey(user_handle=handle).message for _ in range(2)]
    user_id = await _imported(owner, passkeys=passkeys)

    assert await _reasons(owner, user_id, also_with_passkey=True) == ["TOO_MANY_PASSKEYS"]


async def test_a_call_again_sends_no_second_mail_and_tells_when_the_first_was(
    owner: Client,
) -> None:
    first, second = await _people(owner, _person(), _person())
    assert await states(owner, first) == [INVITED]

    [before, new] = await send(owner, first, second, not_again_within_seconds=3600)

    assert (before.state, new.state) == (INVITED_BEFORE, INVITED)
    assert abs(before.invited_at.ToMilliseconds() / 1000 - time.time()) < 60


async def test_a_person_is_invited_again_at_a_new_address(owner: Client) -> None:
    user_id = await _imported(owner)
    assert await states(owner, user_id) == [INVITED]

    await calls.patch(owner, user_id, ["email"], email=addresses.unused())

    assert await states(owner, user_id, not_again_within_seconds=3600) == [INVITED]


async def test_the_budget_of_an_address_refuses_mails_and_keeps_the_links(
    limited: Instance, org_id: str
) -> None:
    address = addresses.unused()
    pair = [
        (await addresses.created(limited.admin, org_id=org_id, user_name=name, email=email)).user_id
        for name, email in (("ada", address), ("eve", address.title()))
    ]
    other = (await addresses.created(limited.admin, org_id=org_id, user_name="bob")).user_id

    # Of several mails to an address, a call writes one; the next one waits for an hour.
    for _ in range(2):
        found = await states(
            limited.admin, *pair, not_again_within_seconds=60, x_service_orgid=org_id
        )
        assert INVITED in found
    refused = await send(limited.admin, *pair, other, x_service_orgid=org_id)

    assert [(each.state, each.reason) for each in refused] == [
        (REFUSED, "TOO_MANY_MAILS"),
        (REFUSED, "TOO_MANY_MAILS"),
        (INVITED, ""),
    ]
    assert all(0 < each.retry_after.ToSeconds() <= 3600 for each in refused[:2])
    async with given.sql(limited.dsn) as sql:
        for user_id in pair:
            assert await links.state(sql, limited.admin.with_token("", user_id)) == ["good"]


async def test_a_trial_tells_the_results_and_sends_nothing(
    owner: Client, limited: Instance
) -> None:
    user_id = await _imported(owner)

    assert await states(owner, user_id, x_validate_only="true") == [INVITED]

    async with given.sql(limited.dsn) as sql:
        assert await addresses.mails(sql, owner.with_token("", user_id)) == []
        assert await links.state(sql, owner.with_token("", user_id)) == []


async def test_nobody_invites_people_with_more_permissions_or_of_other_organizations(
    owner: Client, limited: Instance, org_id: str
) -> None:
    manager = await given.user(limited.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_HELP_DESK])
    user_id = await _imported(owner)
    foreign = await given.organization(limited.admin)

    assert await _reasons(manager, owner.user_id, user_id) == ["PERMISSION_DENIED", ""]
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await send(manager, user_id, x_service_orgid=foreign)
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_an_address_that_others_have_set_gets_no_link_of_an_owner(
    owner: Client, limited: Instance, org_id: str
) -> None:
    manager = await given.user(limited.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
    user_id = (await addresses.created(manager, org_id=org_id, email=addresses.unused())).user_id
    await calls.grant(owner, user_id, user_pb.ROLE_ORG_OWNER)

    assert await _reasons(owner, user_id) == ["EMAIL_SET_BY_OTHERS"]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, "userIds"),
        ({"user_ids": ["u"] * 501}, "userIds"),
        ({"user_ids": ["u"], "not_again_within_seconds": -1}, "notAgainWithinSeconds"),
        ({"user_ids": ["u"], "not_again_within_seconds": 7_776_001}, "notAgainWithinSeconds"),
        ({"user_ids": ["u"], "application_id": _UNKNOWN}, "applicationId"),
        ({"user_ids": ["u"], "return_to": "https://elsewhere.example.com/"}, "returnTo"),
    ],
)
async def test_wrong_fields_of_a_call_are_named(
    owner: Client, fields: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await send(owner, *fields.pop("user_ids", []), **fields)

    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert wrong in str(refused.value.details())


async def test_nobody_is_invited_without_a_mail_server(admin: Client) -> None:
    org_id = await given.organization(admin)
    user_id = (await addresses.created(admin, org_id=org_id)).user_id

    for each in (user_id, _UNKNOWN):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await send(admin, each, x_service_orgid=org_id)

        assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION


async def test_calls_for_the_same_people_at_the_same_time_send_one_mail_each(
    owner: Client, limited: Instance, org_id: str
) -> None:
    ids = await _people(owner, *(_person() for _ in range(40)))
    manager = await given.user(limited.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])

    results = await asyncio.gather(
        states(owner, *ids, not_again_within_seconds=60),
        states(manager, *reversed(ids), not_again_within_seconds=60),
        states(owner, *ids[::2], manager.user_id, not_again_within_seconds=60),
    )

    assert sum(each.count(INVITED) for each in results) == 40
    async with given.sql(limited.dsn) as sql:
        written = await _count(sql, ids)
    assert written == 40


async def _count(sql: asyncpg.Connection, ids: list[str]) -> int:
    written: int = await sql.fetchval(
        "select count(*) from passkey_links where user_id = any($1)", ids
    )
    return written
