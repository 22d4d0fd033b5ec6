"""Credentials of a ceremony that no server has begun, for tests of the pure functions."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cbor2
import pytest

from examples.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    PrivateKey,
    SoftwareAuthenticator,
    generate_key,
    unb64,
)
from server.passkey.webauthn.credential import Registration
from server.passkey.webauthn.members import read_json
from server.passkey.webauthn.options import creation_options
from server.passkey.webauthn.registration import (
    CeremonyPolicy,
    VerifiedCredential,
    verify_registration,
)
from server.values.errors import Failure, Kind
from tests.support.rsa_keys import rsa_key

CHALLENGE = bytes(range(32))
ORIGIN = "https://login.example.org"
POLICY = CeremonyPolicy(rp_id="example.org", rp_name="Example", origins=(ORIGIN,))
REQUIRED = replace(POLICY, user_verification="required")
# Every algorithm, with every attestation format that accepts it.
KINDS = [
    (algorithm, attestation)
    for algorithm in (EDDSA, ES256, RS256)
    for attestation in ("none", "packed", "packed-x5c")
] + [(ES256, "fido-u2f")]
OBJECT = "response.attestationObject"
STATEMENT = f"{OBJECT}.attStmt"
DATA = f"{OBJECT}.authData"
PUBLIC_KEY = f"{DATA}.credentialPublicKey"
EXTENSIONS = f"{DATA}.extensions"


def options(policy: CeremonyPolicy = POLICY, **arguments: Any) -> dict[str, Any]:
    """The options of the ceremony."""
    defaults: dict[str, Any] = {
        "challenge": CHALLENGE,
        "user_handle": b"handle",
        "user_name": "ada",
        "user_display_name": "Ada Lovelace",
        "exclude": [],
    }
    return creation_options(policy=policy, **defaults | arguments)


@cache
def key_of(algorithm: int) -> PrivateKey:
    """One key of each algorithm for the whole run."""
    return rsa_key("a") if algorithm == RS256 else generate_key(algorithm)


def made(**parts: Any) -> dict[str, Any]:
    """A credential as the browser sends it. Without `parts`: ES256, no attestation."""
    defaults: dict[str, Any] = {"origin": ORIGIN, "algorithm": ES256}
    if parts.get("algorithm") == RS256:
        defaults["key"] = key_of(RS256)
    return SoftwareAuthenticator().create(options(), **defaults | parts)


def verified(credential: dict[str, Any], policy: CeremonyPolicy = POLICY) -> VerifiedCredential:
    return verify_registration(read(credential), expected_challenge=CHALLENGE, policy=policy)


def read(credential: dict[str, Any]) -> Registration:
    return read_json(Registration, json.dumps(credential))


def malformed_at(read: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """The path of the member for which `read` refuses its arguments."""
    with pytest.raises(Failure) as caught:
        read(*arguments, **named)
    failure = caught.value
    assert (failure.kind, failure.reason) == (Kind.INVALID_ARGUMENT, "CREDENTIAL_MALFORMED")
    path = failure.metadata["path"]
    assert [violation.field for violation in failure.violations] == [f"publicKeyCredential.{path}"]
    assert not any("Error" in violation.description for violation in failure.violations)
    assert failure.log_detail.startswith(f"{path}: ")
    assert ORIGIN not in failure.message
    return path


def refused_at(**parts: Any) -> str:
    """The path of the member for which a credential of these parts is refused."""
    return malformed_at(verified, made(**parts))


def data_of(**parts: Any) -> bytes:
    """Authenticator data, as the authenticator makes it."""
    members = cbor2.loads(unb64(made(**parts)["response"]["attestationObject"]))
    return members["authData"]
