"""Calls repeated with their idempotency keys until they are answered, over other transports too."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from itertools import count, cycle
from typing import Any
from uuid import uuid4

from chaos import ledger
from chaos.load import REPEATABLE, Caller, LostError, Ports, Written, callers, written
from chaos.promises import (
    promise_rebuilt_is_live,
)
from chaos.report import Report
from chaos.stage import Scale, Stage, free_ports
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb

_POLL_SECONDS = 0.005
_PAUSE_SECONDS = 0.02
_NUMBERS = count()


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for PostgreSQL and the server, at least until a committed call gets no answer."""
    ports, rounds, unheard = free_ports(), 0, 0
    async with stage.database() as dsn:
        async with stage.server(dsn, ports=ports) as served:
            writers = _Writers(ports, served.token)
        async with writers.running(scale.callers):
            while rounds < scale.rounds or not unheard:
                unheard += await _killed(stage, dsn, writers, scale)
                rounds += 1
            async with stage.server(dsn, ports=ports) as served:
                await writers.more("made", scale.writes)
                await writers.finished()
        report.did(f"killed PostgreSQL and the server {rounds} times under {scale.callers} callers")
        report.saw(
            f"{len(writers.made)} calls, answered twice each; {len(writers.failed)} tries failed;"
            f" the server died after the commit and before the answer of {unheard} calls"
        )
        await _judge(report, dsn, writers)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


async def _killed(stage: Stage, dsn: str, writers: "_Writers", scale: Scale) -> int:
    """The number of calls whose change was committed when the server died without an answer."""
    async with stage.server(dsn, ports=writers.ports) as served:
        await writers.more("made", scale.writes)
        stage.kill()
        await writers.more("failed", scale.callers)
        await stage.start()
        await writers.more("made", scale.callers)
        served.process.kill()
        await served.server.status()
    return await ledger.written(dsn, list(writers.unanswered))


async def _judge(report: Report, dsn: str, writers: "_Writers") -> None:
    report.promise(
        "every call with a key was made, as its answer says",
        unless=await ledger.lost(dsn, writers.made),
    )
    report.promise(
        "none was made twice, however often it was repeated",
        unless=await ledger.repeated(dsn, [each.name for each in writers.made]),
    )
    report.promise("the answers of a call over two transports are equal", unless=writers.different)


class _Writers:
    """Callers that make every call over two transports with one key, each until it is answered."""

    def __init__(self, ports: Ports, token: str) -> None:
        self.ports = ports
        self._token = token
        self._stopped = False
        self.made: list[Written] = []
        self.failed: list[str] = []
        self.different: list[str] = []
        # The names of calls without a first answer, and of all open calls.
        self.unanswered: set[str] = set()
        self._open: set[str] = set()

    @contextlib.asynccontextmanager
    async def running(self, number: int) -> AsyncIterator[None]:
        """Writes during the block."""
        async with (
            callers(self.ports, self._token, number) as all_callers,
            asyncio.TaskGroup() as tasks,
        ):
            for place in range(number):
                tasks.create_task(self._write((*all_callers[place:], *all_callers[:place])))
            try:
                yield
            finally:
                self._stopped = True

    async def more(self, kind: str, number: int) -> None:
        """Waits until this many more calls are `made`, or tries are `failed`."""
        enough = len(getattr(self, kind)) + number
        while len(getattr(self, kind)) < enough:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def finished(self) -> None:
        """Begins no more calls, and waits until all open calls are answered twice."""
        self._stopped = True
        while self._open:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def _write(self, by_protocol: Sequence[Caller]) -> None:
        while not self._stopped:
            added = await self._make(
                by_protocol, "CreateIDP", idp_pb.CreateIDPRequest(name=_name())
            )
            idp_id = added.aggregate_id
            renamed = idp_pb.UpdateIDPRequest(idp_id=idp_id, name=_name())
            await self._make(by_protocol, "UpdateIDP", renamed)
            request = user_pb.CreateUserRequest(user_name=_name())
            user_id = (await self._make(by_protocol, "CreateUser", request)).aggregate_id
            token = user_pb.CreateTokenRequest(user_id=user_id, name=_name())
            await self._make(by_protocol, "CreateToken", token)

    async def _make(self, by_protocol: Sequence[Caller], method: str, request: Any) -> Written:
        name = request.user_name if method == "CreateUser" else request.name
        key = ("x-idempotency-key", uuid4().hex)
        self._open.add(name)
        self.unanswered.add(name)
        first = await self._answer(by_protocol, method, request, key)
        self.unanswered.remove(name)
        second = await self._answer(by_protocol[1:], method, request, key)
        if first != second:
            self.different.append(f"{method} '{name}'")
        made = written(by_protocol[0].protocol, method, name, request, first)
        self.made.append(made)
        self._open.remove(name)
        return made

    async def _answer(
        self, by_protocol: Sequence[Caller], method: str, request: Any, key: tuple[str, str]
    ) -> Any:
        """The answer, tried over the transports in turn."""
        for caller in cycle(by_protocol):
            try:
                answer = await caller.call(method, request, key)
            except LostError as error:
                self.failed.append(f"{caller.protocol}: {error}")
            else:
                if answer.response is not None:
                    return answer.response
                if answer.code not in REPEATABLE:
                    raise AssertionError(f"{caller.protocol}, {method}: {answer.refusal}")
                self.failed.append(f"{caller.protocol}: {answer.code.name}")
            await asyncio.sleep(_PAUSE_SECONDS)
        raise AssertionError("there is no transport")


def _name() -> str:
    return f"retried-{next(_NUMBERS)}"
