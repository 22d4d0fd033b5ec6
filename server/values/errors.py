"""The one error type of the domain.

Commands raise `Failure`; `server/rpc/call.py` alone turns it into a `google.rpc.Status`.
A message is for people: one sentence names the error, one the correction. A `reason` is for
programs and never changes. Neither contains a secret, SQL or an internal name.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final


class OperatorError(Exception):
    """An error that only an operator can correct; its message tells the operator how."""


class Kind(enum.Enum):
    """The codes of `google.rpc.Code` (code.proto)."""

    INVALID_ARGUMENT = enum.auto()
    DEADLINE_EXCEEDED = enum.auto()
    NOT_FOUND = enum.auto()
    ALREADY_EXISTS = enum.auto()
    PERMISSION_DENIED = enum.auto()
    RESOURCE_EXHAUSTED = enum.auto()
    FAILED_PRECONDITION = enum.auto()
    ABORTED = enum.auto()
    UNIMPLEMENTED = enum.auto()
    INTERNAL = enum.auto()
    UNAVAILABLE = enum.auto()
    UNAUTHENTICATED = enum.auto()


@dataclass(frozen=True, slots=True)
class Violation:
    """One wrong field: its path in JSON names (`publicKeyCredential.rawId`) and the correction.

    `reason` is a stable word for the cause, by which clients translate; empty for rare causes.
    """

    field: str
    description: str
    reason: str = ""


class WrongValueError(ValueError):
    """A value that a check refuses, for a frequent cause."""

    def __init__(self, reason: str, description: str) -> None:
        super().__init__(description)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that was not found: its type (`user`, `idp`) and the name in the request."""

    type: str
    name: str


@dataclass(eq=False)
class Failure(Exception):  # noqa: N818 -- the usual word for a status other than OK
    """The error that a call ends with.

    `metadata` and `violations` become `google.rpc.ErrorInfo.metadata` and `google.rpc.BadRequest`.
    `log_detail` names the check that failed; it is logged and never sent.
    """

    kind: Kind
    reason: str
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Sequence[Violation] = ()
    resource: Resource | None = None
    retry_after: timedelta | None = None
    log_detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


def invalid(*violations: Violation) -> Failure:
    """Invalid input, with every wrong field."""
    fields = ", ".join(dict.fromkeys(violation.field for violation in violations))
    return Failure(
        Kind.INVALID_ARGUMENT,
        "INVALID_FIELDS",
        f"The request has invalid fields: {fields}. Correct them as described and send it again.",
        violations=violations,
    )


@dataclass(frozen=True, slots=True)
class NotFound:
    """The failure for the resources of a type that do not exist, or that a caller may not see."""

    resource_type: str
    message: str

    def __call__(self, name: str) -> Failure:
        """The failure for the resource with the name in the request."""
        return Failure(
            Kind.NOT_FOUND,
            f"{self.resource_type.upper()}_NOT_FOUND",
            self.message,
            resource=Resource(self.resource_type, name),
        )


@dataclass(frozen=True, slots=True)
class FixedFailure:
    """A failure that always has the same code, reason and message."""

    reason: str
    message: str
    kind: Kind = Kind.FAILED_PRECONDITION
    retry_after: timedelta | None = None

    def __call__(self, log_detail: str = "") -> Failure:
        """The failure, with a detail for the log."""
        return Failure(
            self.kind,
            self.reason,
            self.message,
            retry_after=self.retry_after,
            log_detail=log_detail,
        )


def unimplemented(message: str) -> Failure:
    """The schema has the method, but this release does not implement it."""
    return Failure(Kind.UNIMPLEMENTED, "METHOD_NOT_IMPLEMENTED", message)


# One text for every reason, so that a refusal does not reveal which resources exist.
permission_denied: Final = FixedFailure(
    "PERMISSION_DENIED",
    "You do not have permission for this. Ask an administrator of the organization for a role"
    " that has it.",
    kind=Kind.PERMISSION_DENIED,
)

# One text for every reason: missing, malformed, unknown, expired, revoked.
unauthenticated: Final = FixedFailure(
    "UNAUTHENTICATED",
    "A valid token is required: the token is missing, malformed, unknown, expired or revoked."
    " Send a valid one as the header 'authorization: Bearer <token>'.",
    kind=Kind.UNAUTHENTICATED,
)

# One text for every reason: never added, revoked, user removed.
unknown_certificate: Final = FixedFailure(
    "UNAUTHENTICATED",
    "The client certificate of this connection belongs to no user: it was never added, or its"
    " token was revoked. Add it by CreateCertificate, or send 'authorization: Bearer <token>'.",
    kind=Kind.UNAUTHENTICATED,
)

# The call took longer than its caller, or the server, allows.
deadline_exceeded: Final = FixedFailure(
    "DEADLINE_EXCEEDED",
    "The call did not finish within its deadline. Try again, with a longer deadline if it"
    " happens again.",
    kind=Kind.DEADLINE_EXCEEDED,
)
