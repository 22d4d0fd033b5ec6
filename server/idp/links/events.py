"""Events of the links of a user."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class IDPLinked(Event):
    """An identity was linked to the user, who can now sign in with it."""

    event_type: ClassVar[str] = "user.idp_linked"

    link_id: str
    idp_id: str
    issuer: str
    subject: str
    # The user, and the makers of its session. None, in events of older releases: the user alone.
    makers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class IDPUnlinked(Event):
    """An identity was unlinked from the user, and its sessions ended."""

    event_type: ClassVar[str] = "user.idp_unlinked"

    link_id: str
    ended_session_ids: tuple[str, ...]
