"""A release as operators install it: the wheel, by the lock and by pipx."""

import asyncio
import os
import re
import signal
import subprocess
import tomllib
import urllib.request
from pathlib import Path
from sys import executable

import pytest

from e2e.programs import FOLDER, PROGRAM_SECONDS, run_in
from tests.support import given
from tests.support.process import free_port

pytestmark = pytest.mark.timeout(3 * PROGRAM_SECONDS)

_ROOT = FOLDER.parent
_PROGRAMS = Path(executable).parent
_COMPLETE = """
. bash-completion/completions/keystead
COMP_WORDS=(keystead user re) COMP_CWORD=2
_keystead_completion keystead
echo "${COMPREPLY[@]}"
"""
_SHARED = (
    "fish/vendor_completions.d/keystead.fish",
    "man/man1/keystead.1",
    "zsh/site-functions/_keystead",
)
_PAGES = ("/signin/", "/account/", "/passkeys/", "/docs", "/openapi.json", "/licenses.txt")


async def _by_the_lock(folder: Path, wheel: Path) -> Path:
    """An environment of the packages of the lock, with their hashes."""
    environment = folder / "environment"
    await run_in(folder, executable, "-m", "venv", "--without-pip", environment)
    install = (_PROGRAMS / "uv", "pip", "install", "--system-certs", "--no-deps", "--python")
    lock = folder / "keystead-files" / "requirements.lock"
    await run_in(folder, *install, environment, "--require-hashes", "-r", lock)
    await run_in(folder, *install, environment, "--offline", wheel)
    return environment


async def _by_pipx(folder: Path, wheel: Path) -> Path:
    """The environment of the commands in docs/operating.md. uv installs faster than pip."""
    page = (_ROOT / "docs" / "operating.md").read_text()
    [commands] = re.findall(r"```sh\n([^`]*pipx install --pip-args[^`]*)```", page)
    assert wheel.name in commands
    settings = {f"PIPX_{name}": str(folder / name) for name in ("HOME", "BIN_DIR", "MAN_DIR")}
    settings |= {"PIPX_COMPLETION_DIR": str(folder / "share"), "UV_SYSTEM_CERTS": "true"}
    path = f"{_PROGRAMS}:{os.environ['PATH']}"
    await run_in(folder, "bash", "-ec", commands, PATH=path, **settings)
    assert (folder / "BIN_DIR" / "keystead").exists()
    assert (folder / "MAN_DIR" / "man1" / "keystead.1").exists()
    return folder / "HOME" / "venvs" / "keystead"


@pytest.fixture(params=[_by_the_lock, _by_pipx], ids=["by the lock", "by pipx"])
async def keystead(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The program of the wheel."""
    await run_in(_ROOT, _PROGRAMS / "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    wheel = _only(tmp_path, "*.whl")
    await run_in(tmp_path, executable, "-m", "zipfile", "-e", wheel, tmp_path / "wheel")
    (tmp_path / "wheel" / "keystead_release").rename(tmp_path / "keystead-files")
    environment: Path = await request.param(tmp_path, wheel)
    return environment / "bin" / "keystead"


def _path(program: Path) -> str:
    """The search path of a shell that finds the program."""
    return f"{program.parent}:{os.environ['PATH']}"


def _only(folder: Path, pattern: str) -> Path:
    [path] = folder.glob(pattern)
    return path


async def test_a_release_serves_from_an_empty_directory(keystead: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    addresses = {
        f"KEYSTEAD_{port}_ADDRESS": f"127.0.0.1:{free_port()}" for port in ("GRPC", "HTTP")
    }
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert await run_in(folder, keystead, "--version") == f"keystead, version {version}\n"
    refused = subprocess.run(  # noqa: ASYNC221 -- it answers at once
        [keystead, "health"], cwd=folder, env=addresses, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("Nothing answers at 127.0.0.1:")

    await run_in(folder, keystead, "files", "files")
    await run_in(_ROOT, _PROGRAMS / "keystead", "files", folder / "of a checkout")
    assert await run_in(folder, "diff", "-r", "files", "of a checkout") == ""
    shared = keystead.parents[1] / "share"
    for name in _SHARED:
        assert (shared / name).is_file()
    assert await run_in(shared, "bash", "-c", _COMPLETE, PATH=_path(keystead)) == (
        "remove revoke revoke-grant\n"
    )

    server = await asyncio.create_subprocess_exec(
        keystead, "serve", cwd=folder, env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", **addresses}
    )
    try:
        await given.eventually(lambda: _takes_calls(keystead, folder, addresses))
        for path in _PAGES:
            url = f"http://{addresses['KEYSTEAD_HTTP_ADDRESS']}{path}"
            with await asyncio.to_thread(urllib.request.urlopen, url) as page:
                assert page.status == 200
        assert await run_in(folder, keystead, "user", "list", **addresses)
        address = addresses["KEYSTEAD_HTTP_ADDRESS"].replace("127.0.0.1", "localhost")
        link = await run_in(folder, keystead, "console", **addresses)
        assert link.startswith(f"http://{address}/passkeys/#")
    finally:
        server.send_signal(signal.SIGTERM)
        status = await server.wait()
    assert status == 0


async def _takes_calls(keystead: Path, folder: Path, addresses: dict[str, str]) -> bool:
    health = await asyncio.create_subprocess_exec(
        keystead, "health", cwd=folder, env=addresses, stderr=asyncio.subprocess.DEVNULL
    )
    return await health.wait() == 0
