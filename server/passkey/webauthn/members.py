"""Reads the members of a credential, or refuses them with their path.

Paths are those of the JSON of `PublicKeyCredential.toJSON()`
(https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson), and continue into base64url
members: `response.attestationObject.authData.credentialPublicKey`.
"""

import base64
import re
from typing import Final

from webauthn.helpers import bytes_to_base64url

from server.passkey.webauthn import cbor
from server.values.errors import Failure, Kind, Violation

CLIENT_DATA: Final = "response.clientDataJSON"
ATTESTATION_OBJECT: Final = "response.attestationObject"
AUTHENTICATOR_DATA: Final = f"{ATTESTATION_OBJECT}.authData"
PUBLIC_KEY: Final = f"{AUTHENTICATOR_DATA}.credentialPublicKey"
ASSERTION_DATA: Final = "response.authenticatorData"

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9_-]*|[A-Za-z0-9+/]*)(={0,2})")


def malformed(path: str, problem: str, cause: Exception | None = None) -> Failure:
    """The error for a malformed credential; `path` is the invalid member.

    The text of `cause` is logged, but not sent, because it describes Python and library errors.
    """
    logged = f"{path}: {problem}"
    if cause is not None:
        logged += f": {type(cause).__name__}: {str(cause)[:500]}"
    return Failure(
        Kind.INVALID_ARGUMENT,
        "CREDENTIAL_MALFORMED",
        "The passkey arrived damaged. Try again; if it happens again, update your browser or app or"
        " use another one.",
        metadata={"path": path},
        violations=[Violation(f"publicKeyCredential.{path}", problem)],
        log_detail=logged,
    )


def read_text(value: object, path: str) -> str:
    """The text. `Failure` `CREDENTIAL_MALFORMED`."""
    if not isinstance(value, str):
        raise malformed(path, "must be a string")
    return value


def read_base64url(value: object, path: str, *, max_bytes: int) -> bytes:
    """Decode base64url. Padded or standard base64 is accepted, because some clients send it.

    Python's decoder skips foreign characters and ignores spare bits of the last character, so many
    texts would decode to one credential ID. This decoder accepts one text per alphabet and padding.

    Raises:
        Failure: `CREDENTIAL_MALFORMED` at `path`, also for more than `max_bytes` bytes.
    """
    text = read_text(value, path)
    canonical = text.rstrip("=")
    longest = -(-4 * max_bytes // 3)
    if len(text) > longest + 2 or len(canonical) > longest:
        raise malformed(path, f"must be at most {max_bytes} bytes")
    match = _BASE64.fullmatch(text)
    if match is None or len(canonical) % 4 == 1 or (match[1] and len(text) % 4 != 0):
        raise malformed(path, "is not base64url")
    canonical = canonical.replace("+", "-").replace("/", "_")
    decoded = base64.urlsafe_b64decode(canonical + "=" * (-len(canonical) % 4))
    if bytes_to_base64url(decoded) != canonical:
        raise malformed(path, "is not base64url: its last character carries spare bits")
    return decoded


def read_cbor(
    data: bytes, path: str, *, canonical: bool, offset: int = 0
) -> tuple[cbor.Value, int]:
    """The value at `offset`, and the offset of its end. `Failure` `CREDENTIAL_MALFORMED`."""
    try:
        return cbor.read(data, offset, canonical=canonical)
    except cbor.CborError as error:
        raise malformed(path, f"is not the CBOR expected, {error}") from error


def check_end(data: bytes, path: str, end: int) -> None:
    """The data ends with the member. `Failure` `CREDENTIAL_MALFORMED`."""
    if end != len(data):
        raise malformed(path, f"is not the CBOR expected, at byte {end}: there are bytes left over")
