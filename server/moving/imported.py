"""An imported user, as a request has it: the limits of its fields."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

from cryptography.exceptions import UnsupportedAlgorithm
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SkipValidation,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from server.access import makers
from server.access.caller import OPERATOR, RECOVERY
from server.passkey.webauthn import cbor, cose
from server.passkey.webauthn.authenticator_data import CREDENTIAL_ID_MAX_BYTES
from server.passkey.webauthn.members import decode_base64url
from server.user.person import Attributes, ExternalId, Locale, Zone
from server.validation.fields import (
    Command,
    Name,
    OptionalMailAddress,
    OptionalName,
    Printable,
    UniqueName,
    described,
)
from server.validation.logos import Picture
from server.values.ids import is_user_id

MAX_USERS: Final = 500
_MAX_USER_ID: Final = 128
_MAX_GROUPS: Final = 100
_MAX_LINKS: Final = 20
_MAX_PASSKEYS: Final = 100
# Of each list of a user.
MAX_ENTRIES: Final = max(_MAX_GROUPS, _MAX_LINKS, _MAX_PASSKEYS)
# OpenID Connect Core 1.0, section 2.
_MAX_SUBJECT: Final = 255
# An RSA key of 4096 bits has 526 bytes.
_MAX_KEY_BYTES: Final = 1024
_MAX_HANDLE_BYTES: Final = 64
_MAX_SIGN_COUNT: Final = 2**32 - 1
_MAX_TRANSPORTS: Final = 16

# Names of actors in the log, and the user of `/v1/users/me`.
_RESERVED: Final = frozenset({OPERATOR.user_id, RECOVERY.user_id, *makers.UNKNOWN, "me"})
_DOMAIN: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_TRANSPORT: Final = "^[!-~]{1,32}$"
_BASE64URL: Final = "^[A-Za-z0-9_-]*={0,2}$"


def _user_id(text: str) -> str:
    if not is_user_id(text):
        raise ValueError(
            f"must be a letter or digit, then letters, digits and . _ : -, at most {_MAX_USER_ID}"
        )
    if text in _RESERVED:
        raise ValueError("must not be a word that the server uses itself")
    return text


def _domain(text: str) -> str:
    if not _DOMAIN.fullmatch(text):
        raise ValueError("must be a domain in lower case, such as example.com")
    return text


def _transport(text: str) -> str:
    if not re.fullmatch(_TRANSPORT, text):
        raise ValueError("must be 1 to 32 printable ASCII characters")
    return text


def _in_the_past(at: datetime | None) -> datetime | None:
    if at is not None and at > datetime.now(UTC):
        raise ValueError("must not be in the future")
    return at


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A usable key in its COSE form, and its algorithm."""

    cose: bytes
    algorithm: int


def _public_key(text: object) -> PublicKey:
    data = decode_base64url(text, max_bytes=_MAX_KEY_BYTES, min_bytes=1)
    value, end = cbor.read(data, canonical=True)
    if end != len(data):
        raise ValueError("must be one COSE key")
    key = cose.read(value)
    try:
        cose.load(key)
    except UnsupportedAlgorithm as error:
        raise ValueError("is a key that this server cannot use") from error
    return PublicKey(data, int(key[3]))


def _aaguid(text: str) -> str:
    try:
        return str(UUID(text or "0" * 32))
    except ValueError:
        raise ValueError("must be a UUID, or empty") from None


def _decoded(most: int) -> BeforeValidator:
    return BeforeValidator(partial(decode_base64url, max_bytes=most, min_bytes=1))


