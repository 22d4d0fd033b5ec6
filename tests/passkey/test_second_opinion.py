"""Strange credentials, for Keystead and for `fido2`. `RULES` explains every difference."""

import json
from collections import Counter

import pytest

from tests.passkey import second_opinion
from tests.passkey.assertions import ALGORITHMS, asserted
from tests.passkey.credentials import KINDS, made
from tests.passkey.second_opinion import CEREMONIES, Ceremony

# `cryptography` warns of certificates that later versions may refuse; pytest raises the warning.
pytestmark = pytest.mark.filterwarnings(
    "default::cryptography.utils.CryptographyDeprecationWarning"
)


@pytest.fixture(scope="module", params=CEREMONIES)
def ceremony(request: pytest.FixtureRequest) -> Ceremony:
    return CEREMONIES[request.param]


@pytest.fixture(scope="module")
def outcomes(ceremony: Ceremony) -> Counter[str]:
    """The outcomes of some thousand credentials. An unexplained difference fails the tests."""
    return ceremony.ask(3000 if ceremony.name == "registration" else 2000, seed=1)


def test_every_difference_has_its_row_and_every_row_its_difference(
    ceremony: Ceremony, outcomes: Counter[str]
) -> None:
    explained = {rule.name for rule in ceremony.rules}

    assert set(outcomes) == {"both accept", "both refuse", *explained}


def test_the_credentials_are_strange_enough_and_not_too_strange(outcomes: Counter[str]) -> None:
    assert outcomes["both accept"] > outcomes.total() / 20
    assert outcomes["both refuse"] > outcomes.total() / 3


@pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
def test_an_honest_registration_is_accepted_and_read_the_same(
    algorithm: int, attestation: str
) -> None:
    credential = made(algorithm=algorithm, attestation=attestation, be=True, sign_count=9)

    assert CEREMONIES["registration"].compare(algorithm, credential) == "both accept"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_honest_assertion_is_accepted_by_both(algorithm: int) -> None:
    credential = asserted(algorithm, sign_count=9)

    assert CEREMONIES["sign-in"].compare(algorithm, credential) == "both accept"


def test_a_difference_that_no_row_explains_is_shown_with_its_credential(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(second_opinion, "RULES", ())

    with pytest.raises(AssertionError, match=r"seed 1, credential \d+: .*no rule says why") as told:
        CEREMONIES["registration"].ask(300, seed=1)

    assert "attestationObject" in json.loads(str(told.value).splitlines()[-1])["response"]
