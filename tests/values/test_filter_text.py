"""The part of AIP-160 that lists take."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from server.values.filter_text import Comparison, comparisons


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", []),
        ("  ", []),
        ("state = ACTIVE", [("state", "=", "ACTIVE", False, 1)]),
        ("state=ACTIVE", [("state", "=", "ACTIVE", False, 1)]),
        (" a.b >= 2", [("a.b", ">=", "2", False, 2)]),
        ("at<2036-01-01T00:00:00+01:00", [("at", "<", "2036-01-01T00:00:00+01:00", False, 1)]),
        ('name = "AND \\"x\\" \\\\"', [("name", "=", 'AND "x" \\', False, 1)]),
        ("name='it''", None),
        ("name = 'it\\'s' AND b:*", [("name", "=", "it's", False, 1), ("b", ":", "*", False, 20)]),
        ("NOT a:* AND -b:c", [("a", ":", "*", True, 1), ("b", ":", "c", True, 13)]),
        # Not in the part, or wrong.
        ("a = 1 OR b = 2", "AND between comparisons; there is no OR (character 7)"),
        ("a = 1 b = 2", "(character 7)"),
        ("a = 1 ANDb = 2", "(character 7)"),
        ("a = 1 AND", "(character 7)"),
        ("a = 1 AND ", "name of a field here (character 11)"),
        ("(a = 1)", "name of a field here (character 1)"),
        ("ada", "after the field (character 4)"),
        ("a ~ 1", "(character 3)"),
        ("a =", "a value here"),
        ('a = "x', "a value here"),
        ("a = f(x)", "(character 6)"),
        ("a = 1\nAND b = 1", "(character 6)"),
        (" AND ".join(["a = 1"] * 21), "at most 20 comparisons"),
    ],
)
def test_a_filter_is_comparisons_that_are_connected_by_and(
    text: str, made: list[tuple[str, str, str, bool, int]] | str | None
) -> None:
    if isinstance(made, list):
        assert list(comparisons(text)) == [Comparison(*each) for each in made]
        return
    with pytest.raises(ValueError, match="character") as refused:
        list(comparisons(text))
    assert (made or "") in str(refused.value)


@given(some.text(alphabet="aN OTD.=<>!:-()\"'\\*1\n", max_size=40))
def test_any_other_text_is_refused_with_a_character(text: str) -> None:
    made, problem = list[Comparison](), ""
    try:
        made = list(comparisons(text))
    except ValueError as error:
        problem = str(error)
    assert "(character " in problem if problem else bool(made) == bool(text.strip(" "))
