"""The faults, one file each: `run` injects the fault and judges the observations."""

from collections.abc import Awaitable, Callable, Mapping

from chaos.report import Report
from chaos.scenarios import (
    clock_jump,
    convoy,
    database_frozen,
    database_killed,
    database_read_only,
    disk_full,
    ended_sessions,
    failover,
    idle_connections,
    linearizable,
    linearizable_failover,
    mail,
    mail_fallback,
    push,
    retries,
    revocation,
    server_killed,
    shutdown,
    silent_callers,
)
from chaos.stage import Scale, Stage

Run = Callable[[Stage, Scale, Report], Awaitable[None]]

# The scenarios by name: the first line of its file, and its function.
SCENARIOS: Mapping[str, tuple[str, Run]] = {
    module.__name__.rpartition(".")[2].replace("_", "-"): (
        str(module.__doc__).partition("\n")[0],
        module.run,
    )
    for module in (
        database_killed,
        server_killed,
        database_frozen,
        disk_full,
        database_read_only,
        clock_jump,
        ended_sessions,
        failover,
        shutdown,
        idle_connections,
        silent_callers,
        convoy,
        linearizable,
        linearizable_failover,
        mail,
        mail_fallback,
        push,
        retries,
        revocation,
    )
}


async def perform(name: str, stage: Stage, scale: Scale) -> Report:
    """Runs one scenario. An unexpected error counts as a broken promise."""
    title, run = SCENARIOS[name]
    report = Report(name, title)
    await report.filled_by(run(stage, scale, report), seconds=scale.patience_seconds)
    return report
