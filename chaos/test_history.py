"""The judge refuses false histories."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from chaos.history import Made, judged

_FIRST = Made(0, "idp", write=True, value="first", begin=1, end=2)
_SECOND = Made(0, "idp", write=True, value="second", begin=3, end=4)
_UNANSWERED = Made(0, "idp", write=True, value="second", begin=3, end=0)


def _read(value: str, *, begin: int = 5, stale: int = 0) -> Made:
    return Made(1, "idp", write=False, value=value, begin=begin, end=begin + 1, stale=stale)


@pytest.mark.parametrize(
    ("history", "is_linearizable"),
    [
        ([_FIRST, _SECOND, _read("second")], True),
        ([_FIRST, _SECOND, _read("first")], False),
        ([_FIRST, _UNANSWERED, _read("first"), _read("second", begin=7)], True),
        ([_FIRST, _UNANSWERED, _read("second"), _read("first", begin=7)], False),
        ([_FIRST, _SECOND, _read("first", stale=1)], True),
        ([_FIRST, _SECOND, _read("first", begin=6, stale=1)], False),
    ],
    ids=["true", "lost write", "no answer", "undone write", "within the bound", "beyond it"],
)
async def test_the_judge_refuses_a_false_history(
    history: Sequence[Made], is_linearizable: bool, tmp_path: Path
) -> None:
    judgement = await judged(history, tmp_path)

    assert judgement.is_linearizable is is_linearizable
