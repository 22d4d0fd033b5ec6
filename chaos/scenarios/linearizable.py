"""Configurations read and changed by several callers under kills, whose history is judged."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from itertools import count

from chaos.history import Made, judged
from chaos.load import Caller, LostError, callers
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb

_OBJECTS = 3
_POLL_SECONDS = 0.005
_PAUSE_SECONDS = 0.02


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for PostgreSQL and the server; all callers share few objects."""
    ports, history, stopped = free_ports(), list[Made](), asyncio.Event()
    async with stage.database() as dsn:
        async with stage.server(dsn, ports=ports) as served:
            token, idp_ids = served.token, await _created(served, history)
        async with (
            callers(ports, token, scale.callers) as all_callers,
            asyncio.TaskGroup() as tasks,
        ):
            for number, each in enumerate(all_callers, start=1):
                tasks.create_task(_work(number, each, idp_ids, history, stopped))
            for _ in range(scale.rounds):
                async with stage.server(dsn, ports=ports) as served:
                    await _more(history, scale.writes)
                    stage.kill()
                    await stage.start()
                    await _more(history, scale.writes)
                    served.process.kill()
                    await served.server.status()
                report.did(f"killed PostgreSQL and the server under {scale.callers} callers")
            async with stage.server(dsn, ports=ports):
                await _more(history, scale.writes)
                stopped.set()
    judgement = await judged(history, stage.folder)
    report.saw(f"the judge: {judgement.text}")
    report.promise(
        "the history of the identity providers is linearizable",
        unless=[] if judgement.is_linearizable else [judgement.text],
    )


async def _created(served: Served, history: list[Made]) -> list[str]:
    idp_ids = []
    async with Caller.connected("gRPC", served.ports, served.token) as caller:
        for _ in range(_OBJECTS):
            made = Made(0, "", write=True, value="Provider")
            answer = await caller.call("CreateIDP", idp_pb.CreateIDPRequest(name=made.value))
            made.object = answer.response.idp_id  # type: ignore[union-attr] # it is not refused
            made.ended()
            history.append(made)
            idp_ids.append(made.object)
    return idp_ids


async def _work(
    number: int,
    caller: Caller,
    idp_ids: Sequence[str],
    history: list[Made],
    stopped: asyncio.Event,
) -> None:
    for turn in count():
        if stopped.is_set():
            return
        idp_id = random.choice(idp_ids)  # noqa: S311 -- no secret
        with contextlib.suppress(LostError):
            if turn % 2:
                await _write(number, caller, idp_id, f"Provider {number}-{turn}", history)
            else:
                await _read(number, caller, idp_id, history)
            continue
        await asyncio.sleep(_PAUSE_SECONDS)


async def _write(number: int, caller: Caller, idp_id: str, name: str, history: list[Made]) -> None:
    """Changes a name. A refusal may follow a commit, as a lost answer does."""
    made = Made(number, idp_id, write=True, value=name)
    history.append(made)
    answer = await caller.call("UpdateIDP", idp_pb.UpdateIDPRequest(idp_id=idp_id, name=name))
    if answer.response is not None:
        made.ended()
    else:
        await asyncio.sleep(_PAUSE_SECONDS)


async def _read(number: int, caller: Caller, idp_id: str, history: list[Made]) -> None:
    made = Made(number, idp_id, write=False, value="")
    answer = await caller.call("GetIDP", idp_pb.GetIDPRequest(idp_id=idp_id))
    if answer.response is not None:
        made.value = answer.response.idp.name  # type: ignore[attr-defined] # of GetIDP
        made.ended()
        history.append(made)
    else:
        await asyncio.sleep(_PAUSE_SECONDS)


async def _more(history: Sequence[Made], number: int) -> None:
    """Waits until this many more calls are answered."""
    enough = _answered(history) + number
    while _answered(history) < enough:  # noqa: ASYNC110 -- there is no event
        await asyncio.sleep(_POLL_SECONDS)


def _answered(history: Sequence[Made]) -> int:
    return sum(each.end > 0 for each in history)
