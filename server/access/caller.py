"""Callers: users by a token, holders of a ceremony's registration token, holders of a link.

A command takes an `Actor`: the caller of an RPC, or the operator at the command line.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias, TypedDict

from server.access.roles import SERVICE_ROLES, Role, permissions_of
from server.store.clock import DatabaseClock


@dataclass(frozen=True, slots=True)
class CallerSession:
    """The session whose token a caller uses, the time of its last sign-in, and its user's names.

    At `expires_at` the session ends even if it is in use. `by_passkey`: the last sign-in was with a
    passkey, not with an identity provider.
    """

    session_id: str
    authenticated_at: datetime
    expires_at: datetime
    user_name: str
    display_name: str
    by_passkey: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """A user, identified by a token of its own or by that of a session.

    `credential` is the stored hash of that token, by which a write checks it again. `clock` judges
    the times of the token, the session and the roles: the first role ends at `roles_end_at`. Two
    are equal if they have the same rights, also if the use of a session has put off its
    `expires_at`.
    """

    user_id: str
    organization_id: str
    roles: frozenset[Role]
    expires_at: datetime | None = field(default=None, compare=False)
    session: CallerSession | None = None
    credential: bytes = field(default=b"", repr=False)
    clock: DatabaseClock | None = field(default=None, compare=False)
    roles_end_at: datetime | None = field(default=None, compare=False)

    def now(self) -> datetime:
        """The time of the database. TypeError for a caller that was not read with its token."""
        if self.clock is None:
            raise TypeError("a caller with times has no clock")
        return self.clock.now()

    @property
    def is_instance_wide(self) -> bool:
        """Whether the caller holds every permission everywhere."""
        return Role.INSTANCE_OWNER in self.roles

    @property
    def is_service(self) -> bool:
        """Whether all its roles are for services: then it has no rights on itself."""
        return bool(self.roles) and self.roles <= SERVICE_ROLES

    def may(self, permission: str, organization_id: str | None) -> bool:
        """Whether the caller holds the permission in the organization; None: on the instance."""
        everywhere, at_home = permissions_of(self.roles)
        return permission in everywhere or (
            organization_id == self.organization_id and permission in at_home
        )

    def covers(self, roles: frozenset[Role]) -> bool:
        """Whether the caller holds all permissions of these roles in its organization."""
        own, others = permissions_of(self.roles), permissions_of(roles)
        return (
            others.everywhere <= own.everywhere and others.at_home <= own.everywhere | own.at_home
        )

    def covers_in(self, organization_id: str, role: Role) -> bool:
        """Whether the caller holds all permissions of the role in the organization."""
        return self.is_instance_wide or (
            organization_id == self.organization_id and self.covers(frozenset({role}))
        )


@dataclass(frozen=True, slots=True)
class RegistrationCaller:
    """The holder of a registration token, which may only verify the ceremony of the token."""

    user_id: str
    passkey_id: str


@dataclass(frozen=True, slots=True)
class LinkCaller:
    """The holder of the code of a registration link, which may only begin ceremonies of its user.

    The code proves that the link existed. The method checks whether it is still valid.
    """

    user_id: str
    link_id: str


@dataclass(frozen=True, slots=True)
class Operator:
    """The command line and the first start of a server. Its rights cannot be revoked.

    `user_id` is its name in the log; no user has this ID.
    """

    user_id: str = "operator"


OPERATOR: Final = Operator()


@dataclass(frozen=True, slots=True)
class Recoverer:
    """The caller of a recovery by mail, who proves nothing but access to a mailbox.

    `user_id` is its name in the log; no user has this ID, so it holds no permissions. Links that it
    made for a user end when the user is granted a role.
    """

    user_id: str = "recovery"


RECOVERY: Final = Recoverer()


@dataclass(frozen=True, slots=True)
class Registrant:
    """A person who signs up, by a link in a mail. `user_id` is that of the new user."""

    user_id: str


AnyCaller: TypeAlias = Caller | RegistrationCaller | LinkCaller
Actor: TypeAlias = AnyCaller | Operator | Recoverer | Registrant


class Acting(TypedDict):
    """The actor of a command, and the organization in which it acts, as keyword arguments."""

    actor: Actor
    organization_id: str
