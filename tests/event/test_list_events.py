"""ListEvents: conditions, order, pages, and the events that each caller may read."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf import json_format

from keystead.event.v1 import event_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.event.disclosure import SHOWN
from server.log import pages as log_pages
from tests.event import calls
from tests.idp import calls as idp_calls
from tests.support import given
from tests.support.given import METHOD, Client, Instance
from tests.support.transports import Call, Transports, authorization

_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


async def test_an_event_tells_what_when_whose_and_by_whom(owner: Client) -> None:
    added = await idp_calls.add(owner, name="Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")

    [event] = await calls.events(owner, aggregate_id=added.idp_id)

    payload = json_format.MessageToDict(event.payload)
    assert payload.keys() == SHOWN["idp.added"]
    assert payload["name"] == "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"
    assert (payload["styling_type"], payload["auto_register"]) == (0, False)
    event.ClearField("payload")
    assert event == pb.Event(
        sequence=added.details.sequence,
        aggregate_type="idp",
        aggregate_id=added.idp_id,
        event_type="idp.added",
        created_at=added.details.creation_date,
        creator=owner.user_id,
        resource_owner=added.details.resource_owner,
    )


async def test_personal_data_and_hashes_are_withheld_by_name(owner: Client) -> None:
    events = await calls.events(owner, aggregate_id=owner.user_id)

    withheld = {event.event_type: list(event.withheld_fields) for event in events}
    assert withheld == {
        "user.added": [
            "display_name",
            "email",
            "external_id",
            "family_name",
            "given_name",
            "locale",
            "user_handle",
            "user_name",
            "user_name_claim",
            "user_name_skeletons",
            "zoneinfo",
        ],
        "user.role_granted": [],
        "user.token_created": ["hash", "name"],
    }
    [created] = [event for event in events if event.event_type == "user.token_created"]
    assert set(created.payload) == {"began_with", "makers", "token_id"}


async def test_the_newest_comes_first_unless_the_oldest_is_asked_for(owner: Client) -> None:
    idp_ids = [await given.idp(owner) for _ in range(3)]

    newest = await calls.events(owner, event_types=["idp.added"])
    oldest = await calls.events(owner, event_types=["idp.added"], oldest_first=True)

    assert [event.aggregate_id for event in oldest] == idp_ids
    assert calls.keys(newest) == calls.keys(oldest)[::-1]


async def test_every_condition_must_be_met(owner: Client, admin: Client) -> None:
    idp_id = await given.idp(owner)
    renamed = await idp_calls.update(owner, idp_id, name="Renamed")
    moment = renamed.details.change_date.ToDatetime(UTC)
    later = moment + timedelta(microseconds=1)

    async def types(**fields: object) -> list[str]:
        events = await calls.events(owner, aggregate_type="idp", oldest_first=True, **fields)
        return [event.event_type for event in events]

    both = ["idp.added", "idp.changed"]
    assert await types() == both
    assert await types(aggregate_id=idp_id, creator=owner.user_id) == both
    assert await types(creator=owner.user_id) == both
    assert await types(event_types=["idp.changed"], creator=owner.user_id) == ["idp.changed"]
    assert await types(event_types=["idp.changed", "idp.added"]) == both
    assert await types(event_types=["idp.changed", "idp.removed"]) == ["idp.changed"]
    assert await types(event_types=["idp.*"]) == both
    assert await types(event_types=["user.*"]) == []
    assert await types(event_types=["user.*", "idp.added"]) == ["idp.added"]
    assert await types(since=calls.instant(moment)) == ["idp.changed"]
    assert await types(since=calls.instant(later)) == []
    assert await types(until=calls.instant(moment)) == ["idp.added"]
    assert await types(until=calls.instant(later)) == both
    assert await types(creator=admin.user_id) == []
    assert await types(aggregate_id=owner.user_id) == []


async def test_a_filter_stands_for_fields(owner: Client, admin: Client) -> None:
    idp_id = await given.idp(owner)
    renamed = await idp_calls.update(owner, idp_id, name="Renamed")
    moment = renamed.details.change_date.ToDatetime(UTC)
    instant = moment.isoformat()

    async def types(text: str) -> list[str]:
        text = f'event_type = "idp.*" AND {text}'.removesuffix(" AND ")
        events = await calls.events(owner, filter=text, oldest_first=True)
        return [event.event_type for event in events]

    both = ["idp.added", "idp.changed"]
    assert await types("") == both
    assert await types(f"aggregate_id = {idp_id} AND creator = {owner.user_id}") == both
    assert await types("event_type = idp.changed") == ["idp.changed"]
    assert await types("event_type != idp.changed") == ["idp.added"]
    assert await types(f'created_at = "{instant}"') == ["idp.changed"]
    assert await types(f'created_at > "{instant}"') == []
    assert await types(f'created_at < "{instant}"') == ["idp.added"]
    assert await types(f'created_at <= "{instant}"') == both
    assert await types(f"creator = {admin.user_id}") == []
    assert await types(f"aggregate_id = {owner.user_id}") == []


async def test_a_page_token_is_of_the_conditions_of_a_filter(owner: Client) -> None:
    for _ in range(2):
        await given.idp(owner)
    token = (await calls.page(owner, filter="event_type = idp.added", page_size=1)).next_page_token

    same = await calls.page(owner, event_types=["idp.added"], page_token=token)
    other = calls.page(owner, filter="event_type = idp.changed", page_token=token)

    assert len(same.events) == 1
    assert (await given.refusal(other)).violations.keys() == {"pageToken"}


@pytest.mark.parametrize("oldest_first", [False, True])
async def test_pages_go_through_all_events_once(owner: Client, *, oldest_first: bool) -> None:
    for _ in range(7):
        await given.idp(owner)

    pages = await calls.pages(owner, page_size=3, oldest_first=oldest_first)
    whole = await calls.events(owner, page_size=200, oldest_first=oldest_first)

    assert [len(page.events) for page in pages] == [3, 3, 3, 2]
    assert [key for page in pages for key in calls.keys(page.events)] == calls.keys(whole)
    assert len(set(calls.keys(whole))) == 11


async def test_events_of_one_sequence_are_neither_lost_nor_repeated(
    owner: Client, sql: asyncpg.Connection
) -> None:
    org_id = (await idp_calls.add(owner)).details.resource_owner
    await sql.execute(
        """
        insert into events select 'same-' || n, 1000, 'idp', 'idp.removed', 1, '{}', 'x', $1,
            to_timestamp(0)
        from generate_series(1, 9) as n""",
        org_id,
    )

    for oldest_first in (False, True):
        events = await calls.events(
            owner, event_types=["idp.removed"], page_size=2, oldest_first=oldest_first
        )

        ids = [f"same-{n}" for n in range(1, 10)]
        assert [event.aggregate_id for event in events] == (ids if oldest_first else ids[::-1])


async def test_pages_stay_as_they_are_while_others_write(owner: Client) -> None:
    before = {await given.idp(owner) for _ in range(20)}
    read: list[str] = []

    async def write() -> None:
        for _ in range(20):
            await given.idp(owner)

    writing = asyncio.create_task(write())
    token = ""
    while True:
        page = await calls.page(owner, event_types=["idp.added"], page_size=2, page_token=token)
        read += [event.aggregate_id for event in page.events]
        token = page.next_page_token
        if not token:
            break
    await writing

    assert before <= set(read)
    assert len(read) == len(set(read))


async def test_a_page_examines_a_limited_number_of_events(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    idp_id = await given.idp(owner)
    for n in range(9):
        await idp_calls.update(owner, idp_id, name=f"Name {n}")
    monkeypatch.setattr(log_pages, "MOST_EXAMINED", 4)

    pages = await calls.pages(owner, aggregate_id=idp_id, event_types=["idp.added"])

    assert [len(page.events) for page in pages] == [0, 0, 1]


async def test_a_token_is_good_for_its_own_list_alone(owner: Client) -> None:
    await given.idp(owner)
    token = (await calls.page(owner, page_size=1)).next_page_token

    for other in (
        {"event_types": ["idp.added"]},
        {"oldest_first": True},
        {"page_token": f"x{token}"},
    ):
        fields = {"page_token": token} | other
        refused = await given.refusal(calls.page(owner, **fields))
        assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.violations.keys() == {"pageToken"}


@pytest.mark.parametrize(
    ("fields", "field", "description"),
    [
        (
            {"aggregate_type": "idps"},
            "aggregateType",
            (
                "must be one of application, attribute, group, idp, mail_domain, organization,"
                " smtp_config, subscription, user, or empty"
            ),
        ),
        (
            {"event_types": ["idp.added", "idp.add"]},
            "eventTypes.1",
            "must be a type that /openapi.json lists, such as user.added or user.*",
        ),
        (
            {"since": calls.instant(_NOON), "until": calls.instant(_NOON)},
            "until",
            "must be after since",
        ),
        *(
            ({"filter": text}, "filter", "must have comparisons that an event can meet together")
            for text in (
                "event_type = idp.added AND event_type = user.*",
                "aggregate_id = 1 AND aggregate_id = 2",
                "created_at > 2026-11-21T12:00:00Z AND created_at <= 2026-11-21T12:00:00Z",
            )
        ),
        (
            {"filter": "state = ACTIVE"},
            "filter",
            (
                "must not have the field state; the fields are aggregate_id, created_at, creator,"
                " event_type (character 1)"
            ),
        ),
        *(
            (
                {"filter": "event_type = idp.added", **fields},
                "filter",
                "must be empty beside fields that select events; it replaces them",
            )
            for fields in (
                {"event_types": ["idp.added"]},
                {"aggregate_type": "idp"},
                {"aggregate_id": "1"},
                {"creator": "1"},
                {"since": calls.instant(_NOON)},
                {"until": calls.instant(_NOON)},
            )
        ),
    ],
)
async def test_a_condition_that_no_event_can_meet_is_refused(
    admin: Client, fields: dict[str, Any], field: str, description: str
) -> None:
    refused = await given.refusal(calls.page(admin, **fields))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {field: description}


class TestWhoSeesWhat:
    async def test_an_owner_sees_its_organization_alone(self, owner: Client, admin: Client) -> None:
        foreign = await given.idp(admin)
        own = await given.idp(owner)
        org_id = (await idp_calls.get(owner, own)).details.resource_owner

        assert await calls.events(owner, aggregate_id=foreign) == []
        assert {event.resource_owner for event in await calls.events(owner)} == {org_id}

    async def test_an_owner_selects_no_other_organization(
        self, owner: Client, admin: Client
    ) -> None:
        other = await given.organization(admin)

        for call in (calls.page(owner, org_id=other), calls.page(owner, all_organizations=True)):
            refused = await given.refusal(call)
            assert refused.code is grpc.StatusCode.PERMISSION_DENIED

    @pytest.mark.parametrize("roles", [[], [user_pb.ROLE_ORG_USER_MANAGER]])
    async def test_others_of_the_organization_see_nothing(
        self, admin: Client, roles: list[user_pb.Role.ValueType]
    ) -> None:
        user = await given.user(admin, roles=roles)

        refused = await given.refusal(calls.page(user))

        assert refused.code is grpc.StatusCode.PERMISSION_DENIED

    async def test_the_instance_owner_selects_any_organization_or_all(
        self, owner: Client, admin: Client
    ) -> None:
        idp_id = await given.idp(owner)
        org_id = (await idp_calls.get(owner, idp_id)).details.resource_owner

        of_one = await calls.events(admin, org_id=org_id)
        of_all = await calls.page(admin, all_organizations=True, page_size=200)

        assert calls.keys(of_one) == calls.keys(await calls.events(owner))
        assert idp_id in {event.aggregate_id for event in of_all.events}
        assert await calls.events(admin, aggregate_id=idp_id) == []

    async def test_one_organization_and_all_contradict_each_other(
        self, org_id: str, admin: Client
    ) -> None:
        refused = await given.refusal(calls.page(admin, org_id=org_id, all_organizations=True))

        assert refused.violations.keys() == {"allOrganizations"}


async def test_every_transport_gives_the_same_events(owner: Client, instance: Instance) -> None:
    added = await idp_calls.add(owner)
    await idp_calls.update(owner, added.idp_id, name="Renamed")
    await calls.positioned(instance)
    moment = added.details.creation_date
    requests = [
        pb.ListEventsRequest(),
        pb.ListEventsRequest(page_size=1, oldest_first=True, since=moment),
        pb.ListEventsRequest(page_size=-1, page_token="?", creator="\0"),
        pb.ListEventsRequest(all_organizations=True),
    ]

    async with Transports.of(instance) as transports:
        for request in requests:
            sent = [*authorization(owner.token), ("x-request-id", "the same")]
            call = Call(METHOD["ListEvents"], request, sent)
            first, *others = [await each.answer(call) for each in transports.all.values()]
            assert all(other == first for other in others)
