"""The registration ceremony (WebAuthn Level 3 §7.1), as pure functions.

`credential.py` reads the credential, and `verify_registration` verifies it. The database checks
that the challenge is valid and that the credential ID is new (step 26). Steps 22 to 24 are omitted:
an attestation statement proves nothing without trusted roots (decision 13).

https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from cryptography.exceptions import UnsupportedAlgorithm

from server.passkey.webauthn import checks, cose
from server.passkey.webauthn.attestation import FORMATS
from server.passkey.webauthn.checks import PagePolicy, invalid_credential, shown
from server.passkey.webauthn.client_data import ClientData
from server.passkey.webauthn.credential import read_registration
from server.passkey.webauthn.members import PUBLIC_KEY, malformed
from server.values.errors import Failure

# Ed25519, ECDSA on P-256, RSA PKCS #1 v1.5 as COSE numbers, best first. The library also registers
# -35 and -53, but cannot verify a sign-in with these.
ALGORITHMS: Final = (-8, -7, -257)


@dataclass(frozen=True, slots=True, kw_only=True)
class CeremonyPolicy(PagePolicy):
    """The requirements of a ceremony, stored with it, so that changed settings do not affect it.

    `algorithms` are COSE numbers from `ALGORITHMS`.

    Raises:
        ValueError: a value is invalid.
    """

    rp_name: str
    algorithms: tuple[int, ...] = ALGORITHMS
    user_verification: str = "preferred"

    def __post_init__(self) -> None:
        PagePolicy.__post_init__(self)
        if not self.algorithms or not set(self.algorithms) <= set(ALGORITHMS):
            raise ValueError(f"algorithms must be some of {ALGORITHMS}, not {self.algorithms}")


@dataclass(frozen=True, slots=True)
class VerifiedCredential:
    """The result of a verified registration, which the relying party stores.

    `public_key` is the COSE key as the authenticator sent it. `aaguid` is a UUID in text; like
    `attestation_format`, `transports` and `attachment` it is a claim of the client.
    """

    credential_id: bytes
    public_key: bytes
    algorithm: int
    sign_count: int
    aaguid: str
    attestation_format: str
    transports: tuple[str, ...]
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    attachment: str | None
    origin: str
    top_origin: str | None


def verify_registration(
    *, credential: Mapping[str, Any], expected_challenge: bytes, policy: CeremonyPolicy
) -> VerifiedCredential:
    """Verify the `PublicKeyCredential.toJSON()` of `navigator.credentials.create()`.

    Takes about half a millisecond, at most a few, so it may run in the event loop.

    Raises:
        Failure: INVALID_ARGUMENT with the reason `CREDENTIAL_MALFORMED` (metadata `path`),
            `CREDENTIAL_NOT_VERIFIED`, `ORIGIN_NOT_ALLOWED` (metadata `origin`),
            `USER_NOT_VERIFIED`, `ALGORITHM_NOT_ALLOWED` or `ATTESTATION_NOT_ALLOWED`.
    """
    response = read_registration(credential)
    client_data, data = response.client_data, response.authenticator_data
    checks.check_type(
        response.type, client_data, expected="webauthn.create", refused=_not_verified
    )  # step 7
    _check_challenge(client_data, expected_challenge)
    checks.check_origin(client_data, policy=policy)  # steps 9 to 11
    checks.check_relying_party(data, policy=policy, refused=_not_verified)  # step 14
    checks.check_user(data, policy=policy)  # steps 15 and 16
    algorithm = _check_public_key(data.cose_key, policy=policy)
    _check_attestation_format(response.format)
    return VerifiedCredential(
        credential_id=data.credential_id,
        public_key=data.public_key,
        algorithm=algorithm,
        sign_count=data.sign_count,
        aaguid=str(UUID(bytes=data.aaguid)),
        attestation_format=response.format,
        transports=response.transports,
        user_verified=data.user_verified,
        backup_eligible=data.backup_eligible,
        backed_up=data.backed_up,
        attachment=response.attachment,
        origin=client_data.origin,
        top_origin=client_data.top_origin,
    )


def _check_challenge(client_data: ClientData, expected: bytes) -> None:
    """Step 8: the challenge."""
    if not hmac.compare_digest(client_data.challenge, expected):
        raise _not_verified("the challenge is not that of this ceremony")


def _check_public_key(key: cose.CoseKey, *, policy: CeremonyPolicy) -> int:
    """Step 20: the algorithm. Also loads the key, which the library skips for format `none`."""
    algorithm = key.get(3)
    if not isinstance(algorithm, int):
        raise malformed(PUBLIC_KEY, "has no algorithm")
    if algorithm not in policy.algorithms:
        raise invalid_credential(
            "ALGORITHM_NOT_ALLOWED",
            "This device makes a kind of passkey that is not accepted here."
            " Use another device or security key.",
            f"algorithm {algorithm} was not offered, only {policy.algorithms}",
        )
    try:
        cose.load(key)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise malformed(PUBLIC_KEY, "is not a usable key", error) from error
    return algorithm


def _check_attestation_format(received: str) -> None:
    """Step 21: the format."""
    if received not in FORMATS:
        raise invalid_credential(
            "ATTESTATION_NOT_ALLOWED",
            "This device identifies its maker in a way that is not accepted here."
            " Use another device or security key.",
            f"attestation format {shown(received)} is none of {FORMATS}",
        )


def _not_verified(log_detail: str) -> Failure:
    return invalid_credential(
        "CREDENTIAL_NOT_VERIFIED",
        "This passkey does not belong to this registration. Start adding the passkey again.",
        log_detail,
    )
