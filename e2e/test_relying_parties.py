"""Applications with other libraries sign people in: runs them, and `relying_parties.test.js`."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import httpx2
import pytest

from e2e.conftest import kept_log
from e2e.programs import (
    FOLDER,
    PROGRAM_SECONDS,
    chromium,
    go_program,
    required,
    run_node_tests,
    running,
)
from e2e.sessions import post
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

_FOLDER = FOLDER / "relying_parties"
# Where Debian has the modules of Apache.
_MODULES = Path("/usr/lib/apache2/modules")


async def _authlib(_folder: Path) -> list[str]:
    return [sys.executable, "-m", "e2e.relying_parties.authlib_application"]


async def _go(folder: Path) -> list[str]:
    return await go_program(_FOLDER / "go", folder / "application")


async def _apache(_folder: Path) -> list[str]:
    apache = required("apache2", "apache2")
    if not (_MODULES / "mod_auth_openidc.so").is_file():
        pytest.fail("Install libapache2-mod-auth-openidc, on Debian by apt-get install.")
    return [apache, "-D", "FOREGROUND", "-f", str(_FOLDER / "apache.conf")]


_PROGRAMS: Mapping[str, Callable[[Path], Awaitable[list[str]]]] = {
    "authlib": _authlib,
    "go-oidc": _go,
    "mod_auth_openidc": _apache,
}


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path: Path
) -> AsyncIterator[Mapping[str, object]]:
    """A server, and applications at it, whose addresses are in its description (`world.js`)."""
    commands = await asyncio.gather(*(build(tmp_path) for build in _PROGRAMS.values()))
    web_port = free_port()
    origin = f"http://localhost:{web_port}"
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            serve(
                tmp_path / "data",
                database_url=await make_database(),
                http_address=f"127.0.0.1:{web_port}",
                rp_origins=origin,
                public_url=origin,
            )
        )
        await stack.enter_async_context(kept_log(server, "relying_parties.log"))
        web_url = f"http://127.0.0.1:{await server.web_port()}"
        admin = (tmp_path / "data" / "admin.token").read_text().strip()
        homes = {}
        for name, command in zip(_PROGRAMS, commands, strict=True):
            address = f"127.0.0.1:{free_port()}"
            homes[name] = f"http://{address}"
            async with httpx2.AsyncClient(base_url=web_url, timeout=30) as http:
                client = await _application(http, admin, homes[name])
            environment = {"ISSUER": origin, "FOLDER": str(tmp_path), "MODULES": str(_MODULES)}
            await stack.enter_async_context(
                running(*command, address=address, **environment, **client)
            )
        yield {
            "webUrl": web_url,
            "origin": origin,
            "token": admin,
            "relyingParties": homes,
            "artifacts": "relying_parties",
        }


async def _application(http: httpx2.AsyncClient, admin: str, home: str) -> Mapping[str, str]:
    """A new application, as the environment of its program."""
    application = {
        "name": "Shop",
        "kind": "APPLICATION_KIND_WEB",
        "redirectUris": [f"{home}/callback"],
        "postLogoutRedirectUris": [f"{home}/goodbye"],
        "scopes": ["openid", "profile", "email", "groups"],
    }
    added = await post(http, "/v1/applications", admin, application=application)
    client_id = added["applicationId"]
    created = await post(http, f"/v1/applications/{client_id}/secrets", admin)
    return {"CLIENT_ID": client_id, "CLIENT_SECRET": created["secret"]}


@pytest.mark.timeout(2 * PROGRAM_SECONDS)
async def test_people_can_sign_in(described: Mapping[str, object]) -> None:
    await run_node_tests("relying_parties.test.js", described, **chromium())
