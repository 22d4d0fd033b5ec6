"""What a delivery of mail needs, and how it fails: shared by who delivers and who asks for it.

The rule: nothing here or made from it shows the password.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Destination:
    """The SMTP server that mail is handed to, and as whom. Without a user, no authentication."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    sender_address: str
    sender_name: str


class DeliveryError(Exception):
    """A mail was not accepted.

    `step` is where, `reason` is for programs and stable, `message` for people: what happened and
    what to change. Unless `is_permanent` the same may succeed later, by itself or once somebody has
    put right what the message says.
    """

    def __init__(self, step: str, reason: str, message: str, *, is_permanent: bool) -> None:
        super().__init__(f"{reason}: {message}")
        self.step = step
        self.reason = reason
        self.message = message
        self.is_permanent = is_permanent

    @property
    def concerns_destination(self) -> bool:
        """Whether any mail would have failed so: the server had not heard of this one yet."""
        return self.step not in ("sender", "message")

    @property
    def concerns_login(self) -> bool:
        """Whether user and password were not accepted, which servers count."""
        return self.step == "auth"
