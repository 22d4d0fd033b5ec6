"""Checks of requests: each limit stands once, in the type of a command's field.

Commands are pydantic models filled from the request by attribute. `read` reports every wrong field
at once, by its JSON name, with the correction.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    JsonValue,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, core_schema

from server.values.errors import Violation, WrongValueError, invalid
from server.values.host_port import split_host_port
from server.values.mail_address import normal_mail_address, normal_mail_domain
from server.values.names import legible, printable, unmistakable

MAX_NAME = 200
MAX_HOST = 500
# IDNA in Python takes 50 microseconds for a letter that is not ASCII, and 6 ms for 200 letters.
_MAX_FOREIGN_DOMAIN = 40
_MAX_DOMAIN = 253
# The domains of companies are shorter; each letter costs time.
_MAX_ANONYMOUS_DOMAIN = 128

_CONTROL = r"\x00-\x1f\x7f-\x9f"  # Unicode category Cc
_PRINTABLE = f"[^{_CONTROL}]"
_VISIBLE = rf"[^\s{_CONTROL}]"


class Command(BaseModel):
    """A request to change or read something. Errors never show its input."""

    model_config = ConfigDict(from_attributes=True, frozen=True, hide_input_in_errors=True)


# By the name of the method that reads its request into the command. Methods without one take no
# fields.
Commands: TypeAlias = Mapping[str, type[Command]]


def _mail_address(value: str) -> str:
    address = normal_mail_address(value)
    if len(address) > MAX_NAME:  # a character may stand for several
        raise WrongValueError(
            "TOO_LONG", f"must be at most {MAX_NAME} characters in its normal form"
        )
    return address


def _of_a_short_domain(value: str) -> str:
    domain = value.rpartition("@")[2]
    if len(domain) > _MAX_FOREIGN_DOMAIN and (not domain.isascii() or "xn--" in domain.lower()):
        raise ValueError(
            f"must have a domain of at most {_MAX_FOREIGN_DOMAIN} characters if some are not ASCII"
        )
    return value


def _optional_mail_address(value: str) -> str:
    return _mail_address(value) if value else value


def _host_port(value: str) -> str:
    split_host_port(value)
    return value


def described(**schema: JsonValue) -> Any:
    """The JSON Schema of a check made in Python. It may accept more than the check, never less."""
    return Field(json_schema_extra=schema)


def at_most(most: int) -> BeforeValidator:
    """Checks the length of a list before its values are checked one by one. None stays None."""

    def check(given: Any) -> Any:
        if given is not None and len(given) > most:
            raise WrongValueError("TOO_MANY_ENTRIES", f"must have at most {most} entries")
        return None if given is None else tuple(given)

    return BeforeValidator(check)


def _printable_secret(secret: SecretStr) -> SecretStr:
    printable(secret.get_secret_value())
    return secret


def defined(kind: type[IntEnum], *, prefix: str = "") -> GetPydanticSchema:
    """A check that a number is one of an enum of the API, where names begin with `prefix`."""
    names = ", ".join(f"{prefix}{member.name}" for member in kind)
    numbers = core_schema.literal_schema([int(member) for member in kind])
    checked = core_schema.custom_error_schema(
        numbers, "undefined", custom_error_message=f"must be one of {names}"
    )
    return GetPydanticSchema(lambda _type, _handler: checked)


_REFUSED = object()


def named(values: type[StrEnum], prefix: str, *, unspecified: object = _REFUSED) -> BeforeValidator:
    """A value of an enum, also by the number of the API's enum, which has them in the same order.

    `unspecified` is the value of UNSPECIFIED, which is refused by default. None stays None.
    """
    names = [f"{prefix}_{value.name}" for value in values]
    known: dict[object, object] = {None: None, **{value: value for value in values}}
    known.update(enumerate(values, start=1))
    if unspecified is not _REFUSED:
        known[0] = unspecified
        names.insert(0, f"{prefix}_UNSPECIFIED")

    def value_of(given: object) -> object:
        if given not in known:
            raise ValueError(f"must be one of {', '.join(names)}")
        return known[given]

    return BeforeValidator(value_of, json_schema_input_type=Literal[*names])


_LINE = f"^{_PRINTABLE}*$"
PrintableSecret = Annotated[SecretStr, AfterValidator(_printable_secret), described(pattern=_LINE)]
# Text without control characters: they break mail headers and log lines; NUL cannot be stored.
Printable = Annotated[str, StringConstraints(pattern=_LINE)]
_Line = Annotated[Printable, StringConstraints(min_length=1, max_length=MAX_NAME)]
_OptionalLine = Annotated[Printable, StringConstraints(max_length=MAX_NAME)]
_SEEN = f"{_PRINTABLE}*{_VISIBLE}{_PRINTABLE}*"
# A name that is shown to people (decision 21).
Name = Annotated[_Line, AfterValidator(legible), described(pattern=f"^{_SEEN}$")]
OptionalName = Annotated[_OptionalLine, AfterValidator(legible), described(pattern=f"^({_SEEN})?$")]
# A page to which people are sent back; `ReturnTargets` checks it. Empty: the account.
OptionalReturnTo = Annotated[
    str, StringConstraints(max_length=2000), described(pattern="^(https?://[!-~]+)?$")
]
ReturnTo = Annotated[
    OptionalReturnTo, StringConstraints(min_length=1), described(pattern="^https?://[!-~]+$")
]
# A name that identifies.
UniqueName = Annotated[
    Name,
    AfterValidator(unmistakable),
    described(pattern=f"^{_VISIBLE}({_PRINTABLE}*{_VISIBLE})?$"),
]
MailAddress = Annotated[_Line, AfterValidator(_mail_address), described(format="idn-email")]
# In a request without a token.
AnonymousMailAddress = Annotated[
    _Line,
    AfterValidator(_of_a_short_domain),
    AfterValidator(_mail_address),
    described(format="idn-email"),
]
MailDomainName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_MAX_DOMAIN),
    AfterValidator(normal_mail_domain),
    described(format="idn-hostname"),
]
AnonymousMailDomainName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_MAX_ANONYMOUS_DOMAIN),
    AfterValidator(_of_a_short_domain),
    AfterValidator(normal_mail_domain),
    described(format="idn-hostname"),
]
OptionalMailAddress = Annotated[
    _OptionalLine,
    AfterValidator(_optional_mail_address),
    # Client generators fail on `anyOf` beside a type, but ignore `if`.
    described(**{"if": {"minLength": 1}, "then": {"format": "idn-email"}}),
]
HostPort = Annotated[
    Printable,
    StringConstraints(min_length=1, max_length=MAX_HOST),
    AfterValidator(_host_port),
    described(pattern=r"^(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}$"),
]
# A relying party ID of this server, which the command knows. Empty: a default of the method.
OptionalRPID = Annotated[str, StringConstraints(max_length=253), described(pattern="^[a-z0-9.-]*$")]
# Any text: an unknown ID is NOT_FOUND, not malformed.
Id = _Line
OptionalId = _OptionalLine

Model = TypeVar("Model", bound=Command)


def read(model: type[Model], source: object, **further: object) -> Model:
    """The command of a request. `further` are fields that its attributes do not give.

    `Failure` INVALID_ARGUMENT with a violation for every wrong field.
    """
    if further:
        rest = {name: getattr(source, name) for name in model.model_fields if name not in further}
        source = rest | further
    try:
        return model.model_validate(source)
    except ValidationError as error:
        raise invalid(*violations(error)) from None


def violations(error: ValidationError) -> list[Violation]:
    """Every wrong field."""
    return [_violation(problem) for problem in error.errors(include_url=False)]


def is_id(value: str) -> bool:
    """Whether the text is a UUID as the server writes it; other texts need no look-up."""
    try:
        return str(UUID(value)) == value
    except ValueError:
        return False


def case_folded(name: str) -> str:
    """The same form for names that look the same to people.

    NFKC and case folding (The Unicode Standard, section 3.13, default caseless matching).
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def json_path(names: Iterable[str]) -> str:
    """The path of a field in JSON names: `idp.stylingType`."""
    return ".".join(map(to_camel, names))


