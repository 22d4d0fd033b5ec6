"""The RPC methods of the event log: convert messages, and call commands."""

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from google.protobuf.struct_pb2 import Struct

from keystead.event.v1 import event_service_pb2 as pb
from keystead.event.v1 import event_service_pb2_grpc as pb_grpc
from server.event import commands
from server.event.disclosure import disclosed
from server.log.event import StoredEvent
from server.log.feed import Feed, Topic
from server.log.positions import PositionedEvent
from server.rpc.call import AnyCall
from server.rpc.messages import instant, timestamp
from server.store.database import Database
from server.validation.fields import Commands, read
from server.validation.paging import place_of

COMMANDS: Commands = {"ListEvents": commands.ListEvents, "WatchEvents": commands.WatchEvents}

# A stream message ends with the event that exceeds this size. Clients accept 4 MiB by default.
_BYTES_OF_MESSAGE = 1024 * 1024


class Watched:
    """An event of the topic, and its message, which all watchers share.

    Withheld fields are dropped to save memory: the topic keeps thousands of events.
    """

    def __init__(self, event: PositionedEvent) -> None:
        shown, self._withheld = disclosed(event.event_type, event.payload)
        self.event = replace(event, payload=shown)

    @cached_property
    def message(self) -> pb.Event:
        return _message(self.event, self.event.payload, self._withheld)


class EventService(pb_grpc.EventServiceServicer):
    """See `keystead/event/v1/event_service.proto`."""

    def __init__(self, database: Database, feed: Feed) -> None:
        self._database = database
        self._topic: Topic[Watched] = feed.topic(Watched)

    async def ListEvents(
        self, request: pb.ListEventsRequest, call: AnyCall
    ) -> pb.ListEventsResponse:
        command = read(
            commands.ListEvents,
            request,
            since=instant(request.since) if request.HasField("since") else None,
            until=instant(request.until) if request.HasField("until") else None,
        )
        page = await commands.list_page(
            self._database, command, organization_id=call.organization_id
        )
        return pb.ListEventsResponse(
            events=[
                _message(event, *disclosed(event.event_type, event.payload))
                for event in page.events
            ],
            next_page_token=page.next_page_token,
            cursor=page.cursor,
            complete_since=timestamp(page.complete_since),
        )

    async def WatchEvents(
        self, request: pb.WatchEventsRequest, call: AnyCall
    ) -> AsyncIterator[pb.WatchEventsResponse]:
        command = read(commands.WatchEvents, request)
        conditions = command.conditions(call.organization_id)
        watch = self._topic.watch(
            place_of(command.after_cursor), lambda item: conditions.are_met_by(item.event)
        )
        async with contextlib.aclosing(watch) as stream:
            async for batch in stream:
                answer, size = pb.WatchEventsResponse(), 0
                for item in batch.items:
                    answer.events.append(item.message)
                    answer.cursor = str(item.event.cursor)
                    size += item.message.ByteSize()
                    if size >= _BYTES_OF_MESSAGE:
                        yield answer
                        answer, size = pb.WatchEventsResponse(), 0
                answer.cursor = str(batch.position)
                yield answer


def _message(event: StoredEvent, shown: Mapping[str, Any], withheld: Sequence[str]) -> pb.Event:
    payload = Struct()
    payload.update(shown)
    return pb.Event(
        sequence=event.sequence,
        aggregate_type=event.aggregate_type,
        aggregate_id=event.aggregate_id,
        event_type=event.event_type,
        created_at=timestamp(event.created_at),
        creator=event.creator,
        resource_owner=event.owner,
        payload=payload,
        withheld_fields=withheld,
    )
