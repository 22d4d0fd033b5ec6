"""Links between the documents lead to files and headings; the page of the API has all services."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support import given

_ROOT = Path(__file__).parents[1]
_FOREIGN = (".", "node_modules", "gen")  # installed packages, generated clients
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _documents() -> Iterator[Path]:
    for folder, folders, files in os.walk(_ROOT):
        folders[:] = [each for each in folders if not each.startswith(_FOREIGN)]
        yield from (Path(folder, each) for each in files if each.endswith(".md"))


@cache
def _anchors(document: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    words = (
        re.sub(r"[^\w\- ]", "", each.lower()) for each in _HEADING.findall(document.read_text())
    )
    return {each.replace(" ", "-") for each in words}


def test_every_link_leads_somewhere() -> None:
    links, broken = 0, []
    for document in _documents():
        text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.DOTALL)
        for path, anchor in _LINK.findall(text):
            links += 1
            target = (document.parent / path) if path else document
            if not target.exists() or (anchor and anchor not in _anchors(target)):
                broken.append(f"{document.relative_to(_ROOT)}: {path}#{anchor}")

    assert links > 300
    assert broken == []


def test_the_page_of_the_api_has_every_service() -> None:
    page = Path(_ROOT, "docs", "api.md").read_text()
    own = {
        name
        for each in given.METHODS
        if (name := each.containing_service.full_name).startswith("keystead.")
    }

    assert set(re.findall(r"^\| `(keystead\.[\w.]+)`", page, re.MULTILINE)) == own
