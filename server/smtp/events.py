"""Events of the SMTP configuration.

Events contain the id of the password, never the password.
"""

from dataclasses import dataclass

from server.log.event import Event, ForOperators, Shown, event


@dataclass(frozen=True, slots=True)
class _ConfigWritten(Event):
    sender_address: ForOperators[str]
    sender_name: ForOperators[str]
    tls: Shown[bool]
    host: ForOperators[str]
    user: ForOperators[str]
    password_secret_id: ForOperators[str | None]


@event("smtp_config.added")
class SMTPConfigAdded(_ConfigWritten):
    """The configuration was set."""


@event("smtp_config.changed")
class SMTPConfigChanged(_ConfigWritten):
    """The configuration was replaced; the event contains all fields."""


@event("smtp_config.password_changed")
class SMTPConfigPasswordChanged(Event):
    """The password was replaced."""

    password_secret_id: ForOperators[str]


@event("smtp_config.removed")
class SMTPConfigRemoved(Event):
    """The configuration was removed and its password erased."""
