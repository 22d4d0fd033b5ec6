"""What happened to the SMTP configuration.

Passwords are named by the id of their secret, never told.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.store.eventlog import Event


@dataclass(frozen=True, slots=True)
class _ConfigWritten(Event):
    aggregate_type: ClassVar[str] = "smtp_config"

    sender_address: str
    sender_name: str
    tls: bool
    host: str
    user: str
    password_secret_id: str | None


@dataclass(frozen=True, slots=True)
class SMTPConfigAdded(_ConfigWritten):
    """It is set since."""

    event_type: ClassVar[str] = "smtp_config.added"


@dataclass(frozen=True, slots=True)
class SMTPConfigChanged(_ConfigWritten):
    """All its fields, as they are since."""

    event_type: ClassVar[str] = "smtp_config.changed"


@dataclass(frozen=True, slots=True)
class SMTPConfigPasswordChanged(Event):
    """It has another password since."""

    aggregate_type: ClassVar[str] = "smtp_config"
    event_type: ClassVar[str] = "smtp_config.password_changed"

    password_secret_id: str


@dataclass(frozen=True, slots=True)
class SMTPConfigRemoved(Event):
    """None is set since, and its password is erased."""

    aggregate_type: ClassVar[str] = "smtp_config"
    event_type: ClassVar[str] = "smtp_config.removed"
