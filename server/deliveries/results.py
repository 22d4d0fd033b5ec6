"""The states of deliveries, attempts, and the results of attempts."""

import enum
from dataclasses import dataclass

_MAX_TEXT = 1000


class DeliveryState(enum.StrEnum):
    """The states of a delivery: the API's names in lower case, without their prefix."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that holds the lease of its delivery."""

    delivery_id: str
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt. PENDING: a further attempt follows.

    `destination_works` is None if the attempt ended before it contacted the destination.
    `is_login`: the login failed. `route` tells the SMTP configuration of a mail. `status` and
    `answer` are those of an HTTP target; 0: it gave no answer.
    """

    state: DeliveryState
    reason: str = ""
    message: str = ""
    destination_works: bool | None = None
    is_login: bool = False
    is_slow: bool = False
    route: str = ""
    status: int = 0
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of pending deliveries, and of targets that give no answer.

    `overdue_seconds` is the longest time that a mail has been due.
    """

    pending: int = 0
    overdue_seconds: float = 0.0
    failing_targets: int = 0


def storable(text: str) -> str:
    """The text of a server without characters that PostgreSQL refuses."""
    return text.encode(errors="replace").decode().replace("\0", "")[:_MAX_TEXT]
