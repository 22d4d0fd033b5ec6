"""The destination of mail and the error of a delivery, for the SMTP client and its callers.

The rule: the password and access tokens are in no representation and in no error message.
"""

from dataclasses import dataclass, field
from typing import Final, Protocol

# The time before the end of a token in which it is no longer used, at most half of its lifetime.
_MARGIN_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class MailboxToken:
    """An access token of the host of a token endpoint.

    `seconds` is its lifetime since `fetched_at` (loop time).
    """

    value: str = field(repr=False)
    host: str
    seconds: float
    fetched_at: float

    @property
    def usable_seconds(self) -> float:
        """The time in which it is used."""
        return max(self.seconds - _MARGIN_SECONDS, self.seconds / 2)


class TokenSource(Protocol):
    """Gives access tokens of a mailbox. Equal sources give tokens of the same client."""

    async def token(self, *, refused: MailboxToken | None = None) -> MailboxToken:
        """A token, and not the refused one. DeliveryError in the step `token`."""
        ...


@dataclass(frozen=True, slots=True)
class Destination:
    """The SMTP server, the credentials and the sender. Without a user, no authentication.

    `tokens` replace the password. `organization_id` tells whose configuration it is; empty: that of
    the instance.
    """

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    sender_address: str
    sender_name: str
    tokens: TokenSource | None = None
    organization_id: str = ""

    @property
    def has_secret(self) -> bool:
        """Whether the login needs an encrypted connection."""
        return bool(self.password) or self.tokens is not None


class DeliveryError(Exception):
    """The SMTP server did not accept a mail.

    `step` is the failed step. `reason` is stable, for programs; `message` is for people, with the
    problem and the remedy. Unless `is_permanent`, a later attempt may succeed, perhaps after the
    remedy.
    """

    def __init__(self, step: str, reason: str, message: str, *, is_permanent: bool) -> None:
        super().__init__(f"{reason}: {message}")
        self.step = step
        self.reason = reason
        self.message = message
        self.is_permanent = is_permanent

    @property
    def concerns_destination(self) -> bool:
        """Whether any mail would have failed, since the failure preceded MAIL FROM."""
        return self.step not in ("sender", "message")

    @property
    def concerns_login(self) -> bool:
        """Whether the login failed; servers count failed logins."""
        return self.step in ("token", "auth")
