"""Lists of objects of an organization, by a text, a filter and an order, with their number."""

from typing import Any

import asyncpg
import pytest

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.group.v1 import group_service_pb2 as group_pb
from server.access import listing
from tests.support import given
from tests.support.given import Client

_NAMES = ("Ada", "Bob", "Grün", "Zoë")


@pytest.fixture
async def org_id(admin: Client, sql: asyncpg.Connection) -> str:
    """An organization with groups and applications, made on one day of 2036 each."""
    org_id = await given.organization(admin)
    kinds = (application_pb.APPLICATION_KIND_SERVICE, application_pb.APPLICATION_KIND_NATIVE)
    for number, name in enumerate(_NAMES):
        group = group_pb.CreateGroupRequest(name=f"group-{number}", display_name=name)
        await admin.call(admin.groups.CreateGroup, group, x_service_orgid=org_id)
        kind = kinds[number % 2]
        uris = ["com.example.app:/done"] if number % 2 else []
        application = application_pb.Application(name=name, kind=kind, redirect_uris=uris)
        request = application_pb.CreateApplicationRequest(application=application)
        await admin.call(admin.applications.CreateApplication, request, x_service_orgid=org_id)
    for table in ("groups", "applications"):
        await sql.execute(
            f"update {table} set change_date = timestamptz '2036-01-01Z'"  # noqa: S608
            " + interval '1 day' * (row.place % 3) from (select id as row_id, row_number()"
            f" over (order by id) - 1 as place from {table} where owner = $1) as row"
            f" where {table}.id = row.row_id",
            org_id,
        )
    return org_id


async def _page(client: Client, kind: str, org_id: str, **fields: Any) -> Any:
    if kind == "groups":
        group_request = group_pb.ListGroupsRequest(**fields)
        return await client.call(client.groups.ListGroups, group_request, x_service_orgid=org_id)
    request = application_pb.ListApplicationsRequest(**fields)
    return await client.call(client.applications.ListApplications, request, x_service_orgid=org_id)


async def _names(client: Client, kind: str, org_id: str, **fields: Any) -> list[str]:
    names, token = list[str](), ""
    while True:
        page = await _page(client, kind, org_id, page_size=1, page_token=token, **fields)
        names += [getattr(each, "display_name", "") or each.name for each in getattr(page, kind)]
        token = page.next_page_token
        if not token:
            return names


@pytest.mark.parametrize("kind", ["groups", "applications"])
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, "Ada Bob Grün Zoë"),
        ({"query": "grun"}, "Grün"),
        ({"query": "ZOE"}, "Zoë"),
        ({"query": "nobody"}, ""),
        ({"filter": "change_date = 2036-01-01T00:00:00Z"}, "Ada Zoë"),
        ({"filter": "change_date > 2036-01-01T00:00:00Z", "query": "b"}, "Bob"),
        ({"order_by": "change_date"}, "Ada Zoë Bob Grün"),
        ({"order_by": "change_date desc"}, "Grün Bob Zoë Ada"),
        ({"order_by": "creation_date desc"}, "Zoë Grün Bob Ada"),
    ],
)
async def test_a_list_has_what_a_text_and_a_filter_select(
    admin: Client, org_id: str, kind: str, fields: dict[str, str], found: str
) -> None:
    assert await _names(admin, kind, org_id, **fields) == found.split()
    page = await _page(admin, kind, org_id, with_total_size=True, **fields)
    assert (page.total_size, page.total_size_is_minimum) == (len(found.split()), False)


async def test_applications_of_a_kind(admin: Client, org_id: str) -> None:
    names = await _names(admin, "applications", org_id, filter="kind != SERVICE")
    assert names == ["Bob", "Zoë"]
    names = await _names(
        admin,
        "applications",
        org_id,
        filter="first_party = false AND kind = APPLICATION_KIND_NATIVE",
    )
    assert names == ["Bob", "Zoë"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"filter": "name = Ada"}, "filter"),
        ({"filter": "change_date = yesterday"}, "filter"),
        ({"order_by": "name"}, "orderBy"),
        ({"page_token": "AAAA"}, "pageToken"),
    ],
)
async def test_other_fields_are_refused(
    admin: Client, org_id: str, fields: dict[str, str], field: str
) -> None:
    for kind in ("groups", "applications"):
        refused = await given.refusal(_page(admin, kind, org_id, **fields))
        assert refused.violations.keys() == {field}


async def test_a_token_is_of_one_list(admin: Client, org_id: str) -> None:
    page = await _page(admin, "groups", org_id, page_size=1)
    other = _page(admin, "groups", org_id, query="b", page_token=page.next_page_token)
    assert await given.outcome(other) == "INVALID_FIELDS"


async def test_the_number_is_bounded(
    admin: Client, org_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_COUNTED", 3)

    page = await _page(admin, "groups", org_id, with_total_size=True)

    assert (page.total_size, page.total_size_is_minimum) == (3, True)
