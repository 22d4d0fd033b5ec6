"""Every requirement is in `docs/security/` once, and every test that a document names exists."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

_ROOT = Path(__file__).parents[1]
_FOLDER = _ROOT / "docs" / "security"
_DOCUMENTS: Final = {name: (_FOLDER / f"{name}.md").read_text() for name in ("asvs", "oauth")}
# The requirements of each section of ASVS 5.0.0: of level 1 and 2, and all of V10.
_ASVS: Final[Mapping[str, str]] = {
    "1.1": "1-2",
    "1.2": "1-9",
    "1.3": "1-11",
    "1.4": "1-3",
    "1.5": "1-2",
    "2.1": "1-3",
    "2.2": "1-3",
    "2.3": "1-4",
    "2.4": "1",
    "3.2": "1-2",
    "3.3": "1-4",
    "3.4": "1-6",
    "3.5": "1-5",
    "3.7": "1-2",
    "4.1": "1-3",
    "4.2": "1",
    "4.3": "1-2",
    "4.4": "1-4",
    "5.1": "1",
    "5.2": "1-3",
    "5.3": "1-2",
    "5.4": "1-3",
    "6.1": "1-3",
    "6.2": "1-12",
    "6.3": "1-4",
    "6.4": "1-4",
    "6.5": "1-5",
    "6.6": "1-3",
    "6.8": "1-4",
    "7.1": "1-3",
    "7.2": "1-4",
    "7.3": "1-2",
    "7.4": "1-5",
    "7.5": "1-2",
    "7.6": "1-2",
    "8.1": "1-2",
    "8.2": "1-3",
    "8.3": "1",
    "8.4": "1",
    "9.1": "1-3",
    "9.2": "1-4",
    "11.1": "1-2",
    "11.2": "1-3",
    "11.3": "1-3",
    "11.4": "1-4",
    "11.5": "1",
    "11.6": "1",
    "12.1": "1-3",
    "12.2": "1-2",
    "12.3": "1-4",
    "13.1": "1",
    "13.2": "1-5",
    "13.3": "1-2",
    "13.4": "1-5",
    "14.1": "1-2",
    "14.2": "1-4",
    "14.3": "1-3",
    "15.1": "1-3",
    "15.2": "1-3",
    "15.3": "1-7",
    "16.1": "1",
    "16.2": "1-5",
    "16.3": "1-4",
    "16.4": "1-3",
    "16.5": "1-3",
}
_V10: Final[Mapping[str, str]] = {
    "10.1": "1-2",
    "10.2": "1-3",
    "10.3": "1-5",
    "10.4": "1-16",
    "10.5": "1-5",
    "10.6": "1-2",
    "10.7": "1-3",
}
_RFC_9700: Final = [
    *("2.1", "2.1.1", "2.1.2", "2.2.1", "2.2.2", "2.3", "2.4", "2.5", "2.6"),
    *(f"4.{section}" for section in range(1, 18)),
]
_STATUS = re.compile(r"met, by test `|met, by document \[|not applicable, because \w|not met: \w")
_TITLES: Final = [
    *(("asvs", title) for title in re.findall("^## (V.*)$", _DOCUMENTS["asvs"], re.MULTILINE)),
    *(("oauth", title) for title in ("OWASP ASVS 5.0, V10", "RFC 9700", "Attacks")),
]
_NAMED = sorted(
    {
        found
        for text in _DOCUMENTS.values()
        for found in re.findall(r"`([\w/]+\.(?:py|js))::([^`]+)`", text)
    }
)
_LINKS = sorted(
    {link for text in _DOCUMENTS.values() for link in re.findall(r"\]\(([^)#]+)", text)}
)


def _rows(document: str, title: str) -> list[list[str]]:
    """The cells of the table below a title."""
    section = _DOCUMENTS[document].split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def _numbers(sections: Mapping[str, str]) -> Iterator[str]:
    """The numbers of requirements: `1.1`: `1-2 4` is 1.1.1, 1.1.2 and 1.1.4."""
    for section, spans in sections.items():
        for span in spans.split():
            first, _, last = span.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{section}.{number}"


def test_every_requirement_is_listed_once() -> None:
    in_asvs = [row[0] for name, title in _TITLES if name == "asvs" for row in _rows(name, title)]

    assert in_asvs == [*_numbers(_ASVS)]
    assert [row[0] for row in _rows("oauth", "OWASP ASVS 5.0, V10")] == [*_numbers(_V10)]
    assert [row[0] for row in _rows("oauth", "RFC 9700")] == _RFC_9700


def test_every_row_has_a_status() -> None:
    tables = [_rows(document, title) for document, title in _TITLES]

    assert all(tables)
    assert [row for rows in tables for row in rows if not _STATUS.match(row[-1])] == []


def test_every_test_exists() -> None:
    missing = [
        (path, name) for path, name in _NAMED if name.partition("[")[0] not in _names(_ROOT / path)
    ]

    assert _NAMED
    assert missing == []


def test_every_document_exists() -> None:
    assert _LINKS
    assert [link for link in _LINKS if not (_FOLDER / link).is_file()] == []


@cache
def _names(path: Path) -> frozenset[str]:
    """The names of the tests in a file."""
    text = path.read_text()
    if path.suffix == ".js":
        return frozenset(re.findall(r"^ *test\(\"([^\"]+)\"", text, re.MULTILINE))
    return frozenset(re.findall(r"^ *(?:async )?def (test_\w+)\(", text, re.MULTILINE))
