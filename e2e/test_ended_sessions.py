"""connect-web in Node watches ended sessions over grpc-web, and resumes when it is cut off."""

import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import observer
from e2e.programs import PROGRAM_SECONDS, run_node_tests
from e2e.sessions import ORIGIN, sign_in
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve


class _Restarted:
    """A server that is killed and started again at the same ports."""

    def __init__(self, data_dir: Path, dsn: str) -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        self._data_dir = data_dir
        self._settings = {
            "database_url": dsn,
            "http_address": f"127.0.0.1:{port}",
            "rp_origins": ORIGIN,
        }
        self._running = contextlib.AsyncExitStack()
        self._server: Server | None = None

    @property
    def token(self) -> str:
        return (self._data_dir / "admin.token").read_text().strip()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        async with self._running:
            await self._start()
            yield

    async def _start(self) -> None:
        server = serve(self._data_dir, **self._settings)
        self._server = await self._running.enter_async_context(server)
        await self._server.web_port()

    async def restart(self, _request: Request) -> JSONResponse:
        assert self._server is not None
        self._server.process.send_signal(signal.SIGKILL)
        await self._server.status()
        await self._start()
        return JSONResponse({})

    async def end_a_session(self, _request: Request) -> JSONResponse:
        """Signs the administrator in, and out again; gives the id of the session."""
        async with httpx2.AsyncClient(base_url=self.url, timeout=30) as http:
            session = await sign_in(http, self.token)
            headers = {"authorization": f"Bearer {session['sessionToken']}"}
            ended = await http.delete("/v1/sessions/current", headers=headers)
        assert ended.status_code == 200, ended.text
        return JSONResponse(session["sessionId"])


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_nothing_is_lost_or_told_twice_when_the_stream_is_cut_off(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    server = _Restarted(tmp_path, await make_database())
    routes = [
        Route("/end-a-session", server.end_a_session),
        Route("/restart", server.restart),
    ]
    async with server.serving(), observer(*routes) as observer_url:
        described = {"webUrl": server.url, "token": server.token, "observerUrl": observer_url}
        await run_node_tests("ended_sessions.test.js", described)
