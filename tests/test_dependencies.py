"""The packages that are installed are those that the server imports, each for a written reason."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_REASONS = _ROOT / "docs" / "dependencies.md"
# Only parts of packages that Keystead does not import need them: decision 17.
_LEFT_OUT = ("aiohttp", "fastapi", "urllib3")
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


@pytest.mark.python_differs("later releases warn of, and remove, parts of the standard library")
def test_the_server_imports_without_the_packages_that_the_lock_leaves_out() -> None:
    import_all = [sys.executable, "-W", "error", "-c", _IMPORT_ALL, *_LEFT_OUT]
    subprocess.run(import_all, check=True)


@pytest.mark.parametrize("name", _LEFT_OUT)
def test_the_lock_of_the_server_leaves_it_out(name: str) -> None:
    locked = re.findall(r"^([a-z0-9-]+)==", (_ROOT / "requirements.lock").read_text(), re.MULTILINE)

    assert {"fastapi-swagger", "sonora"} <= set(locked)
    assert name not in locked


def test_every_package_has_a_purpose_a_maintainer_and_a_replacement() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]
    optional = [each for group in project["optional-dependencies"].values() for each in group]
    required = {re.split("[^a-z0-9-]", each)[0] for each in [*project["dependencies"], *optional]}
    lines = _REASONS.read_text().splitlines()

    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| `")
    ]

    assert sorted(row[0].strip("`") for row in rows) == sorted(required)
    assert [row for row in rows if len(row) != 4 or not all(row)] == []


@pytest.mark.parametrize("folder", ["web", "clients/typescript"])
def test_every_package_of_npm_is_named(folder: str) -> None:
    packages = json.loads((_ROOT / folder / "package.json").read_text())["dependencies"]
    text = _REASONS.read_text()

    assert [name for name in packages if f"`{name}`" not in text] == []


def test_every_module_of_the_client_in_go_is_named() -> None:
    module = (_ROOT / "clients" / "go" / "go.mod").read_text()
    modules = re.findall(r"^\t(github\.com/\S+) v\S+$", module, re.MULTILINE)
    text = _REASONS.read_text()

    assert "github.com/go-jose/go-jose/v4" in modules
    assert [name for name in modules if f"`{name}`" not in text] == []
