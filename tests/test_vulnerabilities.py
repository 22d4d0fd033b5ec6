"""The lock files are compared with advisories: `.ci/vulnerabilities.py`, with fabricated ones."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

_SCRIPT = Path(__file__).parents[1] / ".ci" / "vulnerabilities.py"
_LOCK = "Foo_Bar==1.10.0rc1 ; python_version < '3.12' \\\n    --hash=sha256:00\nother==2.0\n"
_PACKAGE_LOCK = {
    "packages": {"": {}, "node_modules/a/node_modules/@x/y": {"version": "2.0.0-rc.1"}}
}
_GO_MOD = "module example.com/a\n\nrequire (\n\tgithub.com/b/c/v4 v4.1.4 // indirect\n)\n"
_OLD = [{"introduced": "0"}, {"fixed": "0.1.0"}]


def _advisory(
    name: str, events: list[dict[str, str]], ecosystem: str = "PyPI", **more: Any
) -> dict[str, Any]:
    kind = "ECOSYSTEM" if ecosystem == "PyPI" else "SEMVER"
    affected = {
        "package": {"ecosystem": ecosystem, "name": name},
        "ranges": [{"type": kind, "events": events}],
        "versions": more.pop("versions", []),
    }
    return {"id": "TEST-1", "modified": "2026-11-01T00:00:00Z", "affected": [affected], **more}


def _run(folder: Path, *databases: Path) -> tuple[int, str]:
    """The status and the output for three locks."""
    (folder / "a.lock").write_text(_LOCK)
    (folder / "package-lock.json").write_text(json.dumps(_PACKAGE_LOCK))
    (folder / "go.mod").write_text(_GO_MOD)
    locks = ["a.lock", "package-lock.json", "go.mod"]
    command = [sys.executable, str(_SCRIPT), *map(str, databases), "--", *locks]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in run.stderr
    return run.returncode, run.stdout + run.stderr


def _database(folder: Path, *advisories: dict[str, Any]) -> Path:
    """A zip file with these, and with one of each ecosystem that affects no locked version."""
    others = (
        _advisory("other", _OLD),
        _advisory("@x/y", _OLD, "npm"),
        _advisory("example.com/other", _OLD, "Go"),
    )
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for number, advisory in enumerate((*advisories, *others)):
            archive.writestr(f"{number}.json", json.dumps(advisory))
    return folder / "all.zip"


@pytest.mark.parametrize(
    "advisory",
    [
        _advisory("foo.bar", [{"introduced": "0"}, {"fixed": "1.10.0"}]),
        _advisory("foo-bar", [{"introduced": "1.10.0rc1"}]),
        _advisory("foo-bar", [{"introduced": "0"}, {"last_affected": "1.10.0rc1"}]),
        _advisory("foo-bar", [{"fixed": "1.0"}, {"introduced": "1.9"}, {"introduced": "0"}]),
        _advisory("foo-bar", _OLD, versions=["1.10.0rc1"]),
        _advisory("foo-bar", [{"introduced": "0"}, {"fixed": "of no form"}]),
        _advisory("@x/y", [{"introduced": "2.0.0-beta.11"}, {"fixed": "2.0.0"}], "npm"),
        _advisory("@x/y", [{"introduced": "0"}], "npm"),
        _advisory("github.com/b/c/v4", [{"introduced": "4.0.0"}, {"fixed": "4.1.5"}], "Go"),
    ],
)
def test_an_affected_version_is_named(tmp_path: Path, advisory: dict[str, Any]) -> None:
    status, said = _run(tmp_path, _database(tmp_path, {**advisory, "aliases": ["CVE-1"]}))

    assert status == 1
    assert "TEST-1, CVE-1" in said
    assert "1 vulnerabilities (Go until 2026-11-01T00:00:00Z, PyPI until " in said


@pytest.mark.parametrize(
    "advisory",
    [
        _advisory("foo-bar", [{"introduced": "0"}, {"fixed": "1.10.0rc1"}]),
        _advisory("foo-bar", [{"introduced": "0"}, {"last_affected": "1.9"}]),
        _advisory("foo-bar", [{"introduced": "1.10.0"}]),
        _advisory("foo-bar", [{"introduced": "0"}], withdrawn="2026-11-02T00:00:00Z"),
        _advisory("foo", [{"introduced": "0"}]),
        _advisory("@x/y", [{"introduced": "0"}, {"fixed": "2.0.0-rc.1"}], "npm"),
        _advisory("@x/y", [{"introduced": "2.0.0"}], "npm"),
        _advisory("@x/y", [{"introduced": "0"}], "PyPI"),
        _advisory("github.com/b/c/v4", [{"introduced": "0"}, {"fixed": "4.1.4"}], "Go"),
        _advisory("github.com/b/c", [{"introduced": "0"}], "Go"),
    ],
)
def test_versions_outside_of_an_advisory_pass(tmp_path: Path, advisory: dict[str, Any]) -> None:
    status, said = _run(tmp_path, _database(tmp_path, advisory))

    assert (status, said[:33]) == (0, "4 packages, none with a known vul")


def test_a_directory_is_read_like_a_file(tmp_path: Path) -> None:
    affected = _advisory("foo-bar", [{"introduced": "0"}])
    with zipfile.ZipFile(_database(tmp_path, affected)) as archive:
        archive.extractall(tmp_path / "directory")

    assert _run(tmp_path, tmp_path / "directory")[0] == 1


def test_a_database_without_an_ecosystem_does_not_pass(tmp_path: Path) -> None:
    folder = tmp_path / "directory"
    folder.mkdir()
    (folder / "1.json").write_text(json.dumps(_advisory("other", _OLD)))

    assert _run(tmp_path, folder) == (
        1,
        "The databases have no advisory of Go, npm. Add the export of each.\n",
    )
