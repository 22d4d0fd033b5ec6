"""Events of grants, which are part of the user's aggregate."""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, Shown


@dataclass(frozen=True, slots=True)
class ApplicationGranted(Event):
    """The user agreed that an application gets these scopes: all that it has from now on."""

    event_type: ClassVar[str] = "user.application_granted"

    application_id: Shown[str]
    scopes: Shown[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ApplicationScopesRevoked(Event):
    """Scopes of the grant to an application were taken back. It keeps the others, one at least."""

    event_type: ClassVar[str] = "user.application_scopes_revoked"

    application_id: Shown[str]
    scopes: Shown[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ApplicationRevoked(Event):
    """The grant of the user to an application ended, with all its tokens."""

    event_type: ClassVar[str] = "user.application_revoked"

    application_id: Shown[str]
