"""Whoever sets the mail address of a user may read the links that are mailed there."""

from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from server.crypto.keyring import load_keyring
from tests.passkey.conftest import bare_user
from tests.passkey.links import Link, create, state
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.mailed_links import mailed_link
from tests.user import calls

MANAGER, OWNER = pb.ROLE_ORG_USER_MANAGER, pb.ROLE_INSTANCE_OWNER

user = bare_user


@pytest.fixture(scope="module")
def instance(mailing_instance: Instance) -> Instance:
    return mailing_instance


async def test_whoever_set_the_address_is_a_maker_of_a_mailed_link(
    admin: Client, manager: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await calls.patch(manager, user.user_id, ["email"], email="manager@example.com")
    await create(admin, user, send=True)

    await calls.grant(admin, user.user_id, OWNER)

    assert await state(rows, user) == []


async def test_no_link_of_a_user_is_mailed_to_an_address_that_somebody_below_has_set(
    admin: Client, manager: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await calls.patch(manager, user.user_id, ["email"], email="user@example.com")
    await calls.grant(admin, user.user_id, OWNER)

    refused = await given.refusal(create(admin, user, send=True))
    before = await calls.get(admin, user.user_id)
    confirmed = await calls.patch(admin, user.user_id, ["email"], email="user@example.com")
    again = await calls.patch(admin, user.user_id, ["email"], email="user@example.com")
    await create(admin, user, send=True)

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "EMAIL_SET_BY_OTHERS"
    assert before.details.sequence < confirmed.details.sequence == again.details.sequence
    assert await state(rows, user) == ["good"]


async def test_a_manager_who_names_the_address_of_a_new_user_has_set_it(
    admin: Client, manager: Client, org_id: str
) -> None:
    request = pb.CreateUserRequest(user_name=f"user-{uuid4().hex}", email="user@example.com")
    user_id = (await manager.call(manager.users.CreateUser, request)).user_id
    await calls.grant(admin, user_id, MANAGER)
    await create(manager, user_id, send=True)

    await calls.grant(admin, user_id, OWNER)

    assert await given.outcome(create(admin, user_id, send=True)) == "EMAIL_SET_BY_OTHERS"


@pytest.mark.parametrize("demoted", calls.DEMOTIONS)
async def test_a_mailed_link_ends_with_the_rights_of_the_one_who_set_the_address(
    demoted: str, instance: Instance, admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    """The mailbox may be its own, and no list shows the link."""
    fallen = await given.user(admin, roles=[OWNER])
    await calls.grant(admin, user.user_id, OWNER)
    await calls.patch(fallen, user.user_id, ["email"], email="fallen@example.com")
    created = await create(fallen, user, send=True)
    keyring = load_keyring((), instance.data_dir / "encryption.keys")
    link = Link.of(await mailed_link(rows, keyring, created.mail_id), admin)
    begun = await link.begin()

    await calls.DEMOTIONS[demoted](admin, fallen)

    for call in (link.begin(), begun.verify(by=begun.token_holder)):
        assert (await given.refusal(call)).reason == "EMAIL_SET_BY_OTHERS"
    await calls.patch(admin, user.user_id, ["email"], email="fallen@example.com")
    await link.register()  # the address is confirmed


async def test_nobody_knows_who_set_an_address_of_an_earlier_release(
    admin: Client, user: Client, rows: asyncpg.Connection
) -> None:
    await calls.patch(admin, user.user_id, ["email"], email="user@example.com")
    await rows.execute("update users set email_makers = null where id = $1", user.user_id)
    await create(admin, user, send=True)
    await calls.grant(admin, user.user_id, MANAGER)

    assert await given.outcome(create(admin, user, send=True)) == "EMAIL_SET_BY_OTHERS"
    await calls.remove(admin, user.user_id)  # the log has the makers
