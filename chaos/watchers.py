"""Services that watch the ends of sessions, and people whose sessions end, with their records.

Each watcher begins at one of several servers. When its stream ends, it resumes at the next server
after the last sequence that it received.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import grpc

from chaos.load import CHANNEL_OPTIONS, Ports
from chaos.people import Person
from chaos.report import Report
from chaos.stage import Scale
from keystead.session.v1 import session_service_pb2 as pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client

_MOST_SECONDS = 2.0
_POLL_SECONDS = 0.02
_PATIENCE_SECONDS = 10


@dataclass(slots=True)
class Ends:
    """The ends of sessions that were acknowledged, with their times, and those without an answer.

    `disturbed`: ends acknowledged during a fault. They may arrive late.
    """

    acknowledged: dict[str, float] = field(default_factory=dict)
    unanswered: set[str] = field(default_factory=set)
    disturbed: set[str] = field(default_factory=set)
    is_disturbed: bool = False

    async def more(self, number: int) -> None:
        """Waits until this many more were acknowledged."""
        enough = len(self.acknowledged) + number
        while len(self.acknowledged) < enough:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def disturb(self, watchers: Sequence["Watcher"]) -> None:
        """From now on ends may arrive late. Waits until all earlier ends have arrived."""
        self.is_disturbed = True
        await self.arrived(watchers)

    async def calm(self, watchers: Sequence["Watcher"]) -> None:
        """Waits until late ends have arrived. From then on ends must arrive in time again."""
        await self.arrived(watchers)
        self.is_disturbed = False

    async def arrived(self, watchers: Sequence["Watcher"]) -> None:
        """Waits until the ends acknowledged by now have arrived, at most `_PATIENCE_SECONDS`."""
        acknowledged = {*self.acknowledged}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                while any(acknowledged - each.told.keys() for each in watchers):  # noqa: ASYNC110
                    await asyncio.sleep(_POLL_SECONDS)


class Watcher:
    """Watches at one of the servers, and resumes at the next one when its stream ends."""

    def __init__(self, clients: Sequence[Client]) -> None:
        self._clients = clients
        self._cursor = ""
        self.arrived: dict[str, float] = {}
        self.told: Counter[str] = Counter()
        self.resumed = 0

    async def watch(self, began: asyncio.Event) -> None:
        while True:
            client = self._clients[self.resumed % len(self._clients)]
            request = pb.WatchEndedSessionsRequest(after_cursor=self._cursor)
            try:
                async for message in client.call(client.sessions.WatchEndedSessions, request):
                    self._cursor = message.cursor
                    began.set()
                    for ended in message.ended_sessions:
                        self.told[ended.session_id] += 1
                        self.arrived.setdefault(ended.session_id, time.monotonic())
            except grpc.aio.AioRpcError:
                await asyncio.sleep(_POLL_SECONDS)
            self.resumed += 1


async def end_sessions(person: Person, ends: Ends) -> None:
    """Signs in and out, without end."""
    while True:
        try:
            signed_in = await person.sign_in()
        except grpc.aio.AioRpcError:
            await asyncio.sleep(_POLL_SECONDS)
            continue
        session_id = signed_in.session_id
        try:
            await person.sign_out(signed_in.session_token)
        except (grpc.aio.AioRpcError, asyncio.CancelledError) as error:
            ends.unanswered.add(session_id)
            if isinstance(error, asyncio.CancelledError):
                raise
        else:
            ends.acknowledged[session_id] = time.monotonic()
            if ends.is_disturbed:
                ends.disturbed.add(session_id)


@dataclass(frozen=True, slots=True)
class Watched:
    """Four watchers, and the people whose sessions they watch."""

    watchers: Sequence[Watcher]
    ends: Ends

    @classmethod
    @contextlib.asynccontextmanager
    async def by(cls, admins: Sequence[Client], scale: Scale) -> AsyncIterator["Watched"]:
        """People sign in and out at the first server during the block. `admins`: one per server.

        At the end of the block, all ends have arrived or are too late.
        """
        verifier = await given.user(admins[0], roles=[user_pb.ROLE_SESSION_VERIFIER])
        people = [await Person.created(admins[0]) for _ in range(scale.callers)]
        servers = [admin.with_token(verifier.token) for admin in admins]
        watchers = [Watcher(servers[place % 2 :] + servers[: place % 2]) for place in range(4)]
        watched = cls(watchers, Ends())
        async with asyncio.TaskGroup() as tasks:
            watching = []
            try:
                for watcher in watchers:
                    began = asyncio.Event()
                    watching.append(tasks.create_task(watcher.watch(began)))
                    await began.wait()
                ending = [tasks.create_task(end_sessions(each, watched.ends)) for each in people]
                try:
                    yield watched
                finally:
                    for task in ending:
                        task.cancel()
                await watched.ends.arrived(watchers)
            finally:
                for task in watching:
                    task.cancel()

    @contextlib.asynccontextmanager
    async def disturbed(self) -> AsyncIterator[None]:
        """Ends may arrive late during the block. At its end, all of them have arrived."""
        await self.ends.disturb(self.watchers)
        yield
        await self.ends.calm(self.watchers)

    def judge(self, report: Report) -> None:
        """The promises: every end arrives once, and in time."""
        watchers, ends = self.watchers, self.ends
        quiet = ends.acknowledged.keys() - ends.disturbed
        delays = sorted(
            watcher.arrived[session_id] - ends.acknowledged[session_id]
            for watcher in watchers
            for session_id in quiet & watcher.arrived.keys()
        )
        half, nearly_all = (delays[int(len(delays) * share)] for share in (0.5, 0.99))
        resumed = sum(each.resumed for each in watchers)
        report.saw(
            f"{len(ends.acknowledged)} ends acknowledged, {len(ends.disturbed)} of them in an"
            f" outage; {len(watchers)} watchers resumed {resumed} times;"
            f" outside of outages told after {half:.2f} s (p50), {nearly_all:.2f} s (p99)"
        )
        report.promise(
            "every acknowledged end of a session is told to every watcher",
            unless=[
                f"{session_id} was not told"
                for each in watchers
                for session_id in ends.acknowledged.keys() - each.told.keys()
            ],
        )
        report.promise(
            "no watcher is told an end twice",
            unless=[
                f"{session_id}: {times} times"
                for each in watchers
                for session_id, times in each.told.items()
                if times > 1
            ],
        )
        known = ends.acknowledged.keys() | ends.unanswered
        report.promise(
            "nothing is told that did not happen",
            unless=[each for watcher in watchers for each in watcher.told.keys() - known],
        )
        report.promise(
            f"outside of outages 99 of 100 ends are told within {_MOST_SECONDS:.0f} s",
            unless=[f"{nearly_all:.2f} s"] if nearly_all > _MOST_SECONDS else [],
        )


@contextlib.asynccontextmanager
async def clients(ports: Sequence[Ports], token: str) -> AsyncIterator[Sequence[Client]]:
    """A client of the administrator for each server, even if the server does not run now."""
    async with contextlib.AsyncExitStack() as stack:
        yield [
            Client(
                await stack.enter_async_context(
                    grpc.aio.insecure_channel(f"127.0.0.1:{each.grpc}", options=CHANNEL_OPTIONS)
                ),
                token,
            )
            for each in ports
        ]
