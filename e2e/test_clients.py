"""The program with generated code only of docs/clients.md, built in a copy of its folder."""

import shutil
from pathlib import Path
from sys import executable

import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, PROGRAM_SECONDS, run_in

pytestmark = pytest.mark.timeout(3 * PROGRAM_SECONDS)

_CLIENT = FOLDER.parent / "examples" / "clients" / "python"
_PROGRAMS = Path(executable).parent
_PRINTED = "admin\nuserName: must not be empty\n"


async def test_python(world: World, tmp_path: Path) -> None:
    generated = shutil.ignore_patterns(".venv", "schema", "keystead")
    folder = Path(shutil.copytree(_CLIENT, tmp_path / "python", ignore=generated))
    await run_in(folder, _PROGRAMS / "keystead", "schema", "schema")
    python = folder / ".venv" / "bin" / "python"
    await run_in(folder, executable, "-m", "venv", ".venv")
    locked = FOLDER.parent / "requirements-dev.lock"
    install = (_PROGRAMS / "uv", "pip", "install", "--system-certs", "--python", python)
    await run_in(folder, *install, "-r", "requirements.txt", "-c", locked)
    outputs = ("--python_out=.", "--pyi_out=.", "--grpc_python_out=.")
    schema = folder / "schema"
    files = [file.relative_to(folder) for file in schema.glob("keystead/*/v1/*.proto")]
    await run_in(folder, python, "-m", "grpc_tools.protoc", "-Ischema", *outputs, *files)

    settings = {
        "KEYSTEAD_GRPC_ADDRESS": str(world.description["grpcUrl"]).removeprefix("http://"),
        "KEYSTEAD_TOKEN": str(world.description["token"]),
    }
    assert await run_in(folder, python, "client.py", **settings) == _PRINTED
