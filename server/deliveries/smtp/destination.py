"""The destination of mail and the error of a delivery, for the SMTP client and its callers.

The rule: the password is in no representation and in no error message.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Destination:
    """The SMTP server, the credentials and the sender. Without a user, no authentication."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    sender_address: str
    sender_name: str


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
        return self.step == "auth"
