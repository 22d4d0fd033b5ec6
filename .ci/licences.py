"""Checks the licences in a bill of materials (CycloneDX, JSON): python .ci/licences.py FILE."""  # noqa: INP001 -- a script

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# Permissive ones, and the MPL, which concerns changes of its own files.
_ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 AND BSD-2-Clause",
    "Apache-2.0 OR BSD-2-Clause",
    "Apache-2.0 OR BSD-3-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "License :: OSI Approved :: Apache Software License",
    "License :: OSI Approved :: BSD License",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
    "MIT",
    "MIT OR Apache-2.0",
    "MIT-0",
    "MPL-2.0",
    "PSF-2.0",
    "Unlicense",
}
# Packages whose metadata names none, with the licence in their files.
_BY_FILE = {"protobuf": "BSD-3-Clause"}


def licences(component: Mapping[str, Any]) -> Iterator[str]:
    """The licences of a package, as SPDX expressions or in the words of its metadata."""
    for each in component.get("licenses", ()):
        named = each.get("license", {})
        yield each.get("expression") or named.get("id") or named["name"]


def main(path: str) -> None:
    """Ends with status 1 if a package has no licence, or another one than those allowed."""
    wrong = []
    components = json.loads(Path(path).read_text())["components"]
    for component in components:
        found = [*licences(component)] or [_BY_FILE.get(component["name"], "none")]
        wrong += [f"{component['name']}: {each}" for each in found if each not in _ALLOWED]
    if wrong:
        sys.exit("These licences are not allowed here: " + "; ".join(wrong))
    print(f"{len(components)} packages, all with allowed licences.")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
