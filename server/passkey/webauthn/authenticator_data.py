"""Authenticator data (WebAuthn L3 §6.1), with attested credential data (§6.5.1) in a registration.

RP ID hash (32 bytes), flags (1), sign count (4); then by the flags: AAGUID (16), length of the
credential ID (2), credential ID, COSE key; outputs of extensions.
"""

import struct
from dataclasses import dataclass
from typing import Final, TypeAlias

from server.passkey.webauthn import cose
from server.passkey.webauthn.cose import CoseKey
from server.passkey.webauthn.members import (
    ASSERTION_DATA,
    AUTHENTICATOR_DATA,
    PUBLIC_KEY,
    check_end,
    malformed,
    read_cbor,
)

CREDENTIAL_ID_MAX_BYTES: Final = 1023  # WebAuthn L3 §7.1 step 25

_HEAD: Final = struct.Struct(">32sBL")
_ATTESTED: Final = struct.Struct(">16sH")
_FLAGS_AT: Final = 32

# Flags (§6.1).
_USER_PRESENT: Final = 0x01
_USER_VERIFIED: Final = 0x04
_BACKUP_ELIGIBLE: Final = 0x08
_BACKED_UP: Final = 0x10
_ATTESTED_DATA: Final = 0x40
_EXTENSION_DATA: Final = 0x80


@dataclass(frozen=True, slots=True)
class AuthenticatorData:
    """The data common to both ceremonies."""

    rp_id_hash: bytes
    user_present: bool
    user_verified: bool
    backup_eligible: bool
    backed_up: bool
    sign_count: int


@dataclass(frozen=True, slots=True)
class AttestedData(AuthenticatorData):
    """The data of a registration. `public_key` is the COSE key in its original bytes."""

    aaguid: bytes
    credential_id: bytes
    public_key: bytes
    cose_key: CoseKey


# The values of an `AuthenticatorData`.
_Head: TypeAlias = tuple[bytes, bool, bool, bool, bool, int]


def read_attested_data(data: bytes) -> AttestedData:
    """Parse the authenticator data of a registration.

    `Failure` `CREDENTIAL_MALFORMED`.
    """
    id_start = _HEAD.size + _ATTESTED.size
    if len(data) < id_start or not data[_FLAGS_AT] & _ATTESTED_DATA:
        raise malformed(AUTHENTICATOR_DATA, "is too short or holds no credential")
    head = _read_head(data, AUTHENTICATOR_DATA)
    aaguid, id_size = _ATTESTED.unpack_from(data, _HEAD.size)
    id_end = id_start + id_size
    if not 1 <= id_size <= CREDENTIAL_ID_MAX_BYTES or len(data) < id_end:
        path = f"{AUTHENTICATOR_DATA}.credentialId"
        raise malformed(path, f"must be 1 to {CREDENTIAL_ID_MAX_BYTES} bytes, all of them present")
    value, key_end = read_cbor(data, PUBLIC_KEY, canonical=True, offset=id_end)
    try:
        cose_key = cose.read(value)
    except ValueError as error:
        raise malformed(PUBLIC_KEY, str(error)) from None
    _check_extensions(data, AUTHENTICATOR_DATA, start=key_end, before=PUBLIC_KEY)
    return AttestedData(
        *head,
        aaguid=aaguid,
        credential_id=data[id_start:id_end],
        public_key=data[id_end:key_end],
        cose_key=cose_key,
    )


def read_assertion_data(data: bytes) -> AuthenticatorData:
    """Parse the authenticator data of an assertion.

    `Failure` `CREDENTIAL_MALFORMED`.
    """
    if len(data) < _HEAD.size:
        raise malformed(ASSERTION_DATA, "is too short")
    if data[_FLAGS_AT] & _ATTESTED_DATA:  # §6.1: it must not be set for assertions
        raise malformed(f"{ASSERTION_DATA}.flags", "say that a credential is attested")
    head = _read_head(data, ASSERTION_DATA)
    _check_extensions(data, ASSERTION_DATA, start=_HEAD.size, before=ASSERTION_DATA)
    return AuthenticatorData(*head)


def _read_head(data: bytes, path: str) -> _Head:
    rp_id_hash, flags, sign_count = _HEAD.unpack_from(data)
    # L3 §7.1 step 17, §7.2 step 18
    if flags & _BACKED_UP and not flags & _BACKUP_ELIGIBLE:
        raise malformed(f"{path}.flags", "backed up, but not eligible for backup")
    return (
        rp_id_hash,
        bool(flags & _USER_PRESENT),
        bool(flags & _USER_VERIFIED),
        bool(flags & _BACKUP_ELIGIBLE),
        bool(flags & _BACKED_UP),
        sign_count,
    )


def _check_extensions(data: bytes, path: str, *, start: int, before: str) -> None:
    """The data ends with extension outputs or, without their flag, with `before`."""
    end = start
    if data[_FLAGS_AT] & _EXTENSION_DATA:
        before = f"{path}.extensions"
        extensions, end = read_cbor(data, before, canonical=True, offset=start)
        if not isinstance(extensions, dict):
            raise malformed(before, "must be a map")
    check_end(data, before, end)
