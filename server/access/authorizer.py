"""Whether a caller may call a method, decided before anything that could reveal what exists.

The rule: a refusal is the same whether the target is foreign or unknown. Only a caller whose
permission is instance-wide is told that something does not exist.
"""

import enum
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, reduce
from typing import Any

from cachetools import LRUCache

from server.access.caller import AnyCaller, Caller, LinkCaller, RegistrationCaller
from server.access.roles import Role
from server.validation.fields import is_id, json_path
from server.values.errors import Failure, Kind, Violation, invalid, not_found, permission_denied

ORGANIZATION_HEADER = "x-service-orgid"

# How old the sign-in of a caller with a session may be for the methods that ask for a recent one.
RECENT_SIGN_IN = timedelta(minutes=10)

_REMEMBERED_ORGANIZATIONS = 10_000


class Scope(enum.Enum):
    """Where a permission must be held; see `keystead.options.v1.Scope`."""

    NONE = enum.auto()
    INSTANCE = enum.auto()
    SELECTED_ORGANIZATION = enum.auto()
    USER = enum.auto()


@dataclass(frozen=True)
class Access:
    """Who may call a method; see `keystead.options.v1.Access`."""

    permission: str
    scope: Scope
    by_self: bool
    by_registration_token: bool
    by_link_code: bool
    revokes: bool = False
    is_open: bool = False
    needs_recent_sign_in: bool = False
    # The names on the way to the id of the user that a request is about.
    user_path: tuple[str, ...] = ("user_id",)

    def user_id(self, request: Any) -> str:
        """The user that the request is about; only for methods on a user."""
        user_id: str = reduce(getattr, self.user_path, request)
        return user_id

    @cached_property
    def writes(self) -> bool:
        """Whether the method changes something."""
        return self.permission.endswith(".write")


@dataclass(frozen=True, slots=True)
class TargetUser:
    """What of a user decides who may act on it."""

    organization_id: str
    roles: frozenset[Role]


class Authorizer:
    """Decides by the roles of the caller, the header and, for methods on a user, that user's."""

    def __init__(
        self,
        *,
        find_user: Callable[[str], Awaitable[TargetUser | None]],
        organization_exists: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._find_user = find_user
        self._organization_exists = organization_exists
        # Organizations are never removed, so what was once found needs no second look.
        self._known_organizations: LRUCache[str, bool] = LRUCache(_REMEMBERED_ORGANIZATIONS)

    async def authorize(
        self,
        access: Access,
        caller: AnyCaller,
        *,
        organizations: list[str],
        request: Any,
    ) -> str:
        """The organization that the call works in: the selected one, else the caller's.

        `organizations` are the values of the header. `Failure` PERMISSION_DENIED, NOT_FOUND,
        INVALID_ARGUMENT, UNAUTHENTICATED.
        """
        if isinstance(caller, RegistrationCaller):
            return self._authorize_registration(access, caller, request)
        if isinstance(caller, LinkCaller):
            return self._authorize_link(access, caller, request)
        if access.by_link_code and request.code:
            # Which of the two is meant, nobody can know.
            raise invalid(Violation("code", "must be empty in a call that has a token"))
        organization_id = await self._authorize_user(access, caller, organizations, request)
        # Last: to sign in again helps only a caller with the permission.
        if access.needs_recent_sign_in:
            _check_recent_sign_in(caller)
        return organization_id

    async def _authorize_user(
        self, access: Access, caller: Caller, organizations: list[str], request: Any
    ) -> str:
        match access.scope:
            case Scope.NONE:
                return caller.organization_id
            case Scope.INSTANCE:
                if not caller.may(access.permission, None):
                    raise permission_denied()
                return caller.organization_id
            case Scope.SELECTED_ORGANIZATION:
                return await self._authorize_organization(access, caller, organizations)
            case Scope.USER:
                return await self._authorize_on_user(access, caller, access.user_id(request))

    @staticmethod
    def _authorize_registration(access: Access, caller: RegistrationCaller, request: Any) -> str:
        if not access.by_registration_token or caller != RegistrationCaller(
            request.user_id, request.passkey_id
        ):
            raise permission_denied()
        return ""

    @staticmethod
    def _authorize_link(access: Access, caller: LinkCaller, request: Any) -> str:
        if not access.by_link_code or caller.user_id != request.user_id:
            raise permission_denied()
        return ""

    async def _authorize_organization(
        self, access: Access, caller: Caller, organizations: list[str]
    ) -> str:
        selected = _selected(organizations, default=caller.organization_id)
        if not caller.may(access.permission, selected):
            raise permission_denied()
        if selected != caller.organization_id and selected not in self._known_organizations:
            if not (is_id(selected) and await self._organization_exists(selected)):
                raise organization_not_found(selected)
            self._known_organizations[selected] = True
        return selected

    async def _authorize_on_user(self, access: Access, caller: Caller, user_id: str) -> str:
        if access.by_self and user_id == caller.user_id:
            return caller.organization_id
        if not user_id:
            raise invalid(Violation(json_path(access.user_path), "must not be empty"))
        # Read without a lock: a write that grants access asks again under one (`admission.py`).
        target = await self._find_user(user_id) if is_id(user_id) else None
        if target is None:
            raise (
                user_not_found(user_id)
                if caller.may(access.permission, None)
                else permission_denied()
            )
        allowed = caller.may(access.permission, target.organization_id)
        # Whoever sets a user's token or passkey can act as that user, so it takes all of what the
        # user may do.
        if not allowed or (access.writes and not caller.covers(target.roles)):
            raise permission_denied()
        return target.organization_id


def _check_recent_sign_in(caller: Caller) -> None:
    """Step-up of a caller with a session (RFC 9470)."""
    session = caller.session
    if session is not None and session.authenticated_at + RECENT_SIGN_IN <= datetime.now(UTC):
        raise Failure(
            Kind.UNAUTHENTICATED,
            "REAUTHENTICATION_REQUIRED",
            f"This needs a sign-in of the last {RECENT_SIGN_IN // timedelta(minutes=1)} minutes."
            " Confirm with a passkey that it is you (StartReauthentication), and try again.",
        )


def authorize_role(caller: AnyCaller, role: Role) -> None:
    """Nobody grants or revokes a role that allows what it may not do itself.

    `Failure` PERMISSION_DENIED.
    """
    if not isinstance(caller, Caller) or not caller.covers(frozenset({role})):
        raise permission_denied()


def authorize_beyond_self(caller: AnyCaller, permission: str, organization_id: str) -> None:
    """For the part of a method that takes its permission even of the user whom it is about.

    `Failure` PERMISSION_DENIED.
    """
    if not isinstance(caller, Caller) or not caller.may(permission, organization_id):
        raise permission_denied()


def _selected(organizations: list[str], *, default: str) -> str:
    match list(dict.fromkeys(organizations)):
        case []:
            return default
        case [""]:
            problem = (
                "must not be empty: name an organization, or leave the header out for your own"
            )
        case [selected]:
            return selected
        case _:
            problem = "was sent more than once with different values: send it once"
    raise invalid(Violation(ORGANIZATION_HEADER, problem))


def organization_not_found(organization_id: str) -> Exception:
    """There is no such organization."""
    return not_found(
        "organization",
        organization_id,
        "The organization does not exist. List them to find the right id.",
    )


def user_not_found(user_id: str) -> Exception:
    """There is no such user."""
    return not_found(
        "user", user_id, "The user does not exist. List the users to find the right id."
    )
