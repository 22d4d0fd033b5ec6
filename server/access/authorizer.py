"""Decides whether a caller may call a method.

The rule: an object of another organization and an unknown object get the same error. Only callers
with the permission on the whole instance get NOT_FOUND.
"""

import enum
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, reduce
from typing import Any, Final

from cachetools import TTLCache

from server.access.cached_callers import CACHE_SECONDS
from server.access.caller import (
    Actor,
    AnyCaller,
    Caller,
    CallerSession,
    LinkCaller,
    Operator,
    RegistrationCaller,
)
from server.access.roles import Role
from server.validation.fields import is_id, json_path
from server.values.errors import FixedFailure, Kind, NotFound, Violation, invalid, permission_denied
from server.values.ids import is_user_id

ORGANIZATION_HEADER = "x-service-orgid"

# The maximum age of a session's last sign-in, for methods that require a recent sign-in.
RECENT_SIGN_IN = timedelta(minutes=10)

_REMEMBERED_ORGANIZATIONS = 10_000

_denied_on_instance: Final = FixedFailure(
    "PERMISSION_DENIED",
    "You do not have permission for this on the instance. Ask an instance owner.",
    kind=Kind.PERMISSION_DENIED,
)
_organization_not_selected: Final = FixedFailure(
    "PERMISSION_DENIED",
    "You have permission for this in your organization, not on the instance. Select the"
    f" organization by the header {ORGANIZATION_HEADER}.",
    kind=Kind.PERMISSION_DENIED,
)


class Scope(enum.Enum):
    """The scope of a required permission; see `keystead.options.v1.Scope`."""

    NONE = enum.auto()
    INSTANCE = enum.auto()
    SELECTED_ORGANIZATION = enum.auto()
    USER = enum.auto()
    NAMED_ORGANIZATION = enum.auto()
    INSTANCE_OR_ORGANIZATION = enum.auto()


@dataclass(frozen=True)
class Access:
    """The access rule of a method; see `keystead.options.v1.Access`."""

    permission: str
    scope: Scope
    by_self: bool
    by_registration_token: bool
    by_link_code: bool
    revokes: bool = False
    is_open: bool = False
    needs_recent_sign_in: bool = False
    # The path of field names to the user or organization ID in a request.
    user_path: tuple[str, ...] = ("user_id",)
    organization_path: tuple[str, ...] = ()
    # A request can ask for all organizations at once, by its field `all_organizations`.
    spans_organizations: bool = False

    def user_id(self, request: Any) -> str:
        """The user of the request; only for methods on a user."""
        user_id: str = reduce(getattr, self.user_path, request)
        return user_id

    def organization_id(self, request: Any) -> str:
        """The organization of the request; only for methods on an organization."""
        organization_id: str = reduce(getattr, self.organization_path, request)
        return organization_id

    @cached_property
    def writes(self) -> bool:
        """Whether the method writes."""
        return self.permission.endswith(".write")


@dataclass(frozen=True, slots=True)
class TargetUser:
    """The properties of a user that decide which callers may act on it."""

    organization_id: str
    roles: frozenset[Role]


