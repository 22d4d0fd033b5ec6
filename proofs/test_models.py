"""Every model keeps its promises, and breaks the named one without each of its guards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.check import MODELS, Guard, Model, Promise, Verdict

_ROOT = Path(__file__).parents[1]
_BY_NAME = {path.stem: Model(path.read_text()) for path in MODELS}


def _guards() -> Iterator[tuple[str, Guard]]:
    for name, model in _BY_NAME.items():
        for guard in model.guards:
            yield name, guard


def _promises() -> Iterator[Promise]:
    for model in _BY_NAME.values():
        yield from model.promises


def _text(file: str) -> str:
    """The text of a file without its line breaks and the signs of comments."""
    lines = (_ROOT / file).read_text().splitlines()
    return " ".join(line.strip().removeprefix("//").removeprefix("#").strip() for line in lines)


@pytest.mark.parametrize("name", _BY_NAME)
def test_every_promise_is_kept_in_all_states(name: str, tmp_path: Path) -> None:
    verdict = _BY_NAME[name].check(tmp_path)

    assert verdict == Verdict(verdict.states), verdict.trace


@pytest.mark.parametrize(
    ("name", "guard"), [*_guards()], ids=lambda each: getattr(each, "name", each)
)
def test_the_promise_is_broken_without_its_guard(name: str, guard: Guard, tmp_path: Path) -> None:
    verdict = _BY_NAME[name].without(guard.name).check(tmp_path)

    assert verdict.broken == guard.promise


@pytest.mark.parametrize("name", _BY_NAME)
def test_every_promise_is_asserted_and_has_a_guard(name: str) -> None:
    model = _BY_NAME[name]
    promised = {promise.name for promise in model.promises}

    assert model.asserted == promised
    assert {guard.promise for guard in model.guards} == promised


@pytest.mark.parametrize("promise", [*_promises()], ids=lambda each: each.words)
def test_every_promise_is_made_in_these_words(promise: Promise) -> None:
    assert promise.words in _text(promise.file)
