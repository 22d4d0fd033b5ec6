"""CreateOrganization, GetOrganization, PatchOrganization, ListOrganizations."""

from collections.abc import Awaitable
from typing import Any
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.org.v1 import organization_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.caller import OPERATOR
from server.access.checked_append import written_by
from server.org import commands, store
from server.org.events import OrganizationAdded
from server.store.database import Database, connected
from server.store.refusals import UniqueConflictError
from server.values.errors import Failure
from server.values.ids import new_id
from tests.org import calls
from tests.support import given
from tests.support.given import Client, Instance


def create(client: Client, name: str) -> Awaitable[pb.CreateOrganizationResponse]:
    return client.call(client.orgs.CreateOrganization, pb.CreateOrganizationRequest(name=name))


async def get(client: Client, org_id: str) -> pb.Organization:
    return (
        await client.call(client.orgs.GetOrganization, pb.GetOrganizationRequest(org_id=org_id))
    ).organization


async def patch(client: Client, org_id: str, *paths: str, **fields: Any) -> pb.Organization:
    """Patches the fields. The mask names all of them, or `paths`."""
    details = (await calls.patch(client, org_id, *paths, **fields)).details
    organization = await get(client, org_id)
    assert organization.details == details
    return organization


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


async def test_the_database_refuses_a_second_default_organization(instance: Instance) -> None:
    event = OrganizationAdded(f"Second {uuid4()}", f"second {uuid4()}", is_default=True)

    async with connected(instance.dsn, pool_size=1) as database:
        with pytest.raises(UniqueConflictError):
            await store.ADD.details(
                database, event, **written_by(OPERATOR), organization_id=new_id()
            )


async def test_the_list_is_oldest_first_and_has_one_default_organization(admin: Client) -> None:
    created = [(await create(admin, f"Org {uuid4()}")).org_id for _ in range(3)]

    listed = await all_of(admin)

    org_ids = [each.org_id for each in listed]
    assert [org_id for org_id in org_ids if org_id in created] == created
    assert org_ids == sorted(org_ids)
    assert [each.name for each in listed if each.is_default] == ["default"]


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


async def test_of_concurrent_creations_of_one_name_one_wins_and_is_an_event(
    admin: Client, instance: Instance
) -> None:
    name = f"Org {uuid4()}"

    ended = await given.outcomes(create(admin, name) for _ in range(20))

    assert ended == {"OK": 1, "ORGANIZATION_ALREADY_EXISTS": 19}
    async with given.sql(instance.dsn) as sql:
        events = "select count(*) from events where payload->>'name' = $1"
        assert await sql.fetchval(events, name) == 1


_WRONG_NAMES = ["", "x" * 201, "a\tb", " default", "def\u200dault"]


async def test_a_wrong_name_is_a_field_violation(admin: Client) -> None:
    for name in _WRONG_NAMES:
        refused = await given.refusal(create(admin, name))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT, name
        assert refused.violations.keys() == {"name"}, name


async def test_its_owner_allows_recovery_by_mail_which_is_off_at_first(
    owner: Client, org_id: str, admin: Client
) -> None:
    before = await get(owner, org_id)

    after = await patch(owner, org_id, allows_mail_recovery=True)

    assert not before.allows_mail_recovery
    assert after.allows_mail_recovery
    assert after.details.sequence > before.details.sequence
    assert after in await all_of(admin)
    assert not (await patch(owner, org_id, "*", name=before.name)).allows_mail_recovery


