"""The registration ceremony (WebAuthn Level 3 §7.1), as pure functions.

`credential.py` reads the credential, and `verify_registration` verifies it. The `webauthn` library
verifies only attestation statements, after the other steps. The database checks that the challenge
is valid and that the credential ID is new (step 26).

https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import AttestationConveyancePreference, AttestationStatement
from webauthn.registration.formats.fido_u2f import verify_fido_u2f
from webauthn.registration.formats.packed import verify_packed

from server.passkey.webauthn import attestation, checks, cose
from server.passkey.webauthn.checks import PagePolicy, invalid_credential, shown
from server.passkey.webauthn.client_data import ClientData
from server.passkey.webauthn.credential import RegistrationResponse, read_registration
from server.passkey.webauthn.members import PUBLIC_KEY, STATEMENT, malformed
from server.values.errors import Failure

# Ed25519, ECDSA on P-256, RSA PKCS #1 v1.5 as COSE numbers, best first. The library also registers
# -35 and -53, but cannot verify a sign-in with these.
ALGORITHMS: Final = (-8, -7, -257)
# The formats that occur if attestation `none` is requested: browsers replace all except self
# attestation (`packed`), and other clients may forward the statement of a security key (`packed`,
# `fido-u2f`). Other formats prove nothing without roots, and for some formats the library reads the
# clock and its built-in roots.
ATTESTATION_FORMATS: Final = ("none", "packed", "fido-u2f")

# Exceptions of the library, found by reading its code and by fuzzing. After the other checks only
# the first three and ValueError occur; the others are listed so that a new release cannot turn
# client input into an INTERNAL error.
_LIBRARY_ERRORS: Final = (
    WebAuthnException,
    UnsupportedAlgorithm,
    x509.InvalidVersion,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CeremonyPolicy(PagePolicy):
    """The requirements of a ceremony, stored with it, so that changed settings do not affect it.

    `algorithms` are COSE numbers from `ALGORITHMS`. `attestation` is the requested conveyance;
    `ATTESTATION_FORMATS` are accepted in any case.

    Raises:
        ValueError: a value is invalid.
    """

    rp_name: str
    algorithms: tuple[int, ...] = ALGORITHMS
    user_verification: str = "preferred"
    attestation: str = "none"

    def __post_init__(self) -> None:
        PagePolicy.__post_init__(self)
        if not self.algorithms or not set(self.algorithms) <= set(ALGORITHMS):
            raise ValueError(f"algorithms must be some of {ALGORITHMS}, not {self.algorithms}")
        AttestationConveyancePreference(self.attestation)


@dataclass(frozen=True, slots=True)
class VerifiedCredential:
    """The result of a verified registration, which the relying party stores.

    `public_key` is the COSE key as the authenticator sent it. `aaguid` is a UUID in text.
    `attestation_type` is `none`, `self` or `basic`; `basic` is claimed by the statement and proves
    nothing unless `attestation_trusted`. `transports` and `attachment` are claims of the client.
    """

    credential_id: bytes
    public_key: bytes
    algorithm: int
    sign_count: int
    aaguid: str
    attestation_format: str
    attestation_type: str
    attestation_trusted: bool
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
    attestation_type = _check_attestation_format(response)
    _check_statement(response)
    _check_certificate(response)
    return VerifiedCredential(
        credential_id=data.credential_id,
        public_key=data.public_key,
        algorithm=algorithm,
        sign_count=data.sign_count,
        aaguid=str(UUID(bytes=data.aaguid)),
        attestation_format=response.format,
        attestation_type=attestation_type,
        attestation_trusted=False,  # steps 23 and 24: there are no roots
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


def _check_attestation_format(response: RegistrationResponse) -> str:
    """Step 21: the format. Returns the attestation type (L3 §6.5.3) that the statement claims."""
    if response.format not in ATTESTATION_FORMATS:
        raise invalid_credential(
            "ATTESTATION_NOT_ALLOWED",
            "This device identifies its maker in a way that is not accepted here."
            " Use another device or security key.",
            f"attestation format {shown(response.format)} is none of {ATTESTATION_FORMATS}",
        )
    attestation.check_statement(response.format, response.statement)
    if response.format == "none":
        return "none"
    return "basic" if "x5c" in response.statement else "self"


def _check_statement(response: RegistrationResponse) -> None:
    """Step 22: the statement. The only place that converts errors of the library."""
    try:
        _verify_statement(response)
    except _LIBRARY_ERRORS as error:
        # The library has no exception type for a wrong signature; its context is InvalidSignature.
        if isinstance(error.__context__, InvalidSignature):
            raise _not_verified(str(error)) from error
        raise malformed(STATEMENT, "is not a statement of its format", error) from error


def _verify_statement(response: RegistrationResponse) -> None:
    data = response.authenticator_data
    members: Any = response.statement
    statement = AttestationStatement(**members)
    if response.format == "packed":
        verify_packed(
            attestation_statement=statement,
            attestation_object=response.attestation_object,
            client_data_json=response.client_data_json,
            credential_public_key=data.public_key,
            pem_root_certs_bytes=[],
        )
    elif response.format == "fido-u2f":
        verify_fido_u2f(
            attestation_statement=statement,
            client_data_json=response.client_data_json,
            rp_id_hash=data.rp_id_hash,
            credential_id=data.credential_id,
            credential_public_key=data.public_key,
            # The library accepts only zeros. §8.6 has no such rule; the AAGUID is not signed.
            aaguid=bytes(16),
            pem_root_certs_bytes=[],
        )


def _check_certificate(response: RegistrationResponse) -> None:
    """The requirements of step 22 on a certificate (§8.2) that the library does not check."""
    match response.statement:
        case {"alg": int(algorithm), "x5c": [bytes(certificate), *_]}:
            aaguid = response.authenticator_data.aaguid
            try:
                attestation.check_certificate(certificate, algorithm=algorithm, aaguid=aaguid)
            except attestation.ERRORS as error:
                path = f"{STATEMENT}.x5c"
                problem = "holds a certificate that is not made for attestation"
                raise malformed(path, problem, error) from error
        case _:  # self attestation, or another format
            pass


def _not_verified(log_detail: str) -> Failure:
    return invalid_credential(
        "CREDENTIAL_NOT_VERIFIED",
        "This passkey does not belong to this registration. Start adding the passkey again.",
        log_detail,
    )
