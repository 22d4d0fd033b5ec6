"""The mapping of a provider: a table of claims and the values that they give to users."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, StringConstraints, model_validator

from server.validation.fields import Command, Printable, at_most, described, named
from server.values.names import printable

MAX_MAPPINGS: Final = 20
_MAX_TEXT: Final = 200
_MAX_DOTS: Final = 10
_MAX_ATTRIBUTE: Final = 64
_MAX_GROUPS: Final = 100
# The groups of a user; other names are those of fields and attributes.
GROUPS: Final = "groups"
# A user name identifies, and roles let people administer this server.
_UNMAPPED: Final = frozenset(("user_name", "user_id", "picture", "roles"))


class MappingTime(enum.StrEnum):
    """The sign-ins that apply a mapping, by the names of the API."""

    FIRST_SIGN_IN = "FIRST_SIGN_IN"
    EVERY_SIGN_IN = "EVERY_SIGN_IN"


@dataclass(frozen=True, slots=True)
class IDPMapping:
    """A claim, by its path, and what it gives. `groups` are IDs of groups by values."""

    claim: str
    attribute: str
    when: str
    groups: Mapping[str, str]


def _claim(path: str) -> str:
    if path.count(".") > _MAX_DOTS:
        raise ValueError(f"must have at most {_MAX_DOTS} dots")
    return path


def _attribute(name: str) -> str:
    if name in _UNMAPPED:
        raise ValueError(f"must be none of {', '.join(sorted(_UNMAPPED))}")
    return name


def _groups(groups: dict[str, str]) -> dict[str, str]:
    for text in (each for pair in groups.items() for each in pair):
        printable(text)
        if not 0 < len(text) <= _MAX_TEXT:
            raise ValueError(f"must have values and groups of 1 to {_MAX_TEXT} characters")
    return groups


class _MappingFields(Command):
    claim: Annotated[
        Printable,
        StringConstraints(min_length=1, max_length=_MAX_TEXT),
        AfterValidator(_claim),
    ]
    attribute: Annotated[
        Printable,
        StringConstraints(min_length=1, max_length=_MAX_ATTRIBUTE),
        AfterValidator(_attribute),
    ]
    when: Annotated[str, named(MappingTime, "IDP_MAPPING_TIME")]
    groups: Annotated[dict[str, str], AfterValidator(_groups), described(maxProperties=_MAX_GROUPS)]

    @model_validator(mode="after")
    def _has_groups_of_groups(self) -> "_MappingFields":
        if self.groups and self.attribute != GROUPS:
            raise ValueError(f"must have groups only with the attribute {GROUPS}")
        return self


def _few_groups(given: Any) -> Any:
    """The mappings, unless their groups are too many to be checked one by one."""
    if sum(len(getattr(each, "groups", ())) for each in given or ()) > _MAX_GROUPS:
        raise ValueError(f"must have at most {_MAX_GROUPS} groups in all entries")
    return given


def _objects(given: Sequence[_MappingFields] | None) -> tuple[IDPMapping, ...] | None:
    if given is None:
        return None
    once = [each.attribute for each in given if each.attribute != GROUPS]
    if len(set(once)) < len(once):
        raise ValueError(f"must not have two claims for one attribute, except for {GROUPS}")
    if len({each.when for each in given if each.attribute == GROUPS}) > 1:
        raise ValueError(f"must have all claims of {GROUPS} at the same sign-ins")
    return tuple(IDPMapping(**each.model_dump()) for each in given)


# The field of a command; None leaves it unchanged.
if TYPE_CHECKING:
    Mappings = tuple[IDPMapping, ...] | None  # which the validators give
else:
    Mappings = Annotated[
        tuple[_MappingFields, ...] | None,
        BeforeValidator(_few_groups),
        at_most(MAX_MAPPINGS),  # the first check: those before the type run from the last one
        AfterValidator(_objects),
        described(maxItems=MAX_MAPPINGS),
    ]
