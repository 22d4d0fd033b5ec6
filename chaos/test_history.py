"""The judge refuses false histories of each model, and accepts true ones."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from chaos.history import Made, judged
from chaos.objects.codes import Code
from chaos.objects.credentials import Token
from chaos.objects.work import Work
from chaos.report import Report

_NEVER = 0


def _calls(model: str, *calls: str) -> list[Made]:
    """Calls one after the other: `name argument answer`. Without an answer, one is not answered."""
    made = []
    for place, text in enumerate(calls):
        name, argument, *answer = text.split()
        begin = 10 * place + 1
        each = Made(place, model, "object", name, argument.strip("-"), begin=begin)
        each.answer, each.end = (answer[0], begin + 1) if answer else ("", _NEVER)
        made.append(each)
    return made


def _stale(calls: Sequence[Made], nanoseconds: int) -> Sequence[Made]:
    """The answer to the last call may have this age."""
    calls[-1].stale = nanoseconds
    return calls


_FALSE = {
    "a lost change": _calls("configuration", "add a OK", "update b OK", "read - a"),
    "an undone change": _calls("configuration", "add a OK", "update b", "read - b", "read - a"),
    "a second configuration": _calls("configuration", "add a OK", "add b OK"),
    "a configuration refused without another": _calls(
        "configuration", "add a OK", "remove - OK", "add b ALREADY_EXISTS"
    ),
    "a removed configuration": _calls("configuration", "add a OK", "remove - OK", "read - a"),
    "an answer older than its bound": _stale(
        _calls("configuration", "add a OK", "update b OK", "read - a"), 8
    ),
    "a name of two users": _calls("user", "create - 1", "create - 2"),
    "a user who is not locked": _calls("user", "create - 1", "lock 1 OK", "read 1 OK"),
    "a user of a name that is taken again": _calls(
        "user", "create - 1", "remove 1 OK", "create - 2", "read 1 OK"
    ),
    "a name that is not free again": _calls(
        "user", "create - 1", "remove 1 OK", "create - ALREADY_EXISTS"
    ),
    "a token that works after its end": _calls("credential", "end - OK", "read - OK"),
    "a token that works again": _calls(
        "credential", "end -", "read - UNAUTHENTICATED", "read - OK"
    ),
    "a write with an ended token": _calls("credential", "end - OK", "write - OK"),
    "a cached caller beyond the bound": _stale(_calls("credential", "end - OK", "read - OK"), 8),
    "a token that ends twice": _calls("credential", "end - OK", "end - OK"),
    "a code used twice": _calls("code", "exchange - OK", "exchange - OK"),
    "a token of a code used twice": _calls(
        "code", "exchange - OK", "exchange - FAILED_PRECONDITION", "read - OK"
    ),
    "a code that is refused unused": _calls("code", "exchange - FAILED_PRECONDITION"),
}
_TRUE = {
    "a change without an answer": _calls(
        "configuration", "add a OK", "update b", "read - a", "read - b"
    ),
    "a removal without an answer": _calls(
        "configuration", "add a OK", "remove -", "add b OK", "read - b"
    ),
    "an answer within its bound": _stale(
        _calls("configuration", "add a OK", "update b OK", "read - a"), 9
    ),
    "a user created without an answer": _calls("user", "create -", "create - ALREADY_EXISTS"),
    "a user locked and unlocked": _calls(
        "user", "create - 1", "lock 1 OK", "read 1 LOCKED", "unlock 1 OK", "read 1 OK"
    ),
    "a cached caller within the bound": _stale(_calls("credential", "end - OK", "read - OK"), 9),
    "an end without an answer": _calls(
        "credential", "end -", "read - OK", "end - OK", "write - UNAUTHENTICATED"
    ),
    "an exchange without an answer": _calls("code", "exchange -", "exchange - FAILED_PRECONDITION"),
    "an expired code": _calls("code", "expire -", "exchange - FAILED_PRECONDITION"),
}


@pytest.mark.parametrize("calls", _FALSE.values(), ids=_FALSE.keys())
async def test_a_false_history_is_refused(calls: Sequence[Made], tmp_path: Path) -> None:
    judgement = await judged(calls, tmp_path)

    assert not judgement.is_linearizable
    assert f"{calls[0].model} object: after" in judgement.text


@pytest.mark.parametrize("calls", _TRUE.values(), ids=_TRUE.keys())
async def test_a_true_history_is_accepted(calls: Sequence[Made], tmp_path: Path) -> None:
    judgement = await judged(calls, tmp_path)

    assert judgement.is_linearizable, judgement.text


def test_a_kind_without_an_answered_call_breaks_the_promise() -> None:
    report = Report("linearizable", "All kinds are used.")

    Work([Code, Token]).promise_used(report)

    assert report.broken


async def test_the_judge_names_the_first_step_that_the_model_lacks(tmp_path: Path) -> None:
    calls = _calls("credential", "read - OK", "end - OK", "read - OK", "read - OK")

    judgement = await judged(calls, tmp_path)

    assert (
        'credential object: after 2 explained calls, in state "ended": client 2: read() = OK'
        in judgement.text
    )
