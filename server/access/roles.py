"""Roles and the permissions that they give."""

import enum
import functools
from collections.abc import Mapping
from typing import NamedTuple


class Role(enum.StrEnum):
    """Roles beyond a user's own passkeys and tokens, by the API's names without `ROLE_`."""

    INSTANCE_OWNER = "INSTANCE_OWNER"
    ORG_OWNER = "ORG_OWNER"
    ORG_USER_MANAGER = "ORG_USER_MANAGER"
    SESSION_VERIFIER = "SESSION_VERIFIER"
    ORG_APPLICATION_MANAGER = "ORG_APPLICATION_MANAGER"
    GATE = "GATE"
    ORG_AUDITOR = "ORG_AUDITOR"
    ORG_HELP_DESK = "ORG_HELP_DESK"


_HELP_DESK = frozenset(
    {
        "attribute.read",
        "mail.read",
        "user.read",
        "user_lock.write",
        "passkey.read",
        "passkey_link.write",
        "session.read",
        "session.write",
    }
)
_USER_MANAGER = _HELP_DESK | {"user.write", "passkey.write"}
_APPLICATION_MANAGER = frozenset(
    {"application.read", "application.write", "attribute.read", "group.read"}
)
_GATE = frozenset({"gate.check"})
_ORG_OWNER = (
    _USER_MANAGER
    | _APPLICATION_MANAGER
    | _GATE
    | {
        "attribute.write",
        "captured_mail.read",
        "event.read",
        "group.write",
        "idp.read",
        "idp.write",
        "mail.read",
        "org.read",
        "org.write",
        "push.read",
        "push.write",
        "smtp.read",
        "smtp.write",
    }
)
# Captured mails have links, by which their reader can act.
_AUDITOR = frozenset(each for each in _ORG_OWNER if each.endswith(".read")) - {"captured_mail.read"}
# All permissions. INSTANCE_OWNER has them everywhere.
PERMISSIONS = _ORG_OWNER | {
    "mail.write",
    "session.introspect",
    "system.read",
}
# The permissions of the other roles, in the organization of their holder.
PERMISSIONS_OF: Mapping[Role, frozenset[str]] = {
    Role.ORG_OWNER: _ORG_OWNER,
    Role.ORG_USER_MANAGER: _USER_MANAGER,
    Role.SESSION_VERIFIER: frozenset(),
    Role.ORG_APPLICATION_MANAGER: _APPLICATION_MANAGER,
    Role.GATE: _GATE,
    Role.ORG_AUDITOR: _AUDITOR,
    Role.ORG_HELP_DESK: _HELP_DESK,
}
# The permissions that a role gives in every organization.
PERMISSIONS_EVERYWHERE: Mapping[Role, frozenset[str]] = {
    Role.SESSION_VERIFIER: frozenset({"session.introspect"}),
}
# A user that has only such roles is a service: it has no other permissions, and none of the rights
# of users on themselves.
SERVICE_ROLES = frozenset({Role.SESSION_VERIFIER, Role.GATE})


class Permissions(NamedTuple):
    """The permissions that roles give everywhere, and those in the organization of their holder."""

    everywhere: frozenset[str]
    at_home: frozenset[str]


@functools.cache
def permissions_of(roles: frozenset[Role]) -> Permissions:
    """The permissions of a user with these roles."""
    if Role.INSTANCE_OWNER in roles:
        return Permissions(PERMISSIONS, PERMISSIONS)
    none = frozenset[str]()
    return Permissions(
        none.union(*(PERMISSIONS_EVERYWHERE.get(role, none) for role in roles)),
        none.union(*(PERMISSIONS_OF[role] for role in roles)),
    )
