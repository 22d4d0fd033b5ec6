"""The tables `push_targets`, `push_deliveries` and `push_attempts` for the loop of pushes.

A target is a subscription, or an application that gets logout tokens. Targets take turns: a turn
leases some of the target's deliveries, and puts the target behind the others. So a target with many
deliveries delays no other, and the cost of a turn does not depend on their number.

A target that gives no answer waits, for as long as a delivery would by its own back-off; then one
delivery is tried. An answer of any status ends that.

The rule: only turns lease, and they lock the target first. So deliveries of one target and
aggregate are made one at a time, by position.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from server.deliveries import recording
from server.deliveries.http.connections import AT_ONCE
from server.deliveries.recording import Recording
from server.deliveries.results import Attempt, AttemptResult, Backlog, DeliveryState, storable
from server.push import store
from server.push.delivery_store import NewDelivery, PushKind
from server.push.store import SubscriptionAddress
from server.store.database import Row, Statements
from server.store.organizations import stays
from server.store.retention import retention
from server.store.statement import statement

# How long delivery is attempted.
GIVE_UP_AFTER: Final = "interval '3 days'"

# Due deliveries of a target that a turn looks at.
_LOOKED_AT = 64

# Gives turns to the targets of new deliveries. The locks make a turn see the deliveries.
_WAKE = statement("""
insert into push_targets as target (target_id, next_turn_at)
select target_id, clock_timestamp() from unnest(:target_ids::text[]) as target_id order by 1
on conflict (target_id) do update set idle_since = null,
    next_turn_at = least(target.next_turn_at, excluded.next_turn_at)""")

# Writes deliveries. A delivery that is written again, after the loss of the latest transactions,
# has the same ID.
_ADD = statement(f"""
insert into push_deliveries (delivery_id, target_id, kind, owner, aggregate_id, event_type,
    position, payload, state, next_attempt_at, due_at, give_up_at, created_at)
select each.*, 'pending', clock.now, clock.now, clock.now + {GIVE_UP_AFTER}, clock.now
from unnest(:delivery_ids::text[], :target_ids::text[], :kinds::text[], :owners::text[],
    :aggregate_ids::text[], :event_types::text[], :positions::bigint[], :payloads::text[])
        as each (delivery_id, target_id, kind, owner, aggregate_id, event_type, position, payload),
    (select clock_timestamp() as now) as clock
where {stays("each.owner")}
on conflict (delivery_id) do nothing""")

# Locks the targets whose turn it is, unless another process does: of each tier up to its limit.
_LOCK_TARGETS = statement("""
select free.tier, target.target_id
from unnest(:tiers::int[], :limits::int[]) as free (tier, most) cross join lateral (
    select target_id from push_targets
    where tier = free.tier and next_turn_at is not null
        and greatest(next_turn_at, waits_until) <= now()
    order by greatest(next_turn_at, waits_until) limit free.most
    for update skip locked) as target""")

# Leases due deliveries of locked targets, first one of each target. Every statement of a
# transaction sees the deliveries that were committed before it. A delivery is blocked by an earlier
# one of its aggregate, whose end makes it due, and by one that is being attempted, until its lease
# ends. Pending deliveries are those that have not ended: only push_deliveries_aggregate has this
# condition.
_ACQUIRE = statement(f"""
with target as (
    select target_id, in_flight,
        case when failures > 0 then 1 else {AT_ONCE} end - in_flight as free
    from push_targets cross join lateral (
        select count(*) as in_flight from push_deliveries as delivery
        where delivery.target_id = push_targets.target_id and delivery.is_leased
            and delivery.next_attempt_at > now()) as attempts
    where target_id = any(:target_ids::text[])),
candidate as (
    select delivery.delivery_id, delivery.target_id, delivery.next_attempt_at, target.free,
        (select case when other.position < delivery.position then 'infinity'
                else other.next_attempt_at end
            from push_deliveries as other
            where other.target_id = delivery.target_id
                and other.aggregate_id = delivery.aggregate_id and other.ended_at is null
                and other.delivery_id <> delivery.delivery_id
                and (other.position < delivery.position
                    or other.is_leased and other.next_attempt_at > now())
            order by other.position limit 1) as blocked_until
    from target cross join lateral (
        select * from push_deliveries as each
        where each.target_id = target.target_id and each.state = 'pending'
            and each.next_attempt_at <= now()
        order by each.next_attempt_at limit {_LOOKED_AT} for update skip locked) as delivery),
ready as (
    select delivery_id, next_attempt_at, free,
        row_number() over (partition by target_id order by next_attempt_at) as place
    from candidate where blocked_until is null),
due as (
    select delivery_id from ready where place <= free order by place, next_attempt_at
    limit :limit),
