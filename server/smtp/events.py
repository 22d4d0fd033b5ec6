"""Events of SMTP configurations.

Events contain the ids of secrets, never the secrets.
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
    """The configuration was set: that of the instance, or of its owner."""

    of_organization: Shown[bool] = False


@event("smtp_config.changed")
class SMTPConfigChanged(_ConfigWritten):
    """The configuration was replaced; the event contains all fields."""


@event("smtp_config.password_changed")
class SMTPConfigPasswordChanged(Event):
    """The password was replaced."""

    password_secret_id: ForOperators[str]


@event("smtp_config.oauth_set")
class SMTPOAuthSet(Event):
    """The OAuth settings were set; the event contains all of them."""

    token_endpoint: ForOperators[str]
    client_id: ForOperators[str]
    scope: ForOperators[str]
    mailbox: ForOperators[str]
    method: Shown[str]
    credential_id: ForOperators[str]


@event("smtp_config.oauth_removed")
class SMTPOAuthRemoved(Event):
    """The OAuth settings were removed and their secret erased."""


@event("smtp_config.removed")
class SMTPConfigRemoved(Event):
    """The configuration was removed and its secrets erased."""
