"""Callers: users by a token, holders of a ceremony's registration token, holders of a link."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from server.access.roles import PERMISSIONS_OF, Role


@dataclass(frozen=True, slots=True)
class CallerSession:
    """The session whose token a caller uses, and when its user last signed in."""

    session_id: str
    authenticated_at: datetime


@dataclass(frozen=True, slots=True)
class Caller:
    """A user, known by a token of its own or by that of a session."""

    user_id: str
    organization_id: str
    roles: frozenset[Role]
    expires_at: datetime | None = None
    token_id: str = ""
    session: CallerSession | None = None

    @property
    def is_instance_wide(self) -> bool:
        """Whether it holds every permission everywhere."""
        return Role.INSTANCE_OWNER in self.roles

    def may(self, permission: str, organization_id: str | None) -> bool:
        """Whether it holds the permission in the organization; None: on the whole instance."""
        if self.is_instance_wide:
            return True
        if organization_id != self.organization_id:
            return False
        return any(permission in PERMISSIONS_OF[role] for role in self.roles)

    def covers(self, roles: frozenset[Role]) -> bool:
        """Whether it holds every permission that these roles give in its own organization."""
        if self.is_instance_wide:
            return True
        if Role.INSTANCE_OWNER in roles:
            return False
        return all(
            self.may(permission, self.organization_id)
            for role in roles
            for permission in PERMISSIONS_OF[role]
        )

    def covers_in(self, organization_id: str, role: Role) -> bool:
        """Whether it holds every permission that the role gives in the organization."""
        return self.is_instance_wide or (
            organization_id == self.organization_id and self.covers(frozenset({role}))
        )


@dataclass(frozen=True, slots=True)
class RegistrationCaller:
    """Whoever holds the registration token of one passkey ceremony, and may verify only that."""

    user_id: str
    passkey_id: str


@dataclass(frozen=True, slots=True)
class LinkCaller:
    """Whoever holds the code of a registration link, and may begin ceremonies of its user only.

    Whether the link is still good is for the method to find out: the code proves that it once was.
    """

    user_id: str
    link_id: str


AnyCaller: TypeAlias = Caller | RegistrationCaller | LinkCaller
