"""Promises that several scenarios make."""

from pathlib import Path

import grpc

from chaos import ledger
from chaos.load import Load, Refused
from chaos.report import Report
from chaos.stage import Served
from tests.support import process


async def promise_nothing_is_lost(report: Report, load: Load, served: Served, dsn: str) -> None:
    """The promise of every fault: acknowledged writes are in the event log and readable."""
    written = load.acknowledged
    report.saw(
        f"{len(written)} writes acknowledged, {len(load.refused)} refused, {len(load.cut)} without"
        f" an answer; of those not acknowledged, {await ledger.written(dsn, load.unanswered_names)}"
        " are in the log"
    )
    report.promise(
        "every acknowledged write is in the log of events, with its sequence and name",
        unless=await ledger.lost(dsn, written),
    )
    report.promise(
        "everything acknowledged can be read, over every protocol",
        unless=await ledger.unreadable(served.ports, served.token, written),
    )


async def promise_rebuilt_is_live(report: Report, dsn: str | None, data_dir: Path) -> None:
    """The read tables equal a replay of the event log."""
    settings = {"database_url": dsn} if dsn else {}
    checked = await process.keystead("rebuild", "--check", data_dir=data_dir, **settings)
    report.promise(
        "`keystead rebuild --check` finds no difference",
        unless=[] if checked.status == 0 else [checked.output + checked.errors],
    )


def promise_no_unexpected_errors(report: Report, *servers: Served) -> None:
    """No server logged an error that it does not know, or a traceback."""
    report.promise(
        "the server logged no unexpected error",
        unless=[line for served in servers for line in served.unexpected_errors()],
    )


def promise_unavailable(report: Report, load: Load) -> None:
    """Writes are refused correctly without the database, also over HTTP (503)."""
    report.promise(
        "every refusal was UNAVAILABLE, DATABASE_UNAVAILABLE, with a retry delay"
        " (JSON: 503 with retry-after)",
        unless=[refused for refused in load.refused if not _is_unavailable(refused)],
    )
    report.promise("every call was answered", unless=load.cut)


def _is_unavailable(refused: Refused) -> bool:
    refusal = refused.refusal
    return (
        refusal.code is grpc.StatusCode.UNAVAILABLE
        and refusal.reason == "DATABASE_UNAVAILABLE"
        and bool(refusal.retry_seconds)
    )
