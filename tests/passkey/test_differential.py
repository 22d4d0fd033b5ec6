"""Strange credentials, for Keystead and for `fido2`. Every difference is explained.

The table of differences with their reasons: `second_opinion.RULES`.
"""

import json
from collections import Counter
from hashlib import sha256

import cbor2
import pytest
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, PublicKeyCredentialRpEntity

from examples.software_authenticator import SoftwareAuthenticator, b64, sign, unb64
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
    assert compare(made(algorithm=algorithm, attestation=attestation, be=True)) == "both accept"


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
    # given
    authenticator = SoftwareAuthenticator()
    credential = authenticator.create(
        options(), origin=ORIGIN, algorithm=algorithm, attestation=attestation
    )
    stored = verified(credential)
    client_data = {"type": "webauthn.get", "challenge": b64(CHALLENGE), "origin": ORIGIN}
    collected = json.dumps(client_data).encode()
    members = cbor2.loads(unb64(credential["response"]["attestationObject"]))
    data = members["authData"][:32] + b"\x05" + bytes(4)

    # when
    key = authenticator.credentials[stored.credential_id]
    login = {
        "id": credential["id"],
        "rawId": credential["id"],
        "type": "public-key",
        "response": {
            "clientDataJSON": b64(collected),
            "authenticatorData": b64(data),
            "signature": b64(sign(key, data + sha256(collected).digest())),
        },
    }
    known = AttestedCredentialData(
        bytes(16) + len(stored.credential_id).to_bytes(2) + stored.credential_id + stored.public_key
    )
    server = Fido2Server(PublicKeyCredentialRpEntity(id=POLICY.rp_id, name=POLICY.rp_name))
    state = {"challenge": b64(CHALLENGE), "user_verification": "required"}

    # then
    assert server.authenticate_complete(state, [known], login) == known
