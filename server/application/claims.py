"""The claims of an application besides those of its scopes: a table of attributes and texts."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, StringConstraints, model_validator

from server.validation.fields import Command, Printable, at_most, described, named
from server.validation.scopes import MAX_SCOPE, SCOPE, is_scope

MAX_CLAIMS: Final = 20
_MAX_TEXT: Final = 200
# Those of JWT (RFC 7519, section 4.1), of ID tokens and access tokens (OpenID Connect Core, section
# 2; RFC 9068, section 2.2), of security (RFC 7800, RFC 8693, RFC 8417), and those of scopes.
_RESERVED: Final = frozenset(
    (
        *("iss", "sub", "aud", "exp", "nbf", "iat", "jti"),
        *("auth_time", "nonce", "acr", "amr", "azp", "sid", "at_hash", "c_hash", "s_hash"),
        *("client_id", "scope", "org_id", "cnf", "act", "may_act", "events", "sub_jwk"),
        *("_claim_names", "_claim_sources"),
        *("name", "preferred_username", "given_name", "family_name", "locale", "zoneinfo"),
        *("picture", "updated_at", "email", "email_verified", "groups"),
    )
)


class ClaimTarget(enum.StrEnum):
    """The places of a claim, by the names of the API."""

    BOTH = "BOTH"
    ID_TOKEN = "ID_TOKEN"  # noqa: S105 -- a name
    USERINFO = "USERINFO"


@dataclass(frozen=True, slots=True)
class ApplicationClaim:
    """A claim with the value of an attribute, or without one a fixed text."""

    name: str
    attribute: str
    text: str
    target: str

    @classmethod
    def of(cls, stored: Mapping[str, str]) -> "ApplicationClaim":
        """The claim of an event."""
        return cls(**stored)


def _name(name: str) -> str:
    if not is_scope(name):
        raise ValueError(
            f"must be 1 to {MAX_SCOPE} characters of ASCII without spaces, quotes and backslashes"
        )
    if name.casefold() in _RESERVED:  # some programs read names without regard to case
        raise ValueError("must not be a claim that JWT or this server defines")
    return name


class _ClaimFields(Command):
    name: Annotated[str, AfterValidator(_name), described(pattern=f"^{SCOPE}$")]
    attribute: Annotated[Printable, StringConstraints(max_length=_MAX_TEXT)]
    text: Annotated[Printable, StringConstraints(max_length=_MAX_TEXT)]
    target: Annotated[str, named(ClaimTarget, "CLAIM_TARGET", unspecified=ClaimTarget.BOTH)]

    @model_validator(mode="after")
    def _has_one_value(self) -> "_ClaimFields":
        if bool(self.attribute) == bool(self.text):
            raise ValueError("must have either an attribute or a text")
        return self


def _objects(given: Sequence[_ClaimFields] | None) -> tuple[ApplicationClaim, ...] | None:
    if given is None:
        return None
    if len({each.name for each in given}) < len(given):
        raise ValueError("must not have two claims with the same name")
    return tuple(ApplicationClaim.of(each.model_dump()) for each in given)


# The field of a command; None leaves it unchanged.
if TYPE_CHECKING:
    Claims = tuple[ApplicationClaim, ...] | None  # which the validators give
else:
    Claims = Annotated[
        tuple[_ClaimFields, ...] | None,
        at_most(MAX_CLAIMS),
        AfterValidator(_objects),
        described(maxItems=MAX_CLAIMS),
    ]
