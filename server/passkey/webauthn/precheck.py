"""Checks the structure of a credential before the `webauthn` library parses it.

The library decodes and re-encodes CBOR with all tags, so 700 bytes can hold the GIL for a minute.
It ignores junk in base64, and accepts client data in UTF-16. This module refuses such input. It
checks only the syntax: `ceremony.py` and `assertion.py` verify the content.

Failures contain the path of a member in the JSON of `PublicKeyCredential.toJSON()`
(https://www.w3.org/TR/webauthn-3/#dictdef-registrationresponsejson), which continues into base64url
members: `response.attestationObject.authData.credentialPublicKey`.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.passkey.webauthn import cbor
from server.passkey.webauthn.cose import CoseKey
from server.values.errors import Failure, Kind, Violation

# Real client data is below 1 KiB, a real attestation object below 10 KiB (TPM, certificates).
CLIENT_DATA_MAX_BYTES: Final = 16 * 1024
ATTESTATION_OBJECT_MAX_BYTES: Final = 64 * 1024
CREDENTIAL_ID_MAX_BYTES: Final = 1023  # WebAuthn L3 §7.1 step 25
TRANSPORTS_MAX: Final = 16
ASSERTION_DATA_MAX_BYTES: Final = 4 * 1024  # 37 bytes and the outputs of extensions
SIGNATURE_MAX_BYTES: Final = 512  # RSA of 4096 bits, the longest key that can be registered
USER_HANDLE_MAX_BYTES: Final = 64  # WebAuthn L3 §5.4.3

CLIENT_DATA: Final = "response.clientDataJSON"
ATTESTATION_OBJECT: Final = "response.attestationObject"
STATEMENT: Final = f"{ATTESTATION_OBJECT}.attStmt"
AUTHENTICATOR_DATA: Final = f"{ATTESTATION_OBJECT}.authData"
PUBLIC_KEY: Final = f"{AUTHENTICATOR_DATA}.credentialPublicKey"
ASSERTION_DATA: Final = "response.authenticatorData"
SIGNATURE: Final = "response.signature"
USER_HANDLE: Final = "response.userHandle"

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9_-]*|[A-Za-z0-9+/]*)(={0,2})")
_TRANSPORT: Final = re.compile(r"[!-~]{1,32}")

# Flags of the authenticator data, WebAuthn L3 §6.1.
_USER_PRESENT: Final = 0x01
_USER_VERIFIED: Final = 0x04
_BACKUP_ELIGIBLE: Final = 0x08
_BACKED_UP: Final = 0x10
_ATTESTED_DATA: Final = 0x40
_EXTENSION_DATA: Final = 0x80


@dataclass(frozen=True, slots=True)
class ClientData:
    """The client data of the browser (WebAuthn L3 §5.8.1); other members are ignored."""

    type: str
    challenge: bytes
    origin: str
    cross_origin: bool
    top_origin: str | None


@dataclass(frozen=True, slots=True)
class AuthenticatorData:
    """The authenticator data common to both ceremonies (WebAuthn L3 §6.1)."""

    rp_id_hash: bytes
    user_present: bool
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    sign_count: int


@dataclass(frozen=True, slots=True)
class AttestedData(AuthenticatorData):
    """The attested credential data (§6.5.1). `public_key` is the COSE key in its original bytes."""

    aaguid: bytes
    credential_id: bytes
    public_key: bytes
    cose_key: CoseKey


@dataclass(frozen=True, slots=True)
class RegistrationResponse:
    """A well-formed credential. `transports` and `attachment` are claims of the client."""

    type: str
    client_data_json: bytes
    client_data: ClientData
    attestation_object: bytes
    format: str
    statement: dict[int | str, cbor.Value]
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


def read_registration(credential: Mapping[str, Any]) -> RegistrationResponse:
    """Parse a `RegistrationResponseJSON` strictly.

    Only `id`, `rawId`, `type`, `clientDataJSON` and `attestationObject` are authoritative. Copies
    that browsers add (`publicKey`, `authenticatorData`, `publicKeyAlgorithm`) are ignored.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`, with the path of the member.
    """
    response = _response(credential)
    kind = _text(credential.get("type"), "type")
    client_data_json = _client_data_json(response)
    attestation_object = read_base64url(
        response.get("attestationObject"),
        ATTESTATION_OBJECT,
        max_bytes=ATTESTATION_OBJECT_MAX_BYTES,
    )
    attestation_format, statement, data = read_attestation_object(attestation_object)
    authenticator_data = read_attested_data(data)
    _check_credential_ids(credential, attested=authenticator_data.credential_id)
    return RegistrationResponse(
        type=kind,
        client_data_json=client_data_json,
        client_data=read_client_data(client_data_json),
        attestation_object=attestation_object,
        format=attestation_format,
        statement=statement,
        authenticator_data=authenticator_data,
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
        response.get("authenticatorData"), ASSERTION_DATA, max_bytes=ASSERTION_DATA_MAX_BYTES
    )
    return Assertion(
        credential_id=_same_ids(credential),
        type=_text(credential.get("type"), "type"),
        client_data_json=client_data_json,
        client_data=client_data,
        authenticator_data_bytes=data,
        authenticator_data=read_assertion_data(data),
        signature=read_base64url(
            response.get("signature"), SIGNATURE, max_bytes=SIGNATURE_MAX_BYTES
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


def _same_ids(credential: Mapping[str, Any]) -> bytes:
    credential_id, raw_id = (
        read_base64url(credential.get(path), path, max_bytes=CREDENTIAL_ID_MAX_BYTES)
        for path in ("id", "rawId")
    )
    if not credential_id:
        raise malformed("id", "must not be empty")
    if raw_id != credential_id:
        raise malformed("rawId", "differs from the id")
    return credential_id


def _user_handle(value: object) -> bytes | None:
    if value is None:  # absent or null
        return None
    user_handle = read_base64url(value, USER_HANDLE, max_bytes=USER_HANDLE_MAX_BYTES)
    if not user_handle:
        raise malformed(USER_HANDLE, f"must be 1 to {USER_HANDLE_MAX_BYTES} bytes")
    return user_handle


def _check_credential_ids(credential: Mapping[str, Any], *, attested: bytes) -> None:
    """All three IDs are equal. Otherwise a user could register another user's credential ID."""
    for path in ("id", "rawId"):
        claimed = read_base64url(credential.get(path), path, max_bytes=CREDENTIAL_ID_MAX_BYTES)
        if claimed != attested:
            raise malformed(path, "differs from the credential id in the authenticator data")


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise malformed(path, "must be a string")
    return value


def _transports(value: object) -> tuple[str, ...]:
    """A hint for sign-ins; unknown names are kept, as WebAuthn L3 §5.2.1 requires."""
    path = "response.transports"
    if value is None:  # absent or null
        return ()
    if not isinstance(value, list) or len(value) > TRANSPORTS_MAX:
        raise malformed(path, f"must be a list of at most {TRANSPORTS_MAX} names")
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


def read_base64url(value: object, path: str, *, max_bytes: int) -> bytes:
    """Decode base64url. Padded or standard base64 is accepted, because some clients send it.

    Python's decoder skips foreign characters and ignores spare bits of the last character, so many
    texts would decode to one credential ID. This decoder accepts one text per alphabet and padding.

    Raises:
        Failure: `CREDENTIAL_MALFORMED` at `path`, also for more than `max_bytes` bytes.
    """
    text = _text(value, path)
    longest = -(-4 * max_bytes // 3)
    if len(text) > longest + 2 or len(text.rstrip("=")) > longest:
        raise malformed(path, f"must be at most {max_bytes} bytes")
    canonical = text.rstrip("=")
    match = _BASE64.fullmatch(text)
    if match is None or len(canonical) % 4 == 1 or (match[1] and len(text) % 4 != 0):
        raise malformed(path, "is not base64url")
    canonical = canonical.replace("+", "-").replace("/", "_")
    decoded = base64.urlsafe_b64decode(canonical + "=" * (-len(canonical) % 4))
    if write_base64url(decoded) != canonical:
        raise malformed(path, "is not base64url: its last character carries spare bits")
    return decoded


def write_base64url(value: bytes) -> str:
    """Base64url without padding, as everywhere in WebAuthn."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def read_client_data(client_data_json: bytes) -> ClientData:
    """Parse client data, WebAuthn L3 §7.1 steps 5 and 6.

    Step 5 is the "UTF-8 decode" of the Encoding Standard: it strips a byte order mark and replaces
    bytes that are not UTF-8 by U+FFFD. No value that is compared contains one, so such bytes matter
    in ignored members only. Hashes and signatures cover the received bytes. One deviation:
    duplicate members are refused, because parsers disagree on which one counts.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    try:
        # A str, because json.loads detects UTF-16 and UTF-32 in bytes.
        members = json.loads(
            client_data_json.decode("utf-8-sig", errors="replace"),
            object_pairs_hook=_unique_members,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise malformed(CLIENT_DATA, "is not unambiguous JSON", error) from error
    if not isinstance(members, dict):
        raise malformed(CLIENT_DATA, "must be an object")
    cross_origin = members.get("crossOrigin", False)
    if not isinstance(cross_origin, bool):
        raise malformed(f"{CLIENT_DATA}.crossOrigin", "must be true or false")
    top_origin = None
    if "topOrigin" in members:
        top_origin = _text(members["topOrigin"], f"{CLIENT_DATA}.topOrigin")
    challenge_path = f"{CLIENT_DATA}.challenge"
    return ClientData(
        type=_text(members.get("type"), f"{CLIENT_DATA}.type"),
        challenge=read_base64url(members.get("challenge"), challenge_path, max_bytes=1024),
        origin=_text(members.get("origin"), f"{CLIENT_DATA}.origin"),
        cross_origin=cross_origin,
        top_origin=top_origin,
    )


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member occurs twice")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def read_attestation_object(encoded: bytes) -> tuple[str, dict[int | str, cbor.Value], bytes]:
    """Decode an attestation object (WebAuthn L3 §7.1 step 13).

    Overlong lengths and unsorted keys are accepted, because some browsers write them. The parts
    written by the authenticator must be canonical.

    Returns:
        Format, statement, authenticator data.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    members, end = _read_cbor(encoded, ATTESTATION_OBJECT, canonical=False)
    _check_end(encoded, ATTESTATION_OBJECT, end)
    if not isinstance(members, dict):
        raise malformed(ATTESTATION_OBJECT, "must be a map")
    attestation_format = _text(members.get("fmt"), f"{ATTESTATION_OBJECT}.fmt")
    data = members.get("authData")
    if not isinstance(data, bytes):
        raise malformed(AUTHENTICATOR_DATA, "must be a byte string")
    statement = members.get("attStmt")
    if not isinstance(statement, dict):
        raise malformed(STATEMENT, "must be a map")
    return attestation_format, statement, data


def check_statement(attestation_format: str, statement: dict[int | str, cbor.Value]) -> None:
    """Check the members of a statement: WebAuthn L3 §8.2 (packed), §8.6 (fido-u2f), §8.7 (none).

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    required = {"packed": {"alg", "sig"}, "fido-u2f": {"sig", "x5c"}, "none": set()}
    optional = {"x5c"} if attestation_format == "packed" else set()
    names = set(statement)
    if not required[attestation_format] <= names <= required[attestation_format] | optional:
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


def read_attested_data(data: bytes) -> AttestedData:
    """Parse the authenticator data of a registration, WebAuthn L3 §6.1 and §6.5.1.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    flags = data[32] if len(data) > 32 else 0
    if not flags & _ATTESTED_DATA or len(data) < 55:
        raise malformed(AUTHENTICATOR_DATA, "is too short or holds no credential")
    head = _read_head(data, AUTHENTICATOR_DATA)
    id_end = 55 + int.from_bytes(data[53:55])
    credential_id = data[55:id_end]
    if not 1 <= id_end - 55 <= CREDENTIAL_ID_MAX_BYTES or len(data) < id_end:
        path = f"{AUTHENTICATOR_DATA}.credentialId"
        raise malformed(path, f"must be 1 to {CREDENTIAL_ID_MAX_BYTES} bytes, all of them present")
    key, key_end = _read_cbor(data, PUBLIC_KEY, canonical=True, offset=id_end)
    cose_key = read_cose_key(key)
    _check_extensions(data, AUTHENTICATOR_DATA, start=key_end, before=PUBLIC_KEY)
    return AttestedData(
        rp_id_hash=head.rp_id_hash,
        user_present=head.user_present,
        user_verified=head.user_verified,
        backup_eligible=head.backup_eligible,
        backed_up=head.backed_up,
        sign_count=head.sign_count,
        aaguid=data[37:53],
        credential_id=credential_id,
        public_key=data[id_end:key_end],
        cose_key=cose_key,
    )


def read_assertion_data(data: bytes) -> AuthenticatorData:
    """Parse the authenticator data of an assertion, WebAuthn L3 §6.1.

    Raises:
        Failure: `CREDENTIAL_MALFORMED`.
    """
    if len(data) < 37:
        raise malformed(ASSERTION_DATA, "is too short")
    if data[32] & _ATTESTED_DATA:  # §6.1: it must not be set for assertions
        raise malformed(f"{ASSERTION_DATA}.flags", "say that a credential is attested")
    head = _read_head(data, ASSERTION_DATA)
    _check_extensions(data, ASSERTION_DATA, start=37, before=ASSERTION_DATA)
    return head


def _read_head(data: bytes, path: str) -> AuthenticatorData:
    """RP ID hash, flags and sign count."""
    flags = data[32]
    # L3 §7.1 step 17, §7.2 step 18
    if flags & _BACKED_UP and not flags & _BACKUP_ELIGIBLE:
        raise malformed(f"{path}.flags", "backed up, but not eligible for backup")
    return AuthenticatorData(
        rp_id_hash=data[:32],
        user_present=bool(flags & _USER_PRESENT),
        user_verified=bool(flags & _USER_VERIFIED),
        backup_eligible=bool(flags & _BACKUP_ELIGIBLE),
        backed_up=bool(flags & _BACKED_UP),
        sign_count=int.from_bytes(data[33:37]),
    )


def _check_extensions(data: bytes, path: str, *, start: int, before: str) -> None:
    """The data ends with extension outputs or, without their flag, with `before`."""
    end = start
    if data[32] & _EXTENSION_DATA:
        before = f"{path}.extensions"
        extensions, end = _read_cbor(data, before, canonical=True, offset=start)
        if not isinstance(extensions, dict):
            raise malformed(before, "must be a map")
    _check_end(data, before, end)


def read_cose_key(value: cbor.Value) -> CoseKey:
    """A map of integers and byte strings. `true` is refused: it equals 1 in Python, a key type."""
    if not isinstance(value, dict):
        raise malformed(PUBLIC_KEY, "must be a map")
    key: CoseKey = {}
    for label, member in value.items():
        if (
            isinstance(label, str)
            or isinstance(member, bool)
            or not isinstance(member, int | bytes)
        ):
            raise malformed(PUBLIC_KEY, "must hold numbers and byte strings under numbers only")
        key[label] = member
    return key


def _read_cbor(
    data: bytes, path: str, *, canonical: bool, offset: int = 0
) -> tuple[cbor.Value, int]:
    """The value at `offset` and the offset of its end."""
    try:
        return cbor.read(data, offset, canonical=canonical)
    except cbor.CborError as error:
        raise malformed(path, f"is not the CBOR expected, {error}") from error


def _check_end(data: bytes, path: str, end: int) -> None:
    if end != len(data):
        raise malformed(path, f"is not the CBOR expected, at byte {end}: there are bytes left over")