leased as (
    update push_deliveries set attempts = attempts + 1, is_leased = true,
        next_attempt_at = clock_timestamp() + :lease::interval
    from due where push_deliveries.delivery_id = due.delivery_id
    returning push_deliveries.delivery_id, push_deliveries.target_id, kind, attempts, payload),
attempt as (
    insert into push_attempts (delivery_id, number, started_at)
    select delivery_id, attempts, clock_timestamp() from leased),
blocked as (
    update push_deliveries set next_attempt_at = candidate.blocked_until from candidate
    where push_deliveries.delivery_id = candidate.delivery_id
        and candidate.blocked_until is not null),
turned as (
    update push_targets set next_turn_at = later.turn_at,
        idle_since = case when later.turn_at is null then clock_timestamp() end
    from target, lateral (
        select count(*) as number from leased where leased.target_id = target.target_id) as taken,
    lateral (
        select least(
            -- The end of the lease, if this process is killed. The result comes before it.
            case when target.in_flight + taken.number > 0
                then clock_timestamp() + :lease::interval end,
            case when target.free > taken.number then (
                select greatest(clock_timestamp(), delivery.next_attempt_at)
                from push_deliveries as delivery
                where delivery.target_id = target.target_id and delivery.state = 'pending'
                    and not exists (
                        select from leased where leased.delivery_id = delivery.delivery_id)
                order by delivery.next_attempt_at limit 1) end) as turn_at) as later
    where push_targets.target_id = target.target_id)
select delivery_id, target_id, kind, attempts, payload from leased""")

# Ends deliveries, or schedules their next attempts: exponential back-off with jitter, which spreads
# out deliveries that failed together. A delivery that stays due waits only for its target. Within a
# case, the state is no condition of an index: with statistics of a table without pending
# deliveries, the planner would search a thousand later ones for the key. Of two attempts of a
# delivery, that which has sent it counts.
#
# The back-off of a target is that of a delivery. Attempts that fail while the target waits began
# before that. An answer counts more than none. The end of a delivery makes the next one of its
# aggregate due.
_RECORD = statement("""
with made as (
    select each.*, clock_timestamp() as now, 0.5 + random() / 2 as jitter
    from unnest(:delivery_ids::text[], :numbers::int[], :states::text[], :reasons::text[],
        :messages::text[], :stay_due::boolean[], :statuses::int[], :answers::text[],
        :target_ids::text[], :tiers::int[], :works::boolean[])
        as each (delivery_id, number, state, reason, message, stays_due, status, answer, target_id,
            tier, destination_works)),
attempt as (
    update push_attempts as attempt set ended_at = made.now, reason = made.reason,
        message = made.message, status = made.status, answer = made.answer
    from made where attempt.delivery_id = made.delivery_id and attempt.number = made.number),
recorded as (
    update push_deliveries as delivery set is_leased = false,
        state = case when made.state <> 'pending' then made.state
            when give_up_at <= made.now then 'failed' else 'pending' end,
        ended_at = case when made.state <> 'pending' or give_up_at <= made.now then made.now end,
        failures = case when made.state = 'pending' and not made.stays_due then failures + 1
            else failures end,
        next_attempt_at = case when made.state <> 'pending' then next_attempt_at
            when made.stays_due then made.now
            else made.now + made.jitter * least(
                interval '6 hours', interval '10 seconds' * power(2, least(failures, 12))) end
    from (
        select distinct on (delivery_id) * from made
        order by delivery_id, state = 'sent' desc, number desc) as made
    where delivery.delivery_id = made.delivery_id and case delivery.state when 'pending'
        then made.state = 'sent' or is_leased and delivery.attempts = made.number
        else false end
    returning delivery.delivery_id, made.number, delivery.state, delivery.target_id,
        delivery.aggregate_id, delivery.position),
target as (
    update push_targets set idle_since = null, tier = coalesce(last.tier, push_targets.tier),
        failures = case when last.destination_works then 0
            when last.destination_works is false and waits_until <= clock_timestamp()
                then failures + 1
            else failures end,
        waits_until = case when last.destination_works then '-infinity'
            when last.destination_works is false and waits_until <= clock_timestamp()
                then clock_timestamp() + (0.5 + random() / 2) * least(
                    interval '6 hours', interval '10 seconds' * power(2, least(failures, 12)))
            else waits_until end,
        next_turn_at = least(next_turn_at, clock_timestamp())
    from (
        select distinct on (target_id) target_id, tier, destination_works from made
        order by target_id, destination_works desc nulls last, tier desc nulls last) as last
    where push_targets.target_id = last.target_id),
