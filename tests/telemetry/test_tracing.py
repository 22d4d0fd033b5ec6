"""Spans of calls, statements and mail attempts, and data that they must not contain."""

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent import futures
from typing import Any

import grpc
import pytest
import structlog
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from keystead.signin.v1 import signin_service_pb2 as signin_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.telemetry import tracing
from tests.conftest import MakeInstance
from tests.session import sessions
from tests.support import given
from tests.support.given import METHOD, Instance
from tests.support.transports import Call, Transports, authorization

pytestmark = pytest.mark.python_differs("logging and traceback print errors anew")

_TRACE, _PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_GET_USER = "keystead.user.v1.UserService/GetCurrentUser"
_CREATE_IDP = "keystead.idp.v1.IdentityProviderService/CreateIDP"


@pytest.fixture(scope="module")
def exporter() -> Iterator[InMemorySpanExporter]:
    """All spans that end while the tests of this module run."""
    exporter = InMemorySpanExporter()
    with tracing.sending_to(SimpleSpanProcessor(exporter)):
        yield exporter


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> InMemorySpanExporter:
    """The spans that end from now on."""
    exporter.clear()
    return exporter


@pytest.fixture(scope="module")
async def traced(
    exporter: InMemorySpanExporter, make_instance: MakeInstance
) -> AsyncIterator[Instance]:
    """A server that makes spans."""
    assert exporter is not None
    async with make_instance() as instance:
        yield instance


