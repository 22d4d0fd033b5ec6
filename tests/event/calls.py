"""Calls that several tests of the event log make."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from keystead.event.v1 import event_service_pb2 as pb
from tests.support import given
from tests.support.given import Client, Instance


def instant(moment: datetime) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromDatetime(moment)
    return timestamp


async def positioned(instance: Instance) -> None:
    """Waits until all events have their positions."""
    async with given.sql(instance.dsn) as sql:
        waiting = "select exists (select from unpositioned_events)"
        while await sql.fetchval(waiting):  # noqa: ASYNC110 -- the server does not signal this
            await asyncio.sleep(0.05)


async def page(client: Client, *, org_id: str = "", **fields: Any) -> pb.ListEventsResponse:
    headers: dict[str, Any] = {"x_service_orgid": org_id} if org_id else {}
    return await client.call(client.events.ListEvents, pb.ListEventsRequest(**fields), **headers)


async def pages(client: Client, **fields: Any) -> Sequence[pb.ListEventsResponse]:
    """All pages of a list."""
    listed = [await page(client, **fields)]
    while listed[-1].next_page_token:
        listed.append(await page(client, **fields, page_token=listed[-1].next_page_token))
    return listed


async def events(client: Client, **fields: Any) -> list[pb.Event]:
    """All events of a list."""
    return [event for each in await pages(client, **fields) for event in each.events]


def keys(events: Sequence[pb.Event]) -> list[tuple[int, str]]:
    """The sequence and aggregate ID of each event."""
    return [(event.sequence, event.aggregate_id) for event in events]
