"""The wheel of the client in Python, built and installed without a network or the server."""

import re
import sysconfig
from collections.abc import Awaitable, Callable
from pathlib import Path
from sys import executable

import pytest

from e2e.conftest import World
from e2e.programs import FOLDER, PROGRAM_SECONDS, output

pytestmark = pytest.mark.timeout(2 * PROGRAM_SECONDS)

_CLIENT = FOLDER.parent / "clients" / "python"
_HATCHLING = Path(executable).parent / "hatchling"
Run = Callable[..., Awaitable[str]]


@pytest.fixture
async def python(tmp_path: Path) -> Run:
    """Python with the wheel, and with the dependencies that are installed for development."""

    async def run(*command: str | Path, cwd: Path = tmp_path) -> str:
        return await output(
            *map(str, command), seconds=PROGRAM_SECONDS, cwd=cwd, HOME=str(tmp_path)
        )

    # From the source distribution, which contains the generated code as well.
    await run(_HATCHLING, "build", "-t", "sdist", "-d", tmp_path, cwd=_CLIENT)
    source = _only(tmp_path, "*.tar.gz")
    await run("tar", "xzf", source)
    unpacked = tmp_path / source.name.removesuffix(".tar.gz")
    await run(_HATCHLING, "build", "-t", "wheel", "-d", tmp_path, cwd=unpacked)
    wheel = _only(tmp_path, "*.whl")
    installed = tmp_path / "venv" / "bin" / "python"
    await run(executable, "-m", "venv", "venv")
    await run(installed, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
    packages = _only(tmp_path / "venv", "lib/*/site-packages")
    # Its own .pth files, which lead to the server, are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))

    async def python(*arguments: str) -> str:
        return await run(installed, *arguments)

    return python


def _only(folder: Path, pattern: str) -> Path:
    [path] = folder.glob(pattern)
    return path


async def test_the_wheel_works_without_the_server(
    python: Run, world: World, tmp_path: Path
) -> None:
    readme = (_CLIENT / "README.md").read_text()
    example = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0]
    (tmp_path / ".keystead").mkdir()
    (tmp_path / ".keystead" / "admin.token").write_text(str(world.description["token"]))
    address = str(world.description["grpcUrl"]).removeprefix("http://")
    (tmp_path / "example.py").write_text(example.replace("127.0.0.1:50051", address))

    printed = await python("example.py")

    assert printed == "admin\nINVALID_FIELDS {'userName': 'must not be empty'}\n"
    generated = "from keystead.user.v1 import user_service_pb2 as pb; print(pb.__file__)"
    assert (await python("-c", generated)).startswith(str(tmp_path))
    missing = "import importlib.util as u; print(u.find_spec('server'), u.find_spec('bridge'))"
    assert await python("-c", missing) == "None None\n"
