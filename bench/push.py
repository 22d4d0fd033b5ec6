"""Webhooks: the cost of a delivery, and the time of a target that answers beside dead ones."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import asyncpg
import click
import grpc

from bench import push_target, report
from bench.database import connection_to
from bench.parts import Bench
from bench.processes import BenchError, Server, cpu_seconds
from bench.push_target import Target
from keystead.org.v1 import organization_service_pb2 as org_pb
from keystead.org.v1 import organization_service_pb2_grpc
from keystead.push.v1 import push_service_pb2 as pb
from keystead.push.v1 import push_service_pb2_grpc as pb_grpc

_GOAL = 1000  # deliveries per second of processor time
_MOST_DELAY = 1.1  # of the target that answers
_OF_AN_ORGANIZATION = 100  # subscriptions
_PATIENCE_SECONDS = 120
_POLL_SECONDS = 0.01
_TYPE = "group.added"

# Events of new groups of the organization $2. The server gives them positions, and follows them.
_ADD_EVENTS = f"""
insert into events (aggregate_id, sequence, aggregate_type, event_type, revision, payload, creator,
    owner, created_at)
select gen_random_uuid()::text, now.sequence + number, 'group', '{_TYPE}', 1,
    '{{"name": "group", "display_name": "Group"}}', 'operator', $2, now()
from generate_series(1, $1::int) as number, (
    select (extract(epoch from clock_timestamp()) * 1000000)::bigint as sequence) as now"""
_PENDING = "select count(*) from push_deliveries where target_id = $1 and state = 'pending'"


@dataclass(frozen=True)
class _Turn:
    """A number of deliveries to the target that answers."""

    deliveries: int
    server_seconds: float
    postgresql_seconds: float
    seconds: float

    @property
    def per_cpu_second(self) -> float:
        """Deliveries per second of processor time."""
        return self.deliveries / (self.server_seconds + self.postgresql_seconds)


def push(bench: Bench, deliveries: int, dead: int) -> str:
    """Deliveries to a target that answers: alone, then beside targets that never answer."""
    click.echo(f"{deliveries} webhooks", err=True)
    with (
        push_target.running(bench.folder / "push-target", bench.generator.processors) as target,
        bench.postgresql.database() as database,
        bench.product(
            "push",
            database.dsn,
            push_allowed_networks="127.0.0.0/8",
            push_ca_file=target.ca_file,
        ) as server,
    ):
        alone, beside = asyncio.run(
            _measured(bench, database.dsn, server, target, deliveries, dead)
        )
    base = median(each.seconds for each in alone)
    rows = []
    for name, turns in (("alone", alone), (f"beside {dead:,} dead targets", beside)):
        per_cpu_second = median(each.per_cpu_second for each in turns)
        delay = median(each.seconds for each in turns) / base
        is_met = per_cpu_second >= _GOAL if turns is alone else delay <= _MOST_DELAY
        rows.append(
            [
                name,
                *(
                    f"{median(getattr(each, part) / each.deliveries for each in turns) * 1e6:.0f}"
                    for part in ("server_seconds", "postgresql_seconds")
                ),
                f"{median(each.deliveries / each.seconds for each in turns):.0f}",
                f"{per_cpu_second:.0f}",
                f"{delay:.2f}",
                f"{_GOAL} per CPU second" if turns is alone else f"time at most {_MOST_DELAY}",
                "yes" if is_met else "no",
            ]
        )
    return report.table(
        [
            f"{deliveries} webhooks",
            *("CPU µs", "PG µs", "per second", "per CPU second", "time ÷ alone", "goal", "met"),
        ],
        rows,
    )


async def _measured(
    bench: Bench, dsn: str, server: Server, target: Target, deliveries: int, dead: int
) -> tuple[Sequence[_Turn], Sequence[_Turn]]:
    async with (
        grpc.aio.insecure_channel(server.grpc_address) as channel,
        connection_to(dsn) as connection,
    ):
        owner = await connection.fetchval("select id from organizations where is_default")
        stub = pb_grpc.PushServiceStub(channel)
        url = f"https://localhost:{target.port}/"
        subscription_id = await _subscribe(stub, server, url, owner)

        async def turn(number: int) -> _Turn:
            return await _turn(bench, connection, server, target, (number, owner, subscription_id))

        await turn(min(deliveries, 100))  # the target is one that answers
        alone = [await turn(deliveries) for _ in range(bench.rounds)]
        click.echo(f"{dead} dead targets", err=True)
        dead_url = f"https://localhost:{target.dead_port}/"
        orgs = organization_service_pb2_grpc.OrganizationServiceStub(channel)
        for number in range(0, dead, _OF_AN_ORGANIZATION):
            request = org_pb.CreateOrganizationRequest(name=f"dead {number}")
            org_id = (await orgs.CreateOrganization(request, metadata=_metadata(server))).org_id
            for _ in range(min(_OF_AN_ORGANIZATION, dead - number)):
                await _subscribe(stub, server, dead_url, org_id)
            await connection.execute(_ADD_EVENTS, 1, org_id)
        beside = [await turn(deliveries) for _ in range(bench.rounds)]
    return alone, beside


async def _subscribe(
    stub: "pb_grpc.PushServiceAsyncStub", server: Server, url: str, org_id: str
) -> str:
    subscription = pb.Subscription(name="Target", url=url, event_types=[_TYPE])
    request = pb.CreateSubscriptionRequest(
        subscription=subscription, secret_kind=pb.SECRET_KIND_HMAC
    )
    metadata = (*_metadata(server), ("x-service-orgid", org_id))
    return (await stub.CreateSubscription(request, metadata=metadata)).subscription_id


def _metadata(server: Server) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {server.token}"),)


async def _turn(
    bench: Bench,
    connection: asyncpg.Connection,
    server: Server,
    target: Target,
    of: tuple[int, str, str],
) -> _Turn:
    """Adds events, and waits until all their deliveries are recorded."""
    number, owner, subscription_id = of
    # The rows of earlier turns would make later ones slower.
    await connection.execute("vacuum analyze")
    received, before = target.received, _cpu(bench, server)
    await connection.execute(_ADD_EVENTS, number, owner)
    began = time.monotonic()
    while target.received - received < number:
        if time.monotonic() - began > _PATIENCE_SECONDS:
            told = f"{target.received - received} of {number} webhooks"
            raise BenchError(f"The target got {told} in {_PATIENCE_SECONDS} s.")
        await asyncio.sleep(_POLL_SECONDS)
    seconds = time.monotonic() - began
    while await connection.fetchval(_PENDING, subscription_id):  # noqa: ASYNC110 -- another process
        await asyncio.sleep(_POLL_SECONDS)
    after = _cpu(bench, server)
    return _Turn(number, after[0] - before[0], after[1] - before[1], seconds)


def _cpu(bench: Bench, server: Server) -> tuple[float, float]:
    """The processor time of the server and of PostgreSQL."""
    return cpu_seconds(server.process), cpu_seconds(bench.postgresql.postmaster)