following as (
    update push_deliveries set next_attempt_at = clock_timestamp()
    from recorded cross join lateral (
        select delivery_id from push_deliveries as each
        where each.target_id = recorded.target_id and each.aggregate_id = recorded.aggregate_id
            and each.ended_at is null and each.position > recorded.position
        order by each.position limit 1) as next
    where push_deliveries.delivery_id = next.delivery_id and recorded.state <> 'pending'
        and push_deliveries.next_attempt_at > now() and not push_deliveries.is_leased)
select delivery_id, number, state from recorded""")

_GET_STATE = statement("""
select state from push_deliveries where delivery_id = :delivery_id and attempts = :number""")

_RECORDING: Final = Recording(_RECORD, _GET_STATE)

# Locks targets in one order, before the deliveries of several of them are written.
_LOCK = statement("""
select from push_targets where target_id = any(:target_ids::text[])
order by target_id for update""")

_BATCH = 1000

# Ends deliveries of a locked target that gave no answer until `give_up_at`, each with an attempt
# that records the reason. Then the next delivery of each aggregate is due.
_GIVE_UP = statement(f"""
with due as (
    select delivery_id from push_deliveries
    where target_id = :target_id and state = 'pending' and give_up_at <= now() and not is_leased
    limit {_BATCH} for update skip locked),
ended as (
    update push_deliveries set state = 'failed', ended_at = clock_timestamp(),
        attempts = attempts + 1
    from due where push_deliveries.delivery_id = due.delivery_id
    returning push_deliveries.delivery_id, aggregate_id, attempts, ended_at),
attempt as (
    insert into push_attempts (delivery_id, number, started_at, ended_at, reason, message)
    select delivery_id, attempts, ended_at, ended_at, :reason, :message from ended),
following as (
    update push_deliveries set next_attempt_at = clock_timestamp()
    from (select distinct aggregate_id from ended) as aggregate cross join lateral (
        select delivery_id from push_deliveries as each
        where each.target_id = :target_id and each.aggregate_id = aggregate.aggregate_id
            and each.ended_at is null
            and not exists (select from ended where ended.delivery_id = each.delivery_id)
        order by each.position limit 1) as next
    where push_deliveries.delivery_id = next.delivery_id
        and push_deliveries.next_attempt_at = 'infinity')
select count(*) from ended""")

# Cancels the pending deliveries of a target. An attempt in progress loses its lease.
_CANCEL = statement("""
update push_deliveries set state = 'cancelled', ended_at = clock_timestamp(), is_leased = false
where target_id = :target_id and state = 'pending'""")

# Deletes the deliveries of an organization that is removed, with their attempts.
_FORGET = statement("delete from push_deliveries where owner = :organization_id")

# Ends the wait of a target, which has changed or was reached.
_RESET = statement("""
update push_targets set waits_until = '-infinity',
    next_turn_at = case when next_turn_at is not null then clock_timestamp() end
where target_id = :target_id""")

# Makes a delivery due now, and ends the wait of its target. An attempt in progress goes on, since a
# second attempt would send the delivery twice; if it fails, the back-off is that of a new one.
_RETRY = statement(f"""
with delivery as (
    select delivery_id, target_id, state from push_deliveries
    where delivery_id = :delivery_id and owner = :organization_id for update),
retried as (
    update push_deliveries set state = 'pending', failures = 0, ended_at = null,
        give_up_at = clock.now + {GIVE_UP_AFTER}, due_at = clock.now,
        next_attempt_at = case when is_leased then next_attempt_at else clock.now end
    from delivery, (select clock_timestamp() as now) as clock
    where push_deliveries.delivery_id = delivery.delivery_id
        and delivery.state in ('pending', 'failed')
    returning push_deliveries.target_id),
target as (
    insert into push_targets as target (target_id, next_turn_at)
    select target_id, clock_timestamp() from retried
    on conflict (target_id) do update set idle_since = null, waits_until = '-infinity',
        next_turn_at = least(target.next_turn_at, excluded.next_turn_at))
