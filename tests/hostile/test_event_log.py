"""Any sequence of commands leaves the same readable state on two servers, and that of its log.

The details of every answer are those of the object's last event, and sequences increase.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Self

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from server.operate.rebuild.run import rebuild
from server.store.database import Database, connected
from tests.conftest import MakeInstance
from tests.hostile.command_sequences import COMMANDS, CommandSequence, Step
from tests.support import given
from tests.support.given import Client, Instance

_STEPS = st.lists(
    st.builds(
        Step, st.sampled_from(sorted(COMMANDS)), which=st.integers(0, 3), what=st.integers(0, 3)
    ),
    min_size=20,
    max_size=40,
)
# Without these commands, most others have no object.
_BEGINNING = [
    Step(command, which, which)
    for command in ("add_organization", "add_user", "add_idp", "create_token", "add_smtp")
    for which in (0, 1)
]
_SETTINGS = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=3,
    suppress_health_check=[HealthCheck.too_slow],
)
_titles = itertools.count()


@dataclass(frozen=True)
class Servers:
    """The administrators' clients of servers that share a database, and connections to it."""

    clients: Sequence[Client]
    dsn: str
    sql: asyncpg.Connection
    database: Database

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, *instances: Instance) -> AsyncIterator[Self]:
        """The servers of instances that share a database."""
        dsn = instances[0].dsn
        async with given.sql(dsn) as sql, connected(dsn, pool_size=2) as database:
            yield cls([instance.admin for instance in instances], dsn, sql, database)

    async def run(self, title: str, steps: Sequence[Step]) -> CommandSequence:
        """Runs the steps after the SMTP configuration is removed."""
        admin = self.clients[0]
        with contextlib.suppress(Exception):
            await admin.call(admin.smtp.RemoveSMTPConfig, smtp_pb.RemoveSMTPConfigRequest())
        sequence = CommandSequence(self.clients, self.sql, title)
        await sequence.run([*_BEGINNING, *steps])
        return sequence


@pytest.fixture(scope="module")
async def one(make_instance: MakeInstance) -> AsyncIterator[Servers]:
    """One server."""
    async with make_instance() as instance, Servers.of(instance) as servers:
        yield servers


@pytest.fixture(scope="module")
async def two(make_instance: MakeInstance) -> AsyncIterator[Servers]:
    """Two servers of another database."""
    async with (
        make_instance() as first,
        make_instance(dsn=first.dsn, data_dir=first.data_dir) as second,
        Servers.of(first, second) as servers,
    ):
        yield servers


@_SETTINGS
@for_all(steps=_STEPS)
async def test_two_servers_that_take_turns_are_as_one(
    one: Servers, two: Servers, steps: Sequence[Step]
) -> None:
    title = f"run {next(_titles)}"

    alone = await one.run(title, steps)
    in_turns = await two.run(title, steps)

    assert in_turns.outcomes == alone.outcomes
    expected = await alone.state(one.clients[0])
    for server in two.clients:
        assert await in_turns.state(server) == expected
    for servers in (one, two):
        assert (await rebuild(servers.database, repair=False)).differences == ()


@_SETTINGS
@for_all(left=_STEPS, right=_STEPS)
async def test_two_servers_at_once_answer_what_the_log_says(
    two: Servers, left: Sequence[Step], right: Sequence[Step]
) -> None:
    """Every answer corresponds to an event, and both servers read the state of the log."""
    both = await two.run(f"run {next(_titles)}", [])

    async with (
        given.sql(two.dsn) as first,
        given.sql(two.dsn) as second,
        asyncio.TaskGroup() as command_sequences,
    ):
        command_sequences.create_task(both.on(two.clients[0], first).run(left))
        command_sequences.create_task(both.on(two.clients[1], second).run(right))

    read = [await both.state(server) for server in two.clients]
    assert read[0] == read[1]
    assert (await rebuild(two.database, repair=False)).differences == ()
