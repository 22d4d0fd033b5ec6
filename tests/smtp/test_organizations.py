"""SMTP configurations of organizations, selected by the header `x-service-orgid`."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.mail.v1 import mail_service_pb2 as mail_pb
from keystead.org.v1 import brand_service_pb2 as brand_pb
from keystead.smtp.v1 import smtp_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring
from server.smtp import stored_password
from server.smtp.store import find_sender, list_organizations
from server.store.database import Database
from tests.conftest import MakeInstance
from tests.smtp import calls
from tests.support import given
from tests.support.given import Client, Instance
from tests.support.mail_server import mail_server

_REMOVE = """
with removed as (delete from smtp_configurations where org_id = $1 returning id)
delete from secrets using removed where aggregate_id = removed.id"""


@dataclass
class Organization:
    """An organization with its owner; calls have its ID in the header."""

    org_id: str
    owner: Client

    def call(self, method: str, request: Any, *, caller: Client | None = None) -> Any:
        client = caller or self.owner
        return client.call(getattr(client.smtp, method), request, x_service_orgid=self.org_id)

    def add(self, **fields: Any) -> Any:
        return self.call("AddSMTPConfig", given.smtp_config(**fields))

    async def get(self) -> pb.SMTPConfig:
        return (await self.call("GetSMTPConfig", pb.GetSMTPConfigRequest())).smtp_config


@pytest.fixture
async def organization(instance: Instance, sql: asyncpg.Connection) -> AsyncIterator[Organization]:
    """An organization without a configuration."""
    org_id = await given.organization(instance.admin)
    owner = await given.user(instance.admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])
    yield Organization(org_id, owner)
    await sql.execute(_REMOVE, org_id)


async def test_an_owner_manages_the_configuration_of_the_organization(
    organization: Organization, admin: Client, sql: asyncpg.Connection
) -> None:
    added = await organization.add(host="mail.own.example:587")
    await organization.call("SetSMTPOAuth", calls.oauth())
    await organization.call("RemoveSMTPOAuth", pb.RemoveSMTPOAuthRequest())
    update = given.smtp_update(sender_name="Own", password="other")
    await organization.call("UpdateSMTPConfig", update)
    password = pb.UpdateSMTPConfigPasswordRequest(password="third")
    await organization.call("UpdateSMTPConfigPassword", password)

    config = await organization.get()
    assert (config.sender_name, config.password_set) == ("Own", True)
    assert added.details.resource_owner == config.details.resource_owner == organization.org_id
    refused = await given.refusal(calls.get(admin))
    assert refused.code is grpc.StatusCode.NOT_FOUND

    await organization.call("RemoveSMTPConfig", pb.RemoveSMTPConfigRequest())
    events = await sql.fetch(
        "select event_type from events where owner = $1 and aggregate_type = $2 order by sequence",
        organization.org_id,
        "smtp_config",
    )
    assert [event["event_type"].removeprefix("smtp_config.") for event in events] == [
        *("added", "oauth_set", "oauth_removed", "changed", "password_changed", "removed")
    ]
    assert await sql.fetch("select from secrets where aggregate_id <> 'signing_keys'") == []


async def test_instance_and_organizations_each_have_one_configuration(
    organization: Organization, admin: Client, database: Database
) -> None:
    assert await find_sender(database, organization.org_id) is None
    await calls.add(admin, given.smtp_config(sender_address="a@instance.example"))
    assert await find_sender(database, organization.org_id) == ("", "instance.example")

    await organization.add(sender_address="a@own.example")
    refused = await given.refusal(organization.add())

    assert refused.reason == "SMTP_CONFIG_ALREADY_EXISTS"
    assert (await calls.get(admin)).sender_address == "a@instance.example"
    assert (await organization.get()).sender_address == "a@own.example"
    assert await list_organizations(database) == ["", organization.org_id]
    assert await find_sender(database, organization.org_id) == (
        organization.org_id,
        "own.example",
    )


async def test_others_have_no_right_to_it(organization: Organization, instance: Instance) -> None:
    await organization.add()
    stranger = await given.user(instance.admin, roles=[user_pb.ROLE_ORG_OWNER])
    request = pb.GetSMTPConfigRequest()

    for refused in (
        await given.refusal(organization.call("GetSMTPConfig", request, caller=stranger)),
        await given.refusal(calls.get(organization.owner)),
        await given.refusal(calls.add(organization.owner)),
    ):
        assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    assert await organization.call("GetSMTPConfig", request, caller=instance.admin)


async def test_an_etag_is_that_of_the_selected_configuration(
    organization: Organization, admin: Client
) -> None:
    await calls.add(admin)
    added = await organization.add()
    owner, update = organization.owner, given.smtp_update(sender_name="Other")

    async def changed(sequence: int) -> Any:
        return await owner.call(
            owner.smtp.UpdateSMTPConfig,
            update,
            x_service_orgid=organization.org_id,
            if_match=f'"{sequence}"',
        )

    refused = await given.refusal(changed((await calls.get(admin)).details.sequence))
    assert refused.reason == "ETAG_MISMATCH"
    assert await changed(added.details.sequence)


async def test_a_test_is_one_of_the_selected_configuration(organization: Organization) -> None:
    async with mail_server() as server:
        host = f"127.0.0.1:{server.port}"
        await organization.add(host=host, tls=False, user="", password="")
        request = pb.TestSMTPConfigRequest(receiver_address="ada@example.com")
        tested = await organization.call("TestSMTPConfig", request)

    assert all(step.succeeded for step in tested.steps)
    assert len(server.received) == 1


async def test_networks_of_the_operator_are_not_open_to_organizations(
    make_instance: MakeInstance,
) -> None:
    async with (
        make_instance(smtp_allowed_networks="127.0.0.1") as own,
        mail_server() as server,
    ):
        org_id = await given.organization(own.admin)
        host = {"host": f"127.0.0.1:{server.port}", "tls": False, "user": "", "password": ""}
        organization = Organization(org_id, own.admin)
        unsaved = pb.TestSMTPConfigRequest(unsaved_config=given.smtp_update(**host))
        tested = [await organization.call("TestSMTPConfig", unsaved)]
        await organization.add(**host)
        tested.append(await organization.call("TestSMTPConfig", pb.TestSMTPConfigRequest()))

    for each in tested:
        assert [step.reason for step in each.steps] == ["ADDRESS_NOT_ALLOWED"]
    assert server.commands == []


async def test_rotation_moves_the_password_of_each_configuration(
    organization: Organization, admin: Client, database: Database, keys: list[bytes]
) -> None:
    await calls.add(admin)
    await organization.add()
    rotated = Keyring([b"new".ljust(32), *keys])

    moved = [
        await stored_password.rotate(database, rotated, each)
        for each in await list_organizations(database)
    ]

    assert moved == [True, True]


async def test_previews_have_the_name_of_the_selected_organization(
    organization: Organization, instance: Instance
) -> None:
    owner = organization.owner
    brand = brand_pb.SetBrandRequest(org_id=organization.org_id, name="Own Ltd")
    await owner.call(owner.brands.SetBrand, brand)

    async def text(client: Client, **headers: Any) -> str:
        request = mail_pb.ListMailPreviewsRequest()
        answer = await client.call(client.mails.ListMailPreviews, request, **headers)
        return str(answer.previews[0].text)

    assert "Own Ltd" in await text(owner, x_service_orgid=organization.org_id)
    assert "Own Ltd" not in await text(instance.admin)
    refused = await given.refusal(text(owner))
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
