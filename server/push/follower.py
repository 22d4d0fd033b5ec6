"""Follows the log, and writes the deliveries of each event.

The rule: the deliveries of some events and the position after these events are committed together.
So each event is considered once, in the order of positions, whichever processes are killed.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from pydantic_core import to_json

from server.event.disclosure import disclosed
from server.log.positions import PositionedEvent, last_position, read_positions
from server.push import leases, position_store, store
from server.push.delivery_store import NewDelivery, PushKind
from server.push.events import SubscriptionAdded
from server.push.logout import LogoutTokens
from server.push.store import Interest
from server.store.database import Database, Statements

# The maximum number of positions of one transaction, and of bytes unless one event has more.
_PAGE: Final = 250
_MOST_BYTES: Final = 16 * 1024 * 1024
# The time limit of one transaction.
_SECONDS: Final = 10.0


class _TooLargeError(Exception):
    """The deliveries of several events have too many bytes for one transaction."""


class PushFollower:
    """Writes deliveries, as one of several processes. One of them works at a time."""

    def __init__(
        self, database: Database, *, logouts: LogoutTokens, wake: Callable[[], None]
    ) -> None:
        """`wake` has the loop of this process look for deliveries."""
        self._database = database
        self._logouts = logouts
        self._wake = wake
        # All events up to this position have their deliveries.
        self._done = -1
        # The number of positions of the next transaction.
        self._page = _PAGE

    async def advance(self, last: int) -> None:
        """Writes the deliveries of the events up to the last position.

        Without new events, this asks the database nothing.
        """
        if last < self._done:  # after a failover to a standby that was behind
            self._done = -1
        while self._done < last:
            try:
                async with asyncio.timeout(_SECONDS), self._database.transaction() as transaction:
                    if not await self._write_page(transaction):
                        return
            except _TooLargeError:
                self._page = max(1, self._page // 8)
            else:
                self._page = min(_PAGE, self._page * 2)

    async def _write_page(self, transaction: Statements) -> bool:
        """Considers the next events. False: another process does."""
        after = await position_store.lock(transaction)
        if after is None:
            return False
        until = min(after + self._page, await last_position(transaction))
        # Read after the last position: a subscription that precedes an event is found with it.
        has_subscriptions = await store.exists(transaction)
        types = () if has_subscriptions else self._logouts.event_types
        events = await read_positions(transaction, after=after, until=until, types=types)
        deliveries = [
            *(await _webhooks(transaction, events) if has_subscriptions else ()),
            *await self._logouts.deliveries(transaction, events),
        ]
        if deliveries:
            await leases.add(transaction, deliveries)
            transaction.once_written(self._wake)
        if until > after:
            await position_store.advance(transaction, until)
        self._done = until
        return True


async def _webhooks(
    transaction: Statements, events: Sequence[PositionedEvent]
) -> list[NewDelivery]:
    begins = {
        event.aggregate_id: event.position
        for event in events
        if event.event_type == SubscriptionAdded.event_type
    }
    if begins:
        await store.start(transaction, begins)
    interests = await store.list_interests(transaction, {event.owner for event in events})
    deliveries: list[NewDelivery] = []
    size = 0
    for event in events:
        begun = [
            each for each in interests if event.position >= begins.get(each.subscription_id, 0)
        ]
        of_event = list(_webhooks_of(event, begun))
        size += sum(len(each.payload) for each in of_event)
        if deliveries and size > _MOST_BYTES:
            raise _TooLargeError
        deliveries += of_event
    return deliveries


def _webhooks_of(event: PositionedEvent, interests: Sequence[Interest]) -> Iterator[NewDelivery]:
    wanted = [
        each
        for each in interests
        if each.owner == event.owner
        and (not each.event_types or event.event_type in each.event_types)
    ]
    if not wanted:
        return
    payload = payload_of(event)
    for each in wanted:
        yield NewDelivery.of(
            event,
            kind=PushKind.WEBHOOK,
            target_id=each.subscription_id,
            owner=event.owner,
            aggregate_id=event.aggregate_id,
            payload=payload,
        )


def payload_of(event: PositionedEvent) -> str:
    """The content of a webhook: the event as ListEvents shows it in JSON, and its cursor."""
    shown, withheld = disclosed(event.event_type, event.payload)
    data = {
        "sequence": str(event.sequence),
        "aggregateType": event.aggregate_type,
        "aggregateId": event.aggregate_id,
        "eventType": event.event_type,
        "createdAt": event.created_at,
        "creator": event.creator,
        "resourceOwner": event.owner,
        "payload": shown,
        "withheldFields": withheld,
        "cursor": str(event.cursor),
    }
    return webhook_payload(event.event_type, event.created_at, data)


def webhook_payload(event_type: str, timestamp: object, data: Mapping[str, object]) -> str:
    """The content of a webhook, as the specification of Standard Webhooks recommends."""
    return to_json({"type": event_type, "timestamp": timestamp, "data": data}).decode()
