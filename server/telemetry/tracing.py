"""Spans for OpenTelemetry: calls, decisions, statements, mail attempts (decision 10).

Off unless KEYSTEAD_OTLP_ENDPOINT is set; only then OpenTelemetry is imported. Like logging, tracing
is set up once per process.

The rule: names and attributes of spans are constants of the code or the schema. They never contain
client input, identifiers of people, parameters of statements or texts of errors.
"""

# ruff: noqa: PLC0415 -- OpenTelemetry is an extra, imported when it is used

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import structlog

from server.store.connecting import Observe
from server.store.statement import names_of_statements
from server.values.errors import Kind, OperatorError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, SpanContext

_EXPORT_SECONDS = 5
_HEADERS = ("traceparent", "tracestate")  # W3C Trace Context
_NOTHING: Final = contextlib.nullcontext()
# The codes of calls that failed by a fault of the server.
_FAULTS = {Kind.INTERNAL.name, Kind.UNAVAILABLE.name, Kind.DEADLINE_EXCEEDED.name}

# The tracer of OpenTelemetry while tracing is on.
_tracer: Any = None


class MissingTelemetryError(OperatorError):
    """The packages of the extra are not installed."""

    def __init__(self) -> None:
        super().__init__(
            "KEYSTEAD_OTLP_ENDPOINT needs packages that are not installed. Install"
            " keystead[telemetry], or remove the setting."
        )


@contextlib.contextmanager
def exporting(endpoint: str | None, ratio: float = 1) -> Iterator[None]:
    """Sends the spans of the block to the collector at the endpoint, if there is one.

    `ratio` is as in `sending_to`. MissingTelemetryError without the packages.
    """
    if endpoint is None:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingTelemetryError from None
    exporter = OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT_SECONDS)
    # A thread exports batches; spans beyond its queue are dropped.
    with sending_to(BatchSpanProcessor(exporter), ratio):
        yield


@contextlib.contextmanager
def sending_to(processor: "SpanProcessor", ratio: float = 1) -> Iterator[None]:
    """Gives the processor the spans of the block.

    `ratio` is the sampled share of new traces. Clients decide about the sampling of theirs.
    """
    global _tracer  # noqa: PLW0603 -- one for a process, like logging
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(ratio)),
        resource=Resource.create(
            {"service.name": "keystead", "service.version": version("keystead")}
        ),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("keystead", version("keystead"))
    try:
        yield
    finally:
        _tracer = None
        provider.shutdown()


def span(name: str, **attributes: str) -> AbstractContextManager["Span | None"]:
    """A span around a block, if tracing is on and the call, if any, is sampled.

    It records the type of an exception.
    """
    return _NOTHING if _tracer is None or _unsampled() else _span(name, attributes)


def _unsampled() -> bool:
    """Whether the current span is not exported; its children would only cost time."""
    from opentelemetry.trace import get_current_span

    current = get_current_span()
    return not current.is_recording() and current.get_span_context().is_valid


def spanned(name: str, method: Any) -> Any:
    """The coroutine function with a span around each call; itself if tracing is off."""
    if _tracer is None:
        return method

    async def run(*arguments: object) -> Any:
        with span(name):
            return await method(*arguments)

    return run


@contextlib.contextmanager
def _span(name: str, attributes: Mapping[str, str], kind: str = "INTERNAL") -> Iterator["Span"]:
    from opentelemetry.trace import SpanKind

    with _tracer.start_as_current_span(
        name,
        kind=SpanKind[kind],
        attributes=attributes,
        record_exception=False,  # its text may contain client input
        set_status_on_exception=False,
    ) as begun:
        try:
            yield begun
        except BaseException as error:
            begun.set_attribute("error.type", type(error).__name__)
            raise


def statement_observer() -> Observe | None:
    """Makes spans of the statements that are run within another span; None if tracing is off."""
    if _tracer is None:
        return None
    from opentelemetry.trace import get_current_span

    names = names_of_statements()

    def observe(sql: str) -> AbstractContextManager[object]:
        if not get_current_span().is_recording():
            return _NOTHING
        attributes = {"db.system.name": "postgresql", "db.query.text": sql}
        return _span(names.get(sql) or sql.split(maxsplit=1)[0], attributes, "CLIENT")

    return observe


class CallSpan:
    """The span of a call, which is the current one in its task."""

    __slots__ = ("_span",)

    def __init__(self, begun: "Span") -> None:
        self._span = begun

    @property
    def ids(self) -> dict[str, str]:
        """The trace and span ID, as fields of a log line."""
        return _ids(self._span.get_span_context())

    def end(self, code: str, reason: str) -> None:
        """Ends the span with the code of the call and the reason of its failure, if any."""
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("rpc.response.status_code", code)
        if reason:
            self._span.set_attribute("error.type", reason)
        if code in _FAULTS:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def begin_call(path: str, headers: Mapping[str, Sequence[Any]]) -> CallSpan | None:
    """Makes the span of a call current in this task, as a child of its client's span.

    None if tracing is off.
    """
    if _tracer is None:
        return None
    from opentelemetry import context, trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier = {name: headers[name][0] for name in _HEADERS if name in headers}
    parent = TraceContextTextMapPropagator().extract(carrier, context.Context())
    begun = _tracer.start_span(
        path[1:],
        parent,
        trace.SpanKind.SERVER,
        {"rpc.system.name": "grpc", "rpc.method": path[1:]},
    )
    # Never detached: the context ends with the task, like the claimant of the pool.
    context.attach(trace.set_span_in_context(begun, parent))
    return CallSpan(begun)


def add_ids(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Adds `trace_id` and `span_id` of the current span to a log line."""
    if _tracer is None:
        return event
    from opentelemetry.trace import get_current_span

    return {**_ids(get_current_span().get_span_context()), **event}


def _ids(of: "SpanContext") -> dict[str, str]:
    if not of.is_valid:
        return {}
    return {"trace_id": f"{of.trace_id:032x}", "span_id": f"{of.span_id:016x}"}
