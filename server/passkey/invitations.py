"""Registration links that name who invites, and to what (decision 19)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from server.store.database import Statements


@dataclass(frozen=True, slots=True)
class Invitation:
    """The names at this time. `inviter_name` and `application_name` may be empty."""

    inviter_name: str
    organization_name: str
    application_name: str

    def parameters(self) -> dict[str, str]:
        """The parameters of the mail."""
        return {
            "inviter_name": self.inviter_name,
            "organization_name": self.organization_name,
            "application_name": self.application_name,
        }


# Reads the names, by the creator of the link, the organization of its user and the application.
DescribeInvitation: TypeAlias = Callable[[Statements, str, str, str], Awaitable[Invitation]]
