"""Structured logs on standard error: a line of JSON an event, or coloured text for a person.

The rule: what is logged is named field by field. Requests, messages, headers and rows are never
logged as a whole, and a traceback never shows the values of variables.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, TextIO, cast

import structlog
from pydantic_core import PydanticSerializationError, to_json

from server.settings.settings import Settings
from server.telemetry.output import Descriptor, LogOutput

# A token of server/access/caller.py, or the beginning of one, where a client put it by mistake.
_TOKEN = re.compile(r"(ks[trls]_)[0-9a-f]+")


def configure(settings: Settings) -> None:
    """Sets up logging for this process, including what libraries log by the standard library."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[structlog.typing.Processor] = [
        _timed,
        structlog.processors.add_log_level,
        structlog.processors.StackInfoRenderer(),
    ]
    for_people = settings.log_format == "console" or (
        settings.log_format == "auto" and sys.stderr.isatty()
    )
    # structlog's other ways to show a traceback show local variables too: tokens and passwords.
    renderer: list[structlog.typing.Processor] = (
        [
            _printable,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
        if for_people
        else [structlog.processors.format_exc_info, _json]
    )
    renderer.append(_without_tokens)
    output = LogOutput(Descriptor(sys.stderr.fileno()))
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
    logging.getLogger("grpc._cython.cygrpc").addFilter(_is_no_clients_mistake)
    # Libraries at debug level show what they send and receive, passwords included.
    logging.basicConfig(handlers=[handler], level=max(level, logging.INFO), force=True)


def _timed(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Says when it was, unless whoever logs has said so."""
    event.setdefault("timestamp", datetime.now(UTC))
    return event


def _json(_logger: object, _method: str, event: structlog.typing.EventDict) -> str:
    """One line in ASCII, so nothing in it commands a terminal.

    pydantic's serializer, times included, takes a third of the time of the standard library's.
    """
    try:
        return to_json(event, ensure_ascii=True, fallback=repr).decode()
    except PydanticSerializationError:  # bytes and text that are not Unicode, as of file names
        texts = {name: _unicode(value) for name, value in event.items()}
        return to_json(texts, ensure_ascii=True).decode()


def _unicode(value: object) -> str:
    return str(value).encode(errors="backslashreplace").decode()


def _without_tokens(_logger: object, _method: str, line: Any) -> str:
    """Masks tokens in the finished line, wherever a client or an exception put them."""
    masked: str = _TOKEN.sub(r"\1...", line) if "ks" in line else line
    return masked


def _printable(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escapes what would make a terminal do something. JSON escapes it by itself."""
    return {
        name: ascii(value)[1:-1] if isinstance(value, str) and not value.isprintable() else value
        for name, value in event.items()
    }


def _is_no_clients_mistake(record: logging.LogRecord) -> bool:
    """grpcio logs a header or path that is not UTF-8 as it came, a token too (seen in 1.83.2)."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))
