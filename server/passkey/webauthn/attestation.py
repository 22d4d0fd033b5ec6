"""Attestation objects (WebAuthn L3 §6.5.4): their syntax, and checks that the library omits.

A certificate that passes is still not trusted, since there are no trusted roots. The check detects
inconsistent statements, a sign of an error or of manipulation.

WebAuthn L3 §8.2 and §8.2.1,
https://www.w3.org/TR/webauthn-3/#sctn-packed-attestation-cert-requirements
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.x509.oid import NameOID

from server.passkey.webauthn import cbor
from server.passkey.webauthn.members import (
    ATTESTATION_OBJECT,
    AUTHENTICATOR_DATA,
    STATEMENT,
    check_end,
    malformed,
    read_cbor,
    read_text,
)

# The members of each supported format: WebAuthn L3 §8.2 (packed), §8.6 (fido-u2f), §8.7 (none).
_REQUIRED: Final[Mapping[str, set[str]]] = {
    "packed": {"alg", "sig"},
    "fido-u2f": {"sig", "x5c"},
    "none": set(),
}
_OPTIONAL: Final[Mapping[str, set[str]]] = {"packed": {"x5c"}}

# id-fido-gen-ce-aaguid: its value is an OCTET STRING of 16 bytes in DER.
AAGUID_EXTENSION: Final = x509.ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4")
_OCTET_STRING_OF_16: Final = b"\x04\x10"
_UNIT: Final = "Authenticator Attestation"
# §5.8.5 ties each of these algorithms to one curve.
_CURVES: Final = {-7: "secp256r1", -8: "ed25519", -35: "secp384r1", -36: "secp521r1"}

# Exceptions of `cryptography` for malformed certificates. TypeError: a name with a wrong ASN.1
# type.
ERRORS: Final = (
    TypeError,
    ValueError,
    x509.DuplicateExtension,
    x509.InvalidVersion,
    x509.UnsupportedGeneralNameType,
    UnsupportedAlgorithm,
)

Statement: TypeAlias = dict[int | str, cbor.Value]


class AttestationObject(NamedTuple):
    """The format and the statement of an attestation, and the authenticator data in bytes."""

    format: str
    statement: Statement
    authenticator_data: bytes


def read_attestation_object(encoded: bytes) -> AttestationObject:
    """Decode an attestation object (WebAuthn L3 §7.1 step 13).

    Overlong lengths and unsorted keys are accepted, because some browsers write them. The parts
    written by the authenticator must be canonical.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    members, end = read_cbor(encoded, ATTESTATION_OBJECT, canonical=False)
    check_end(encoded, ATTESTATION_OBJECT, end)
    if not isinstance(members, dict):
        raise malformed(ATTESTATION_OBJECT, "must be a map")
    attestation_format = read_text(members.get("fmt"), f"{ATTESTATION_OBJECT}.fmt")
    data = members.get("authData")
    if not isinstance(data, bytes):
        raise malformed(AUTHENTICATOR_DATA, "must be a byte string")
    statement = members.get("attStmt")
    if not isinstance(statement, dict):
        raise malformed(STATEMENT, "must be a map")
    return AttestationObject(attestation_format, statement, data)


def check_statement(attestation_format: str, statement: Statement) -> None:
    """Check the members of a statement of a supported format.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    required = _REQUIRED[attestation_format]
    if not required <= set(statement) <= required | _OPTIONAL.get(attestation_format, set()):
        raise malformed(STATEMENT, f"has the wrong members for the format {attestation_format}")
    if type(statement.get("alg", 0)) is not int:
        raise malformed(f"{STATEMENT}.alg", "must be a number")
    if not isinstance(statement.get("sig", b""), bytes):
        raise malformed(f"{STATEMENT}.sig", "must be a byte string")
    if "x5c" in statement:
        chain = statement["x5c"]
        # The library reads an empty list as self attestation; §8.2 requires a certificate.
        if not isinstance(chain, list) or not chain:
            raise malformed(f"{STATEMENT}.x5c", "must be a list with a certificate")
        if not all(isinstance(certificate, bytes) for certificate in chain):
            raise malformed(f"{STATEMENT}.x5c", "must hold byte strings only")


def check_certificate(encoded: bytes, *, algorithm: int, aaguid: bytes) -> None:
    """Check the certificate (DER) whose key signed a `packed` statement with `algorithm`.

    Raises:
        One of `ERRORS`: the certificate violates §8.2.1, or is of another authenticator model.
    """
    certificate = x509.load_der_x509_certificate(encoded)
    _check_subject(certificate.subject)
    _check_extensions(certificate, aaguid=aaguid)
    # For an RSA key, the library compares the algorithm itself.
    curve = _curve(certificate)
    if curve is not None and curve != _CURVES.get(algorithm):
        raise ValueError(f"the certificate has a key on {curve}, not one of algorithm {algorithm}")


def _curve(certificate: x509.Certificate) -> str | None:
    match certificate.public_key():
        case EllipticCurvePublicKey() as key:
            return key.curve.name
        case Ed25519PublicKey():
            return "ed25519"
        case _:
            return None


def _check_subject(subject: x509.Name) -> None:
    for oid in (NameOID.COUNTRY_NAME, NameOID.ORGANIZATION_NAME, NameOID.COMMON_NAME):
        if not subject.get_attributes_for_oid(oid):
            raise ValueError(f"the subject of the certificate lacks {oid.dotted_string}")
    units = subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
    if [unit.value for unit in units] != [_UNIT]:
        raise ValueError(f"the unit in the subject of the certificate is not '{_UNIT}'")


def _check_extensions(certificate: x509.Certificate, *, aaguid: bytes) -> None:
    if certificate.version is not x509.Version.v3:
        raise ValueError("the version of the certificate is not 3")
    found = {extension.oid: extension for extension in certificate.extensions}
    constraints = found.get(x509.BasicConstraints.oid)
    if constraints is None or constraints.value.ca:
        raise ValueError("the certificate is of an authority, or lacks basic constraints")
    model = found.get(AAGUID_EXTENSION)
    if model is not None and (model.critical or model.value.value != _OCTET_STRING_OF_16 + aaguid):
        raise ValueError("the certificate is of another authenticator model, or marks it critical")
