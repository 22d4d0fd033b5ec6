"""The names and the address of a new user, from the claims of a provider. Pure.

Standard claims of OpenID Connect Core, section 5.1. Values that are invalid for the API are left
out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from server.validation.confusables import name_of
from server.validation.fields import OptionalMailAddress, OptionalName
from server.values.mail_address import normal_mail_domain

_FIELDS: Mapping[str, TypeAdapter[str]] = {
    "display_name": TypeAdapter(OptionalName),
    "email": TypeAdapter(OptionalMailAddress),
}


@dataclass(frozen=True, slots=True)
class Profile:
    """The names and the address of a user, and the address that the provider verified."""

    user_name: str
    display_name: str
    email: str
    verified_email: str


def profile_of(claims: Mapping[str, Any], given: Mapping[str, str]) -> Profile:
    """The profile in verified claims. Valid values that mappings have `given` replace the others.

    The subject, which is always present, is the last choice for the user name. If none can be
    taken, the name is empty.
    """
    email = valid("email", claims.get("email")) if _is_verified(claims) else ""
    candidates = (claims.get("preferred_username"), email, claims["sub"])
    user_name = next(filter(None, map(name_of, candidates)), "")
    display_name = given.get("display_name") or valid("display_name", claims.get("name"))
    return Profile(user_name, display_name, given.get("email") or email, verified_email=email)


def is_of_domains(
    claims: Mapping[str, Any], profile: Profile, *, mail: Sequence[str], hosted: Sequence[str]
) -> bool:
    """Whether the verified address and `hd` are of these domains; no domains: of any, or absent.

    `hd` is the domain of a Google Workspace or Cloud organization. An address of Google alone does
    not tell that its person belongs to the organization of the domain.
    """
    domain = profile.verified_email.rpartition("@")[2]
    return (not mail or domain in mail) and (not hosted or _hosted_domain(claims) in hosted)


def verified_domain(claims: Mapping[str, Any], profile: Profile, *, hosted: Sequence[str]) -> str:
    """The domain of the address, if the provider has verified the address; otherwise empty.

    With hosted domains, the account must be of one of them: Google also verifies the addresses of
    accounts that people have outside of their organization, and keep when they leave it.
    """
    if profile.email != profile.verified_email:
        return ""
    is_own = not hosted or _hosted_domain(claims) in hosted
    return profile.email.rpartition("@")[2] if is_own else ""


def _hosted_domain(claims: Mapping[str, Any]) -> str:
    try:
        return normal_mail_domain(claims["hd"]) if isinstance(claims.get("hd"), str) else ""
    except ValueError:
        return ""


def _is_verified(claims: Mapping[str, Any]) -> bool:
    """Whether the provider has verified the address. Apple and Amazon Cognito say so by a text."""
    verified = claims.get("email_verified")
    return verified is True or verified == "true"


def valid(field: str, value: object) -> str:
    """The value of a field in its normal form; empty if it is invalid."""
    try:
        return _FIELDS[field].validate_python(value, strict=True)
    except ValidationError:
        return ""
