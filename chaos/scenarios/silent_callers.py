"""Callers of the gRPC port that never read: neither a stream nor an answer.

For the web port see tests/bridge/test_hardening_clients.py.
"""

from grpc_health.v1.health_pb2 import HealthCheckRequest

from chaos.load import callers
from chaos.promises import (
    promise_no_unexpected_errors,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from tests.support import http2
from tests.support.transports import authorization

_WATCH = "/grpc.health.v1.Health/Watch"
_LIST = "/keystead.idp.v1.IdentityProviderService/ListIDPs"
_NAME = "x" * 200
_PAGE = 100


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """HTTP/2 with a flow-control window of zero: the server may not send its messages."""
    number = scale.piled_up // 3
    async with stage.database() as dsn, stage.server(dsn) as served:
        async with callers(served.ports, served.token, 1) as (native,):
            for _ in range(_PAGE):
                await native.call("CreateIDP", idp_pb.CreateIDPRequest(name=_NAME))
        before = served.mebibytes()
        for kind in (_WATCH, _LIST):
            async with http2.established(served.ports.grpc, window=0) as connection:
                for place in range(number):
                    connection.writer.write(_call(kind, served, place))
                    await connection.writer.drain()
                await _promise_service(served, scale, report, f"beside {number} such calls")
                held = served.mebibytes()
            await _promise_service(served, scale, report, "after they have hung up")
            report.did(
                f"made {number} calls of {kind} on one connection, and read nothing: {before:.0f}"
                f" MiB before, {held:.0f} meanwhile, {served.mebibytes():.0f} after it was closed"
            )
        async with http2.established(served.ports.grpc, window=0) as connection:
            for place in range(number):
                connection.writer.write(_call(_WATCH, served, place))
                await connection.writer.drain()
            status = await served.server.end()
        report.promise("they do not hold up the end", unless=[status] if status else [])
        cut_off = served.server.events("calls are cut off")
        report.promise("nor take a grace that they do not need", unless=cut_off)
        promise_no_unexpected_errors(report, served)


async def _promise_service(served: Served, scale: Scale, report: Report, when: str) -> None:
    load = served.load(scale)
    async with load.running():
        await load.more("acknowledged", scale.writes)
    report.promise(f"others are served {when}", unless=[*load.refused, *load.cut])


def _call(method: str, served: Served, place: int) -> bytes:
    stream = 2 * place + 1
    if method == _WATCH:
        return http2.whole_call(method, HealthCheckRequest(), (), stream=stream)
    request = idp_pb.ListIDPsRequest(page_size=_PAGE)
    return http2.whole_call(method, request, authorization(served.token), stream=stream)
