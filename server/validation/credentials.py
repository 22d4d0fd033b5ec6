"""Credentials of WebAuthn as fields of commands: a JSON object of a limited size.

JSON Schema cannot limit the size of an object; the two lengths in the schema are informative.
`passkey/webauthn/credential.py` checks the members.
"""

import json
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator

from server.validation.fields import described

_MIN_CREDENTIAL: Final = 55
_MAX_REGISTRATION: Final = 1_048_576
_MAX_ASSERTION: Final = 16_384
_encode: Final = json.JSONEncoder(ensure_ascii=False).encode  # `dumps` makes an encoder each time


class NotAnObject(str):
    """In place of an object that could not be read: the violation to report."""

    __slots__ = ()


def _object(value: object) -> object:
    if isinstance(value, NotAnObject):
        raise ValueError(str(value))  # noqa: TRY004 -- pydantic's way to refuse a value
    return value


_Object = Annotated[dict[str, Any], BeforeValidator(_object)]


def _size(most: int) -> AfterValidator:

    def check(credential: dict[str, Any]) -> dict[str, Any]:
        size = json_size(credential)
        if not _MIN_CREDENTIAL <= size <= most:
            raise ValueError(
                f"must have {_MIN_CREDENTIAL} to {most} characters as JSON; it has {size}"
            )
        return credential

    return AfterValidator(check)


def _members(response: tuple[str, ...], most: int) -> Any:
    """The schema of a credential whose `response` has these members."""
    return described(
        minLength=_MIN_CREDENTIAL,
        maxLength=most,
        required=["id", "rawId", "response", "type"],
        properties={
            "id": {"type": "string"},
            "rawId": {"type": "string"},
            "response": {
                "type": "object",
                "required": list(response),
                "properties": {member: {"type": "string"} for member in response},
            },
            "type": {"const": "public-key"},
        },
    )


def json_size(value: Any) -> int:
    """Number of characters of the value as `JSON.stringify` writes it."""
    match value:
        case dict():
            members = sum(
                len(_encode(name)) + 1 + json_size(member) for name, member in value.items()
            )
            return len("{}") + members + max(len(value) - 1, 0)
        case list():
            return len("[]") + sum(map(json_size, value)) + max(len(value) - 1, 0)
        case float():
            return len(_json_number(value))
        case _:
            return len(_encode(value))


def _json_number(value: float) -> str:
    """The number as ECMAScript writes it (Number::toString): `-7` and not `-7.0`."""
    if value == 0:  # of both signs
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)).normalize(), "f")
    digits, exponent = repr(value).split("e")
    return f"{digits}e{int(exponent):+d}"


# WebAuthn L3, RegistrationResponseJSON and AuthenticationResponseJSON.
RegistrationCredential = Annotated[
    _Object,
    _size(_MAX_REGISTRATION),
    _members(("clientDataJSON", "attestationObject"), _MAX_REGISTRATION),
]
AssertionCredential = Annotated[
    _Object,
    _size(_MAX_ASSERTION),
    _members(("clientDataJSON", "authenticatorData", "signature"), _MAX_ASSERTION),
]
