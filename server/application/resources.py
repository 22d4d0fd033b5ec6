"""The fields of an API for which access tokens are: its identifier and its scopes (RFC 8707)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, StringConstraints

from server.application.chosen import ASSIGNED_ID
from server.validation.fields import Command, Printable, at_most, described
from server.validation.scopes import MAX_SCOPE, OF_OPENID, is_scope
from server.validation.value_lists import MAX_VALUES, Values, each
from server.values.names import printable

MAX_IDENTIFIER: Final = 500
# An application that chooses its ID has one of this form.
_NAME: Final = r"[A-Za-z0-9._~-]{1,128}"
# RFC 3986, section 4.3, without space, quote, backslash, or letter that is not ASCII.
_ABSOLUTE_URI: Final = r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+"
_IDENTIFIER: Final = rf"{_ABSOLUTE_URI}|{_NAME}"
_MAX_DESCRIPTION: Final = 200
_MAX_NAME_OF_GROUP: Final = 200


@dataclass(frozen=True, slots=True)
class ResourceScope:
    """A scope, and the groups whose members can get it: IDs. Empty: everybody.

    A removed group stays in the list, so that its removal does not open the scope.
    """

    name: str
    description: str
    allowed_groups: tuple[str, ...]


def check_group(group: str) -> None:
    """The ID or the name of a group. ValueError with the correction."""
    printable(group)
    if not 0 < len(group) <= _MAX_NAME_OF_GROUP:
        raise ValueError("must be the ID or the name of a group")


def check_scope(scope: str) -> None:
    """A scope (RFC 6749, section 3.3). ValueError with the correction."""
    if not is_scope(scope):
        raise ValueError(
            f"must be 1 to {MAX_SCOPE} characters without spaces, quotes and backslashes"
        )


def check_identifier(identifier: str | None) -> str | None:
    """The identifier of a resource; empty: none. ValueError with the correction.

    An ID that the server assigns has another form, and a chosen one is unique among identifiers, so
    no token for an application is one for a resource.
    """
    if not identifier:
        return identifier
    if len(identifier) > MAX_IDENTIFIER:
        raise ValueError(f"must be at most {MAX_IDENTIFIER} characters")
    if not re.fullmatch(_IDENTIFIER, identifier) or re.fullmatch(ASSIGNED_ID, identifier):
        raise ValueError(
            "must be an absolute URI without a fragment, or a name of 1 to 128 letters, digits and"
            " . _ ~ - other than a UUID of version 7"
        )
    return identifier


def _name(name: str) -> str:
    check_scope(name)
    if name in OF_OPENID:
        raise ValueError("must not be a scope of OpenID Connect")
    return name


class _ScopeFields(Command):
    name: Annotated[str, AfterValidator(_name), described(maxLength=MAX_SCOPE)]
    description: Annotated[Printable, StringConstraints(max_length=_MAX_DESCRIPTION)]
    allowed_groups: Annotated[Values, each(check_group), described(maxItems=MAX_VALUES)]


def _objects(given: Sequence[_ScopeFields] | None) -> tuple[ResourceScope, ...] | None:
    if given is None:
        return None
    if len({each.name for each in given}) < len(given):
        raise ValueError("must not have two scopes with the same name")
    return tuple(
        ResourceScope(each.name, each.description, tuple(each.allowed_groups or ()))
        for each in given
    )


# The field of a command; None leaves it unchanged.
if TYPE_CHECKING:
    ResourceScopes = tuple[ResourceScope, ...] | None  # which the validators give
else:
    ResourceScopes = Annotated[
        tuple[_ScopeFields, ...] | None,
        at_most(MAX_VALUES),
        AfterValidator(_objects),
        described(maxItems=MAX_VALUES),
    ]
Identifier = Annotated[
    str | None,
    AfterValidator(check_identifier),
    described(maxLength=MAX_IDENTIFIER, pattern=f"^({_IDENTIFIER})?$"),
]
