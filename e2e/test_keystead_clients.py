"""keystead-client for Go and TypeScript: their tests, and the programs of their READMEs.

The clients call a server through a gateway, which loses an answer or cuts connections when a test
says so.
"""

import asyncio
import contextlib
import json
import re
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from e2e.conftest import observer
from e2e.programs import FOLDER, PROGRAM_SECONDS, node_test_report, required, run_in
from e2e.sessions import ORIGIN, post, sign_in
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.gateway import Gateway
from tests.support.given import Instance
from tests.support.process import serve

pytestmark = pytest.mark.timeout(2 * PROGRAM_SECONDS)

_ISSUER, _AUDIENCE = "https://id.example.com", "https://orders.example.com"
_CLIENTS = FOLDER.parent / "clients"
_PRINTED = "admin\nINVALID_FIELDS userName must not be empty\n"


@dataclass
class _Answers:
    """The answers of the server, which a test can lose."""

    are_lost: bool = False
    lost: int = 0

    def passed(self, content: bytes) -> bytes:
        """The part of an answer that reaches the client."""
        return b"" if self.are_lost else content


class _Observer:
    """The tests' orders to the gateway and to the server."""

    def __init__(
        self, http: httpx2.AsyncClient, admin: str, gateway: Gateway, answers: _Answers, dsn: str
    ) -> None:
        self._http = http
        self._admin = admin
        self._gateway = gateway
        self._answers = answers
        self._dsn = dsn
        self._tasks: set[asyncio.Task[None]] = set()

    def routes(self) -> list[Route]:
        """The orders, as paths."""
        return [
            Route("/sign-in", self.sign_in),
            Route("/sign-out/{token}", self.sign_out),
            Route("/lose-the-answer/{name}", self.lose_the_answer),
            Route("/lost", self.lost),
            Route("/lock/{idp_id}", self.lock),
            Route("/cut", self.cut),
            Route("/mend", self.mend),
        ]

    async def sign_in(self, _request: Request) -> JSONResponse:
        session = await sign_in(self._http, self._admin)
        token = session["sessionToken"]
        issued = await post(self._http, "/v1/sessions/current:issueJWT", token, audience=_AUDIENCE)
        described = {name: session[name] for name in ("sessionToken", "sessionId", "userId")}
        return JSONResponse({**described, "jwt": issued["jwt"]})

    async def sign_out(self, request: Request) -> JSONResponse:
        headers = {"authorization": f"Bearer {request.path_params['token']}"}
        answer = await self._http.delete("/v1/sessions/current", headers=headers)
        assert answer.status_code == 200, answer.text
        return JSONResponse({})

    async def lose_the_answer(self, request: Request) -> JSONResponse:
        """The next answer is lost, once the identity provider with this name exists."""
        self._answers.are_lost = True
        self._tasks.add(asyncio.create_task(self._lose(request.path_params["name"])))
        return JSONResponse({})

    async def _lose(self, name: str) -> None:
        await given.eventually(lambda: self._exists(name))
        self._gateway.cut()
        self._gateway.mend()
        self._answers.are_lost = False
        self._answers.lost += 1

    async def _exists(self, name: str) -> bool:
        headers = {"authorization": f"Bearer {self._admin}"}
        answer = await self._http.get("/v1/idps", headers=headers)
        return any(idp["name"] == name for idp in answer.json().get("idps", ()))

    async def lost(self, _request: Request) -> JSONResponse:
        return JSONResponse({"answers": str(self._answers.lost)})

    async def lock(self, request: Request) -> JSONResponse:
        """Locks an identity provider until a call has waited for it in vain (ABORTED)."""
        is_locked = asyncio.Event()

        async def hold() -> None:
            async with given.locked_idp(self._dsn, request.path_params["idp_id"]) as holder:
                is_locked.set()
                await given.waiting_for_a_lock(holder)
                await given.nothing_waiting_for_a_lock(holder)

        self._tasks.add(asyncio.create_task(hold()))
        await is_locked.wait()
        return JSONResponse({})

    async def cut(self, _request: Request) -> JSONResponse:
        self._gateway.cut()
        return JSONResponse({})

    async def mend(self, _request: Request) -> JSONResponse:
        self._gateway.mend()
        return JSONResponse({})


