"""Attestation objects (WebAuthn L3 §6.5.4): only their syntax.

Nothing is concluded from a statement, since no root is trusted (decision 18).
"""

from typing import Final, NamedTuple

from server.passkey.webauthn.members import (
    ATTESTATION_OBJECT,
    AUTHENTICATOR_DATA,
    check_end,
    malformed,
    read_cbor,
)

# The formats that occur if attestation `none` is requested: browsers replace all except self
# attestation (`packed`), and other clients may forward the statement of a security key (`packed`,
# `fido-u2f`).
FORMATS: Final = ("none", "packed", "fido-u2f")


class AttestationObject(NamedTuple):
    """The format of an attestation, and the authenticator data in bytes."""

    format: str
    authenticator_data: bytes


def read_attestation_object(encoded: bytes) -> AttestationObject:
    """Decode an attestation object (WebAuthn L3 §7.1 step 13).

    Overlong lengths and unsorted keys are accepted, because some browsers write them. The parts
    written by the authenticator must be canonical.

    `Failure` `CREDENTIAL_MALFORMED`.
    """
    members, end = read_cbor(encoded, ATTESTATION_OBJECT, canonical=False)
    check_end(encoded, ATTESTATION_OBJECT, end)
    if not isinstance(members, dict):
        raise malformed(ATTESTATION_OBJECT, "must be a map")
    attestation_format, data = members.get("fmt"), members.get("authData")
    if not isinstance(attestation_format, str):
        raise malformed(f"{ATTESTATION_OBJECT}.fmt", "must be a string")
    if not isinstance(data, bytes):
        raise malformed(AUTHENTICATOR_DATA, "must be a byte string")
    if not isinstance(members.get("attStmt"), dict):
        raise malformed(f"{ATTESTATION_OBJECT}.attStmt", "must be a map")
    return AttestationObject(attestation_format, data)
