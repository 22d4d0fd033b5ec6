"""The mails to a user about a new link and a removed one."""

import json
from collections.abc import AsyncIterator, Sequence

import asyncpg
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.idp import signins
from tests.session import sessions
from tests.session.sessions import Person
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.oidc_provider import Provider


@pytest.fixture
async def mailing(relying: Instance) -> AsyncIterator[Instance]:
    """The server with an SMTP configuration."""
    admin = relying.admin
    await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config())
    yield relying
    await admin.call(admin.smtp.RemoveSMTPConfig, smtp_pb.RemoveSMTPConfigRequest())


async def _person(admin: Client, org_id: str, *, email: str = "ada@example.com") -> Person:
    """A user whose address was set before the test."""
    user = await given.user(admin, org_id=org_id)
    request = user_pb.PatchUserRequest(
        user=user_pb.User(user_id=user.user_id, email=email, display_name="Ada Lovelace"),
        update_mask=FieldMask(paths=["email", "display_name"]),
    )
    await admin.call(admin.users.PatchUser, request)
    return await sessions.with_passkey(user)


async def _notices(dsn: str, user_id: str) -> Sequence[asyncpg.Record]:
    """The mails to the user about links, oldest first."""
    async with given.sql(dsn) as rows:
        mails: Sequence[asyncpg.Record] = await rows.fetch(
            "select * from mails where user_id = $1 and kind like 'idp_%' order by mail_id", user_id
        )
    return mails


async def test_the_user_is_told_of_a_new_link_and_of_its_removal(
    mailing: Instance, provider: Provider
) -> None:
    site = await signins.site(mailing, provider, name="Example Corp")
    person = await _person(mailing.admin, site.org_id)
    client = (await person.sign_in()).client

    linked = await signins.link(client, await site.callback())
    await signins.unlink(client, linked.link_id)

    told = await _notices(mailing.dsn, person.user_id)
    assert [mail["kind"] for mail in told] == ["idp_linked", "idp_unlinked"]
    for mail in told:
        assert (mail["recipient_address"], mail["recipient_name"], mail["reference"]) == (
            "ada@example.com",
            "Ada Lovelace",
            linked.link_id,
        )
        assert json.loads(mail["parameters"]) == {"idp_name": "Example Corp", "further_count": ""}


async def test_the_user_is_told_of_a_link_that_a_manager_removes(
    mailing: Instance, provider: Provider
) -> None:
    site = await signins.site(mailing, provider)
    provider.speak_of("ada", email="ada@example.com", email_verified=True)
    user_id = (await site.sign_in()).answer.user_id
    assert await _notices(mailing.dsn, user_id) == []  # registration sends no notice
    [link] = await signins.links(site.owner, user_id)

    await signins.unlink(site.owner, link.link_id, user_id)

    [mail] = await _notices(mailing.dsn, user_id)
    assert (mail["kind"], mail["user_id"]) == ("idp_unlinked", user_id)


async def test_of_what_was_refused_nobody_is_told(mailing: Instance, provider: Provider) -> None:
    site = await signins.site(mailing, provider)
    person = await _person(mailing.admin, site.org_id)
    client = (await person.sign_in()).client
    provider.speak_of("eve")
    await site.sign_in()

    taken = await given.refusal(signins.link(client, await site.callback()))
    unknown = await given.refusal(signins.unlink(client, "unknown"))

    assert (taken.reason, unknown.reason) == ("IDENTITY_LINKED", "IDP_LINK_NOT_FOUND")
    assert await _notices(mailing.dsn, person.user_id) == []


async def test_the_old_address_is_told_once_of_a_new_one_at_the_provider(
    mailing: Instance, provider: Provider
) -> None:
    site = await signins.site(mailing, provider)
    await site.set_config(update_email_at_sign_in=True)
    provider.speak_of("ada", email="ada@example.com", email_verified=True)
    user_id = (await site.sign_in()).answer.user_id
    provider.speak_of("ada", email="ada@example.org", email_verified=True)

    for _ in range(2):
        await site.sign_in()

    async with given.sql(mailing.dsn) as rows:
        mails = await rows.fetch(
            "select kind, recipient_address from mails where user_id = $1", user_id
        )
        [changed] = [
            each["payload"]
            for each in await given.logged(rows, user_id)
            if each["event_type"] == "user.changed"
        ]
    assert [tuple(mail) for mail in mails] == [("email_changed", "ada@example.com")]
    assert changed["makers"] == [site.org_id]
