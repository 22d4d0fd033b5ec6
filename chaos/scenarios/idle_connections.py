"""Idle connections: ten thousand on the web port, and up to the limit of the gRPC port on it."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Callable, Iterator

import psutil

from chaos.load import callers
from chaos.promises import (
    promise_no_unexpected_errors,
)
from chaos.report import NotPossibleHereError, Report
from chaos.stage import Scale, Served, Stage
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests.support import http2

# The number of files that the process needs beside connections.
_FILES = 1000
# The gRPC port takes 1,024 connections; some are left for calls (decision 8).
_MOST_ON_GRPC = 1000
# The maximum memory of a connection; gRPC uses most of it.
_MOST_KIBIBYTES = 64


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Opens the connections to one port, then to the other."""
    with _many_files() as allowed:
        number = scale.connections
        if allowed < number + _FILES:
            raise NotPossibleHereError(
                f"{number} connections take as many open files (ulimit -Hn), and {_FILES} more"
            )
        async with stage.database() as dsn, stage.server(dsn) as served:
            most = min(number, _MOST_ON_GRPC)
            await _idle(served, most, "gRPC", served.ports.grpc, http2.established, report)
            await _idle(served, number, "the web port", served.ports.web, _connected, report)
            promise_no_unexpected_errors(report, served)


async def _idle(
    served: Served,
    number: int,
    port: str,
    port_number: int,
    connect: Callable[[int], contextlib.AbstractAsyncContextManager[object]],
    report: Report,
) -> None:
    # First calls load modules and allocate memory, which must not count for the connections.
    await _promise_calls(served, None, "")
    before = served.mebibytes()
    async with contextlib.AsyncExitStack() as connections:
        for _ in range(number):
            await connections.enter_async_context(connect(port_number))
        each = (served.mebibytes() - before) * 1024 / number
        report.did(f"opened {number} connections to {port}: {each:.1f} KiB of memory each")
        await _promise_calls(served, report, f"beside {number} idle connections to {port}")
        held = sum(
            each.laddr.port == port_number and each.status == psutil.CONN_ESTABLISHED
            for each in served.process.net_connections("tcp")
        )
        report.promise(
            f"the server holds all {number} connections to {port}",
            unless=[f"{held} connections"] if held < number else [],
        )
        report.promise(
            f"an idle connection to {port} costs at most {_MOST_KIBIBYTES} KiB",
            unless=[f"{each:.1f} KiB"] if each > _MOST_KIBIBYTES else [],
        )


async def _promise_calls(served: Served, report: Report | None, beside: str) -> None:
    failed = []
    async with callers(served.ports, served.token, 3) as by_protocol:
        for caller in by_protocol:
            answer = await caller.call("CreateIDP", idp_pb.CreateIDPRequest(name="Provider"))
            if answer.response is None:
                failed.append(f"{caller.protocol}: {answer.status}")
    if report is not None:
        report.promise(f"every protocol is answered {beside}", unless=failed)


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncIterator[None]:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    yield
    writer.close()


@contextlib.contextmanager
def _many_files() -> Iterator[int]:
    """Raises the limit of open files to the maximum of the system, and gives it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