def _of_call(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    [found] = [each for each in spans.get_finished_spans() if each.name == name]
    return found


def _below(spans: InMemorySpanExporter, parent: ReadableSpan) -> Sequence[ReadableSpan]:
    assert parent.context is not None
    return [
        each
        for each in spans.get_finished_spans()
        if each.parent is not None and each.parent.span_id == parent.context.span_id
    ]


def _attributes(span: ReadableSpan) -> Mapping[str, Any]:
    return span.attributes or {}


async def test_a_call_is_a_span_with_its_decision_and_its_statements(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    owner = await given.user(traced.admin, roles=[user_pb.ROLE_ORG_OWNER])  # not in the cache

    await given.idp(owner)

    call = _of_call(spans, _CREATE_IDP)
    assert call.kind is SpanKind.SERVER
    assert call.parent is None
    assert _attributes(call)["rpc.response.status_code"] == "OK"
    below = {each.name: each for each in _below(spans, call)}
    assert "user.token_store._FIND_CALLER" in below
    [added] = _below(spans, below["decide"])
    assert added.name == "idp.store.ADD"
    assert added.kind is SpanKind.CLIENT
    assert "insert into events" in _attributes(added)["db.query.text"]


async def test_a_call_belongs_to_the_trace_of_its_client_on_every_transport(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    method = METHOD["GetCurrentUser"]
    headers = [
        *authorization(traced.admin.token),
        ("traceparent", f"00-{_TRACE}-{_PARENT}-01"),
    ]

    async with Transports.of(traced) as transports:
        await transports.one_answer(Call(method, user_pb.GetCurrentUserRequest(), headers))

    calls = [each for each in spans.get_finished_spans() if each.name == _GET_USER]
    assert len(calls) == 4
    for call in calls:
        assert call.parent is not None
        assert f"{call.parent.trace_id:032x}" == _TRACE
        assert f"{call.parent.span_id:016x}" == _PARENT


async def test_a_client_that_does_not_want_a_trace_gets_none(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    await traced.admin.call(
        traced.admin.users.GetCurrentUser,
        user_pb.GetCurrentUserRequest(),
        traceparent=f"00-{_TRACE}-{_PARENT}-00",
    )

    # A mail loop that another server of this process runs makes spans of its own.
    of_trace = [
        each
        for each in spans.get_finished_spans()
        if each.context is not None and f"{each.context.trace_id:032x}" == _TRACE
    ]
    assert not of_trace


@pytest.mark.parametrize("sent", ["", "nonsense", f"00-{_TRACE}-{_PARENT}", "00-" + "0" * 52])
async def test_a_malformed_trace_context_is_ignored(
    traced: Instance, spans: InMemorySpanExporter, sent: str
) -> None:
    await traced.admin.call(
        traced.admin.users.GetCurrentUser, user_pb.GetCurrentUserRequest(), traceparent=sent
    )

    assert _of_call(spans, _GET_USER).parent is None


async def test_a_failure_is_named_by_code_and_reason_and_is_no_fault_of_the_server(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    nobody = traced.nobody

    await given.refusal(nobody.call(nobody.users.GetCurrentUser, user_pb.GetCurrentUserRequest()))

    call = _of_call(spans, _GET_USER)
    assert _attributes(call)["rpc.response.status_code"] == "UNAUTHENTICATED"
    assert _attributes(call)["error.type"] == "UNAUTHENTICATED"
    assert call.status.status_code is StatusCode.UNSET
    assert not call.events


async def test_spans_contain_nothing_about_people_and_no_secret(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    person = await sessions.person(traced.admin)
    signed_in = await person.sign_in()
    nobody = traced.nobody
    await given.refusal(
        nobody.call(nobody.sign_ins.CompletePasskeySignIn, signin_pb.CompletePasskeySignInRequest())
    )
    user = await traced.admin.call(
        traced.admin.users.GetUser, user_pb.GetUserRequest(user_id=person.user_id)
    )

    text = "\n".join(each.to_json() for each in spans.get_finished_spans())
    assert "webauthn ceremony" in text
    for secret in (
        traced.admin.token,
        signed_in.answer.session_token,
        person.user_id,
        signed_in.session_id,
        user.user.user_name,
        "127.0.0.1",
        "grpc-python",
    ):
        assert secret not in text


async def test_the_line_of_a_call_names_its_span(
    traced: Instance, spans: InMemorySpanExporter
) -> None:
    with structlog.testing.capture_logs() as logs:
        request = user_pb.GetCurrentUserRequest()
        await traced.admin.call(traced.admin.users.GetCurrentUser, request)
        line = await given.call_line(logs, method=f"/{_GET_USER}")

    context = _of_call(spans, _GET_USER).context
    assert context is not None
    assert line["trace_id"] == f"{context.trace_id:032x}"
    assert line["span_id"] == f"{context.span_id:016x}"


def test_lines_within_a_span_name_it_and_others_do_not(exporter: InMemorySpanExporter) -> None:
    assert exporter is not None
    with tracing.span("work") as work:
        assert work is not None
        inside = tracing.add_ids(None, "", {"event": "told"})

    assert inside["span_id"] == f"{work.get_span_context().span_id:016x}"
    assert tracing.add_ids(None, "", {"event": "told"}) == {"event": "told"}


class _Collector(trace_service_pb2_grpc.TraceServiceServicer):
    def __init__(self) -> None:
        self.received: list[Any] = []

    def Export(self, request: Any, _context: Any) -> Any:  # noqa: N802 -- as in its .proto
        self.received += [
            (resource.resource, span)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        return trace_service_pb2.ExportTraceServiceResponse()


def test_a_collector_gets_the_spans_over_otlp() -> None:
    collector = _Collector()
    server = grpc.server(futures.ThreadPoolExecutor(1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        endpoint = f"http://127.0.0.1:{port}"
        with tracing.exporting(endpoint), tracing.span("outer"), tracing.span("inner"):
            pass
    finally:
        server.stop(None).wait()

    by_name = {span.name: (resource, span) for resource, span in collector.received}
    resource, outer = by_name["outer"]
    assert by_name["inner"][1].parent_span_id == outer.span_id
    named = {each.key: each.value.string_value for each in resource.attributes}
    assert named["service.name"] == "keystead"


def test_without_an_endpoint_nothing_of_opentelemetry_is_imported() -> None:
    program = """
import sys
from server import app
from server.telemetry import tracing
with tracing.exporting(None), tracing.span("nothing") as span:
    assert span is None and tracing.statement_observer() is None
print(*(name for name in sys.modules if name.startswith("opentelemetry")))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert not ran.stdout.strip()


def test_an_endpoint_without_the_packages_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)

    with (
        pytest.raises(tracing.MissingTelemetryError, match=r"keystead\[telemetry\]"),
        tracing.exporting("http://127.0.0.1:4317"),
    ):
        pass
