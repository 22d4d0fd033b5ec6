"""Assertions of a sign-in that no server has begun, for tests of the pure functions."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import cbor2

from examples.software_authenticator import (
    EDDSA,
    ES256,
    RS256,
    SoftwareAuthenticator,
    b64,
    cose_key,
)
from server.passkey import refusals
from server.passkey.webauthn.assertion import StoredCredential, VerifiedAssertion, verify_assertion
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.credential import Assertion
from server.passkey.webauthn.members import read_json
from tests.passkey.credentials import CHALLENGE, ORIGIN, key_of

POLICY = PagePolicy(rp_id="example.org", origins=(ORIGIN,))
OPTIONS = {"challenge": b64(CHALLENGE), "rpId": POLICY.rp_id}
CREDENTIAL_ID = bytes(range(32))
USER_HANDLE = b"handle"
ALGORITHMS = (EDDSA, ES256, RS256)


@cache
def authenticator(algorithm: int = ES256) -> SoftwareAuthenticator:
    """An authenticator with one passkey of this algorithm and the ID CREDENTIAL_ID."""
    made = SoftwareAuthenticator()
    made.credentials[CREDENTIAL_ID] = key_of(algorithm)
    return made


def stored(algorithm: int = ES256, **changes: Any) -> StoredCredential:
    """The passkey as the relying party stores it."""
    key = cose_key(authenticator(algorithm).credentials[CREDENTIAL_ID])
    regular = StoredCredential(
        credential_id=CREDENTIAL_ID,
        public_key=cbor2.dumps(key),
        user_handle=USER_HANDLE,
        sign_count=0,
        backup_eligible=False,
    )
    return replace(regular, **changes)


def asserted(algorithm: int = ES256, **parts: Any) -> dict[str, Any]:
    """An assertion by the passkey, as the browser sends it."""
    regular: dict[str, Any] = {"origin": ORIGIN, "credential_id": CREDENTIAL_ID}
    return authenticator(algorithm).get(OPTIONS, **regular | parts)


def read(credential: dict[str, Any]) -> Assertion:
    return read_json(Assertion, json.dumps(credential))


def signed_in(
    credential: dict[str, Any],
    known: StoredCredential | None = None,
    policy: PagePolicy = POLICY,
    **arguments: Any,
) -> VerifiedAssertion:
    """The result of the verification of the assertion."""
    assertion = read(credential)
    if assertion.response.client_data.challenge != CHALLENGE:
        raise refusals.sign_in_failed("the challenge is not ours")
    return verify_assertion(
        assertion,
        stored=known or stored(),
        policy=policy,
        **arguments,
    )
