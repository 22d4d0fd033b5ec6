"""Installs and starts each program with the text of its recipe, and runs `apps.test.js`.

`make e2e-apps` runs this file; `make e2e` does not. One program: `-k streamlit`.
"""

import contextlib
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from e2e import test_mcp
from e2e.apps.programs import PROGRAMS, Program
from e2e.conftest import kept_log
from e2e.programs import (
    FOLDER,
    PROGRAM_SECONDS,
    required,
    run_in,
    run_node_tests,
    running,
    trusting_home,
)
from e2e.sessions import post
from server.application.recipes import application_at, recipe, settings_at
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.process import Server, free_port, serve

_APPS = FOLDER / "apps"
_RESULTS = _APPS / "results.json"
_INSTALLED = Path(tempfile.gettempdir()) / "keystead-e2e-apps"
_SIGN_INS = 2  # of apps.test.js
_MCP_SDK = "@modelcontextprotocol/sdk"
_INSTALL_SECONDS = 1200  # downloads and builds

mcp = test_mcp.described


@pytest.mark.timeout(_INSTALL_SECONDS + 2 * PROGRAM_SECONDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=[each.name for each in PROGRAMS])
async def test_a_program_works_with_its_recipe(
    program: Program, make_database: MakeDatabase, tmp_path: Path
) -> None:
    _note(program.name, None)
    folder, host = tmp_path / "program", f"127.0.0.1:{free_port()}"
    folder.mkdir()
    if program.sources:
        shutil.copytree(_APPS / program.sources, folder, dirs_exist_ok=True)
    authority = Authority(tmp_path)
    home = f"https://{host}" if program.has_tls else f"http://{host}"
    filled = {
        "folder": str(folder),
        "host": host,
        "port": host.rpartition(":")[2],
        "ca_file": str(authority.ca_file),
        "certificate": str(authority.certificate().path),
    }
    environment = {name: value.format(**filled) for name, value in program.environment.items()}
    await _install(program, folder)
    async with _keystead(tmp_path / "data", make_database, authority) as (server, described):
        client = await _connect(program, folder, home, described)
        for command in program.setup:
            await run_in(folder, *_filled(command, filled), **environment)
        if program.command:
            words = ("env", f"--chdir={folder}", *_filled(program.command, filled))
            async with running(*words, address=host, **environment):
                await run_node_tests(
                    "apps/apps.test.js",
                    {**described, **client, "home": home, "visit": program.visit},
                    CHROMIUM=required("chromium", "chromium"),
                    HOME=str(await trusting_home(tmp_path / "home", authority.ca_file)),
                )
        assert "renew" not in program.visit or _exchanges(server) > _SIGN_INS
    of_debian = [await _version(each) for each in program.debian]
    packages = (*program.pip, *program.npm, *program.go, *program.mvn.split(), *of_debian)
    _note(program.name, _result(program.recipe, packages, _did(program)))


@pytest.mark.timeout(PROGRAM_SECONDS + 30)
async def test_the_mcp_sdk_works_with_its_page(mcp: Mapping[str, object]) -> None:
    """The test of `make e2e`, which needs no recipe: docs/mcp.md says all."""
    _note("mcp", None)
    await run_node_tests("mcp.test.js", mcp, CHROMIUM=required("chromium", "chromium"))
    version = json.loads((FOLDER / "package.json").read_text())["dependencies"][_MCP_SDK]
    _note("mcp", _result("", [f"{_MCP_SDK}@{version}"], ["sign-in", "token"]))


@contextlib.asynccontextmanager
async def _keystead(
    data_dir: Path, make_database: MakeDatabase, authority: Authority
) -> AsyncIterator[tuple[Server, Mapping[str, Any]]]:
    """A server, and its description (`world.js`)."""
    web_port = free_port()
    origin = f"http://localhost:{web_port}"
    async with (
        serve(
            data_dir,
            database_url=await make_database(),
            http_address=f"127.0.0.1:{web_port}",
            rp_origins=origin,
            public_url=origin,
            push_ca_file=authority.ca_file,
            push_allowed_networks="127.0.0.0/8",
        ) as server,
        kept_log(server, "apps.log"),
    ):
        yield (
            server,
            {
                "webUrl": f"http://127.0.0.1:{await server.web_port()}",
                "origin": origin,
                "token": (data_dir / "admin.token").read_text().strip(),
                "artifacts": "apps",
            },
        )


