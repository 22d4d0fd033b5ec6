"""A release as operators install it: the wheel in an empty environment, by the lock."""

import asyncio
import os
import signal
import subprocess
import tomllib
import urllib.request
from pathlib import Path
from sys import executable

import pytest

from e2e.programs import FOLDER, PROGRAM_SECONDS, output
from tests.support import given
from tests.support.process import free_port

pytestmark = pytest.mark.timeout(3 * PROGRAM_SECONDS)

_ROOT = FOLDER.parent
_PROGRAMS = Path(executable).parent
_COMPLETE = """
eval "$(_KEYSTEAD_COMPLETE=bash_source keystead)"
COMP_WORDS=(keystead user re) COMP_CWORD=2
_keystead_completion keystead
echo "${COMPREPLY[@]}"
"""
_PAGES = ("/signin/", "/account/", "/passkeys/", "/docs", "/openapi.json", "/licenses.txt")


async def _run(folder: Path, *command: str | Path, **environment: str) -> str:
    return await output(
        *map(str, command),
        seconds=PROGRAM_SECONDS,
        cwd=folder,
        HOME=str(Path.home()),
        **environment,
    )


@pytest.fixture
async def keystead(tmp_path: Path) -> Path:
    """The program of the wheel, installed by the lock with its hashes."""
    await _run(_ROOT, _PROGRAMS / "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    wheel = _only(tmp_path, "*.whl")
    environment = tmp_path / "environment"
    await _run(tmp_path, executable, "-m", "venv", "--without-pip", environment)
    install = (_PROGRAMS / "uv", "pip", "install", "--system-certs", "--no-deps", "--python")
    await _run(tmp_path, executable, "-m", "zipfile", "-e", wheel, tmp_path / "wheel")
    lock = tmp_path / "wheel" / "keystead_release" / "requirements.lock"
    await _run(tmp_path, *install, environment, "--require-hashes", "-r", lock)
    await _run(tmp_path, *install, environment, "--offline", wheel)
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
    assert await _run(folder, keystead, "--version") == f"keystead, version {version}\n"
    refused = subprocess.run(  # noqa: ASYNC221 -- it answers at once
        [keystead, "health"], cwd=folder, env=addresses, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("Nothing answers at 127.0.0.1:")

    await _run(folder, keystead, "files", "files")
    unit = folder / "files" / "deploy" / "systemd" / "keystead.service"
    assert unit.read_bytes() == (_ROOT / "deploy" / "systemd" / unit.name).read_bytes()
    assert (keystead.parents[1] / "share" / "man" / "man1" / "keystead.1").is_file()
    assert await _run(folder, "bash", "-c", _COMPLETE, PATH=_path(keystead)) == "remove revoke\n"

    server = await asyncio.create_subprocess_exec(
        keystead, "serve", cwd=folder, env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", **addresses}
    )
    try:
        await given.eventually(lambda: _takes_calls(keystead, folder, addresses))
        for path in _PAGES:
            url = f"http://{addresses['KEYSTEAD_HTTP_ADDRESS']}{path}"
            with await asyncio.to_thread(urllib.request.urlopen, url) as page:
                assert page.status == 200
        assert await _run(folder, keystead, "user", "list", **addresses)
    finally:
        server.send_signal(signal.SIGTERM)
        status = await server.wait()
    assert status == 0


async def _takes_calls(keystead: Path, folder: Path, addresses: dict[str, str]) -> bool:
    health = await asyncio.create_subprocess_exec(
        keystead, "health", cwd=folder, env=addresses, stderr=asyncio.subprocess.DEVNULL
    )
    return await health.wait() == 0
