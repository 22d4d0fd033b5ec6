"""The client of the official SDK signs in to the example MCP server, in Chromium."""

import contextlib
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx2
import pytest

from e2e.conftest import kept_log
from e2e.programs import FOLDER, PROGRAM_SECONDS, chromium, required, run_node_tests, running
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve

_EXAMPLE = FOLDER.parent / "examples" / "mcp"


@pytest.fixture(scope="module")
async def described(
    make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Mapping[str, object]]:
    """A server, the example, and the host of a metadata document (`world.js`)."""
    web_port, mcp_port = free_port(), free_port()
    data_dir, folder = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("example")
    authority = Authority(data_dir)
    origin = f"http://localhost:{web_port}"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            idp_ca_file=authority.ca_file,
            idp_allowed_networks="127.0.0.0/8,::1",
        ) as server,
        kept_log(server, "mcp.log"),
        contextlib.AsyncExitStack() as stack,
    ):
        web_url = f"http://127.0.0.1:{await server.web_port()}"
        token = (data_dir / "admin.token").read_text().strip()
        org_id = await _added(f"http://localhost:{mcp_port}/mcp", web_url, token)
        example = _example(folder / "mcp", mcp_port, issuer=origin, org_id=org_id)
        resource = await stack.enter_async_context(example)
        yield {
            "webUrl": web_url,
            "origin": origin,
            "resource": resource,
            "certificate": str(authority.certificate().path),
            "documentPort": free_port(),
            "token": token,
            "artifacts": "mcp",
        }


async def _added(resource: str, web_url: str, token: str) -> str:
    """Adds the MCP server as a resource for all organizations; gives the one that it serves."""
    headers = {"authorization": f"Bearer {token}"}
    application = {
        "name": "Tools",
        "kind": "APPLICATION_KIND_RESOURCE",
        "identifier": resource,
        "audience": "APPLICATION_AUDIENCE_ALL",
        "resourceScopes": [{"name": "tools.call", "description": "Call the tools"}],
    }
    async with httpx2.AsyncClient(base_url=web_url, headers=headers) as http:
        added = await http.post("/v1/applications", json={"application": application})
        assert added.status_code == 200, added.text
        user = (await http.get("/v1/users/me")).json()["user"]
    return str(user["details"]["resourceOwner"])


@contextlib.asynccontextmanager
async def _example(folder: Path, port: int, *, issuer: str, org_id: str) -> AsyncIterator[str]:
    """The MCP server in a copy of its folder until the end of the block; gives its URL."""
    copy = Path(shutil.copytree(_EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules")))
    (copy / "node_modules").symlink_to(FOLDER / "node_modules")  # the same packages
    resource = f"http://localhost:{port}/mcp"
    async with running(
        *(required("node", "nodejs"), str(copy / "server.js")),
        address=f"127.0.0.1:{port}",
        ISSUER=issuer,
        RESOURCE=resource,
        ORG_IDS=org_id,
    ):
        yield resource


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
@pytest.mark.parametrize("program", ["mcp.test.js", "mcp_accessibility.test.js"])
async def test_an_mcp_client_signs_in(described: Mapping[str, object], program: str) -> None:
    await run_node_tests(program, described, **chromium())
