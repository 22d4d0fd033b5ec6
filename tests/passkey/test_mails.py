"""The mails about passkeys: a link, and the notice of a new passkey."""

import json
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.passkey.ceremonies import Begun, begin, passkeys, register, remove
from tests.passkey.links import Link, create, state
from tests.smtp import calls as smtp
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses
from tests.user import calls as users

_GOOGLE = bytes.fromhex("ea9b8d664d011d213ce4b6b48cb575d4")


@pytest.fixture(scope="module")
def instance(mailing_instance: Instance) -> Instance:
    return mailing_instance


@pytest.fixture
async def without_configuration(admin: Client) -> AsyncIterator[None]:
    """Removes the SMTP configuration during the test."""
    await smtp.remove(admin)
    yield
    await smtp.add(admin)


@pytest.fixture
async def user(admin: Client) -> Client:
    """A user whose mail budget is unused."""
    return await _user(admin)


def _user(admin: Client, **fields: str) -> Awaitable[Client]:
    names = {"user_name": f"ada-{uuid4().hex}", "display_name": "Ada Lovelace"}
    return addresses.user(admin, **names, **fields)


async def _address(rows: asyncpg.Connection, user: Client) -> str:
    return await rows.fetchval("select email from users where id = $1", user.user_id)


async def _mails(rows: asyncpg.Connection, user: Client) -> list[asyncpg.Record]:
    return await rows.fetch("select * from mails where user_id = $1 order by mail_id", user.user_id)


