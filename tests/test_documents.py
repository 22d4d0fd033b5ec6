"""Links between the documents lead to files and headings that exist."""

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
# Without those of installed packages and of generated clients.
_DOCUMENTS = sorted(
    str(each.relative_to(_ROOT))
    for each in _ROOT.rglob("*.md")
    if not any(
        part.startswith((".", "node_modules", "gen")) for part in each.relative_to(_ROOT).parts
    )
)
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _anchors(document: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    words = (
        re.sub(r"[^\w\- ]", "", each.lower()) for each in _HEADING.findall(document.read_text())
    )
    return {each.replace(" ", "-") for each in words}


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    document = _ROOT / name
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.DOTALL)

    broken = []
    for path, anchor in _LINK.findall(text):
        target = (document.parent / path) if path else document
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(f"{path}#{anchor}")

    assert broken == []


def test_there_are_links() -> None:
    assert _LINK.findall((_ROOT / "README.md").read_text())
