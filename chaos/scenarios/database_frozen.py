"""PostgreSQL frozen while calls pile up."""

import asyncio
import time
from collections import Counter

from chaos.load import UNKNOWN_IDP, Caller, LostError, callers
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb

_DEFAULT_SECONDS = 1.0
_OWN_SECONDS = 0.3
# Each call holds its request, its task, its stream and its place in the queue for a connection.
_MOST_KIBIBYTES_A_CALL = 64
# Memory that the allocator takes for the first of them.
_MOST_AT_ONCE_MEBIBYTES = 16
_POLL_SECONDS = 0.01
# A stopped PostgreSQL accepts no connections: on a Unix socket the kernel refuses them once its
# queue is full, on TCP connections get no answer.
_EXPECTED = {"DEADLINE_EXCEEDED", "DATABASE_UNAVAILABLE"}


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGSTOP for all processes of PostgreSQL: connections stay open but get no answers."""
    async with (
        stage.database() as dsn,
        stage.server(dsn, default_timeout=_DEFAULT_SECONDS) as served,
        served.monitored() as health,
    ):
        load = served.load(scale)
        async with load.running():
            await load.more("acknowledged", scale.writes)
        before = served.mebibytes()
        ended: Counter[str] = Counter()
        grown = []
        with stage.frozen():
            report.did("stopped every process of PostgreSQL (SIGSTOP)")
            for _ in range(scale.rounds):
                how_they_ended, most = await _pile_up(served, scale, report)
                ended += how_they_ended
                grown.append(most - before)
            await health.reports(ready=False)
        thawed = time.monotonic()
        await health.reports(ready=True)
        report.saw(f"ready {time.monotonic() - thawed:.2f} s after SIGCONT")
        again = served.load(scale)
        async with again.running():
            await again.more("acknowledged", scale.writes)
        again.acknowledged += load.acknowledged
        report.saw(
            f"memory: {before:.0f} MiB before, at most"
            f" {', '.join(f'+{more:.0f}' for more in grown)} MiB while calls waited,"
            f" {served.mebibytes():.0f} MiB at the end"
        )
        slowest = max(line["milliseconds"] for line in served.server.events("call")) / 1000
        report.saw(
            f"the slowest took the server {slowest:.2f} s; its limit is {_DEFAULT_SECONDS} s"
        )
        report.saw("how they ended: " + ", ".join(f"{n} {how}" for how, n in ended.items()))
        report.promise(
            "every call ended while PostgreSQL was still stopped, by a deadline, its caller's or"
            " the server's, or by hearing that no connection can be made",
            unless=[f"{n} x {how}" for how, n in ended.items() if how not in _EXPECTED],
        )
        allowed = _MOST_AT_ONCE_MEBIBYTES + scale.piled_up * _MOST_KIBIBYTES_A_CALL / 1024
        report.promise(
            f"a waiting call costs at most {_MOST_KIBIBYTES_A_CALL} KiB, and the next wave takes"
            " the place of the last one",
            unless=[f"+{more:.0f} MiB" for more in grown if more > allowed],
        )
        report.promise(
            "Check, Watch and /readyz reported the outage and its end, /livez was always 200",
            unless=health.contradictions(times=1),
        )
        await promise_nothing_is_lost(report, again, served, dsn)
        promise_no_unexpected_errors(report, served)


async def _pile_up(served: Served, scale: Scale, report: Report) -> tuple[Counter[str], float]:
    """Many calls at once, eight of ten over gRPC, every third one with a deadline of its own.

    Gives the results of the calls, and the server's maximum memory meanwhile, in MiB.
    """
    began = time.monotonic()
    async with callers(served.ports, served.token, scale.callers) as all_callers:
        native = [caller for caller in all_callers if caller.protocol == "gRPC"]
        web = [caller for caller in all_callers if caller.protocol != "gRPC"]
        calls = []
        for number in range(scale.piled_up):
            kind = native if number % 10 < 8 else web
            caller = kind[number // 10 % len(kind)]
            calls.append(_ended(caller, own_deadline=number % 3 == 0))
        most = served.mebibytes()
        waiting = asyncio.gather(*calls)
        while not waiting.done():
            most = max(most, served.mebibytes())
            await asyncio.sleep(_POLL_SECONDS)
        ended = await waiting
    report.did(
        f"let {scale.piled_up} calls wait at the same time, every third with a deadline of"
        f" {_OWN_SECONDS} s: all over after {time.monotonic() - began:.2f} s, callers' own work"
        f" included"
    )
    return Counter(ended), most


async def _ended(caller: Caller, *, own_deadline: bool) -> str:
    """The reason with which a call ended."""
    request = idp_pb.UpdateIDPRequest(idp_id=UNKNOWN_IDP, name="Too late")
    try:
        if own_deadline:
            return await caller.reason("UpdateIDP", request, within=_OWN_SECONDS)
        return (await caller.call("UpdateIDP", request)).refusal.reason
    except LostError as error:
        return str(error)
