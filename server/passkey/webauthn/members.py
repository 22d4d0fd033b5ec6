"""The members of a credential: their types, and the error for a malformed one.

Paths are those of the JSON of `PublicKeyCredential.toJSON()`
(https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson), and continue into base64url
members: `response.attestationObject.authData.credentialPublicKey`.
"""

import base64
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from webauthn.helpers import bytes_to_base64url

from server.passkey.webauthn import cbor
from server.values.errors import Failure, Kind, Violation

CLIENT_DATA: Final = "response.clientDataJSON"
ATTESTATION_OBJECT: Final = "response.attestationObject"
AUTHENTICATOR_DATA: Final = f"{ATTESTATION_OBJECT}.authData"
PUBLIC_KEY: Final = f"{AUTHENTICATOR_DATA}.credentialPublicKey"
ASSERTION_DATA: Final = "response.authenticatorData"

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9_-]*|[A-Za-z0-9+/]*)(={0,2})")
_PROBLEMS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "model_type": "must be an object",
}


class Members(BaseModel):
    """A JSON object of a credential. Members without a field are ignored."""

    model_config = ConfigDict(
        strict=True, frozen=True, alias_generator=to_camel, hide_input_in_errors=True
    )


AnyMembers = TypeVar("AnyMembers", bound=Members)


def read_json(model: type[AnyMembers], text: str) -> AnyMembers:
    """The object of a JSON text. `Failure` `CREDENTIAL_MALFORMED`."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise malformed_member(error) from None


def malformed_member(error: ValidationError, path: str = "") -> Failure:
    """The error for the first member that `Members` refuse; `path` is their object."""
    problem = error.errors(include_url=False, include_input=False)[0]
    names = [path, *map(str, problem["loc"])] if path else map(str, problem["loc"])
    described = _PROBLEMS.get(problem["type"], problem["msg"])
    return malformed(".".join(names), str(problem.get("ctx", {}).get("error", described)))


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


def base64url(max_bytes: int, *, min_bytes: int = 0) -> Any:
    """For a field of bytes whose member is base64url."""
    return BeforeValidator(partial(decode_base64url, max_bytes=max_bytes, min_bytes=min_bytes))


def decode_base64url(text: object, *, max_bytes: int, min_bytes: int = 0) -> bytes:
    """Decode base64url. Padded or standard base64 is accepted, because some clients send it.

    Python's decoder skips foreign characters and ignores spare bits of the last character, so many
    texts would decode to one credential ID. This decoder accepts one text per alphabet and padding.

    ValueError for another text, or a size outside of the limits.
    """
    if not isinstance(text, str):
        raise ValueError("must be a string")  # noqa: TRY004 -- pydantic's way to refuse a value
    canonical = text.rstrip("=")
    longest = -(-4 * max_bytes // 3)
    if len(text) > longest + 2 or len(canonical) > longest:
        raise ValueError(f"must be at most {max_bytes} bytes")
    match = _BASE64.fullmatch(text)
    if match is None or len(canonical) % 4 == 1 or (match[1] and len(text) % 4 != 0):
        raise ValueError("is not base64url")
    canonical = canonical.replace("+", "-").replace("/", "_")
    decoded = base64.urlsafe_b64decode(canonical + "=" * (-len(canonical) % 4))
    if bytes_to_base64url(decoded) != canonical:
        raise ValueError("is not base64url: its last character carries spare bits")
    if len(decoded) < min_bytes:
        raise ValueError("must not be empty")
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
