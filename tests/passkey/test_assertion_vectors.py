"""The W3C's test vectors: Web Authentication Level 3 §16, in `w3c_vectors.json`.

https://www.w3.org/TR/webauthn-3/#sctn-test-vectors. Their RP ID is example.org, their origin
https://example.org. They contain no user handle, so each is an answer to `allowCredentials`. Values
are in hexadecimal; `public_key` is the COSE key of the registration.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from examples.software_authenticator import b64
from server.passkey.webauthn.assertion import StoredCredential, verify_assertion
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.registration import CeremonyPolicy, verify_registration
from server.values.errors import Failure
from tests.passkey import assertions, credentials

Vector = dict[str, Any]
_VECTORS = json.loads(Path(__file__).with_name("w3c_vectors.json").read_text())
AUTHENTICATIONS: dict[str, Vector] = _VECTORS["authentications"]
REGISTRATIONS: dict[str, Vector] = _VECTORS["registrations"]


def _bytes(vector: Vector, name: str) -> bytes:
    return bytes.fromhex(vector[name])


def _assertion(vector: Vector, **changes: str) -> dict[str, Any]:
    credential_id = b64(_bytes(vector, "credential_id"))
    response = {
        "clientDataJSON": b64(_bytes(vector, "client_data")),
        "authenticatorData": b64(_bytes(vector, "authenticator_data")),
        "signature": b64(_bytes(vector, "signature")),
    }
    return {
        "id": credential_id,
        "rawId": credential_id,
        "type": "public-key",
        "response": response | changes,
    }


def _verify(vector: Vector, credential: dict[str, Any]) -> None:
    credential_id = _bytes(vector, "credential_id")
    assertion = assertions.read(credential)
    assert assertion.response.client_data.challenge == _bytes(vector, "challenge")
    verify_assertion(
        assertion,
        stored=StoredCredential(credential_id, _bytes(vector, "public_key"), b"user", 0, True),
        policy=PagePolicy(
            rp_id="example.org",
            origins=("https://example.org",),
            top_origins=tuple(vector["top_origins"]),
            user_verification="preferred",
        ),
        allowed=[credential_id],
    )


@pytest.mark.parametrize("vector", AUTHENTICATIONS.values(), ids=AUTHENTICATIONS)
def test_an_authentication_is_accepted(vector: Vector) -> None:
    _verify(vector, _assertion(vector))


@pytest.mark.parametrize("vector", AUTHENTICATIONS.values(), ids=AUTHENTICATIONS)
def test_an_authentication_with_another_counter_is_refused(vector: Vector) -> None:
    changed = vector["authenticator_data"][:-2] + "01"

    with pytest.raises(Failure, match="SIGN_IN_FAILED"):
        _verify(vector, _assertion(vector, authenticatorData=b64(bytes.fromhex(changed))))


@pytest.mark.parametrize("vector", REGISTRATIONS.values(), ids=REGISTRATIONS)
def test_a_registration_in_a_frame_is_accepted(vector: Vector) -> None:
    attested = _bytes(vector, "attestation_object")
    credential_id = b64(attested[-109:-77])
    policy = CeremonyPolicy(
        rp_id="example.org",
        rp_name="Example",
        origins=("https://example.org",),
        top_origins=("https://example.com",),
    )

    result = verify_registration(
        credentials.read(
            {
                "id": credential_id,
                "rawId": credential_id,
                "type": "public-key",
                "response": {
                    "clientDataJSON": b64(_bytes(vector, "client_data")),
                    "attestationObject": b64(attested),
                },
            }
        ),
        expected_challenge=_bytes(vector, "challenge"),
        policy=policy,
    )

    assert result.top_origin == vector["top_origin"]
