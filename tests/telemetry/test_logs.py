"""Client input is logged as escaped text, and tokens are not logged."""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest

from server.telemetry import logs
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve_forked
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("logging and traceback print errors anew")

_TOKEN = "kst_" + "0123456789abcdef" * 4 + "01234567"
_LINK_CODE = f"ksl_{_TOKEN[4:]}"
# An escape sequence, a C1 control character, and one that changes the direction of text.
_ESCAPES = "%1b[31mRED%c2%9b2J%e2%80%ae"


@pytest.mark.parametrize("log_format", ["json", "console"])
async def test_a_path_neither_commands_the_terminal_nor_brings_a_token_into_the_log(
    tmp_path: Path, make_database: MakeDatabase, log_format: str
) -> None:
    port, dsn = free_port(), await make_database()
    settings = {"log_format": log_format, "http_address": f"127.0.0.1:{port}"}
    async with serve_forked(tmp_path, database_url=dsn, **settings) as server:
        await server.until(lambda: "serving HTTP" in server.errors)

        async with web_client(port) as client:
            for path in (f"/v1/{_ESCAPES}", f"/v1/{_TOKEN}", f"/v1/{_LINK_CODE}"):
                await client.get(path)
                await client.post(path, headers={"content-type": "application/grpc-web"})

        await server.until(lambda: server.errors.count("/v1/") == 6)
        log = server.errors
    calls = [line for line in log.splitlines() if "/v1/" in line]
    assert not any(character in "".join(calls) for character in "\x9b\N{RIGHT-TO-LEFT OVERRIDE}")
    assert "\x1b[31mRED" not in log
    for token in (_TOKEN, _LINK_CODE):
        assert token[:12] not in log
        assert sum(f"{token[:4]}..." in line for line in calls) == 2


async def _logged(statement: str) -> Any:
    """The JSON line of a process that executes this statement, which uses `log`."""
    program = f"""
import structlog
from server.telemetry import logs
logs.configure("info", "json", with_traces=False)
log = structlog.get_logger()
{statement}
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, cwd=Path(__file__).parents[2], stderr=PIPE
    )
    _, errors = await process.communicate()
    return json.loads(errors)


async def test_a_token_in_a_traceback_or_a_list_is_masked() -> None:
    raised = (
        f"try: raise ValueError('{_TOKEN}')\nexcept ValueError: log.exception('x', of=['{_TOKEN}'])"
    )

    line = await _logged(raised)

    assert "ValueError: kst_..." in line["exception"]
    assert line["of"] == ["kst_..."]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("'a\\udc80'", "a\\udc80"), ("b'\\xff'", "b'\\xff'"), ("object", "<class 'object'>")],
)
async def test_what_json_cannot_hold_is_logged_as_text(value: str, shown: str) -> None:
    line = await _logged(f"log.info('x', odd={value})")

    assert (line["level"], line["odd"]) == ("info", shown)


async def test_answers_that_clients_did_not_take_are_counted_without_a_traceback() -> None:
    line = await _logged(
        """
import logging
grpc_log = logging.getLogger("grpc._cython.cygrpc")
for error in ("ExecuteBatchError", "ExecuteBatchError", "UnicodeDecodeError"):
    kind = UnicodeDecodeError if error == "UnicodeDecodeError" else type(error, (Exception,), {})
    raised = kind("utf-8", b"x", 0, 1, "y")
    grpc_log.error("Unexpected [%s]", error, exc_info=(kind, raised, None))
"""
    )

    assert line["level"] == "info"
    assert line["event"] == "1 answers were not sent: their clients had left"
    assert "exception" not in line


def test_the_next_line_counts_the_answers_since_the_last_one() -> None:
    mistakes = logs.ClientsMistakes()
    error = type("ExecuteBatchError", (Exception,), {})()

    def passes(at: float, of: BaseException = error) -> str:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "x", None, (type(of), of, None))
        record.created = at
        return record.getMessage() if mistakes.filter(record) else ""

    assert passes(100.0)
    assert [passes(100.1), passes(100.9)] == ["", ""]
    assert passes(101.1) == "3 answers were not sent: their clients had left"
    assert passes(101.2, ValueError()) == "x"
