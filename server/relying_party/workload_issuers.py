"""The issuers whose workloads act as an application or as a user, without a secret.

`workload.py` verifies the tokens of workloads against them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints, ValidationInfo

from server.validation.fields import Command, Printable, at_most, described
from server.validation.uris import MAX_URI, check_https_uri
from server.values.errors import WrongValueError
from server.values.names import printable

MAX_ISSUERS: Final = 20
# Stands for any characters, as the last one of a subject.
WILDCARD: Final = "*"
_MAX_AUDIENCE: Final = 500
_MAX_SUBJECT: Final = 1000
_MAX_CLAIMS: Final = 10
_MAX_CLAIM_NAME: Final = 200
_MAX_CLAIM: Final = 500


@dataclass(frozen=True, slots=True)
class WorkloadIssuer:
    """An issuer, and the claims that its tokens must have. `subject` may end in the wildcard."""

    issuer: str
    audience: str
    subject: str
    claims: dict[str, str]


def _issuer(issuer: str) -> str:
    check_https_uri(issuer)
    if "?" in issuer:
        raise ValueError("must have no query")
    return issuer


def _claims(claims: dict[str, str]) -> dict[str, str]:
    if len(claims) > _MAX_CLAIMS:
        raise WrongValueError("TOO_MANY_ENTRIES", f"must have at most {_MAX_CLAIMS} entries")
    for name, value in claims.items():
        printable(name)
        printable(value)
        if not 0 < len(name) <= _MAX_CLAIM_NAME or not 0 < len(value) <= _MAX_CLAIM:
            raise ValueError(
                f"must have names of 1 to {_MAX_CLAIM_NAME} characters, and values of 1 to"
                f" {_MAX_CLAIM}"
            )
    return claims


def _subject(subject: str, others: ValidationInfo) -> str:
    if WILDCARD in subject[:-1]:
        raise ValueError(f"must have {WILDCARD} only as its last character")
    # Some issuers have a workload for everybody in the world. Wrong claims are reported alone.
    if subject == WILDCARD and not others.data.get("claims", True):
        raise ValueError(f"must have characters before {WILDCARD}, unless claims are given")
    return subject


class WorkloadIssuerFields(Command):
    """The fields of an issuer in a command."""

    issuer: Annotated[
        str, AfterValidator(_issuer), described(maxLength=MAX_URI, pattern="^https://[!-~]+$")
    ]
    audience: Annotated[Printable, StringConstraints(min_length=1, max_length=_MAX_AUDIENCE)]
    # Before the subject, whose check reads it.
    claims: Annotated[dict[str, str], AfterValidator(_claims), described(maxProperties=_MAX_CLAIMS)]
    subject: Annotated[
        Printable,
        StringConstraints(min_length=1, max_length=_MAX_SUBJECT),
        AfterValidator(_subject),
    ]

    @property
    def value(self) -> WorkloadIssuer:
        """The issuer, as it is stored."""
        return WorkloadIssuer(**self.model_dump())


def _objects(given: Sequence[WorkloadIssuerFields] | None) -> tuple[WorkloadIssuer, ...] | None:
    if given is None:
        return None
    return tuple(each.value for each in given)


# The field of a command; None leaves it unchanged.
WorkloadIssuers = Annotated[
    tuple[WorkloadIssuerFields, ...] | None,
    at_most(MAX_ISSUERS),
    AfterValidator(_objects),
    described(maxItems=MAX_ISSUERS),
]
