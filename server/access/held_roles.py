"""The roles that a user holds now, as SQL over a row of `users`.

`users.roles` also has the roles whose time has passed, until housekeeping revokes them
(`server/user/role_ends.py`). `role_grants` has the end of each role, and `roles_end_at` the first
of them.

The rule: rights are decided by `held_roles`. A statement that locks the row evaluates it after the
lock, at `AFTER_LOCK`, since the time may pass during the wait. Others take the time of the
statement: a volatile function would keep PostgreSQL from joining `account` in the best order.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from server.access.roles import SERVICE_ROLES, Role
from server.store.database import Row

# The columns of `users` by which `held_roles` and its like decide.
COLUMNS: Final = "roles, role_grants, roles_end_at"

AFTER_LOCK: Final = "clock_timestamp()"
_AT_ONCE: Final = "statement_timestamp()"
_SERVICE_ROLES: Final = f"'{{{','.join(sorted(SERVICE_ROLES))}}}'::text[]"


def end_of(role: str, users: str = "users") -> str:
    """An expression: the end of a role, an expression too; null without one."""
    return f"({users}.role_grants->{role}->>'expires_at')::timestamptz"


def held_roles(users: str = "users", *, now: str = _AT_ONCE) -> str:
    """An expression: the roles of the row that have not ended."""
    return f"""case when {users}.roles_end_at <= {now} then array(
            select role from unnest({users}.roles) as role
            where coalesce({end_of("role", users)}, 'infinity') > {now})
        else {users}.roles end"""  # noqa: S608 -- a name of a relation


def next_end(users: str = "users") -> str:
    """An expression: the first end of a role that the row still holds; null: none ends."""
    return f"""case when {users}.roles_end_at <= {_AT_ONCE} then (
            select min({end_of("role", users)}) from unnest({users}.roles) as role
            where {end_of("role", users)} > {_AT_ONCE})
        else {users}.roles_end_at end"""  # noqa: S608 -- a name of a relation


def has_ended_role(user_id: str) -> str:
    """Whether a role of the user has ended that is not revoked yet; `user_id` is an expression.

    Until then, what ends with the revocation counts as ended.
    """
    return f"""exists (
        select from users as ended where ended.id = {user_id} and {has_ended("ended")})"""


def has_ended(users: str = "users", *, now: str = _AT_ONCE) -> str:
    """Whether the row has a role whose time has passed.

    Older servers leave the ends of the roles that they revoke: these mean nothing.
    """
    return f"""({users}.roles_end_at <= {now}
        and {held_roles(users, now=now)} <> {users}.roles)"""


def is_former_service(users: str = "users") -> str:
    """Whether the row had only roles for services, and all of them have ended.

    Without a role its tokens would have the rights of a person. They end with the revocation.
    """
    return f"""({has_ended(users)} and {users}.roles <@ {_SERVICE_ROLES}
        and {held_roles(users)} = '{{}}')"""


def roles_of(row: Row, column: str = "roles") -> frozenset[Role]:
    """The roles of a column."""
    return frozenset(map(Role, row[column]))


def ends_of(grants: Mapping[str, Mapping[str, str]]) -> dict[Role, datetime]:
    """The ends of roles, by the value of `role_grants`; roles that do not end are left out."""
    return {
        Role(role): datetime.fromisoformat(grant["expires_at"])
        for role, grant in grants.items()
        if "expires_at" in grant
    }
