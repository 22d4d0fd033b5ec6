"""A server as people run it, for programs in other languages, and an observer for them to ask."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bridge.port import WebPort
from e2e.programs import ARTIFACTS
from server.process.embedded_postgres import running
from tests.support import given
from tests.support.databases import MakeDatabase, databases, make_database
from tests.support.given import Instance
from tests.support.process import Server, free_port, serve

__all__ = ["databases", "make_database"]  # fixtures


@dataclass(frozen=True)
class World:
    """A running server, and its description for programs (`world.js`).

    Pages on the port `pagePort` may call it, those on `foreignPort` may not.
    """

    instance: Instance
    description: Mapping[str, object]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests come first, so that no worker is left alone with one.

    Groups of short tests, which share servers, come last.
    """
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is not None)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The DSN of a PostgreSQL for these tests only, so every lock in it is theirs."""
    with running(tmp_path_factory.mktemp("postgres"), durable=False) as embedded:
        yield embedded.admin_dsn


@pytest.fixture(scope="session")
async def world(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """The server of all these tests, with the objects that `cases.js` expects."""
    dsn = await make_database()
    page_port, foreign_port = free_port(), free_port()
    origin = f"http://127.0.0.1:{page_port}"
    data_dir = tmp_path_factory.mktemp("data")
    async with (
        serve(data_dir, database_url=dsn, cors_origins=origin) as server,
        kept_log(server, "server.log"),
        observer(*_log_and_locks(server, dsn)) as observer_url,
    ):
        grpc_port, web_port = await server.port(), await server.web_port()
        async with Instance.connected(dsn, grpc_port, data_dir, web_port=web_port) as instance:
            locked_idp_id = await given.idp(instance.admin)
            description = {
                "grpcUrl": f"http://127.0.0.1:{grpc_port}",
                "webUrl": f"http://127.0.0.1:{web_port}",
                "pagePort": page_port,
                "foreignPort": foreign_port,
                "observerUrl": observer_url,
                "token": instance.admin.token,
                "userId": instance.admin.user_id,
                "orgId": await given.organization(instance.admin),
                "lockedIdpId": locked_idp_id,
            }
            async with given.locked_idp(dsn, locked_idp_id):
                yield World(instance, description)


@contextlib.asynccontextmanager
async def kept_log(server: Server, name: str) -> AsyncIterator[None]:
    """Keeps the server's log in the artifacts, also of failed tests."""
    try:
        yield
    finally:
        ARTIFACTS.mkdir(exist_ok=True)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "only")
        shutil.copyfile(server.log_file, ARTIFACTS / f"{worker}-{name}")


@contextlib.asynccontextmanager
async def observer(*routes: Route) -> AsyncIterator[str]:
    """Serves a description of the test servers to programs. Returns its URL."""
    port = WebPort(Starlette(routes=routes), "127.0.0.1:0", shared=False, trusted_proxies=())
    async with port.serving():
        yield f"http://127.0.0.1:{port.port}"


def _log_and_locks(server: Server, dsn: str) -> list[Route]:
    async def logged(request: Request) -> JSONResponse:
        request_id = request.path_params["request_id"]
        return JSONResponse(await server.until(lambda: _line(server, request_id)))

    async def waiting(request: Request) -> JSONResponse:
        calls = request.path_params["calls"]
        async with given.sql(dsn) as connection:
            await given.eventually(lambda: _are_waiting(connection, calls))
        return JSONResponse(calls)

    return [Route("/logged/{request_id}", logged), Route("/waiting/{calls:int}", waiting)]


def _line(server: Server, request_id: str) -> dict[str, Any] | None:
    lines = server.events("call")
    return next((line for line in lines if line["request_id"] == request_id), None)


async def _are_waiting(connection: asyncpg.Connection, calls: int) -> bool:
    # Unlike `given.waiting_for_a_lock`, for exactly this number of calls.
    found = await connection.fetchval("select count(distinct pid) from pg_locks where not granted")
    return bool(found == calls)
