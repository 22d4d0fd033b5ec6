"""What clients make up reaches the log as text, and nothing of a token does."""

from pathlib import Path

import httpx
import pytest

from tests.conftest import MakeDatabase
from tests.process import free_port, serve

_TOKEN = "kst_" + "0123456789abcdef" * 4 + "01234567"
# An escape sequence, one of C1, and a character that turns the direction of what follows.
_ESCAPES = "%1b[31mRED%c2%9b2J%e2%80%ae"


@pytest.mark.parametrize("log_format", ["json", "console"])
async def test_a_path_neither_commands_the_terminal_nor_brings_a_token_into_the_log(
    tmp_path: Path, make_database: MakeDatabase, log_format: str
) -> None:
    port, dsn = free_port(), await make_database()
    settings = {"log_format": log_format, "http_address": f"127.0.0.1:{port}"}
    async with serve(tmp_path, database_url=dsn, **settings) as server:
        await server.until(lambda: "serving HTTP" in server.errors)

        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            for path in (f"/v1/{_ESCAPES}", f"/v1/{_TOKEN}"):
                await client.get(path)
                await client.post(path, headers={"content-type": "application/grpc-web"})

        await server.until(lambda: server.errors.count("/v1/") == 4)
        log = server.errors
    calls = [line for line in log.splitlines() if "/v1/" in line]
    assert not any(character in "".join(calls) for character in "\x9b\N{RIGHT-TO-LEFT OVERRIDE}")
    assert "\x1b[31mRED" not in log
    assert _TOKEN[:12] not in log
    assert sum("kst_..." in line for line in calls) == 2
