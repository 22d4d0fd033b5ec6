"""Roles and the permissions that they give."""

import enum


class Role(enum.StrEnum):
    """What a user may do beyond its own passkeys and tokens, by the API's names without `ROLE_`."""

    INSTANCE_OWNER = "INSTANCE_OWNER"
    ORG_OWNER = "ORG_OWNER"
    ORG_USER_MANAGER = "ORG_USER_MANAGER"


_USER_MANAGER = frozenset(
    {
        "user.read",
        "user.write",
        "passkey.read",
        "passkey.write",
        "session.read",
        "session.write",
    }
)
_ORG_OWNER = _USER_MANAGER | {"idp.read", "idp.write"}
# All there are. INSTANCE_OWNER has them everywhere.
PERMISSIONS = _ORG_OWNER | {
    "mail.read",
    "mail.write",
    "org.read",
    "org.write",
    "smtp.read",
    "smtp.write",
}
# What the other roles allow in the organization of their holder.
PERMISSIONS_OF = {Role.ORG_OWNER: _ORG_OWNER, Role.ORG_USER_MANAGER: _USER_MANAGER}
