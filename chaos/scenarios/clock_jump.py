"""The clock an hour back, and forth again, under load."""

from collections import defaultdict
from datetime import timedelta
from itertools import pairwise

from chaos import clock
from chaos.load import Load, Written
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_nothing_is_lost,
    promise_rebuilt_is_live,
)
from chaos.report import Report
from chaos.stage import Scale, Stage

_HOUR = timedelta(hours=1)


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Shifts the clock of the database, the only clock that numbers events."""
    async with stage.database() as dsn:
        await clock.install(stage, dsn)
        async with stage.server(dsn) as served:
            # Callers that only change one identity provider do so before and after the jump.
            load = served.load(scale, changes=10**9)
            async with load.running():
                for shift in (timedelta(), -_HOUR, timedelta(), -_HOUR):
                    await clock.shift(dsn, shift)
                    if shift:
                        report.did("set the clock an hour back under load, and later right again")
                    await load.more("acknowledged", scale.writes)
            _promise_order(report, load)
            await promise_nothing_is_lost(report, load, served, dsn)
            report.promise("no call was refused", unless=[*load.refused, *load.cut])
            promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


def _promise_order(report: Report, load: Load) -> None:
    histories: dict[str, list[Written]] = defaultdict(list)
    for each in load.acknowledged:
        histories[each.aggregate_id].append(each)
    steps = [step for history in histories.values() for step in pairwise(history)]
    by_one = sum(after.details.sequence == before.details.sequence + 1 for before, after in steps)
    report.saw(f"{by_one} writes numbered by their predecessor, {len(steps) - by_one} by the clock")
    report.promise(
        "the clock went back", unless=[] if by_one else ["no write was numbered by another"]
    )
    report.promise(
        "sequences strictly increase within every identity provider",
        unless=[
            f"{after} after {before}"
            for before, after in steps
            if after.details.sequence <= before.details.sequence
        ],
    )
    report.promise(
        "details are consistent: change date and sequence are one, creation is not after it, and"
        " stays",
        unless=[
            str(each)
            for history in histories.values()
            for each in history
            if each.details.change_date.ToMicroseconds() != each.details.sequence
            or each.details.creation_date != history[0].details.creation_date
            or each.details.creation_date.ToMicroseconds() > each.details.sequence
        ],
    )