select state from delivery""")

# The numbers of pending deliveries, and of targets that give no answer; the latter is limited.
_LOOK = statement("""
select (select count(*) from push_deliveries where state = 'pending') as pending,
    (select count(*) from (
        select from push_targets where failures > 0 and next_turn_at is not null
        limit 10000) as counted) as failing""")

# Targets without pending deliveries.
IDLE_TARGETS: Final = retention(
    "push_targets", until="idle_since", after="now() - interval '30 days'"
)


class Tier(enum.IntEnum):
    """Targets by their last answer. The tiers are served apart, so that none delays another."""

    SOON = 0
    NEW_OR_SLOW = 1
    NO_ANSWER = 2


@dataclass(frozen=True, slots=True)
class PushAttempt(Attempt):
    """An attempt to send a push. The tier is that of the target when the delivery was leased.

    `address` is that of a webhook; None: its subscription was removed.
    """

    target_id: str
    payload: str = field(repr=False)
    tier: Tier
    address: SubscriptionAddress | None = field(repr=False, compare=False)


async def add(transaction: Statements, deliveries: Sequence[NewDelivery]) -> None:
    """Writes deliveries. Those that are stored already are left as they are."""
    await transaction.fetch(_WAKE, target_ids=sorted({each.target_id for each in deliveries}))
    columns = zip(*deliveries, strict=True)
    names = (f"{name}s" for name in NewDelivery.__match_args__)
    await transaction.fetch(_ADD, **dict(zip(names, map(list, columns), strict=True)))


async def acquire(
    database: Statements, limits: Mapping[Tier, int], *, lease: timedelta
) -> list[PushAttempt]:
    """Leases due deliveries of the targets of each tier, up to its limit."""
    leased: list[tuple[Row, Tier]] = []
    async with database.transaction() as transaction:
        targets = await transaction.fetch(
            _LOCK_TARGETS, tiers=[*limits.keys()], limits=[*limits.values()]
        )
        for tier, limit in limits.items():
            target_ids = [each["target_id"] for each in targets if each["tier"] == tier]
            if target_ids:
                rows = await transaction.fetch(
                    _ACQUIRE, target_ids=target_ids, limit=limit, lease=lease
                )
                leased += [(row, tier) for row in rows]
        webhooks = {row["target_id"] for row, _ in leased if row["kind"] == PushKind.WEBHOOK}
        addresses = await store.addresses(transaction, webhooks) if webhooks else {}
    return [_attempt(row, tier, addresses.get(row["target_id"])) for row, tier in leased]


def _attempt(row: Row, tier: Tier, address: SubscriptionAddress | None) -> PushAttempt:
    return PushAttempt(
        delivery_id=row["delivery_id"],
        target_id=row["target_id"],
        kind=PushKind(row["kind"]),
        number=row["attempts"],
        payload=row["payload"],
        tier=tier,
        address=address,
    )


async def record(
    database: Statements, made: Sequence[tuple[PushAttempt, AttemptResult]]
) -> list[DeliveryState | None]:
    """Records results; returns the state of each delivery. None: the lease was lost."""
    async with database.transaction() as transaction:
        await transaction.fetch(
            _LOCK, target_ids=sorted({attempt.target_id for attempt, _ in made})
        )
        return await recording.record(
            transaction,
            _RECORDING,
            made,
            statuses=[result.status for _, result in made],
            answers=[result.answer for _, result in made],
            target_ids=[attempt.target_id for attempt, _ in made],
            tiers=[_tier(result) for _, result in made],
            works=[result.destination_works for _, result in made],
        )


def _tier(result: AttemptResult) -> Tier | None:
    """The tier of a target after this result. None: it was not contacted."""
    if result.destination_works is None:
        return None
    if not result.destination_works:
        return Tier.NO_ANSWER
    return Tier.NEW_OR_SLOW if result.is_slow else Tier.SOON


async def give_up(database: Statements, target_id: str, result: AttemptResult) -> int:
    """Ends the deliveries of a target after `give_up_at` with this result; returns their number."""
    told = {"reason": result.reason, "message": storable(result.message)}
    ended: int = 0
    while True:
        async with database.transaction() as transaction:
            await transaction.fetch(_LOCK, target_ids=[target_id])
            row = await transaction.fetch_one(_GIVE_UP, target_id=target_id, **told)
        ended += int(row["count"])
        if row["count"] < _BATCH:
            return ended


async def cancel(transaction: Statements, target_id: str) -> None:
    """Cancels the pending deliveries of a removed target."""
    await transaction.fetch(_CANCEL, target_id=target_id)


async def forget(transaction: Statements, organization_id: str) -> None:
    """Deletes the deliveries of an organization that is removed."""
    await transaction.fetch(_FORGET, organization_id=organization_id)


async def reset(database: Statements, target_id: str) -> None:
    """Attempts the due deliveries of a target now."""
    await database.fetch(_RESET, target_id=target_id)


async def retry(
    database: Statements, *, delivery_id: str, organization_id: str
) -> DeliveryState | None:
    """Makes a delivery due now if it is pending or failed; returns its previous state.

    None: the organization has no such delivery.
    """
    row = await database.fetch_row(_RETRY, delivery_id=delivery_id, organization_id=organization_id)
    return DeliveryState(row["state"]) if row else None


async def look(database: Statements) -> Backlog:
    """Reads the backlog."""
    row = await database.fetch_one(_LOOK)
    return Backlog(row["pending"], failing_targets=row["failing"])