@pytest.fixture
async def described(
    make_database: MakeDatabase, tmp_path: Path
) -> AsyncIterator[Mapping[str, str]]:
    """A server behind a gateway, as the description for the tests of a client."""
    dsn = await make_database()
    settings = {"jwt_audiences": _AUDIENCE, "public_url": _ISSUER, "rp_origins": ORIGIN}
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(serve(tmp_path, database_url=dsn, **settings))
        port, web_port = await server.port(), await server.web_port()
        answers = _Answers()
        connect = partial(asyncio.open_connection, "127.0.0.1", port)
        gateway = await stack.enter_async_context(Gateway.running(connect, answers.passed))
        async with Instance.connected(dsn, port, tmp_path) as instance:
            roles = [user_pb.ROLE_SESSION_VERIFIER]
            verifier = await given.user(instance.admin, roles=roles)
        web_url = f"http://127.0.0.1:{web_port}"
        http = await stack.enter_async_context(httpx2.AsyncClient(base_url=web_url, timeout=30))
        admin = (tmp_path / "admin.token").read_text().strip()
        orders = _Observer(http, admin, gateway, answers, dsn).routes()
        yield {
            "grpcAddress": f"127.0.0.1:{gateway.port}",
            "directAddress": f"127.0.0.1:{port}",
            "webUrl": web_url,
            "observerUrl": await stack.enter_async_context(observer(*orders)),
            "issuer": _ISSUER,
            "audience": _AUDIENCE,
            "token": admin,
            "verifierToken": verifier.token,
        }


def _example(folder: Path, language: str, described: Mapping[str, str]) -> str:
    """The program of a README, for the server of this test."""
    [example, *_] = re.findall(
        rf"```{language}\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL
    )
    assert "127.0.0.1:50051" in example
    return str(example).replace("127.0.0.1:50051", described["grpcAddress"])


def _with_token(folder: Path, described: Mapping[str, str]) -> Path:
    """A folder for the program of a README, with the token's file."""
    (folder / ".keystead").mkdir(parents=True)
    (folder / ".keystead" / "admin.token").write_text(described["token"])
    return folder


async def test_go(described: Mapping[str, str], tmp_path: Path) -> None:
    go, client = required("go", "golang-go"), _CLIENTS / "go"
    command = ("test", "-tags", "e2e", "-count", "1", "-v", ".")
    report = await run_in(client, go, *command, KEYSTEAD_E2E=json.dumps(described))

    tests = "".join(file.read_text() for file in client.glob("*_test.go"))
    assert report.count("--- PASS: ") == len(re.findall(r"^func Test[^M]", tests, re.MULTILINE))

    # The program of the README, in a module of its own
    folder = _with_token(tmp_path / "orders", described)
    (folder / "main.go").write_text(_example(client, "go", described))
    shutil.copy(client / "go.sum", folder)
    await run_in(folder, go, "mod", "init", "example.com/orders")
    required_module = "-require=example.com/keystead-client@v0.1.0"
    replaced = f"-replace=example.com/keystead-client={client}"
    await run_in(folder, go, "mod", "edit", required_module, replaced)
    await run_in(folder, go, "build", "-mod=mod", "-buildvcs=false", "-o", "orders", ".")
    assert await run_in(folder, folder / "orders") == _PRINTED


async def test_typescript(described: Mapping[str, str], tmp_path: Path) -> None:
    node, client = required("node", "nodejs"), _CLIENTS / "typescript"
    files = sorted(client.glob("test/*.test.js"))
    report = await node_test_report(client, *files, described=described)

    tests = "".join(file.read_text() for file in files)
    assert f" pass {len(re.findall('^test', tests, re.MULTILINE))}\n" in report

    # The program of the README, with the packed package
    packed = await run_in(client, required("npm", "npm"), "pack", "--pack-destination", tmp_path)
    folder = _with_token(tmp_path / "orders", described)
    modules = folder / "node_modules"
    installed = modules / "keystead-client"
    installed.mkdir(parents=True)
    archive = tmp_path / packed.split()[-1]
    await run_in(folder, "tar", "xzf", archive, "--strip-components=1", "-C", installed)
    for package in (client / "node_modules").iterdir():
        (modules / package.name).symlink_to(package)
    (folder / "orders.mjs").write_text(_example(client, "ts", described))
    assert await run_in(folder, node, "orders.mjs") == _PRINTED
