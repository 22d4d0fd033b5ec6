"""The filters of lists, a part of AIP-160: comparisons that are connected by AND.

    state = ACTIVE AND last_sign_in_at < "2026-06-01T00:00:00Z" AND NOT roles:ROLE_GATE

Not in it: OR, parentheses, functions, and text without a field. A `ValueError` names the character
at which the text is wrong.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MAX_CHARACTERS: Final = 1000
MAX_COMPARISONS: Final = 20

_SPACE: Final = re.compile(r" *")
_NOT: Final = re.compile(r"NOT +|-")
_FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,99}")
_OPERATOR: Final = re.compile(r"<=|>=|!=|=|<|>|:")
# Between quotation marks, each of which a backslash can escape; or without spaces and parentheses.
_VALUE: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([^\s"'()]+)""")
_ESCAPED: Final = re.compile(r"\\(.)")
_AND: Final = re.compile(r"AND(?= )")


class Comparison(NamedTuple):
    """A comparison of a field with a value, and its place in the text, from 1 on."""

    field: str
    operator: str
    value: str
    is_negated: bool
    place: int

    def refused(self, problem: str) -> ValueError:
        """The refusal of the comparison."""
        return wrong(problem, self.place)


def wrong(problem: str, place: int) -> ValueError:
    """The refusal of a text at a place."""
    return ValueError(f"{problem} (character {place})")


def comparisons(text: str) -> Iterator[Comparison]:
    """The comparisons of a filter, all of which must hold; none of an empty text."""
    end = _SPACE.match(text).end()  # type: ignore[union-attr]  # it matches the empty text
    count = 0
    while end < len(text) or count:
        if count == MAX_COMPARISONS:
            raise wrong(f"must have at most {MAX_COMPARISONS} comparisons", end + 1)
        comparison, end = _comparison(text, end)
        yield comparison
        count += 1
        if end == len(text):
            return
        _, end = _part(_AND, text, end, "must have AND between comparisons; there is no OR")


def _comparison(text: str, start: int) -> tuple[Comparison, int]:
    negation = _NOT.match(text, start)
    end = negation.end() if negation else start
    field, end = _part(_FIELD, text, end, "must have the name of a field here")
    operator, end = _part(_OPERATOR, text, end, "must have = != < > <= >= or : after the field")
    value, end = _part(_VALUE, text, end, "must have a value here, in quotation marks or a word")
    plain = _ESCAPED.sub(r"\1", value[1][1:-1]) if value[1] else value[2]
    return Comparison(field[0], operator[0], plain, negation is not None, start + 1), end


def _part(form: re.Pattern[str], text: str, start: int, problem: str) -> tuple[re.Match[str], int]:
    """The part of the text at a place, and the end of the spaces after it."""
    match = form.match(text, start)
    if match is None:
        raise wrong(problem, start + 1)
    return match, _SPACE.match(text, match.end()).end()  # type: ignore[union-attr]
