"""References to decisions lead to a page, and the index has every page."""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_FOREIGN = (".", "node_modules", "gen", "assets", "dist", "__pycache__")
_FOLDER = _ROOT / "docs" / "decisions"
# A number may follow a line break, in a comment. `[7](../decisions/...)` is a number, too.
_GAP = r"\s+(?:(?:#|//|--|\*)\s+)?"
_REFERENCE = re.compile(
    rf"\b[Dd]ecisions?{_GAP}(\d{{1,2}})(?:(?:,|{_GAP}and){_GAP}(\d{{1,2}}))?\b"
    r"|\[(\d{1,2})\]\(\S*decisions/"
)
_LINK = re.compile(r"\[(?:[Dd]ecision\s+)?(\d{1,2})\]\(\S*?(\d{4})-[a-z0-9-]+\.md\)")
_PAGES = {path.name: int(path.name[:4]) for path in _FOLDER.glob("0*.md")}


@cache
def _texts() -> Mapping[str, str]:
    """The files that name decisions."""
    texts = {}
    for folder, folders, files in os.walk(_ROOT):
        folders[:] = [each for each in folders if not each.startswith(_FOREIGN)]
        for path in (Path(folder, each) for each in files):
            if b"ecision" in (content := path.read_bytes()) and b"\0" not in content:
                texts[str(path.relative_to(_ROOT))] = content.decode()
    return texts


def test_every_reference_leads_to_a_page() -> None:
    references = {
        (path, int(number))
        for path, text in _texts().items()
        for found in _REFERENCE.findall(text)
        for number in found
        if number
    }

    assert len(references) > 100
    assert {each for each in references if each[1] not in _PAGES.values()} == set()


def test_the_number_of_a_reference_is_that_of_its_page() -> None:
    links = [(path, *found) for path, text in _texts().items() for found in _LINK.findall(text)]

    assert len(links) > 100
    assert [each for each in links if int(each[1]) != int(each[2])] == []


def test_the_index_has_every_page_in_its_order() -> None:
    index = (_FOLDER / "README.md").read_text()
    lines = re.findall(r"^- \[(\d+)\. [^\]]+\]\((\S+)\): ", index, re.MULTILINE)

    assert lines == [(str(number), name) for name, number in sorted(_PAGES.items())]


def test_every_page_begins_with_its_number() -> None:
    for name, number in _PAGES.items():
        assert (_FOLDER / name).read_text().startswith(f"# {number}. ")
