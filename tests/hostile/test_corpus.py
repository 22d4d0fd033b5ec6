"""The inputs of the corpus are accepted, or refused as declared; mutations extend it."""

import base64

import pytest

from server.passkey.webauthn import cbor
from tests.hostile.fuzzing import CORPUS, Kind, Line, encoded, fuzz
from tests.hostile.kinds import KINDS

# `cryptography` warns of certificates that later versions may refuse; pytest raises the warning.
pytestmark = pytest.mark.filterwarnings(
    "default::cryptography.utils.CryptographyDeprecationWarning"
)

_BY_NAME = {kind.name: kind for kind in KINDS}
_MAX_BYTES = 300_000


@pytest.mark.parametrize("name", _BY_NAME)
def test_no_input_of_the_corpus_is_a_fault(name: str) -> None:
    kind = _BY_NAME[name]

    outcomes = {kind.judged(data) for data in [*kind.corpus(), *kind.seeds()]}

    assert "accepted" in outcomes
    assert len(outcomes) > 1 or name == "cookie"  # a malformed cookie is no cookie


def test_the_corpus_is_small_and_has_no_other_files() -> None:
    files = list(CORPUS.iterdir())

    assert {file.stem for file in files} == _BY_NAME.keys()
    assert sum(file.stat().st_size for file in files) < _MAX_BYTES


def test_mutations_that_reach_further_lines_are_kept() -> None:
    result = fuzz(_BY_NAME["cbor"], [b"c\x80"], mutations=2000, seed=1)

    assert not result.faults
    reached: set[Line] = set()
    for data in result.corpus:
        further = _BY_NAME["cbor"].lines(data) - reached
        assert further, encoded(data)
        reached |= further
    assert len(reached) == result.lines > len(_BY_NAME["cbor"].lines(b"c\x80")) + 20


def test_an_exception_that_is_no_declared_refusal_is_a_fault_with_its_input() -> None:
    kind = Kind("fault", lambda data: 1 // len(data), (cbor.CborError,), lambda: [b"a"])

    result = fuzz(kind, [], mutations=200, seed=1)

    assert list(result.faults.values()) == [
        "fault, : ZeroDivisionError('integer division or modulo by zero')"
    ]


def test_an_input_that_takes_long_is_a_fault_with_its_input() -> None:
    kind = Kind("slow", lambda data: sum(range(10_000_000)), (), lambda: [b"a"])

    with pytest.raises(AssertionError, match=rf"slow, {encoded(b'a')}: \d+ ms"):
        kind.judged(base64.b64decode("YQ=="))
