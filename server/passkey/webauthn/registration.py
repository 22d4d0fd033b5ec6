"""The registration ceremony (WebAuthn Level 3 §7.1), as pure functions.

`credential.py` reads the credential, and `verify_registration` verifies it. The database checks
that the challenge is valid and that the credential ID is new (step 26). Steps 22 to 24 are omitted:
an attestation statement proves nothing without trusted roots (decision 18).

https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
"""

import hmac
from dataclasses import dataclass, replace
from typing import Final, Self
from uuid import UUID

from cryptography.exceptions import UnsupportedAlgorithm

from server.passkey.webauthn import checks, cose
from server.passkey.webauthn.attestation import FORMATS, read_attestation_object
from server.passkey.webauthn.authenticator_data import read_attested_data
from server.passkey.webauthn.checks import PagePolicy, invalid_credential, shown
from server.passkey.webauthn.credential import Registration
from server.passkey.webauthn.members import PUBLIC_KEY, malformed
from server.values.errors import FixedFailure, Kind

# Ed25519, ECDSA on P-256, RSA PKCS #1 v1.5 as COSE numbers, best first. The library also registers
# -35 and -53, but cannot verify a sign-in with these.
ALGORITHMS: Final = (-8, -7, -257)


@dataclass(frozen=True, slots=True, kw_only=True)
class CeremonyPolicy(PagePolicy):
    """The requirements of a ceremony, stored with it, so that changed settings do not affect it.

    `algorithms` are COSE numbers from `ALGORITHMS`. If `is_conditional`, the browser makes the
    passkey without asking, so that step 15 is omitted.
    """

    rp_name: str
    algorithms: tuple[int, ...] = ALGORITHMS
    user_verification: str = "preferred"
    is_conditional: bool = False

    def conditional(self) -> Self:
        """The same policy for a browser that does not ask; it cannot verify the user either."""
        return replace(self, user_verification="preferred", is_conditional=True)


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
    attachment: str
    origin: str
    top_origin: str


def verify_registration(
    credential: Registration, *, expected_challenge: bytes, policy: CeremonyPolicy
) -> VerifiedCredential:
    """Verify the `PublicKeyCredential.toJSON()` of `navigator.credentials.create()`.

    Takes about half a millisecond, so it may run in the event loop.

    `Failure` INVALID_ARGUMENT with the reason `CREDENTIAL_MALFORMED` (metadata `path`),
    `CREDENTIAL_NOT_VERIFIED`, `ORIGIN_NOT_ALLOWED` (metadata `origin`),
    `USER_NOT_VERIFIED`, `ALGORITHM_NOT_ALLOWED` or `ATTESTATION_NOT_ALLOWED`.
    """
    client_data = credential.response.client_data
    attestation = read_attestation_object(credential.response.attestation_object)
    data = read_attested_data(attestation.authenticator_data)
    # Otherwise a user could register another user's credential ID.
    if credential.credential_id != data.credential_id:
        raise malformed("id", "differs from the credential id in the authenticator data")
    if not hmac.compare_digest(client_data.challenge, expected_challenge):  # step 8
        raise _not_verified("the challenge is not that of this ceremony")
    checks.check(  # steps 7, 9 to 11 and 14 to 16
        credential.type,
        client_data,
        data,
        expected="webauthn.create",
        policy=policy,
        refused=_not_verified,
        is_present=not policy.is_conditional,
    )
    algorithm = _check_public_key(data.cose_key, policy=policy)
    if attestation.format not in FORMATS:  # step 21
        raise invalid_credential(
            "ATTESTATION_NOT_ALLOWED",
            "This device identifies its maker in a way that is not accepted here."
            " Use another device or security key.",
            f"attestation format {shown(attestation.format)} is none of {FORMATS}",
        )
    return VerifiedCredential(
        credential_id=data.credential_id,
        public_key=data.public_key,
        algorithm=algorithm,
        sign_count=data.sign_count,
        aaguid=str(UUID(bytes=data.aaguid)),
        attestation_format=attestation.format,
        transports=credential.response.transports,
        user_verified=data.user_verified,
        backup_eligible=data.backup_eligible,
        backed_up=data.backed_up,
        attachment=credential.attachment,
        origin=client_data.origin,
        top_origin=client_data.top_origin or "",
    )


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


_not_verified: Final = FixedFailure(
    "CREDENTIAL_NOT_VERIFIED",
    "This passkey does not belong to this registration. Start adding the passkey again.",
    kind=Kind.INVALID_ARGUMENT,
)