def _text_of(most_bytes: int) -> WithJsonSchema:
    longest = -(-4 * most_bytes // 3) + 2
    return WithJsonSchema(
        {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _BASE64URL}
    )


def _at_most(number: int) -> BeforeValidator:
    """A limit that is checked before the entries."""

    def check(values: Sequence[Any]) -> Sequence[Any]:
        if len(values) > number:
            raise ValueError(f"must have at most {number} entries")
        return values

    return BeforeValidator(check)


def _of_one_handle(passkeys: "tuple[ImportedPasskey, ...]") -> "tuple[ImportedPasskey, ...]":
    if len({each.user_handle for each in passkeys}) > 1:
        raise ValueError(
            "must have the same userHandle: authenticators know a user by one. Leave out those"
            " with another"
        )
    return passkeys


_Groups = Annotated[tuple[Name, ...], _at_most(_MAX_GROUPS), described(maxItems=_MAX_GROUPS)]
_Past = Annotated[datetime | None, AfterValidator(_in_the_past)]


class ImportedPasskey(Command):
    """A passkey that was registered elsewhere."""

    credential_id: Annotated[
        bytes, _decoded(CREDENTIAL_ID_MAX_BYTES), _text_of(CREDENTIAL_ID_MAX_BYTES)
    ]
    public_key: Annotated[PublicKey, BeforeValidator(_public_key), _text_of(_MAX_KEY_BYTES)]
    user_handle: Annotated[bytes, _decoded(_MAX_HANDLE_BYTES), _text_of(_MAX_HANDLE_BYTES)]
    rp_id: Annotated[
        str,
        AfterValidator(_domain),
        described(minLength=1, maxLength=253, pattern="^[a-z0-9._-]+$"),
    ]
    sign_count: Annotated[int, Field(ge=0, le=_MAX_SIGN_COUNT)] = 0
    backup_eligible: bool = False
    backed_up: bool = False
    transports: Annotated[
        tuple[Annotated[str, AfterValidator(_transport), described(pattern=_TRANSPORT)], ...],
        _at_most(_MAX_TRANSPORTS),
        described(maxItems=_MAX_TRANSPORTS),
    ] = ()
    aaguid: Annotated[
        str, AfterValidator(_aaguid), described(maxLength=45, pattern="^[0-9A-Fa-f-]*$")
    ] = ""
    name: OptionalName = ""
    created_at: _Past = None
    last_used_at: _Past = None

    @field_validator("backed_up")
    @classmethod
    def _is_eligible(cls, backed_up: bool, info: ValidationInfo) -> bool:
        if backed_up and not info.data.get("backup_eligible", True):
            raise ValueError("must be false without backupEligible (WebAuthn, section 6.1)")
        return backed_up


class ImportedIDPLink(Command):
    """An identity of a provider, which is named by its ID or name."""

    idp: Name
    subject: Annotated[Printable, StringConstraints(min_length=1, max_length=_MAX_SUBJECT)]
    groups: _Groups = ()


class ImportedUser(Command):
    """A user who moves in."""

    user_id: Annotated[
        str,
        AfterValidator(_user_id),
        described(minLength=1, maxLength=_MAX_USER_ID, pattern="^[A-Za-z0-9][A-Za-z0-9._:-]*$"),
    ]
    user_name: UniqueName
    display_name: OptionalName = ""
    email: OptionalMailAddress = ""
    given_name: OptionalName = ""
    family_name: OptionalName = ""
    locale: Locale = ""
    zoneinfo: Zone = ""
    external_id: ExternalId = ""
    attributes: Attributes = None
    email_verified: bool = False
    groups: _Groups = ()
    idp_links: Annotated[
        tuple[ImportedIDPLink, ...], _at_most(_MAX_LINKS), described(maxItems=_MAX_LINKS)
    ] = ()
    passkeys: Annotated[
        tuple[ImportedPasskey, ...],
        _at_most(_MAX_PASSKEYS),
        AfterValidator(_of_one_handle),
        described(maxItems=_MAX_PASSKEYS),
    ] = ()
    created_at: _Past = None
    is_locked: bool = False
    lock_reason: OptionalName = ""
    picture: Picture = b""

    @field_validator("email_verified")
    @classmethod
    def _has_address(cls, email_verified: bool, info: ValidationInfo) -> bool:
        if email_verified and not info.data.get("email", "?"):
            raise ValueError("must be false without an address")
        return email_verified


@dataclass(frozen=True, slots=True)
class GivenUser:
    """A user of a request: its ID, its fields, and the SHA-256 of the message."""

    user_id: str
    fields: Mapping[str, object]
    digest: bytes


def _of_a_call(users: tuple[GivenUser, ...]) -> tuple[GivenUser, ...]:
    if not 1 <= len(users) <= MAX_USERS:
        raise ValueError(f"must have 1 to {MAX_USERS} entries")
    return users


if TYPE_CHECKING:
    _Given = GivenUser
else:  # has the JSON Schema of a user; each is checked on its own, since the others may be right
    _Given = SkipValidation[ImportedUser]


class ImportUsers(Command):
    """Import users, each with its credentials."""

    users: Annotated[
        tuple[_Given, ...],
        AfterValidator(_of_a_call),
        described(minItems=1, maxItems=MAX_USERS),
    ]
