"""Events of the SMTP configuration.

Events contain the id of the password, never the password.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event, ForOperators, Shown


@dataclass(frozen=True, slots=True)
class _ConfigWritten(Event):
    sender_address: ForOperators[str]
    sender_name: ForOperators[str]
    tls: Shown[bool]
    host: ForOperators[str]
    user: ForOperators[str]
    password_secret_id: ForOperators[str | None]


@dataclass(frozen=True, slots=True)
class SMTPConfigAdded(_ConfigWritten):
    """The configuration was set."""

    event_type: ClassVar[str] = "smtp_config.added"


@dataclass(frozen=True, slots=True)
class SMTPConfigChanged(_ConfigWritten):
    """The configuration was replaced; the event contains all fields."""

    event_type: ClassVar[str] = "smtp_config.changed"


@dataclass(frozen=True, slots=True)
class SMTPConfigPasswordChanged(Event):
    """The password was replaced."""

    event_type: ClassVar[str] = "smtp_config.password_changed"

    password_secret_id: ForOperators[str]


@dataclass(frozen=True, slots=True)
class SMTPConfigRemoved(Event):
    """The configuration was removed and its password erased."""

    event_type: ClassVar[str] = "smtp_config.removed"
