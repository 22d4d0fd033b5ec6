"""One name has one meaning: no two public classes of the server share a name."""

import ast
from collections import defaultdict
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def test_public_classes_have_different_names() -> None:
    files = defaultdict(list)
    for package in ("server", "bridge"):
        for path in (_ROOT / package).rglob("*.py"):
            for node in ast.parse(path.read_bytes()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    files[node.name].append(path.relative_to(_ROOT).as_posix())

    assert "Caller" in files
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
