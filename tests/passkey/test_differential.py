"""Strange credentials, for Keystead and for `fido2`. Every difference is explained.

The table of differences with their reasons: `second_opinion.RULES`.
"""

import json
from collections import Counter

import pytest
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, PublicKeyCredentialRpEntity

from examples.software_authenticator import SoftwareAuthenticator, b64
from tests.passkey import second_opinion
from tests.passkey.credentials import CHALLENGE, KINDS, ORIGIN, POLICY, made, options, verified
from tests.passkey.second_opinion import RULES, ask, compare

# `cryptography` warns of certificates that later versions may refuse; pytest raises the warning.
pytestmark = pytest.mark.filterwarnings(
    "default::cryptography.utils.CryptographyDeprecationWarning"
)


@pytest.fixture(scope="module")
def outcomes() -> Counter[str]:
    """The outcomes of some thousand credentials. An unexplained difference fails the tests."""
    return ask(3000, seed=1)


def test_every_difference_has_its_row_and_every_row_its_difference(outcomes: Counter[str]) -> None:
    assert set(outcomes) == {"both accept", "both refuse", *(rule.name for rule in RULES)}


def test_the_credentials_are_strange_enough_and_not_too_strange(outcomes: Counter[str]) -> None:
    assert outcomes["both accept"] > outcomes.total() / 20
    assert outcomes["both refuse"] > outcomes.total() / 3


@pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
def test_an_honest_credential_is_accepted_and_read_the_same(
    algorithm: int, attestation: str
) -> None:
    credential = made(algorithm=algorithm, attestation=attestation, be=True, sign_count=9)

    assert compare(credential) == "both accept"


def test_a_difference_that_no_row_explains_is_shown_with_its_credential(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(second_opinion, "RULES", ())

    with pytest.raises(AssertionError, match=r"seed 1, credential \d+: .*no rule says why") as told:
        ask(300, seed=1)

    assert "attestationObject" in json.loads(str(told.value).splitlines()[-1])["response"]


@pytest.mark.parametrize(("algorithm", "attestation"), KINDS)
def test_a_login_with_what_was_stored_is_good_for_the_second_opinion(
    algorithm: int, attestation: str
) -> None:
    authenticator = SoftwareAuthenticator()
    stored = verified(
        authenticator.create(options(), origin=ORIGIN, algorithm=algorithm, attestation=attestation)
    )
    known = AttestedCredentialData(
        bytes(16) + len(stored.credential_id).to_bytes(2) + stored.credential_id + stored.public_key
    )
    asked = {"challenge": b64(CHALLENGE), "rpId": POLICY.rp_id}

    login = authenticator.get(asked, origin=ORIGIN, credential_id=stored.credential_id)

    server = Fido2Server(PublicKeyCredentialRpEntity(id=POLICY.rp_id, name=POLICY.rp_name))
    state = {"challenge": b64(CHALLENGE), "user_verification": "required"}
    assert server.authenticate_complete(state, [known], login) == known
