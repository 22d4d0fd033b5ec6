"""Callers who change groups, a target that gets the changes, and the promises about them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from google.protobuf.field_mask_pb2 import FieldMask

from chaos.outbox import UNANSWERED, Senders, until
from chaos.report import Report
from keystead.group.v1 import group_service_pb2 as group_pb
from keystead.push.v1 import push_service_pb2 as push_pb
from tests.support import given
from tests.support.push_target import PushTarget

# Ends the wait of the target, so that the scenario need not wait for its next attempt.
HURRY = """
update push_targets set waits_until = '-infinity', next_turn_at = clock_timestamp()
where waits_until > clock_timestamp()"""
# Deliveries, and events that have none yet.
_PENDING = """
select (select count(*) from push_deliveries where state = 'pending')
    + (select count(*) from unpositioned_events)
    + (select position from last_event_position) - (select position from push_position)"""
# The reasons of each delivery's attempts: empty on success, null if the process was killed.
_TRIES = """
select delivery_id, array_agg(case when push_attempts.ended_at is not null
    then reason end order by number) as reasons
from push_attempts group by delivery_id"""
_TYPES = ("group.added", "group.changed", "group.removed")


def settings(ca_file: Path) -> Mapping[str, object]:
    """The settings of a server that may push to this machine."""
    return {"push_allowed_networks": "127.0.0.0/8,::1", "push_ca_file": ca_file}


class GroupChanges(Senders):
    """Callers that add, change and remove groups."""

    async def subscribe(self, target: PushTarget) -> None:
        """Has the target told of all their changes."""
        subscription = push_pb.Subscription(name="Target", url=target.url, event_types=_TYPES)
        request = push_pb.CreateSubscriptionRequest(
            subscription=subscription, secret_kind=push_pb.SECRET_KIND_HMAC
        )
        await self.admin.call(self.admin.pushes.CreateSubscription, request)

    async def send(self) -> None:
        admin, name = self.admin, f"group-{next(self._numbers)}"
        added = await admin.call(admin.groups.CreateGroup, group_pb.CreateGroupRequest(name=name))
        self.acknowledged.append(f"{added.group_id} group.added")
        change = group_pb.PatchGroupRequest(
            group=group_pb.Group(group_id=added.group_id, display_name="Changed"),
            update_mask=FieldMask(paths=["display_name"]),
        )
        await admin.call(admin.groups.PatchGroup, change)
        self.acknowledged.append(f"{added.group_id} group.changed")
        removal = group_pb.RemoveGroupRequest(group_id=added.group_id)
        await admin.call(admin.groups.RemoveGroup, removal)
        self.acknowledged.append(f"{added.group_id} group.removed")


async def all_sent(dsn: str) -> None:
    """Waits until no delivery is pending, and every event has its deliveries."""
    await until(dsn, _PENDING, lambda pending: pending == 0, hurry=HURRY)


async def judge(report: Report, dsn: str, changes: GroupChanges, target: PushTarget) -> None:
    arrived: dict[str, dict[str, list[str]]] = {}
    for each in target.received:
        event = json.loads(each.content)["data"]
        of_group = arrived.setdefault(event["aggregateId"], {})
        change = f"{event['aggregateId']} {event['eventType']}"
        of_group.setdefault(change, []).append(each.headers["webhook-id"])
    told = {change: ids for of_group in arrived.values() for change, ids in of_group.items()}
    tries = await _tries(dsn)
    twice = {change: ids for change, ids in told.items() if len(ids) > 1}
    report.saw(
        f"{len(changes.acknowledged)} changes acknowledged, {changes.refusals} refused or without"
        f" an answer; {len(twice)} webhooks arrived more than once"
    )
    report.promise(
        "every acknowledged change has arrived",
        unless=[change for change in changes.acknowledged if change not in told],
    )
    report.promise(
        "every copy of a webhook has the same ID",
        unless=[change for change, ids in twice.items() if len(set(ids)) > 1],
    )
    report.promise(
        "no webhook arrived once more than it had tries without an answer",
        unless=[
            f"{change}: {len(ids)} copies, {tries[ids[0]]}"
            for change, ids in twice.items()
            if len(ids) > 1 + sum(each in UNANSWERED for each in tries[ids[0]])
        ],
    )
    report.promise(
        "the webhooks of each group began in the order of its changes",
        unless=[
            list(of_group)
            for of_group in arrived.values()
            if list(of_group) != sorted(of_group, key=_place)
        ],
    )


def _place(change: str) -> int:
    return _TYPES.index(change.split()[1])


async def _tries(dsn: str) -> Mapping[str, Sequence[str | None]]:
    async with given.sql(dsn) as connection:
        return {row["delivery_id"]: row["reasons"] for row in await connection.fetch(_TRIES)}