def _exchanges(server: Server) -> int:
    """The calls that gave a program tokens."""
    calls = server.events("call")
    return sum(each["method"].endswith("/ExchangeToken") and each["code"] == "OK" for each in calls)


async def _install(program: Program, folder: Path) -> None:
    """Installs the packages beside the sources. Later runs use them again."""
    packages = [*program.pip, *program.npm, *program.go]
    digest = hashlib.sha256("\n".join(packages).encode()).hexdigest()[:12]
    installed = _INSTALLED / f"{program.recipe}-{digest}"
    if not (installed / "complete").exists():
        installed.mkdir(parents=True, exist_ok=True)
        if program.pip:
            await run_in(installed, sys.executable, "-m", "venv", "venv")
            await run_in(installed, "venv/bin/pip", "install", "--quiet", *program.pip)
        if program.npm:
            await run_in(installed, required("npm", "npm"), "install", "--no-audit", *program.npm)
        for package in program.go:
            await run_in(
                installed,
                required("go", "golang-go"),
                "install",
                package,
                GOBIN=str(installed / "bin"),
            )
        (installed / "complete").touch()
    for each in ("venv", "bin"):
        if (installed / each).exists():
            (folder / each).symlink_to(installed / each)
    if program.npm:  # Next.js wants its packages within the folder.
        for each in ("node_modules", "package.json"):
            await run_in(folder, "cp", "--archive", "--link", "--force", installed / each, ".")
    if program.mvn:
        pom = folder / "pom.xml"
        pom.write_text(pom.read_text().replace("VERSION", program.mvn))


async def _connect(
    program: Program, folder: Path, host: str, described: Mapping[str, Any]
) -> Mapping[str, str]:
    """Adds the application of the recipe, and appends its settings to the files of the program."""
    chosen = recipe(program.recipe)
    async with httpx2.AsyncClient(base_url=described["webUrl"], timeout=30) as http:
        added = await post(
            http, "/v1/applications", described["token"], application=application_at(chosen, host)
        )
        client_id = added["applicationId"]
        secrets = f"/v1/applications/{client_id}/secrets"
        created = await post(http, secrets, described["token"])
    for settings in settings_at(
        chosen,
        host,
        issuer=described["origin"],
        client_id=client_id,
        client_secret=created["secret"],
    ):
        file = folder / settings.where
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as written:
            written.write(f"\n{settings.text}")
    return {"clientId": client_id, "clientSecret": created["secret"]}


def _filled(command: tuple[str, ...], values: Mapping[str, str]) -> list[str]:
    return [word.format(**values) for word in command]


async def _version(package: str) -> str:
    """The package of Debian with its version, as pip writes it."""
    query = ("dpkg-query", "--show", "--showformat=${Package}==${Version}", package)
    return await run_in(FOLDER, *query)


def _result(recipe: str, packages: Sequence[str], did: Sequence[str]) -> Mapping[str, Any]:
    date = datetime.now(UTC).date().isoformat()
    return {"recipe": recipe, "packages": packages, "did": did, "date": date}


def _note(name: str, result: Mapping[str, Any] | None) -> None:
    """Notes the result of a program, in place of that of an earlier run."""
    results = json.loads(_RESULTS.read_text()) | {name: result}
    kept = {name: each for name, each in results.items() if each}
    _RESULTS.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")


def _did(program: Program) -> list[str]:
    """What the program did, in the words of docs/software.md."""
    visit = program.visit
    if "tokens" in visit or not program.command:
        return ["token"]
    words = {
        "renew": "refresh",
        "leave": "sign-out",
        "endsAll": "sign-out at Keystead",
        "isTold": "back-channel",
    }
    return ["sign-in", *(word for name, word in words.items() if visit.get(name))]
