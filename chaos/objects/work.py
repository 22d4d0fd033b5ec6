"""Clients that use objects of all models at several servers, with their history."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from chaos import trace
from chaos.history import History, judged
from chaos.load import Ports
from chaos.objects.codes import Code
from chaos.objects.configurations import Mailing, Provider
from chaos.objects.credentials import Session, Token
from chaos.objects.subject import Hand, Subject, chosen
from chaos.objects.users import UserName
from chaos.report import Report
from chaos.watchers import clients

# The objects that are used at the same time.
_KINDS: Sequence[type[Subject]] = 2 * (Provider, Mailing, UserName, Token, Session, Code)
CLIENTS = 20
_PAUSE_SECONDS = 0.02
_BEGIN_SECONDS = 30


@dataclass(slots=True)
class _Place:
    """An object of a kind. When it is spent, one client creates the next one."""

    kind: type[Subject]
    subject: Subject | None = None
    is_filling: bool = False
    running: int = 0


class Work:
    """Clients who use the same few objects, chosen by chance, until they are stopped."""

    def __init__(self, kinds: Sequence[type[Subject]] = _KINDS) -> None:
        self.history = History()
        self._unused = {*kinds}
        self._places = [_Place(kind) for kind in kinds]
        self._stopped = False

    @contextlib.asynccontextmanager
    async def running(
        self, ports: Sequence[Ports], token: str, *, standbys: Sequence[Ports] = ()
    ) -> AsyncIterator[None]:
        """The clients work during the block. Each finishes its current call."""
        async with contextlib.AsyncExitStack() as stack:
            hands = []
            for number in range(CLIENTS):
                admins = await stack.enter_async_context(clients(ports, token))
                readers = await stack.enter_async_context(clients(standbys, token))
                hands.append(Hand(number, admins, readers, self.history))
            async with asyncio.TaskGroup() as tasks:
                for hand in hands:
                    tasks.create_task(self._work(hand))
                try:
                    yield
                finally:
                    self._stopped = True

    @contextlib.asynccontextmanager
    async def without(self, kind: type[Subject]) -> AsyncIterator[None]:
        """No object of this kind is used during the block, nor later if it was before."""
        paused = [place for place in self._places if place.kind is kind]
        self._places = [place for place in self._places if place.kind is not kind]
        while any(place.running for place in paused):  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_PAUSE_SECONDS)
        yield
        self._places += [_Place(kind) for _ in paused]

    async def _work(self, hand: Hand) -> None:
        while not self._stopped:
            place = self._places[chosen(len(self._places))]
            place.running += 1
            try:
                response = await self._step(place, hand)
            except grpc.aio.AioRpcError:
                response = None
            finally:
                place.running -= 1
            if response is None:
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _step(self, place: _Place, hand: Hand) -> object:
        if place.subject is not None and not place.subject.is_spent:
            response = await place.subject.step(hand)
            if response is not None:
                self._unused.discard(place.kind)
            return response
        if place.is_filling:
            return None
        place.is_filling = True
        try:
            place.subject = await place.kind.created(hand, place.subject)
        finally:
            place.is_filling = False
        return place.subject

    async def begun(self) -> None:
        """Waits until objects of each kind have answered, or for half a minute."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BEGIN_SECONDS):
                while self._unused:  # noqa: ASYNC110 -- there is no event
                    await asyncio.sleep(_PAUSE_SECONDS)

    def promise_used(self, report: Report) -> None:
        """A kind without an answered call would have no history that could be wrong."""
        report.promise(
            "objects of each kind answered calls",
            unless=sorted(f"{kind.__name__}: no answer" for kind in self._unused),
        )

    async def promise_linearizable(self, report: Report, folder: Path, dsn: str) -> None:
        """Compares the history with the event log, and has the judge read it."""
        self.promise_used(report)
        steps = await trace.read_steps(dsn)
        trace.write(steps, folder / f"{report.name}-events.jsonl")
        differences = trace.check(self.history.calls, steps)
        report.saw(f"the trace: {len(steps)} events of the objects, {len(differences)} differences")
        report.promise(
            "the events are the acknowledged changes, each once, and explain every answer",
            unless=differences,
        )
        judgement = await judged(self.history.calls, folder, f"{report.name}-calls")
        for line in judgement.text.splitlines():
            report.saw(f"the judge: {line}")
        report.promise(
            "the history of each object is linearizable",
            unless=[] if judgement.is_linearizable else judgement.text.splitlines(),
        )
