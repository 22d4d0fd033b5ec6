"""PostgreSQL and Keystead killed, the clock set back, the target cut off, as webhooks are sent."""

import contextlib
import json
import operator
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import grpc
from google.protobuf.field_mask_pb2 import FieldMask

from chaos import clock
from chaos.load import Ports
from chaos.outbox import UNANSWERED, WORKERS, Senders, execute, kill, until
from chaos.promises import promise_no_unexpected_errors, promise_rebuilt_is_live
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from keystead.group.v1 import group_service_pb2 as group_pb
from keystead.push.v1 import push_service_pb2 as push_pb
from tests.support import given
from tests.support.certificates import Authority
from tests.support.push_target import NO_CONTENT, PushTarget, cut, push_target

# Ends the wait of the target, so that the scenario need not wait for its next attempt.
_HURRY = """
update push_targets set waits_until = '-infinity', next_turn_at = clock_timestamp()
where waits_until > clock_timestamp()"""
# Only while no process runs that may hold a lease.
_END_LEASES = """
with ended as (
    update push_deliveries set next_attempt_at = clock_timestamp() where is_leased)
update push_targets set next_turn_at = clock_timestamp()"""
# Deliveries, and events that have none yet.
_PENDING = """
select (select count(*) from push_deliveries where state = 'pending')
    + (select count(*) from unpositioned_events)
    + (select position from last_event_position) - (select position from push_position)"""
_FAILED_TRIES = "select count(*) from push_attempts where reason <> ''"
# The reasons of each delivery's attempts: empty on success, null if the process was killed.
_TRIES = """
select delivery_id, array_agg(case when push_attempts.ended_at is not null
    then reason end order by number) as reasons
from push_attempts group by delivery_id"""
_TYPES = ("group.added", "group.changed", "group.removed")


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Every acknowledged change arrives, in the order of its group, and copies have one ID."""
    ports, writes = free_ports(), scale.writes // 3
    folder = stage.folder / "push"
    folder.mkdir()
    authority = Authority(folder)
    async with (
        stage.database() as dsn,
        push_target(authority) as target,
        contextlib.AsyncExitStack() as stack,
    ):
        await clock.install(stage, dsn)
        async with _served(stage, dsn, ports, authority.ca_file) as served:
            senders = await stack.enter_async_context(_Senders.of(served))
            await senders.subscribe(target)
            async with senders.running(scale.callers):
                for _ in range(scale.rounds):
                    await senders.more(writes)
                    await _without_database(stage, senders, scale)
                    await senders.more(writes)
                    await _without_target(dsn, target)
                    await _set_clock_back(dsn, senders, writes)
                await senders.more(writes)
                await kill(served)
        await execute(dsn, _END_LEASES)
        report.did(
            f"killed PostgreSQL, cut off the target and set the clock back {scale.rounds} times,"
            f" then killed {WORKERS} workers, under {scale.callers} callers who changed groups"
        )
        async with _served(stage, dsn, ports, authority.ca_file) as served:
            await until(dsn, _PENDING, lambda pending: pending == 0, hurry=_HURRY)
            await _judge(report, dsn, senders, target)
            promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


@contextlib.asynccontextmanager
async def _served(stage: Stage, dsn: str, ports: Ports, ca_file: Path) -> AsyncIterator[Served]:
    settings = {
        "workers": WORKERS,
        "push_allowed_networks": "127.0.0.0/8,::1",
        "push_ca_file": ca_file,
    }
    async with stage.server(dsn, ports=ports, **settings) as served:
        yield served


async def _without_database(stage: Stage, senders: "_Senders", scale: Scale) -> None:
    stage.kill()
    await senders.more_refusals(scale.callers)
    await stage.start()


async def _without_target(dsn: str, target: PushTarget) -> None:
    """The target takes pushes, and cuts the connection before its answer."""
    failed = await execute(dsn, _FAILED_TRIES)
    target.answer = cut
    await until(dsn, _FAILED_TRIES, partial(operator.lt, failed), hurry=_HURRY)
    target.answer = NO_CONTENT


async def _set_clock_back(dsn: str, senders: "_Senders", number: int) -> None:
    for shift in (-timedelta(hours=1), timedelta()):
        await clock.shift(dsn, shift)
        await senders.more(number)


async def _judge(report: Report, dsn: str, senders: "_Senders", target: PushTarget) -> None:
    arrived: dict[str, dict[str, list[str]]] = {}
    for each in target.received:
        event = json.loads(each.content)["data"]
        of_group = arrived.setdefault(event["aggregateId"], {})
        change = f"{event['aggregateId']} {event['eventType']}"
        of_group.setdefault(change, []).append(each.headers["webhook-id"])
    changes = {change: ids for of_group in arrived.values() for change, ids in of_group.items()}
    tries = await _tries(dsn)
    twice = {change: ids for change, ids in changes.items() if len(ids) > 1}
    report.saw(
        f"{len(senders.acknowledged)} changes acknowledged, {senders.refusals} refused or without"
        f" an answer; {len(twice)} webhooks arrived more than once"
    )
    report.promise(
        "every acknowledged change has arrived",
        unless=[change for change in senders.acknowledged if change not in changes],
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


class _Senders(Senders):
    """Callers that add, change and remove groups."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        super().__init__(channel, token)
        self._numbers = count()

    async def subscribe(self, target: PushTarget) -> None:
        """Has the target told of all their changes."""
        subscription = push_pb.Subscription(name="Target", url=target.url, event_types=_TYPES)
        request = push_pb.AddSubscriptionRequest(
            subscription=subscription, secret_kind=push_pb.SECRET_KIND_HMAC
        )
        await self.admin.call(self.admin.pushes.AddSubscription, request)

    async def send(self) -> None:
        admin, name = self.admin, f"group-{next(self._numbers)}"
        added = await admin.call(admin.groups.AddGroup, group_pb.AddGroupRequest(name=name))
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
