"""Ten thousand connections that do nothing."""

import contextlib
import os
import resource
from pathlib import Path

from tests.support import process
from tests.support.raw_http import Connection, request


async def test_ten_thousand_idle_connections_are_no_burden(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(10_000, hard - 1_000)
    assert count > 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        async with process.serve(tmp_path) as server:
            port = await server.web_port()
            with contextlib.ExitStack() as connections:
                before = _resident_bytes(server)
                for _ in range(count):
                    connections.enter_context(Connection(port))

                with Connection(port) as another:
                    another.send(request("/livez"))
                    assert another.answer().status == 200
                per_connection = (_resident_bytes(server) - before) / count
                assert per_connection < 32 * 1024
            assert server.events("unexpected error") == []
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _resident_bytes(server: process.Server) -> int:
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