async def test_a_link_that_is_sent_is_in_the_mail_and_nowhere_else(
    instance: Instance, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    answer = await create(admin, user, send=True)

    assert (answer.code, answer.link) == ("", "")
    [mail] = await _mails(rows, user)
    assert mail["mail_id"] == answer.mail_id
    assert (mail["kind"], mail["state"]) == ("passkey_registration_link", "pending")
    assert mail["recipient_name"] == "Ada Lovelace"
    assert mail["recipient_address"] == await _address(rows, user)
    expiry = answer.expires_at.ToDatetime(mail["holds_until"].tzinfo)
    assert mail["holds_until"] == expiry
    assert json.loads(mail["parameters"]) == {"expiry": expiry.isoformat()}
    await (await Link.mailed(instance, rows, mail["mail_id"])).register()


async def test_a_link_that_was_sent_outlives_who_created_it(
    instance: Instance, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    creator = await given.user(admin, roles=[user_pb.ROLE_INSTANCE_OWNER])
    await create(creator, user, send=True)

    await users.remove(admin, creator.user_id)

    [mail] = await _mails(rows, user)
    await (await Link.mailed(instance, rows, mail["mail_id"])).register()


async def test_the_log_tells_that_a_link_was_sent(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await create(admin, user, send=True)

    [event] = await given.logged(rows, user.user_id, "user.passkey_link_created")
    [mail] = await _mails(rows, user)
    assert event["payload"]["delivery"] == "send_link"
    assert event["payload"]["link_id"] == mail["reference"]


async def test_a_mail_whose_link_ended_with_the_grant_of_a_role_is_not_sent(
    admin: Client, rows: asyncpg.Connection
) -> None:
    org_id = await given.organization(admin)
    manager = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_USER_MANAGER])
    user = await _user(admin, org_id=org_id)
    created = await create(manager, user, send=True)

    await users.grant(admin, user.user_id, user_pb.ROLE_INSTANCE_OWNER)

    [mail] = await _mails(rows, user)
    assert (mail["mail_id"], mail["state"]) == (created.mail_id, "cancelled")
    assert await state(rows, user) == []
    erased = "select count(*) from secrets where aggregate_id = $1"
    assert await rows.fetchval(erased, created.mail_id) == 0


@pytest.mark.parametrize("send", [True, False], ids=["send", "return"])
async def test_a_mail_whose_link_was_replaced_is_not_sent(
    send: bool, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    old = await create(admin, user, send=True)

    await create(admin, user, send=send)

    states = {mail["mail_id"]: mail["state"] for mail in await _mails(rows, user)}
    assert states.pop(old.mail_id) == "cancelled"
    assert list(states.values()) == (["pending"] if send else [])


async def test_a_mail_whose_link_was_used_is_not_sent_again(
    instance: Instance, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await create(admin, user, send=True)
    [mail] = await _mails(rows, user)
    begun = await (await Link.mailed(instance, rows, mail["mail_id"])).begin()
    [pending] = await _mails(rows, user)

    await begun.verify(by=begun.token_holder)

    [ended, _notice] = await _mails(rows, user)
    assert (pending["state"], ended["state"]) == ("pending", "cancelled")


async def test_a_mail_whose_link_could_not_be_used_is_still_sent(limited: Instance) -> None:
    admin = limited.admin
    user = await _user(admin)
    async with given.sql(limited.dsn) as rows:
        await create(admin, user, send=True)
        [mail] = await _mails(rows, user)
        begun = await (await Link.mailed(limited, rows, mail["mail_id"])).begin()
        for _ in range(2):
            await register(user)

        assert await given.outcome(begun.verify(by=begun.token_holder)) == "TOO_MANY_PASSKEYS"
        states = {each["mail_id"]: each["state"] for each in await _mails(rows, user)}
        assert states[mail["mail_id"]] == "pending"


async def test_a_user_without_an_address_gets_no_link(
    admin: Client, rows: asyncpg.Connection
) -> None:
    user = await _user(admin, email="")
    good = await create(admin, user)

    refused = await given.refusal(create(admin, user, send=True))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "USER_HAS_NO_EMAIL"
    # Nothing was changed: the previous link is still valid.
    await Link.of(good.link, admin).register()


@pytest.mark.usefixtures("without_configuration")
async def test_without_a_configuration_no_link_is_sent(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    refused = await given.refusal(create(admin, user, send=True))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "SMTP_CONFIG_MISSING"
    assert await state(rows, user) == []


async def test_an_address_gets_no_more_than_its_share(limited: Instance) -> None:
    admin, address = limited.admin, f"{uuid4().hex}@example.com"
    org_id = await given.organization(admin)
    users = [await _user(admin, email=address, org_id=org_id) for _ in range(8)]

    ended = await given.outcomes(create(admin, user, send=True) for user in users)

    # One mail at once, and one that may wait for its turn within the hour.
    assert ended == {"OK": 2, "TOO_MANY_MAILS": 6}
    async with given.sql(limited.dsn) as rows:
        assert [await state(rows, user) for user in users].count(["good"]) == 2


async def test_links_that_replace_each_other_are_no_more_than_one_to_wait_for(
    limited: Instance,
) -> None:
    user = await _user(limited.admin)

    ended = await given.outcomes(create(limited.admin, user, send=True) for _ in range(8))

    assert ended == {"OK": 8}
    async with given.sql(limited.dsn) as rows:
        [waiting] = [mail for mail in await _mails(rows, user) if mail["state"] == "pending"]
        assert waiting["due_at"] - waiting["created_at"] <= timedelta(hours=1)


async def test_the_user_is_told_of_a_new_passkey(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await begun.verify(begun.credential(aaguid=_GOOGLE), passkey_name="Phone")

    [mail] = await _mails(rows, user)
    assert (mail["kind"], mail["reference"]) == ("passkey_added", begun.passkey_id)
    assert mail["recipient_name"] == "Ada Lovelace"
    assert mail["recipient_address"] == await _address(rows, user)
    assert json.loads(mail["parameters"]) == {
        "passkey_name": "Phone",
        "provider_name": "Google Password Manager",
        "further_count": "",
    }


async def test_the_user_is_told_of_a_passkey_that_was_registered_by_a_link(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    begun = await Link.of((await create(admin, user)).link, admin).register()

    [mail] = await _mails(rows, user)
    assert (mail["kind"], mail["reference"]) == ("passkey_added", begun.passkey_id)


async def test_of_one_passkey_the_user_is_told_once(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await given.outcomes(begun.verify() for _ in range(20))

    assert len(await _mails(rows, user)) == 1


async def test_of_passkeys_that_are_added_at_once_the_user_is_told_of_each(
    user: Client, rows: asyncpg.Connection
) -> None:
    ceremonies = [await begin(user) for _ in range(10)]

    ended = await given.outcomes(begun.verify() for begun in ceremonies)

    assert ended == {"OK": 10}
    parameters = [json.loads(mail["parameters"]) for mail in await _mails(rows, user)]
    further = [int(each["further_count"] or 0) for each in parameters]
    assert len(parameters) + sum(further) == 10


@pytest.mark.parametrize("same_org", [False, True], ids=["another organization", "the same"])
async def test_nobody_else_can_hold_back_what_a_user_is_told(
    same_org: bool, limited: Instance
) -> None:
    admin, address = limited.admin, f"{uuid4().hex}@example.com"
    org_id = await given.organization(admin)
    victim = await _user(admin, email=address, org_id=org_id)
    sham = await _user(admin, email=address, org_id=org_id if same_org else "")
    for _ in range(30):
        await remove(sham, (await register(sham)).passkey_id)
    await create(admin, sham, send=True)
    await users.remove(admin, sham.user_id)

    await register(victim)
    await create(admin, victim, send=True)

    async with given.sql(limited.dsn) as rows:
        notice, link = await _mails(rows, victim)
    assert (notice["kind"], link["kind"]) == (
        "passkey_added",
        "passkey_registration_link",
    )
    # Not the time of the next attempt, which the server has changed.
    assert notice["due_at"] == notice["created_at"]
    assert link["due_at"] - link["created_at"] <= timedelta(hours=1)


async def test_of_a_try_that_failed_nobody_is_told(
    begun: Begun, user: Client, rows: asyncpg.Connection
) -> None:
    await given.refusal(begun.verify(begun.credential(up=False)))

    assert await _mails(rows, user) == []


async def test_a_user_without_an_address_is_told_of_no_passkey(
    admin: Client, rows: asyncpg.Connection
) -> None:
    user = await _user(admin, email="")

    await register(user)

    assert await _mails(rows, user) == []
    assert len(await passkeys(user)) == 1


@pytest.mark.usefixtures("without_configuration")
async def test_without_a_configuration_nobody_is_told_of_a_passkey(
    user: Client, rows: asyncpg.Connection
) -> None:
    await register(user)

    assert await _mails(rows, user) == []
    assert len(await passkeys(user)) == 1