def _violation(problem: ErrorDetails) -> Violation:
    path = json_path(map(str, problem["loc"]))
    kind, context = problem["type"], problem.get("ctx", {})
    describe = _DESCRIPTIONS.get(kind)
    reason = getattr(context.get("error"), "reason", "") or REASONS_OF_TYPES.get(kind, "")
    return Violation(path, describe(context) if describe else problem["msg"], reason)


# The reasons of violations; clients translate them. A check of its own raises `WrongValueError`.
REASONS_OF_TYPES: Final = {
    "string_too_short": "EMPTY",
    "string_pattern_mismatch": "CONTROL_CHARACTERS",
    "string_too_long": "TOO_LONG",
    "too_short": "EMPTY",
    "too_long": "TOO_LONG",
    "greater_than_equal": "TOO_SMALL",
    "datetime_parsing": "INVALID_TIME",
    "datetime_from_date_parsing": "INVALID_TIME",
}
_DESCRIPTIONS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "string_too_short": lambda _: "must not be empty",
    "string_pattern_mismatch": lambda _: "must not contain control characters",  # `Printable`
    "string_too_long": lambda context: f"must be at most {context['max_length']} characters",
    # Of a SecretStr.
    "too_short": lambda _: "must not be empty",
    "too_long": lambda context: f"must be at most {context['max_length']} characters",
    "value_error": lambda context: str(context["error"]),
    "greater_than_equal": lambda context: f"must be at least {context['ge']}",
    "datetime_parsing": lambda _: "must be an instant in the years 1 to 9999",
    "datetime_from_date_parsing": lambda _: "must be an instant in the years 1 to 9999",
}
