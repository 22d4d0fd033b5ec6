"""The values that the mappings of a provider give to a user, from verified claims. Pure.

A claim that is absent, null or an empty text gives nothing. Microsoft Entra leaves `groups` out of
a token that has no room for them, and says so by `_claim_names` or `hasgroups`: that is not a user
without groups.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from server.idp.mappings import GROUPS, IDPMapping, MappingTime
from server.idp.signin.profile import valid
from server.validation.fields import is_id

_MAX_GROUPS: Final = 1000
# Other texts are no names of groups.
_GROUP: Final = re.compile(r"[a-z0-9._-]{1,64}")
# The fields that a profile has, which the mappings replace.
OF_PROFILE: Final = ("display_name", "email")
# The feature of users checks these.
_FURTHER: Final = ("given_name", "family_name", "locale", "zoneinfo", "external_id")


@dataclass(frozen=True, slots=True)
class MappedGroups:
    """Ids and names of groups. `ends_others`: the user leaves others that the link gave it."""

    named: frozenset[str]
    is_kept: bool
    ends_others: bool


@dataclass(frozen=True, slots=True)
class Mapped:
    """The values that mappings give: texts by fields, JSON values by attributes, and groups.

    `skipped` are reasons by names of fields and attributes.
    """

    fields: Mapping[str, str]
    attributes: Mapping[str, Any]
    # None: no mapping of groups applies.
    groups: MappedGroups | None
    skipped: Mapping[str, str]


def mapped(mappings: Sequence[IDPMapping], claims: Mapping[str, Any], *, registers: bool) -> Mapped:
    """The values at a sign-in, which may register the user."""
    applied = [each for each in mappings if registers or each.when == MappingTime.EVERY_SIGN_IN]
    fields, attributes, skipped = dict[str, str](), dict[str, Any](), dict[str, str]()
    for each in applied:
        value = next(values_of(claims, each.claim), None)
        if each.attribute == GROUPS or value in (None, ""):
            continue
        if each.attribute in OF_PROFILE:
            value = valid(each.attribute, value)
        if each.attribute not in (*OF_PROFILE, *_FURTHER):
            attributes[each.attribute] = value
        elif isinstance(value, str) and value:
            fields[each.attribute] = value
        else:
            skipped[each.attribute] = "VALUE_INVALID"
    of_groups = [each for each in applied if each.attribute == GROUPS]
    groups, reason = _groups(of_groups, claims)
    if reason:
        skipped[GROUPS] = reason
    return Mapped(fields, attributes, groups, skipped)


def _groups(
    mappings: Sequence[IDPMapping], claims: Mapping[str, Any]
) -> tuple[MappedGroups | None, str]:
    """The groups of a user, and why some mappings give none."""
    if not mappings:
        return None, ""
    named, reason = set[str](), ""
    for each in mappings:
        values, problem = _texts(claims, each.claim)
        reason = reason or problem
        named.update(
            (each.groups[value] for value in values if value in each.groups)
            if each.groups
            else (value for value in values if _GROUP.fullmatch(value) and not is_id(value))
        )
    every = mappings[0].when == MappingTime.EVERY_SIGN_IN
    return MappedGroups(frozenset(named), every, every and not reason), reason


def _texts(claims: Mapping[str, Any], path: str) -> tuple[Sequence[str], str]:
    """The texts of a claim, and why there are none."""
    value = next(values_of(claims, path), None)
    if value is None:
        omitted = claims.get("_claim_names")
        name = path.partition(".")[0]
        is_omitted = isinstance(omitted, Mapping) and (path in omitted or name in omitted)
        is_omitted |= path == GROUPS and claims.get("hasgroups") is True
        return (), "CLAIM_OMITTED" if is_omitted else ""
    values = value if isinstance(value, list) else [value]
    if len(values) > _MAX_GROUPS:
        return (), "TOO_MANY_GROUPS"
    if not all(isinstance(each, str) for each in values):
        return (), "VALUE_INVALID"
    return values, ""


def values_of(claims: Any, path: str) -> Iterator[Any]:
    """The values at a path, those whose names have the most dots first."""
    if isinstance(claims, Mapping):
        if path in claims:
            yield claims[path]
        parts = path.split(".")
        for end in range(len(parts) - 1, 0, -1):
            name = ".".join(parts[:end])
            if name in claims:
                yield from values_of(claims[name], ".".join(parts[end:]))
    elif isinstance(claims, list):
        index, dot, rest = path.partition(".")
        if index.isascii() and index.isdigit() and len(index) < 5 and int(index) < len(claims):
            value = claims[int(index)]
            if dot:
                yield from values_of(value, rest)
            else:
                yield value
