"""Credentials as fields of commands: their members are checked and decoded, but not verified.

The `webauthn` library decodes and re-encodes CBOR with all tags, so 700 bytes can hold the GIL for
a minute; it ignores junk in base64, and accepts client data in UTF-16. Such input is refused by the
readers of this package. `registration.py` and `assertion.py` verify the content.
"""

import re
from functools import cached_property
from typing import Annotated, Any, Final

from pydantic import (
    BeforeValidator,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from server.passkey.webauthn.authenticator_data import CREDENTIAL_ID_MAX_BYTES
from server.passkey.webauthn.client_data import ClientData, read_client_data
from server.passkey.webauthn.members import Members, base64url, read_json

# Real client data is below 1 KiB, a real attestation object below 10 KiB (TPM, certificates).
CLIENT_DATA_MAX_BYTES: Final = 16 * 1024
ATTESTATION_OBJECT_MAX_BYTES: Final = 64 * 1024
_ASSERTION_DATA_MAX_BYTES: Final = 4 * 1024  # 37 bytes and the outputs of extensions
_SIGNATURE_MAX_BYTES: Final = 512  # RSA of 4096 bits, the longest key that can be registered
_USER_HANDLE_MAX_BYTES: Final = 64  # WebAuthn L3 §5.4.3
_TRANSPORTS_MAX: Final = 16
_TRANSPORT: Final = re.compile(r"[!-~]{1,32}")

# Characters of a credential as JSON.
_MIN_SIZE: Final = 55
_MAX_REGISTRATION_SIZE: Final = 1_048_576
_MAX_ASSERTION_SIZE: Final = 16_384


def _transports(value: object) -> tuple[str, ...]:
    """A hint for sign-ins; unknown names are kept, as WebAuthn L3 §5.2.1 requires."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > _TRANSPORTS_MAX:
        raise ValueError(f"must be a list of at most {_TRANSPORTS_MAX} names")
    for name in value:
        # Printable ASCII: the names are stored (PostgreSQL has no NUL) and sent to other browsers.
        if not isinstance(name, str) or not _TRANSPORT.fullmatch(name):
            raise ValueError("each name must be 1 to 32 printable ASCII characters")
    return tuple(dict.fromkeys(value))


class _Response(Members):
    client_data_json: Annotated[bytes, base64url(CLIENT_DATA_MAX_BYTES)] = Field(
        alias="clientDataJSON"
    )

    @cached_property
    def client_data(self) -> ClientData:
        """The client data, parsed. `Failure` `CREDENTIAL_MALFORMED`."""
        return read_client_data(self.client_data_json)


class AttestationResponse(_Response):
    """`transports` is a claim of the client.

    Copies that browsers add (`publicKey`, `authenticatorData`, `publicKeyAlgorithm`) are ignored.
    """

    attestation_object: Annotated[bytes, base64url(ATTESTATION_OBJECT_MAX_BYTES)]
    transports: Annotated[tuple[str, ...], BeforeValidator(_transports)] = ()


class AssertionResponse(_Response):
    """Authenticator data and signature, in bytes."""

    authenticator_data: Annotated[bytes, base64url(_ASSERTION_DATA_MAX_BYTES)]
    signature: Annotated[bytes, base64url(_SIGNATURE_MAX_BYTES)]
    # An empty one counts as none: older versions of Safari send it for security keys.
    user_handle: Annotated[bytes, base64url(_USER_HANDLE_MAX_BYTES)] | None = None


class _Credential(Members):
    credential_id: Annotated[bytes, base64url(CREDENTIAL_ID_MAX_BYTES, min_bytes=1)] = Field(
        alias="id"
    )
    raw_id: Annotated[bytes, base64url(CREDENTIAL_ID_MAX_BYTES)]
    type: str

    @field_validator("raw_id")
    @classmethod
    def _is_the_id(cls, raw_id: bytes, info: ValidationInfo) -> bytes:
        if raw_id != info.data.get("credential_id", raw_id):
            raise ValueError("differs from the id")
        return raw_id


class Registration(_Credential):
    """`RegistrationResponseJSON`. `authenticator_attachment` is a claim of the client."""

    response: AttestationResponse
    authenticator_attachment: str | None = None

    @property
    def attachment(self) -> str:
        """The attachment; an unknown one counts as none, as WebAuthn L3 §5.1 requires."""
        attachment = self.authenticator_attachment
        return attachment if attachment in ("platform", "cross-platform") else ""


class Assertion(_Credential):
    """`AuthenticationResponseJSON`."""

    response: AssertionResponse


def read_registration(text: str) -> Registration:
    """The credential of a JSON text. `Failure` `CREDENTIAL_MALFORMED` names the wrong member."""
    return read_json(Registration, text)


def _read_assertion(text: object) -> object:
    return read_json(Assertion, text) if isinstance(text, str) else text


def _size(most: int) -> BeforeValidator:
    """Checks the size of the JSON text of a credential."""

    def check(text: str) -> str:
        if not _MIN_SIZE <= len(text) <= most:
            raise ValueError(
                f"must have {_MIN_SIZE} to {most} characters as JSON; it has {len(text)}"
            )
        return text

    return BeforeValidator(check)


def _schema(response: tuple[str, ...], most: int) -> WithJsonSchema:
    """JSON Schema cannot limit the size of an object; the two lengths are informative."""
    text: dict[str, Any] = {"type": "string"}
    return WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": True,
            "minLength": _MIN_SIZE,
            "maxLength": most,
            "required": ["id", "rawId", "response", "type"],
            "properties": {
                "id": text,
                "rawId": text,
                "response": {
                    "type": "object",
                    "required": list(response),
                    "properties": dict.fromkeys(response, text),
                },
                "type": {"const": "public-key"},
            },
        }
    )


# JSON text. It is read once its ceremony is known: a passkey that does not exist is NOT_FOUND,
# whatever the credential is, and a malformed credential is an attempt.
RegistrationCredential = Annotated[
    str,
    _size(_MAX_REGISTRATION_SIZE),
    _schema(("clientDataJSON", "attestationObject"), _MAX_REGISTRATION_SIZE),
]
AssertionCredential = Annotated[
    Assertion,
    BeforeValidator(_read_assertion),
    _size(_MAX_ASSERTION_SIZE),
    _schema(("clientDataJSON", "authenticatorData", "signature"), _MAX_ASSERTION_SIZE),
]
