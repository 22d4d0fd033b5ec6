"""The event log is refused if it is not that of the calls."""

from collections.abc import Sequence

import pytest

from chaos import trace
from chaos.history import Made
from chaos.trace import Step


def _calls(model: str, *calls: str) -> list[Made]:
    """Calls one after the other: `name argument answer`. Without an answer, one is not answered."""
    made = []
    for place, text in enumerate(calls):
        name, argument, *answer = text.split()
        each = Made(place, model, "object", name, argument.strip("-"), begin=10 * place)
        each.answer, each.end = (answer[0], 10 * place + 1) if answer else ("", 0)
        made.append(each)
    return made


def _steps(model: str, *steps: str) -> list[Step]:
    """Events one after the other: `name argument aggregate sequence`."""
    made = []
    for position, text in enumerate(steps):
        name, argument, aggregate_id, sequence = text.split()
        place = position, int(sequence), aggregate_id
        made.append(Step(*place, model, "object", name, argument.strip("-")))
    return made


_ADDED, _LOGGED = "add a OK", "add a x 1"
_CREATED, _OF_USER = "create - u", "create u u 1"


@pytest.mark.parametrize(
    ("model", "calls", "steps", "difference"),
    [
        ("configuration", [_ADDED, "update b OK"], [_LOGGED], "update(b) has no event"),
        ("configuration", [_ADDED], [_LOGGED, "update b x 2"], "1 events of update(b) by 0"),
        (
            "configuration",
            [_ADDED, "update b OK"],
            [_LOGGED, "update b x 2", "update b x 3"],
            "2 events of update(b) by 1",
        ),
        (
            "configuration",
            [_ADDED, "update b OK"],
            [_LOGGED, "update b x 1"],
            "an earlier sequence",
        ),
        ("configuration", [_ADDED, "add b OK"], [_LOGGED, "add b y 2"], "is no step from 'a'"),
        (
            "configuration",
            [_ADDED, "update b OK", "read - a"],
            [_LOGGED, "update b x 2"],
            "no state from 2 to 2 explains read = a",
        ),
        (
            "configuration",
            [_ADDED, "read - b", "update b OK"],
            [_LOGGED, "update b x 2"],
            "no state from 1 to 1 explains read = b",
        ),
        ("user", [_CREATED, "read u NOT_FOUND"], [_OF_USER], "explains read = NOT_FOUND"),
        (
            "user",
            [_CREATED, "lock u OK"],
            [_OF_USER, "lock u u 2", "lock u u 3"],
            "is no step from 'u LOCKED'",
        ),
        ("credential", ["end - OK"], [], "end() has no event"),
        (
            "credential",
            ["end - OK", "end -"],
            ["end - x 1", "end - x 2"],
            "is no step from 'UNAUTHENTICATED'",
        ),
        ("credential", ["end - OK", "read - OK"], ["end - x 1"], "explains read = OK"),
    ],
)
def test_a_false_log_is_refused(
    model: str, calls: Sequence[str], steps: Sequence[str], difference: str
) -> None:
    [found] = trace.check(_calls(model, *calls), _steps(model, *steps))

    assert difference in found


@pytest.mark.parametrize(
    ("model", "calls", "steps"),
    [
        ("configuration", [_ADDED, "update b"], [_LOGGED]),
        ("configuration", [_ADDED, "update b", "read - b"], [_LOGGED, "update b x 2"]),
        (
            "configuration",
            [_ADDED, "remove - OK", "add b OK", "read - b"],
            [_LOGGED, "add b y 3", "remove - x 2"],
        ),
        ("user", ["create -", "create - ALREADY_EXISTS"], [_OF_USER]),
        ("user", [_CREATED, "lock u OK", "lock u OK"], [_OF_USER, "lock u u 2"]),
        ("credential", ["end -", "read - OK"], []),
    ],
    ids=["not done", "done", "another aggregate", "unknown", "locked twice", "not ended"],
)
def test_a_true_log_is_accepted(model: str, calls: Sequence[str], steps: Sequence[str]) -> None:
    assert trace.check(_calls(model, *calls), _steps(model, *steps)) == []