async def test_its_owner_renames_it_and_the_former_name_is_free(
    owner: Client, org_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    former, name = (await get(owner, org_id)).name, f"Renamed {uuid4()}"

    after = await patch(owner, org_id, name=name)
    other = await create(admin, former)

    assert after.name == name
    assert (await get(admin, other.org_id)).name == former
    [_added, changed, *_rest] = await given.logged(sql, org_id)
    assert changed["payload"] == {"name": name, "name_claim": name.casefold()}
    taken = await given.refusal(create(admin, name.upper()))
    assert taken.reason == "ORGANIZATION_ALREADY_EXISTS"


async def test_a_name_of_another_organization_is_refused_regardless_of_case(admin: Client) -> None:
    names = [f"Org {uuid4()}" for _ in range(2)]
    first, _second = [(await create(admin, name)).org_id for name in names]

    refused = await given.refusal(patch(admin, first, name=names[1].upper()))

    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.reason == "ORGANIZATION_ALREADY_EXISTS"
    assert (await get(admin, first)).name == names[0]
    assert (await patch(admin, first, name=names[0].upper())).name == names[0].upper()


async def test_of_concurrent_renames_to_one_name_one_wins(admin: Client) -> None:
    created = [(await create(admin, f"Org {uuid4()}")).org_id for _ in range(5)]
    name = f"Org {uuid4()}"

    ended = await given.outcomes(patch(admin, org_id, name=name) for org_id in created)

    assert ended == {"OK": 1, "ORGANIZATION_ALREADY_EXISTS": 4}


async def test_a_wrong_new_name_is_a_field_violation(org_id: str, admin: Client) -> None:
    for name in _WRONG_NAMES:
        refused = await given.refusal(patch(admin, org_id, name=name))

        assert refused.violations.keys() == {"organization.name"}, name


async def test_every_user_sees_the_name_of_its_organization(org_id: str, admin: Client) -> None:
    name = (await get(admin, org_id)).name
    for roles in ([], [user_pb.ROLE_ORG_USER_MANAGER]):
        user = await given.user(admin, org_id=org_id, roles=roles)

        answer = await user.call(user.users.GetCurrentUser, user_pb.GetCurrentUserRequest())

        assert answer.org_name == name


async def test_a_patch_that_changes_nothing_writes_no_event(
    org_id: str, admin: Client, sql: asyncpg.Connection
) -> None:
    first = await patch(admin, org_id, allows_mail_recovery=True)

    again = await patch(admin, org_id, allows_mail_recovery=True)

    assert again == first
    [_added, changed] = await given.logged(sql, org_id)
    assert changed["payload"] == {"allows_mail_recovery": True}
    assert changed["creator"] == admin.user_id


async def test_its_owner_names_the_hosts_of_metadata_documents(
    owner: Client, org_id: str, sql: asyncpg.Connection
) -> None:
    hosts = ["app.example.com", "localhost:8443", "xn--bcher-kva.example", "*"]

    before = await get(owner, org_id)
    named = await patch(owner, org_id, client_metadata_hosts=hosts)
    again = await patch(owner, org_id, client_metadata_hosts=hosts)
    other = await patch(owner, org_id, allows_mail_recovery=True)

    assert before.client_metadata_hosts == []
    assert named.client_metadata_hosts == hosts
    assert again == named
    assert other.client_metadata_hosts == hosts
    assert (await patch(owner, org_id, "*", name=before.name)).client_metadata_hosts == []
    _added, *changes = await given.logged(sql, org_id)
    assert [event["payload"] for event in changes] == [
        {"client_metadata_hosts": hosts},
        {"allows_mail_recovery": True},
        {
            "name": before.name,
            "name_claim": before.name.casefold(),
            "allows_mail_recovery": False,
            "client_metadata_hosts": [],
            "allows_sign_up": False,
            "keeps_profiles": False,
            "allows_mail_fallback": False,
        },
    ]


_WRONG_HOSTS = [
    "",
    "App.example.com",
    "https://app.example.com",
    "app.example.com/",
    "app.example.com:443",
    "*.example.com",
    "a@app.example.com",
    "b\u00fccher.example",
    "app.example.com:65536",
]


async def test_a_wrong_host_is_a_field_violation(org_id: str, admin: Client) -> None:
    for host in _WRONG_HOSTS:
        hosts = ["right.example", host, "right.example"]
        refused = await given.refusal(patch(admin, org_id, client_metadata_hosts=hosts))

        assert refused.violations.keys() == {
            "organization.clientMetadataHosts.1",
            "organization.clientMetadataHosts.2",
        }


async def test_more_than_fifty_hosts_are_refused(org_id: str, admin: Client) -> None:
    hosts = [f"app-{number}.example" for number in range(51)]

    refused = await given.refusal(patch(admin, org_id, client_metadata_hosts=hosts))

    assert refused.violations.keys() == {"organization.clientMetadataHosts"}


async def test_a_patch_without_an_organization_says_so_whoever_calls(admin: Client) -> None:
    for client in (admin, await given.user(admin)):
        refused = await given.refusal(patch(client, "", allows_mail_recovery=True))

        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {"organization.orgId"}


async def test_the_operator_cannot_patch_an_unknown_organization(database: Database) -> None:
    fields = commands.OrganizationFields(
        org_id=new_id(),
        name=None,
        allows_mail_recovery=True,
        client_metadata_hosts=None,
        allows_sign_up=None,
        keeps_profiles=None,
        allows_mail_fallback=None,
    )

    with pytest.raises(Failure) as refused:
        await commands.patch(database, fields, actor=OPERATOR)

    assert refused.value.reason == "ORGANIZATION_NOT_FOUND"
