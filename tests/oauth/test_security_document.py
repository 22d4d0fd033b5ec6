"""Every requirement is in `docs/security/oauth.md` once, and every test that it names exists."""

import re
from functools import cache
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_DOCUMENT = _ROOT / "docs" / "security" / "oauth.md"
_TEXT = _DOCUMENT.read_text()
# The number of requirements in each section of V10 of ASVS 5.0.
_V10 = {1: 2, 2: 3, 3: 5, 4: 16, 5: 5, 6: 2, 7: 3}
_RFC_9700 = [
    *("2.1", "2.1.1", "2.1.2", "2.2.1", "2.2.2", "2.3", "2.4", "2.5", "2.6"),
    *(f"4.{section}" for section in range(1, 18)),
]
_STATUS = re.compile(r"met, by test `|met, by document \[|not applicable, because \w|not met: \w")
_NAMED = sorted(set(re.findall(r"`([\w/]+\.(?:py|js))::([^`]+)`", _TEXT)))
_LINKS = sorted(set(re.findall(r"\]\(([^)#]+)", _TEXT)))


def _rows(title: str) -> list[list[str]]:
    """The cells of the table below a title."""
    section = _TEXT.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def test_every_requirement_is_listed_once() -> None:
    v10 = [f"10.{section}.{one + 1}" for section, most in _V10.items() for one in range(most)]

    assert [row[0] for row in _rows("OWASP ASVS 5.0, V10")] == v10
    assert [row[0] for row in _rows("RFC 9700")] == _RFC_9700


@pytest.mark.parametrize("title", ["OWASP ASVS 5.0, V10", "RFC 9700", "Attacks"])
def test_every_row_has_a_status(title: str) -> None:
    rows = _rows(title)

    assert rows
    for row in rows:
        assert _STATUS.match(row[-1]), row


@pytest.mark.parametrize(("path", "name"), _NAMED)
def test_every_test_exists(path: str, name: str) -> None:
    assert name.partition("[")[0] in _names(_ROOT / path)


@pytest.mark.parametrize("link", _LINKS)
def test_every_document_exists(link: str) -> None:
    assert (_DOCUMENT.parent / link).is_file()


@cache
def _names(path: Path) -> frozenset[str]:
    """The names of the tests in a file."""
    text = path.read_text()
    if path.suffix == ".js":
        return frozenset(re.findall(r"^ *test\(\"([^\"]+)\"", text, re.MULTILINE))
    return frozenset(re.findall(r"^(?:async )?def (test_\w+)\(", text, re.MULTILINE))
