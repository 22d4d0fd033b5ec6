"""The table `push_deliveries` for callers of the API and operators: list, retry, delete."""

import enum
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from server.access.growing import GrowingList, IndexRange
from server.deliveries.results import DeliveryState
from server.event.disclosure import EVENT_TYPES
from server.log.positions import PositionedEvent
from server.store.database import Row, Statements
from server.store.filters import Key, Kinds, OneOf
from server.store.retention import retention
from server.store.statement import statement


class PushKind(enum.StrEnum):
    """The kinds of pushes. The target is a subscription or an application."""

    WEBHOOK = "webhook"
    LOGOUT = "logout"


class NewDelivery(NamedTuple):
    """A delivery to write. `aggregate_id` is the scope in which deliveries have an order."""

    delivery_id: str
    target_id: str
    kind: PushKind
    owner: str
    aggregate_id: str
    event_type: str
    position: int
    payload: str

    @classmethod
    def of(
        cls,
        event: PositionedEvent,
        *,
        kind: PushKind,
        target_id: str,
        owner: str,
        aggregate_id: str,
        payload: str,
    ) -> "NewDelivery":
        """The delivery of an event to a target, with an ID that depends on nothing else."""
        delivery_id = delivery_id_of(event, target_id, aggregate_id)
        return cls(
            delivery_id,
            target_id,
            kind,
            owner,
            aggregate_id,
            event.event_type,
            event.position,
            payload,
        )


def delivery_id_of(event: PositionedEvent, target_id: str, aggregate_id: str) -> str:
    """A UUIDv8 (RFC 9562, section 5.8) of the milliseconds of the event, and a hash.

    It sorts by the time of the event. If the database loses its latest transactions, a delivery
    that is written again has the same ID.
    """
    named = "\0".join((event.aggregate_id, str(event.sequence), target_id, aggregate_id))
    milliseconds = event.sequence // 1000
    digest = hashlib.sha256(named.encode()).digest()
    number = int.from_bytes(milliseconds.to_bytes(6, "big") + digest[:10], "big")
    version, variant = 8 << 76, 2 << 62
    return str(UUID(int=number & ~((0xF << 76) | (3 << 62)) | version | variant))


# A delivery that waits for an earlier one of its aggregate is due.
_COLUMNS = """
delivery_id, target_id, kind, event_type, aggregate_id, state, created_at,
    case next_attempt_at when 'infinity' then due_at else next_attempt_at end as next_attempt_at,
    ended_at, array(
        select row(started_at, ended_at, reason, message, status, answer) from push_attempts
        where push_attempts.delivery_id = push_deliveries.delivery_id
        order by number) as attempts"""

# A delivery of the organization.
_GET = statement(f"""
select {_COLUMNS}, payload from push_deliveries
where delivery_id = :delivery_id and owner = :organization_id""")

# Deliveries that failed within a day, and targets that give no answer. Their numbers are limited.
_UNSENT = statement("""
select
    (select count(*) from (
        select from push_deliveries
        where state = 'failed' and ended_at > now() - interval '1 day'
        limit 10000) as counted) as failed,
    (select count(*) filter (where failures > 0) from (
        select failures from push_deliveries where state = 'pending'
        limit 10000) as counted) as tried_again,
    (select count(*) from (
        select from push_targets where failures > 0 and next_turn_at is not null
        limit 10000) as counted) as failing_targets""")

# The number of failed deliveries of an organization that is counted.
MOST_FAILED: Final = 1_000

# The number of failed deliveries of an organization.
_COUNT_FAILED = statement(f"""
select count(*) as deliveries from (
    select from push_deliveries where owner = :organization_id and state = 'failed'
    limit {MOST_FAILED}) as failed""")

# The reason of the last failed attempt of such a delivery.
_LAST_REASON = statement("""
select push_attempts.reason from push_deliveries join push_attempts using (delivery_id)
where push_deliveries.ended_at > now() - interval '1 day' and push_deliveries.state = 'failed'
    and push_attempts.reason <> ''
order by push_deliveries.ended_at desc, push_attempts.number desc limit 1""")

# Ended deliveries, with their attempts.
ENDED: Final = retention("push_deliveries", until="ended_at", after="now() - interval '30 days'")


@dataclass(frozen=True, slots=True)
class PastPushAttempt:
    """An attempt, as shown to callers."""

    started_at: datetime
    ended_at: datetime | None
    reason: str
    message: str
    status: int
    answer: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery, as shown to callers."""

    delivery_id: str
    target_id: str
    kind: PushKind
    event_type: str
    aggregate_id: str
    state: DeliveryState
    created_at: datetime
    next_attempt_at: datetime
    ended_at: datetime | None
    attempts: Sequence[PastPushAttempt]
    # Empty in lists.
    payload: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unsent:
    """Numbers of deliveries that failed within a day, and of targets that give no answer now.

    `tried_again` counts pending deliveries whose attempts have failed so far. `last_reason` is
    that of the last failed delivery; empty without one.
    """

    failed: int
    tried_again: int
    failing_targets: int
    last_reason: str


async def unsent(database: Statements) -> Unsent:
    """The deliveries that need the attention of an operator."""
    row = await database.fetch_one(_UNSENT)
    last = await database.fetch_row(_LAST_REASON)
    reason = last["reason"] if last else ""
    return Unsent(row["failed"], row["tried_again"], row["failing_targets"], reason)


async def get(database: Statements, *, delivery_id: str, organization_id: str) -> Delivery | None:
    """Reads a delivery of the organization."""
    row = await database.fetch_row(_GET, delivery_id=delivery_id, organization_id=organization_id)
    return _delivery(row) if row else None


def _delivery(row: Row) -> Delivery:
    columns: dict[str, Any] = {name: row[name] for name in Delivery.__match_args__}
    attempts = [PastPushAttempt(*attempt) for attempt in columns["attempts"]]
    kinds = {"state": DeliveryState(row["state"]), "kind": PushKind(row["kind"])}
    return Delivery(**columns | kinds | {"attempts": attempts})


def _narrowest(selection: Mapping[str, Any]) -> str:
    """The name of the narrowest range of an index."""
    if selection["subscription_id"] or selection["application_id"]:
        return "target"
    return "state" if selection["state"] and len(selection["state"]) == 1 else "organization"


# Deliveries of an organization, newest event first.
LIST: Final = GrowingList(
    "push_deliveries",
    "delivery_id",
    f"{_COLUMNS}, '' as payload",
    _delivery,
    fields={
        "state": OneOf(
            "upper(state)", [each.name for each in DeliveryState], prefix="DELIVERY_STATE_"
        ),
        "event_type": Kinds("event_type", EVENT_TYPES, prefix=""),
        "subscription_id": Key(f"case kind when '{PushKind.WEBHOOK}' then target_id end"),
        "application_id": Key(f"case kind when '{PushKind.LOGOUT}' then target_id end"),
    },
    within="owner = :organization_id",
    ranges={
        "target": IndexRange(
            {"target_id": "coalesce((:subscription_id::text[])[1], (:application_id::text[])[1])"},
            "owner = :organization_id",
        ),
        "state": IndexRange({"owner": ":organization_id", "state": "lower((:state::text[])[1])"}),
        "organization": IndexRange({"owner": ":organization_id"}),
    },
    narrowest=_narrowest,
)


async def count_failed(database: Statements, organization_id: str) -> int:
    """The number of failed deliveries of an organization, at most `MOST_FAILED`."""
    row = await database.fetch_one(_COUNT_FAILED, organization_id=organization_id)
    return int(row["deliveries"])
