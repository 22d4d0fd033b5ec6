"""The registration ceremony in Chromium: runs the programs of `passkeys/`."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import kept_log, observer
from e2e.programs import PROGRAM_SECONDS, chromium, run_node_tests
from tests.support import given
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

_EXPIRE_CEREMONY = """
update passkey_ceremonies set expires_at = clock_timestamp() where passkey_id = $1 returning true"""
_EXPIRE_LINKS = """
update passkey_links set expires_at = clock_timestamp() where user_id = $1 returning true"""


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """Servers of one instance with different settings, and their description (`world.js`).

    Every page of the tests may call them, so that it is never CORS that keeps one from registering.
    """
    dsn, data_dir = await make_database(), tmp_path_factory.mktemp("data")
    page_port, foreign_port = free_port(), free_port()
    origins = {
        "origin": f"http://localhost:{page_port}",
        "foreignOrigin": f"http://localhost:{foreign_port}",
        "embeddingOrigin": f"http://embedding.localhost:{foreign_port}",
        "secureOrigin": "https://keystead.test",
        "relatedOrigin": "https://passkeys.example",
        "unrelatedOrigin": "https://unrelated.example",
    }
    settings = {
        "database_url": dsn,
        "cors_origins": ",".join(origins.values()),
        "rp_origins": origins["origin"],
        "drain_delay": 0,
    }
    lenient = {
        "rp_user_verification": "preferred",
        "rp_top_origins": origins["embeddingOrigin"],
    }
    related = {
        "rp_id": "keystead.test",
        "rp_origins": origins["secureOrigin"],
        "rp_related_origins": origins["relatedOrigin"],
    }
    names = [origin.removeprefix("https://") for origin in origins.values() if "https:" in origin]
    async with (
        _served("passkeys.log", data_dir, **settings) as server,
        _served("passkeys-lenient.log", data_dir, **settings | lenient) as lenient_server,
        _served("passkeys-related.log", data_dir, **settings | related) as related_server,
        observer(
            Route("/expire/ceremony/{id}", _statement(dsn, _EXPIRE_CEREMONY), methods=["POST"]),
            Route("/expire/links/{id}", _statement(dsn, _EXPIRE_LINKS), methods=["POST"]),
        ) as observer_url,
    ):
        yield {
            **origins,
            "server": server,
            "lenientServer": lenient_server,
            "relatedServer": related_server,
            "observerUrl": observer_url,
            "token": (data_dir / "admin.token").read_text().strip(),
            "pagePort": page_port,
            "foreignPort": foreign_port,
            "securePort": free_port(),
            "certificate": str(Authority(data_dir).certificate(names).path),
        }


@contextlib.asynccontextmanager
async def _served(
    log_name: str, data_dir: Path, **settings: Any
) -> AsyncIterator[Mapping[str, str]]:
    """The URLs of a server that serves."""
    async with serve(data_dir, **settings) as server, kept_log(server, log_name):
        yield {
            "grpcUrl": f"http://127.0.0.1:{await server.port()}",
            "webUrl": f"http://127.0.0.1:{await server.web_port()}",
        }


def _statement(dsn: str, statement: str) -> Any:
    async def execute(request: Request) -> JSONResponse:
        async with given.sql(dsn) as connection:
            found = await connection.fetchval(statement, request.path_params["id"])
        return JSONResponse(found, status_code=200 if found else 404)

    return execute


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_passkeys_are_registered_in_chromium(described: Mapping[str, object]) -> None:
    await run_node_tests("passkeys.test.js", described, **chromium())
