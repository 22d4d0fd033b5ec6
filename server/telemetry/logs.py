"""Structured logs on standard error: JSON lines, or coloured text on a terminal.

The rule: logged fields are named one by one. Requests, messages, headers and rows are never logged
as a whole, and a traceback never shows the values of variables.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, TextIO, cast

import structlog
from pydantic_core import PydanticSerializationError, to_json

from server.telemetry.output import Descriptor, LogOutput
from server.telemetry.tracing import add_ids

# A token, or the beginning of one, that a client sent in the wrong place.
_TOKEN = re.compile(r"(ks[trls]_)[0-9a-f]+")
# The error of grpcio for an answer whose client has left.
_UNSENT: Final = "ExecuteBatchError"


def configure(level_name: str, line_format: str, *, with_traces: bool) -> None:
    """Sets up logging for this process, including the standard library's, which libraries use.

    Arguments: a level as in `logging`, in any case; the format "console", "json" or "auto", which
    is "console" on a terminal; whether lines have the trace ID and the span ID.
    """
    level = logging.getLevelNamesMapping()[level_name.upper()]
    shared: list[structlog.typing.Processor] = [
        _timed,
        structlog.processors.add_log_level,
        *([add_ids] if with_traces else []),
    ]
    for_people = line_format == "console" or (line_format == "auto" and sys.stderr.isatty())
    # structlog's other renderers of tracebacks show local variables: tokens and passwords.
    renderer: list[structlog.typing.Processor] = (
        [
            _printable,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
        if for_people
        else [structlog.processors.format_exc_info, _json]
    )
    renderer.append(_without_tokens)
    output = LogOutput(Descriptor(sys.stderr.fileno()).write)
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, output)),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.captureWarnings(True)
    logging.getLogger("grpc._cython.cygrpc").addFilter(ClientsMistakes())
    # At debug level, libraries log their traffic, passwords included.
    logging.basicConfig(handlers=[handler], level=max(level, logging.INFO), force=True)


def _timed(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Adds the time, unless the line has one."""
    if "timestamp" not in event:
        event["timestamp"] = datetime.now(UTC)
    return event


def _json(_logger: object, _method: str, event: structlog.typing.EventDict) -> str:
    """Renders one line in ASCII, so that it contains no terminal commands.

    pydantic's serializer, including times, takes a third of the time of the standard library's.
    """
    try:
        line = to_json(event, fallback=repr)
        if not line.isascii():  # rendered again, because most lines need no escapes, which cost
            line = to_json(event, fallback=repr, ensure_ascii=True)
    except PydanticSerializationError:  # bytes and text that are not Unicode, such as file names
        texts = {
            name: str(value).encode(errors="backslashreplace").decode()
            for name, value in event.items()
        }
        line = to_json(texts, ensure_ascii=True)
    return line.decode()


def _without_tokens(_logger: object, _method: str, line: Any) -> str:
    """Masks tokens in any field of the finished line."""
    masked: str = _TOKEN.sub(r"\1...", line) if "ks" in line else line
    return masked


def _printable(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escapes control characters for a terminal. JSON escapes them by itself."""
    return {
        name: ascii(value)[1:-1] if isinstance(value, str) and not value.isprintable() else value
        for name, value in event.items()
    }


class ClientsMistakes(logging.Filter):
    """Keeps records that clients cause out of the log of grpcio (seen in 1.83.2).

    It logs headers and paths that are not UTF-8 verbatim, tokens too, and a traceback for each
    answer that it cannot send because its client has left. These are counted in a line a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unsent = 0
        self._next_line = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """False: the record is dropped."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, UnicodeDecodeError):
            return False
        if type(error).__name__ != _UNSENT:
            return True
        self._unsent += 1
        if record.created < self._next_line:
            return False
        record.msg, record.args = (
            "%d answers were not sent: their clients had left",
            (self._unsent,),
        )
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.INFO, "INFO"
        self._unsent, self._next_line = 0, record.created + 1
        return True
