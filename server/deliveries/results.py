"""The states of deliveries, and the results of attempts."""

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
class AttemptResult:
    """The result of an attempt. PENDING: a further attempt follows.

    `destination_works` is None if the attempt ended before it contacted the destination.
    `is_login`: the login failed.
    """

    state: DeliveryState
    reason: str = ""
    message: str = ""
    destination_works: bool | None = None
    is_login: bool = False


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of pending deliveries, and the longest time that one of them has been due."""

    pending: int
    overdue_seconds: float


def storable(text: str) -> str:
    """The text of a server without characters that PostgreSQL refuses."""
    return text.encode(errors="replace").decode().replace("\0", "")[:_MAX_TEXT]
