"""Numbers in sentences."""

import pytest

from server.values.counted import counted


@pytest.mark.parametrize(
    ("number", "words", "expected"),
    [
        (0, ["event"], "0 events"),
        (1, ["event"], "1 event"),
        (2, ["event"], "2 events"),
        (1, ["table differs", "tables differ"], "1 table differs"),
        (2, ["table differs", "tables differ"], "2 tables differ"),
    ],
)
def test_the_words_agree_with_the_number(number: int, words: list[str], expected: str) -> None:
    assert counted(number, *words) == expected
