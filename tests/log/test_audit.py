"""The event log for readers of `keystead audit`."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from server.access.caller import OPERATOR
from server.idp.events import IDPAdded
from server.log.audit import Wanted, read_events
from server.log.event import StoredEvent
from server.store.database import Database
from tests.idp import calls
from tests.support import given
from tests.support.given import Client


async def _events(database: Database, *, limit: int = 1000, **conditions: Any) -> list[Any]:
    return await read_events(database, Wanted(**conditions), limit=limit)


async def test_an_event_tells_what_when_whose_and_by_whom(
    database: Database, admin: Client
) -> None:
    request = pb.CreateIDPRequest(name="Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")
    added = await admin.call(admin.idps.CreateIDP, request)

    [event] = await _events(database, aggregate_id=added.idp_id)

    assert event == StoredEvent(
        created_at=added.details.creation_date.ToDatetime(UTC),
        sequence=added.details.sequence,
        event_type="idp.added",
        aggregate_type="idp",
        aggregate_id=added.idp_id,
        owner=added.details.resource_owner,
        creator=admin.user_id,
        payload=json.loads(IDPAdded.of(request, mappings=()).payload()),
    )
    assert event.payload["name"] == request.name


async def test_the_oldest_comes_first_and_a_limit_keeps_the_latest(
    database: Database, admin: Client
) -> None:
    idp_id = await given.idp(admin)
    for n in range(3):
        await calls.update(admin, idp_id, name=f"Name {n}")

    events = await _events(database, aggregate_id=idp_id)
    latest = await _events(database, aggregate_id=idp_id, limit=2)

    names = [event.payload["name"] for event in events]
    assert names == ["Provider", "Name 0", "Name 1", "Name 2"]
    assert [event.payload["name"] for event in latest] == names[2:]


async def test_a_creator_is_found_by_what_it_did(
    owner: Client, database: Database, admin: Client
) -> None:
    idp_ids = [await given.idp(owner), await given.idp(owner)]
    await given.idp(admin)

    events = await _events(database, creator=owner.user_id)

    assert [event.aggregate_id for event in events] == idp_ids


async def test_since_is_that_moment_and_later(database: Database, admin: Client) -> None:
    idp_id = await given.idp(admin)
    moment = (await calls.update(admin, idp_id, name="Renamed")).details.change_date.ToDatetime(UTC)

    at = await _events(database, aggregate_id=idp_id, since=moment)
    after = await _events(database, aggregate_id=idp_id, since=moment + timedelta(microseconds=1))

    assert [event.event_type for event in at] == ["idp.changed"]
    assert after == []


async def test_filters_of_the_audit_log_add_up(database: Database, admin: Client) -> None:
    idp_id = await given.idp(admin)

    assert await _events(database, aggregate_id=idp_id, creator=OPERATOR.user_id) == []
    assert await _events(database, creator=OPERATOR.user_id, since=datetime(2000, 1, 1, tzinfo=UTC))
