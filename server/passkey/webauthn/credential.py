"""Parses credentials strictly, before the `webauthn` library reads them; checks only the syntax.

The library decodes and re-encodes CBOR with all tags, so 700 bytes can hold the GIL for a minute.
It ignores junk in base64, and accepts client data in UTF-16. Such input is refused here.
`registration.py` and `assertion.py` verify the content.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.passkey.webauthn.attestation import read_attestation_object
from server.passkey.webauthn.authenticator_data import (
    CREDENTIAL_ID_MAX_BYTES,
    AttestedData,
    AuthenticatorData,
    read_assertion_data,
    read_attested_data,
)
from server.passkey.webauthn.client_data import ClientData, read_client_data
from server.passkey.webauthn.members import (
    ASSERTION_DATA,
    ATTESTATION_OBJECT,
    CLIENT_DATA,
    malformed,
    read_base64url,
    read_text,
)

# Real client data is below 1 KiB, a real attestation object below 10 KiB (TPM, certificates).
CLIENT_DATA_MAX_BYTES: Final = 16 * 1024
ATTESTATION_OBJECT_MAX_BYTES: Final = 64 * 1024
_ASSERTION_DATA_MAX_BYTES: Final = 4 * 1024  # 37 bytes and the outputs of extensions
_SIGNATURE_MAX_BYTES: Final = 512  # RSA of 4096 bits, the longest key that can be registered
_USER_HANDLE_MAX_BYTES: Final = 64  # WebAuthn L3 §5.4.3
_TRANSPORTS_MAX: Final = 16
_TRANSPORT: Final = re.compile(r"[!-~]{1,32}")


@dataclass(frozen=True, slots=True)
class RegistrationResponse:
    """A well-formed credential. `transports` and `attachment` are claims of the client."""

    type: str
    client_data_json: bytes
    client_data: ClientData
    format: str
    authenticator_data: AttestedData
    transports: tuple[str, ...]
    attachment: str | None


@dataclass(frozen=True, slots=True)
class Assertion:
    """A well-formed credential of a sign-in, not verified."""

    credential_id: bytes
    type: str
    client_data_json: bytes
    client_data: ClientData
    authenticator_data_bytes: bytes
    authenticator_data: AuthenticatorData
    signature: bytes
    user_handle: bytes | None


def read_registration(credential: Mapping[str, Any]) -> RegistrationResponse:
    """Parse a `RegistrationResponseJSON` strictly.

    Only `id`, `rawId`, `type`, `clientDataJSON` and `attestationObject` are authoritative. Copies
    that browsers add (`publicKey`, `authenticatorData`, `publicKeyAlgorithm`) are ignored.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`, with the path of the member.
    """
    response = _response(credential)
    kind = read_text(credential.get("type"), "type")
    client_data_json = _client_data_json(response)
    encoded = read_base64url(
        response.get("attestationObject"),
        ATTESTATION_OBJECT,
        max_bytes=ATTESTATION_OBJECT_MAX_BYTES,
    )
    attestation = read_attestation_object(encoded)
    data = read_attested_data(attestation.authenticator_data)
    # Otherwise a user could register another user's credential ID.
    for path in ("id", "rawId"):
        if _credential_id(credential, path) != data.credential_id:
            raise malformed(path, "differs from the credential id in the authenticator data")
    return RegistrationResponse(
        type=kind,
        client_data_json=client_data_json,
        client_data=read_client_data(client_data_json),
        format=attestation.format,
        authenticator_data=data,
        transports=_transports(response.get("transports")),
        attachment=_attachment(credential.get("authenticatorAttachment")),
    )


def read_assertion(
    credential: Mapping[str, Any], *, check_challenge: Callable[[bytes], None]
) -> Assertion:
    """Parse an `AuthenticationResponseJSON` strictly.

    `check_challenge` is called after the client data is parsed and before the rest, so that input
    without a valid challenge is not parsed further.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`, with the path of the member; or one of `check_challenge`.
    """
    response = _response(credential)
    client_data_json = _client_data_json(response)
    client_data = read_client_data(client_data_json)
    check_challenge(client_data.challenge)
    data = read_base64url(
        response.get("authenticatorData"), ASSERTION_DATA, max_bytes=_ASSERTION_DATA_MAX_BYTES
    )
    credential_id = _credential_id(credential, "id")
    if not credential_id:
        raise malformed("id", "must not be empty")
    if _credential_id(credential, "rawId") != credential_id:
        raise malformed("rawId", "differs from the id")
    return Assertion(
        credential_id=credential_id,
        type=read_text(credential.get("type"), "type"),
        client_data_json=client_data_json,
        client_data=client_data,
        authenticator_data_bytes=data,
        authenticator_data=read_assertion_data(data),
        signature=read_base64url(
            response.get("signature"), "response.signature", max_bytes=_SIGNATURE_MAX_BYTES
        ),
        user_handle=_user_handle(response.get("userHandle")),
    )


def _response(credential: Mapping[str, Any]) -> Mapping[str, Any]:
    response = credential.get("response")
    if not isinstance(response, Mapping):
        raise malformed("response", "must be an object")
    return response


def _client_data_json(response: Mapping[str, Any]) -> bytes:
    return read_base64url(
        response.get("clientDataJSON"), CLIENT_DATA, max_bytes=CLIENT_DATA_MAX_BYTES
    )


def _credential_id(credential: Mapping[str, Any], path: str) -> bytes:
    return read_base64url(credential.get(path), path, max_bytes=CREDENTIAL_ID_MAX_BYTES)


def _user_handle(value: object) -> bytes | None:
    path = "response.userHandle"
    if value is None:  # absent or null
        return None
    user_handle = read_base64url(value, path, max_bytes=_USER_HANDLE_MAX_BYTES)
    if not user_handle:
        raise malformed(path, f"must be 1 to {_USER_HANDLE_MAX_BYTES} bytes")
    return user_handle


def _transports(value: object) -> tuple[str, ...]:
    """A hint for sign-ins; unknown names are kept, as WebAuthn L3 §5.2.1 requires."""
    path = "response.transports"
    if value is None:  # absent or null
        return ()
    if not isinstance(value, list) or len(value) > _TRANSPORTS_MAX:
        raise malformed(path, f"must be a list of at most {_TRANSPORTS_MAX} names")
    for name in value:
        # Printable ASCII: the names are stored (PostgreSQL has no NUL) and sent to other browsers.
        if not isinstance(name, str) or not _TRANSPORT.fullmatch(name):
            raise malformed(path, "each name must be 1 to 32 printable ASCII characters")
    return tuple(dict.fromkeys(value))


def _attachment(value: object) -> str | None:
    """An unknown value counts as none, as WebAuthn L3 §5.1 requires."""
    if value is not None and not isinstance(value, str):
        raise malformed("authenticatorAttachment", "must be a string")
    return value if value in ("platform", "cross-platform") else None
