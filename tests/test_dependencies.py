"""The packages that are installed are those that the server imports."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_OF_SONORAS_CLIENT = ("aiohttp", "urllib3")
_IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    sys.modules[name] = None  # an import of it fails
import bridge, server
for package in (bridge, server):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


def test_the_server_does_without_what_only_the_client_of_sonora_imports() -> None:
    subprocess.run([sys.executable, "-c", _IMPORT_ALL, *_OF_SONORAS_CLIENT], check=True)


@pytest.mark.parametrize("name", _OF_SONORAS_CLIENT)
def test_the_lock_of_the_server_leaves_it_out(name: str) -> None:
    locked = re.findall(r"^([a-z0-9-]+)==", (_ROOT / "requirements.lock").read_text(), re.MULTILINE)

    assert "sonora" in locked
    assert name not in locked
