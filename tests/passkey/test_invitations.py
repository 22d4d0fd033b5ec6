"""Registration links that say who invites, and to what."""

import json
from typing import Any

import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.passkey.v1 import passkey_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.application import calls as applications
from tests.passkey import links
from tests.support import given
from tests.support.given import Client, Instance
from tests.user import addresses
from tests.user import calls as users


async def _manager(admin: Client, org_id: str) -> Client:
    roles = [user_pb.ROLE_ORG_OWNER]
    manager = await given.user(admin, org_id=org_id, roles=roles)
    await users.patch(admin, manager.user_id, ["display_name"], display_name="Grace Hopper")
    return manager


async def _name(admin: Client, org_id: str) -> str:
    request = org_pb.GetOrganizationRequest(org_id=org_id)
    answer = await admin.call(admin.orgs.GetOrganization, request)
    return answer.organization.name


async def _invite(by: Client, user: Client, **fields: Any) -> links.Link:
    return await links.link(by, user, is_invitation=True, **fields)


async def test_the_holder_learns_who_invites_to_which_organization(
    admin: Client, org_id: str
) -> None:
    manager, user = await _manager(admin, org_id), await given.user(admin, org_id=org_id)
    application_id = await applications.application(manager, name="Orders")

    invited = await (await _invite(manager, user, application_id=application_id)).check()
    plain = await (await links.link(manager, user)).check()

    assert invited.invitation == pb.Invitation(
        inviter_name="Grace Hopper",
        organization_name=await _name(admin, org_id),
        application_name="Orders",
    )
    assert not plain.HasField("invitation")


async def test_removed_objects_are_named_no_longer(admin: Client, org_id: str) -> None:
    manager, user = await _manager(admin, org_id), await given.user(admin, org_id=org_id)
    await users.patch(admin, user.user_id, ["email"], email=addresses.unused())
    application_id = await applications.application(manager, name="Orders")
    link = await _invite(admin, user, application_id=application_id)
    await applications.remove(manager, application_id)

    invitation = (await link.check()).invitation

    assert invitation.application_name == ""
    assert invitation.organization_name == await _name(admin, org_id)


@pytest.mark.parametrize("audience", ["ORGANIZATION", "ALL"])
async def test_an_application_of_another_organization_is_named_if_it_is_for_all(
    admin: Client, org_id: str, audience: str
) -> None:
    user = await given.user(admin, org_id=org_id)
    application_id = await applications.application(
        admin,
        name="Wiki",
        audience=application_pb.ApplicationAudience.Value(f"APPLICATION_AUDIENCE_{audience}"),
    )

    invite = _invite(admin, user, application_id=application_id)

    if audience == "ALL":
        assert (await (await invite).check()).invitation.application_name == "Wiki"
    else:
        assert list((await given.refusal(invite)).violations) == ["applicationId"]


async def test_only_an_invitation_names_an_application(admin: Client, org_id: str) -> None:
    user = await given.user(admin, org_id=org_id)
    application_id = await applications.application(admin)

    refused = await given.refusal(links.create(admin, user, application_id=application_id))

    assert list(refused.violations) == ["applicationId"]


async def test_the_mail_has_the_names(mailing_instance: Instance) -> None:
    admin = mailing_instance.admin
    org_id = await given.organization(admin)
    manager, user = await _manager(admin, org_id), await given.user(admin, org_id=org_id)
    await users.patch(manager, user.user_id, ["email"], email=addresses.unused())

    created = await links.create(manager, user, send=True, is_invitation=True)

    async with given.sql(mailing_instance.dsn) as rows:
        mail = await rows.fetchrow("select * from mails where mail_id = $1", created.mail_id)
    assert mail is not None
    parameters = json.loads(mail["parameters"])
    assert mail["kind"] == "passkey_invitation"
    assert parameters.pop("expiry")
    assert parameters == {
        "inviter_name": "Grace Hopper",
        "organization_name": await _name(admin, org_id),
        "application_name": "",
    }
