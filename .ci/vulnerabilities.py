"""Compares lock files with advisories: python .ci/vulnerabilities.py DATABASE... -- LOCK...

A database is an export of https://osv.dev, as a zip file or as a directory of JSON files
(https://ossf.github.io/osv-schema/). A lock is a requirements file, a package-lock.json or a
go.mod.
"""  # noqa: INP001 -- a script

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_GO_REQUIREMENT = re.compile(r"^(?:require )?\s*([\w./-]+) v(\S+)", re.MULTILINE)
_SEMVER = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?")


class _Locked(NamedTuple):
    ecosystem: str
    name: str
    version: str


def _locked(lock: Path) -> Iterator[_Locked]:
    text = lock.read_text()
    if lock.suffix == ".mod":
        for name, version in _GO_REQUIREMENT.findall(text):
            yield _Locked("Go", name, version)
        return
    if lock.suffix != ".json":
        for name, version in _REQUIREMENT.findall(text):
            yield _Locked("PyPI", canonicalize_name(name), version)
        return
    for path, package in json.loads(text)["packages"].items():
        if path and not package.get("link"):
            name = package.get("name") or path.rpartition("node_modules/")[2]
            yield _Locked("npm", name, package["version"])


def _advisories(database: Path) -> Iterator[Mapping[str, Any]]:
    if database.is_dir():
        for file in sorted(database.rglob("*.json")):
            yield json.loads(file.read_bytes())
    else:
        with zipfile.ZipFile(database) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    yield json.loads(archive.read(name))


def _order(ecosystem: str, version: str) -> Any:
    """A key by which versions compare. ValueError: the version has another form."""
    if ecosystem == "PyPI":
        return Version("0.dev0" if version == "0" else version)
    found = _SEMVER.fullmatch("0.0.0-0" if version == "0" else version)
    if found is None:
        raise ValueError(f"{version} is no semantic version")
    *numbers, pre = found.groups()
    # Semantic Versioning 2.0.0, section 11: numbers before text, and a release after all of them.
    parts = [
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in (pre or "").split(".")
    ]
    return [int(number) for number in numbers], not pre, parts if pre else []


def _is_in(events: Iterable[Mapping[str, str]], locked: _Locked) -> bool:
    """Whether the range has the version. A version that cannot be compared counts as affected."""
    ecosystem, _, version = locked
    try:
        own = _order(ecosystem, version)
        changes = [(_order(ecosystem, at), kind) for event in events for kind, at in event.items()]
    except (InvalidVersion, ValueError):
        return True
    affected = False
    for at, kind in sorted(changes, key=lambda change: change[0]):
        if kind == "introduced" and own >= at:
            affected = True
        elif (kind == "fixed" and own >= at) or (kind == "last_affected" and own > at):
            affected = False
    return affected


def _affects(affected: Mapping[str, Any], locked: _Locked) -> bool:
    if locked.version in affected.get("versions", ()):
        return True
    return any(
        _is_in(each["events"], locked)
        for each in affected.get("ranges", ())
        if each["type"] in ("ECOSYSTEM", "SEMVER")
    )


def main(databases: Sequence[str], locks: Sequence[str]) -> None:
    """Ends with status 1 if a locked version is affected, or an ecosystem has no advisories."""
    packages: dict[tuple[str, str], set[tuple[_Locked, str]]] = {}
    for lock in locks:
        for locked in _locked(Path(lock)):
            packages.setdefault(locked[:2], set()).add((locked, lock))
    found: set[str] = set()
    modified: dict[str, str] = {}
    for database in databases:
        for advisory in _advisories(Path(database)):
            for affected in advisory.get("affected", ()):
                package = affected.get("package", {})
                ecosystem, name = package.get("ecosystem", ""), package.get("name", "")
                name = canonicalize_name(name) if ecosystem == "PyPI" else name
                modified[ecosystem] = max(modified.get(ecosystem, ""), advisory["modified"])
                if "withdrawn" in advisory:
                    continue
                for locked, lock in packages.get((ecosystem, name), ()):
                    if _affects(affected, locked):
                        names = ", ".join([advisory["id"], *advisory.get("aliases", ())])
                        found.add(f"{lock}: {name} {locked.version}: {names}")
    ecosystems = sorted({ecosystem for ecosystem, _ in packages})
    if missing := [each for each in ecosystems if each not in modified]:
        sys.exit(f"The databases have no advisory of {', '.join(missing)}. Add the export of each.")
    newest = ", ".join(f"{ecosystem} until {modified[ecosystem]}" for ecosystem in ecosystems)
    if found:
        sys.exit("\n".join([*sorted(found), f"{len(found)} vulnerabilities ({newest})."]))
    print(f"{len(packages)} packages, none with a known vulnerability ({newest}).")  # noqa: T201


if __name__ == "__main__":
    end = sys.argv.index("--")
    main(sys.argv[1:end], sys.argv[end + 1 :])