class Authorizer:
    """Decides by the caller's roles, the header and, for methods on a user, that user's roles."""

    def __init__(
        self,
        *,
        find_user: Callable[[str], Awaitable[TargetUser | None]],
        organization_exists: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._find_user = find_user
        self._organization_exists = organization_exists
        # Reads of an organization that was removed find nothing, and writes are refused.
        self._known_organizations: TTLCache[str, bool] = TTLCache(
            _REMEMBERED_ORGANIZATIONS, CACHE_SECONDS
        )

    async def authorize(
        self,
        access: Access,
        caller: AnyCaller,
        *,
        organizations: Sequence[str],
        request: Any,
    ) -> str:
        """The organization that the call works in: the selected one, else the caller's.

        Without a selected one, it is empty for the scope INSTANCE_OR_ORGANIZATION.
        `organizations` are the values of the header. Raises `Failure` PERMISSION_DENIED, NOT_FOUND,
        INVALID_ARGUMENT or UNAUTHENTICATED.
        """
        if not isinstance(caller, Caller):
            return _authorize_holder(access, caller, request)
        if access.by_link_code and request.code:
            # Ambiguous: token and code may belong to different users.
            raise invalid(Violation("code", "must be empty in a call that has a token"))
        match access.scope:
            case Scope.SELECTED_ORGANIZATION:
                organization_id = await self._authorize_selected(
                    access, caller, organizations, request
                )
            case Scope.USER:
                organization_id = await self._authorize_on_user(access, caller, request)
            case Scope.NAMED_ORGANIZATION:
                organization_id = _authorize_named(access, caller, request)
            case Scope.INSTANCE_OR_ORGANIZATION if organizations:
                organization_id = await self._authorize_selected(
                    access, caller, organizations, request
                )
            case Scope.INSTANCE_OR_ORGANIZATION:
                if not caller.may(access.permission, None) and caller.may(
                    access.permission, caller.organization_id
                ):
                    raise _organization_not_selected()
                _authorize_on_instance(access, caller)
                organization_id = ""
            case Scope.NONE:
                organization_id = _authorize_without_permission(caller)
            case _:  # Scope.INSTANCE
                organization_id = _authorize_on_instance(access, caller)
        # Checked last, because a new sign-in helps only a caller with the permission.
        if access.needs_recent_sign_in and caller.session is not None:
            check_recent_sign_in(caller.session, now=caller.now())
        return organization_id

    async def _authorize_selected(
        self, access: Access, caller: Caller, organizations: Sequence[str], request: Any
    ) -> str:
        if access.spans_organizations and request.all_organizations:
            return _authorize_everywhere(access, caller, organizations)
        selected = _selected(organizations) if organizations else caller.organization_id
        if not caller.may(access.permission, selected):
            raise permission_denied()
        if selected != caller.organization_id and selected not in self._known_organizations:
            if not (is_id(selected) and await self._organization_exists(selected)):
                raise organization_not_found(selected)
            self._known_organizations[selected] = True
        return selected

    async def _authorize_on_user(self, access: Access, caller: Caller, request: Any) -> str:
        user_id = access.user_id(request)
        if access.by_self and user_id == caller.user_id and not caller.is_service:
            return caller.organization_id
        if not user_id:
            raise invalid(Violation(json_path(access.user_path), "must not be empty"))
        # Read without a lock: writes that grant access check again under one (`admission.py`).
        target = await self._find_user(user_id) if is_user_id(user_id) else None
        if target is None:
            raise (
                user_not_found(user_id)
                if caller.may(access.permission, None)
                else permission_denied()
            )
        allowed = caller.may(access.permission, target.organization_id)
        # A caller who sets a token or passkey of a user can act as that user, so it needs all
        # permissions of the user.
        if not allowed or (access.writes and not caller.covers(target.roles)):
            raise permission_denied()
        return target.organization_id


def _authorize_holder(access: Access, caller: RegistrationCaller | LinkCaller, request: Any) -> str:
    """Checks the holder of a registration token or of a link, who acts in no organization."""
    match caller:
        case RegistrationCaller() if access.by_registration_token:
            is_allowed = caller == RegistrationCaller(request.user_id, request.passkey_id)
        case LinkCaller() if access.by_link_code:
            is_allowed = caller.user_id == request.user_id
        case _:
            is_allowed = False
    if not is_allowed:
        raise permission_denied()
    return ""


def _authorize_without_permission(caller: Caller) -> str:
    if caller.is_service:
        raise permission_denied()
    return caller.organization_id


def _authorize_on_instance(access: Access, caller: Caller) -> str:
    if not caller.may(access.permission, None):
        raise _denied_on_instance()
    return caller.organization_id


def _authorize_named(access: Access, caller: Caller, request: Any) -> str:
    named = access.organization_id(request)
    if not named:
        raise invalid(Violation(json_path(access.organization_path), "must not be empty"))
    if not caller.may(access.permission, named):
        raise permission_denied()
    return named


def _authorize_everywhere(access: Access, caller: Caller, organizations: Sequence[str]) -> str:
    own = _authorize_on_instance(access, caller)
    if organizations:
        raise invalid(
            Violation(
                "allOrganizations",
                f"must be false together with {ORGANIZATION_HEADER}",
            )
        )
    return own


def check_recent_sign_in(session: CallerSession, *, now: datetime) -> None:
    """Step-up of a session (RFC 9470). Raises `Failure` UNAUTHENTICATED."""
    if session.authenticated_at + RECENT_SIGN_IN <= now:
        raise reauthentication_required()


def authorize_role(caller: Actor, role: Role) -> None:
    """Callers grant and revoke only roles whose permissions they hold.

    Raises `Failure` PERMISSION_DENIED.
    """
    if isinstance(caller, Operator):
        return
    if not isinstance(caller, Caller) or not caller.covers(frozenset({role})):
        raise permission_denied()


def may_beyond(caller: Actor, permission: str, organization_id: str | None) -> bool:
    """Whether the caller has a permission that only a part of a method requires.

    `organization_id` is None for the permission on the whole instance.
    """
    return isinstance(caller, Operator) or (
        isinstance(caller, Caller) and caller.may(permission, organization_id)
    )


def authorize_beyond(caller: Actor, permission: str, organization_id: str | None) -> None:
    """Checks a permission as `may_beyond`. Raises `Failure` PERMISSION_DENIED."""
    if not may_beyond(caller, permission, organization_id):
        raise permission_denied()


def _selected(organizations: Sequence[str]) -> str:
    match list(dict.fromkeys(organizations)):
        case [""]:
            problem = (
                "must not be empty: name an organization, or leave the header out for your own"
            )
        case [selected]:
            return selected
        case _:
            problem = "was sent more than once with different values: send it once"
    raise invalid(Violation(ORGANIZATION_HEADER, problem))


# The last sign-in of the session is too old, or was not with a passkey.
reauthentication_required: Final = FixedFailure(
    "REAUTHENTICATION_REQUIRED",
    f"This needs a sign-in within the last {RECENT_SIGN_IN // timedelta(minutes=1)} minutes."
    " Confirm with a passkey that it is you (StartReauthentication), or sign in again, and try"
    " again.",
    kind=Kind.UNAUTHENTICATED,
)
organization_not_found: Final = NotFound(
    "organization", "The organization does not exist. List the organizations to find the right id."
)
# Told to those who manage the user, or who have proven to be the user.
user_locked: Final = FixedFailure(
    "USER_LOCKED",
    "The user is locked. Ask the people who manage the user to unlock it (UnlockUser).",
)
user_not_found: Final = NotFound(
    "user", "The user does not exist. List the users to find the right id."
)
