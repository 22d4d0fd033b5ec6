"""The console in Chromium: runs the programs of `console/`."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests
from e2e.test_passkey_page import signed_in_an_hour_ago
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve

# Users are read from their table. $1 is their organization.
_ADD_USERS = """
insert into users (id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    sequence, creation_date, change_date)
select gen_random_uuid()::text, $1, 'person-' || number, 'Person ' || number,
    'person-' || number || '@example.com', '{}', decode(md5(number::text), 'hex'), 0, 1, now(),
    now()
from generate_series(1, 100000) as number"""


class _Restartable:
    """A server that can be replaced by another process on the same web port."""

    def __init__(self, data_dir: Path, **settings: object) -> None:
        self._data_dir = data_dir
        self._settings = settings
        self._running = contextlib.AsyncExitStack()

    async def start(self) -> Server:
        server = await self._running.enter_async_context(serve(self._data_dir, **self._settings))
        await self._running.enter_async_context(kept_log(server, "console.log"))
        await server.web_port()
        return server

    async def stop(self) -> None:
        await self._running.aclose()

    async def restart(self, _request: Request) -> JSONResponse:
        await self.stop()
        await self.start()
        return JSONResponse({})


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server for this test, and its description (`world.js`)."""
    web_port, data_dir, dsn = free_port(), tmp_path_factory.mktemp("data"), await make_database()
    server = _Restartable(
        data_dir,
        database_url=dsn,
        http_address=f"127.0.0.1:{web_port}",
        rp_origins=f"http://localhost:{web_port}",
        smtp_allowed_networks="127.0.0.0/8",
        smtp_org_allowed_networks="127.0.0.0/8",
    )
    await server.start()
    try:
        async with observer(
            signed_in_an_hour_ago(dsn), Route("/restart", server.restart), _with_many_users(dsn)
        ) as observer_url:
            yield {
                "webUrl": f"http://127.0.0.1:{web_port}",
                "origin": f"http://localhost:{web_port}",
                "observerUrl": observer_url,
                "token": (data_dir / "admin.token").read_text().strip(),
                "artifacts": "console",
            }
    finally:
        await server.stop()


def _with_many_users(dsn: str) -> Route:
    """Adds 100,000 users to an organization."""

    async def add(request: Request) -> JSONResponse:
        async with given.sql(dsn) as rows:
            return JSONResponse(await rows.execute(_ADD_USERS, request.path_params["org_id"]))

    return Route("/many-users/{org_id}", add)


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
@pytest.mark.parametrize(
    "program",
    [
        "console_views.test.js",
        "console_administration.test.js",
        "console_roles.test.js",
        "console_brand.test.js",
        "console_trouble.test.js",
        "console_first_view.test.js",
        "console_many_users.test.js",
        "console_inviting.test.js",
        "console_figures.test.js",
        "console_questions.test.js",
        "console_search.test.js",
        "console_system.test.js",
    ],
)
async def test_administrators_can_use_the_console(
    described: Mapping[str, object], program: str
) -> None:
    await run_node_tests(program, described, **chromium())
