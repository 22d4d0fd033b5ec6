"""The fields of a person, with their limits, and the states of a mail address."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from server.user.attributes.values import MAX_DEFINITIONS, MAX_NAME, MAX_VALUES, NAME
from server.user.events import EmailVerification
from server.validation.fields import Printable, described, named
from server.values.errors import WrongValueError

_MAX_EXTERNAL_ID: Final = 200
_MAX_LOCALE: Final = 35
_MAX_ZONE: Final = 64
# RFC 5646, section 2.1, without irregular tags; `_` is that of POSIX, which other systems export.
_LOCALE: Final = r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*"
# Names of the IANA time zone database; a server may know fewer of them than its users.
_ZONE: Final = r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}"


def _locale(value: str) -> str:
    if value and not re.fullmatch(_LOCALE, value):
        raise WrongValueError("INVALID_LANGUAGE", "must be a language tag such as en or pt-BR")
    return value.replace("_", "-")


def _zone(value: str) -> str:
    if value and not re.fullmatch(_ZONE, value):
        raise WrongValueError(
            "INVALID_TIME_ZONE", "must be the name of a time zone such as Europe/Berlin"
        )
    return value


def _attributes(given: object) -> object:
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"must be a JSON object of at most {MAX_VALUES} values")
    if given and len(given) > MAX_DEFINITIONS:
        raise ValueError(f"must have at most {MAX_DEFINITIONS} members")
    # Others may be long, or contain NUL: no error repeats them, and no statement has them.
    if given and not all(NAME.fullmatch(name) and len(name) <= MAX_NAME for name in given):
        raise ValueError(
            f"must have names of attributes: at most {MAX_NAME} characters of A-Z, a-z, 0-9, '.',"
            " '_' and '-'"
        )
    return given


Locale = Annotated[
    Printable,
    StringConstraints(max_length=_MAX_LOCALE),
    AfterValidator(_locale),
    described(pattern=f"^({_LOCALE})?$"),
]
Zone = Annotated[
    Printable,
    StringConstraints(max_length=_MAX_ZONE),
    AfterValidator(_zone),
    described(pattern=f"^({_ZONE})?$"),
]
ExternalId = Annotated[Printable, StringConstraints(max_length=_MAX_EXTERNAL_ID)]
# By names; the definitions of the organization check the values.
Attributes = Annotated[Mapping[str, Any] | None, BeforeValidator(_attributes)]
# Empty: not verified.
Verification = Annotated[
    EmailVerification | str, named(EmailVerification, "EMAIL_VERIFICATION", unspecified="")
]
