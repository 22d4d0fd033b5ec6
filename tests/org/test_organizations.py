"""CreateOrganization, GetOrganization, ListOrganizations."""

import asyncio
from collections.abc import Awaitable
from uuid import uuid4

import grpc
import pytest

from keystead.org.v1 import organization_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.org import store
from server.org.events import OrganizationAdded
from server.store.database import UniqueConflictError, connected
from server.store.eventlog import new_id
from tests.support import given
from tests.support.given import Client, Instance


def create(client: Client, name: str) -> Awaitable[pb.CreateOrganizationResponse]:
    call: Awaitable[pb.CreateOrganizationResponse] = client.call(
        client.orgs.CreateOrganization, pb.CreateOrganizationRequest(name=name)
    )
    return call


async def get(client: Client, org_id: str) -> pb.Organization:
    answer: pb.GetOrganizationResponse = await client.call(
        client.orgs.GetOrganization, pb.GetOrganizationRequest(org_id=org_id)
    )
    return answer.organization


async def all_of(client: Client) -> list[pb.Organization]:
    found: list[pb.Organization] = []
    page_token = ""
    while True:
        request = pb.ListOrganizationsRequest(page_size=200, page_token=page_token)
        page = await client.call(client.orgs.ListOrganizations, request)
        found += page.organizations
        page_token = page.next_page_token
        if not page_token:
            return found


async def test_a_new_organization_is_read_back_and_owns_itself(admin: Client) -> None:
    name = f"Org {uuid4()}"

    created = await create(admin, name)

    organization = await get(admin, created.org_id)
    assert organization == pb.Organization(
        org_id=created.org_id, details=created.details, name=name, is_default=False
    )
    assert created.details.resource_owner == created.org_id
    assert created.details.creation_date == created.details.change_date


async def test_exactly_one_organization_is_the_default_one(admin: Client) -> None:
    await given.organization(admin)

    organizations = await all_of(admin)

    assert [each.name for each in organizations if each.is_default] == ["default"]


async def test_the_database_refuses_a_second_default_organization(instance: Instance) -> None:
    event = OrganizationAdded(f"Second {uuid4()}", f"second {uuid4()}", is_default=True)

    async with connected(instance.dsn, pool_size=1) as database:
        with pytest.raises(UniqueConflictError):
            await store.add(database, event, creator="test", organization_id=new_id())


async def test_the_list_is_oldest_first(admin: Client) -> None:
    created = [(await create(admin, f"Org {uuid4()}")).org_id for _ in range(3)]

    listed = [each.org_id for each in await all_of(admin)]

    assert [org_id for org_id in listed if org_id in created] == created
    assert listed == sorted(listed)


@pytest.mark.parametrize(
    "again",
    [
        "Stra\N{LATIN SMALL LETTER SHARP S}e \N{ANGSTROM SIGN}",
        "STRASSE \N{ANGSTROM SIGN}",
        "strasse \N{LATIN SMALL LETTER A WITH RING ABOVE}",
        "strasse a\N{COMBINING RING ABOVE}",
        "\N{FULLWIDTH LATIN SMALL LETTER S}trasse \N{ANGSTROM SIGN}",
    ],
    ids=["same", "upper case", "composed", "decomposed", "full width"],
)
async def test_a_name_that_people_take_for_the_same_already_exists(
    admin: Client, again: str
) -> None:
    unique = str(uuid4())
    await create(admin, f"{unique} Stra\N{LATIN SMALL LETTER SHARP S}e \N{ANGSTROM SIGN}")

    refused = await given.refusal(create(admin, f"{unique} {again}"))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "ORGANIZATION_ALREADY_EXISTS"


async def test_a_refused_name_leaves_no_event(admin: Client, instance: Instance) -> None:
    name = f"Org {uuid4()}"
    await create(admin, name)

    await given.refusal(create(admin, name))

    async with given.sql(instance.dsn) as sql:
        events = "select count(*) from events where payload->>'name' = $1"
        assert await sql.fetchval(events, name) == 1


async def test_of_concurrent_creations_of_one_name_one_wins(admin: Client) -> None:
    name = f"Org {uuid4()}"

    ended = await asyncio.gather(*(create(admin, name) for _ in range(20)), return_exceptions=True)

    errors = [end for end in ended if isinstance(end, grpc.aio.AioRpcError)]
    assert [error.code() for error in errors] == [grpc.StatusCode.ALREADY_EXISTS] * 19


@pytest.mark.parametrize(
    "name",
    ["", "x" * 201, "a\tb", " default", "def\u200dault"],
    ids=["empty", "201", "control", "white space", "zero width"],
)
async def test_a_wrong_name_is_a_field_violation(admin: Client, name: str) -> None:
    refused = await given.refusal(create(admin, name))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {"name"}


async def test_an_unknown_organization_is_not_found(admin: Client) -> None:
    refused = await given.refusal(get(admin, "nope"))

    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.resource == ("organization", "nope")


async def test_only_who_administers_the_instance_may_see_or_make_organizations(
    admin: Client,
) -> None:
    org_id = await given.organization(admin)
    owner = await given.user(admin, org_id=org_id, roles=[user_pb.ROLE_ORG_OWNER])

    refusals = [
        await given.refusal(call)
        for call in (
            create(owner, "Mine"),
            get(owner, org_id),
            owner.call(owner.orgs.ListOrganizations, pb.ListOrganizationsRequest()),
        )
    ]

    assert {each.code for each in refusals} == {grpc.StatusCode.PERMISSION_DENIED}
    assert len({each.message for each in refusals}) == 1
