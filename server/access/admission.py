"""Re-checks a caller's token and roles in the transaction of a write that grants access.

The seam checks rights before the transaction begins. A caller that loses its token or a role
between that check and the transaction must not gain access by its call.

The rule: every write that grants access, or changes where a grant is sent, calls this module first.
It locks users' rows in the order of their IDs, so that two callers that write to each other do not
deadlock. The rights of the operator cannot be revoked.

It also gives the makers of the new object (`makers.py`): the caller, and the makers of the caller's
token or session; and the credentials with which the caller's access began (`began_with.py`).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import makers
from server.access.authorizer import user_locked, user_not_found
from server.access.began_with import OF_SESSION
from server.access.caller import Actor, Caller
from server.access.held_roles import AFTER_LOCK, COLUMNS, ends_of, held_roles, roles_of
from server.access.roles import Role
from server.store.database import Row, Statements
from server.store.rows import from_row
from server.store.statement import statement
from server.values.errors import FixedFailure, Kind, permission_denied, unauthenticated

# The makers of a new object. Each user of a chain of credentials adds itself, and events have all.
MAX_MAKERS: Final = 100

_MAKERS_OF_LINK = makers.of_link("caller.owner")

# A key share lock excludes revocations, but no other calls of the caller. The token or session is
# locked as well, because after a wait PostgreSQL re-reads only locked rows. The makers of a passkey
# or link never change, and a session ends with either, so these rows need no lock. A locking query
# counts the rows of the one before, to run after it. The last query checks the expiry and the ends
# of roles, because the conditions of a locking query are evaluated before it waits.

# Locks a caller, and its token or session.
_LOCK_CALLER = statement(f"""
with caller as materialized (
    select {COLUMNS}, owner from users where id = :caller_id for key share),
token as materialized (
    select makers, began_with, expires_at
    from (select count(*) from caller) as locked, tokens
    where user_id = :caller_id and hash = :credential for key share of tokens),
session as materialized (
    select user_id, passkey_id, link_id, {OF_SESSION} as began_with, expires_at
    from (select count(*) from caller) as locked, sessions
    where user_id = :caller_id and hash = :credential for key share of sessions),
credential as (
    select makers, began_with, expires_at from token
    union all
    select case when passkeys.user_id is null then array[]::text[] else {makers.OF_PASSKEY} end
        || case when idp_links.user_id is null then array[]::text[] else {_MAKERS_OF_LINK} end,
        session.began_with, session.expires_at
    from caller, session left join passkeys using (user_id, passkey_id)
        left join idp_links on idp_links.user_id = session.user_id
            and idp_links.link_id = session.link_id)
select {held_roles("caller", now=AFTER_LOCK)} as caller_roles,
    caller.role_grants as caller_grants, credential.makers, credential.began_with
from caller, credential
where credential.expires_at is null or credential.expires_at > clock_timestamp()""")

# Locks a user.
_LOCK_USER = statement(f"""
with target as materialized (
    select id as user_id, owner as organization_id, user_name, display_name, email, email_makers,
        {COLUMNS}, user_handle, passkey_count, locked_at is not null as is_locked
    from users where id = :user_id for update)
select target.*, {held_roles("target", now=AFTER_LOCK)} as held_roles, clock_timestamp() as now,
    null::text[] as caller_roles
from target""")

# Locks those of some users that are in an organization, in the order of their IDs.
_LOCK_USERS = statement(f"""
with target as materialized (
    select id as user_id, owner as organization_id, user_name, display_name, email, email_makers,
        {COLUMNS}, user_handle, passkey_count, locked_at is not null as is_locked
    from users where id = any(:user_ids::text[]) and owner = :organization_id
    order by id for update)
select target.*, {held_roles("target", now=AFTER_LOCK)} as held_roles, clock_timestamp() as now
from target""")

# Locks a caller, its token or session, and then a user.
_LOCK_CALLER_AND_USER = statement(f"""
with caller as materialized (
    select {COLUMNS}, owner from users where id = :caller_id for key share),
token as materialized (
    select makers, began_with, expires_at
    from (select count(*) from caller) as locked, tokens
    where user_id = :caller_id and hash = :credential for key share of tokens),
session as materialized (
    select user_id, passkey_id, link_id, {OF_SESSION} as began_with, expires_at
    from (select count(*) from caller) as locked, sessions
    where user_id = :caller_id and hash = :credential for key share of sessions),
target as materialized (
    select id as user_id, owner as organization_id, user_name, display_name, email, email_makers,
        {COLUMNS}, user_handle, passkey_count, locked_at is not null as is_locked
    from (
        select count(*) from (
            select expires_at from token union all select expires_at from session) as credential
    ) as locked, users
    where id = :user_id for update of users),
credential as (
    select makers, began_with, expires_at from token
    union all
    select case when passkeys.user_id is null then array[]::text[] else {makers.OF_PASSKEY} end
        || case when idp_links.user_id is null then array[]::text[] else {_MAKERS_OF_LINK} end,
        session.began_with, session.expires_at
    from caller, session left join passkeys using (user_id, passkey_id)
        left join idp_links on idp_links.user_id = session.user_id
            and idp_links.link_id = session.link_id)
select target.*, {held_roles("target", now=AFTER_LOCK)} as held_roles, clock_timestamp() as now,
    valid.roles as caller_roles, valid.role_grants as caller_grants, valid.makers, valid.began_with
from target left join (
    select {held_roles("caller", now=AFTER_LOCK)} as roles, caller.role_grants, credential.makers,
        credential.began_with
    from caller, credential
    where credential.expires_at is null or credential.expires_at > clock_timestamp()
) as valid on true""")

# Locks a user, and then a caller, and its token or session.
_LOCK_USER_AND_CALLER = statement(f"""
with target as materialized (
    select id as user_id, owner as organization_id, user_name, display_name, email, email_makers,
        {COLUMNS}, user_handle, passkey_count, locked_at is not null as is_locked
    from users where id = :user_id for update),
caller as materialized (
    select {COLUMNS}, owner from (select count(*) from target) as locked, users
    where id = :caller_id for key share of users),
token as materialized (
    select makers, began_with, expires_at
    from (select count(*) from caller) as locked, tokens
    where user_id = :caller_id and hash = :credential for key share of tokens),
session as materialized (
    select user_id, passkey_id, link_id, {OF_SESSION} as began_with, expires_at
    from (select count(*) from caller) as locked, sessions
    where user_id = :caller_id and hash = :credential for key share of sessions),
credential as (
    select makers, began_with, expires_at from token
    union all
    select case when passkeys.user_id is null then array[]::text[] else {makers.OF_PASSKEY} end
        || case when idp_links.user_id is null then array[]::text[] else {_MAKERS_OF_LINK} end,
        session.began_with, session.expires_at
    from caller, session left join passkeys using (user_id, passkey_id)
        left join idp_links on idp_links.user_id = session.user_id
            and idp_links.link_id = session.link_id)
select target.*, {held_roles("target", now=AFTER_LOCK)} as held_roles, clock_timestamp() as now,
    valid.roles as caller_roles, valid.role_grants as caller_grants, valid.makers, valid.began_with
from target left join (
    select {held_roles("caller", now=AFTER_LOCK)} as roles, caller.role_grants, credential.makers,
        credential.began_with
    from caller, credential
    where credential.expires_at is null or credential.expires_at > clock_timestamp()
) as valid on true""")


@dataclass(frozen=True, slots=True)
class LockedUser:
    """A user whose row is locked, and the current time."""

    user_id: str
    organization_id: str
    user_name: str
    display_name: str
    email: str
    roles: frozenset[Role]
    user_handle: bytes
    passkey_count: int
    is_locked: bool
    now: datetime
    # The makers of its mail address.
    email_makers: frozenset[str]
    # The caller, and the makers of its token or session.
    found_makers: frozenset[str]
    # The credentials with which the access of the caller began.
    began_with: tuple[str, ...]
    # The ends of the roles of the caller.
    caller_ends: Mapping[Role, datetime]

    @property
    def makers(self) -> frozenset[str]:
        """The makers of an object that the caller makes for the user. `Failure`: see `of_new`."""
        return of_new(self.found_makers)

    def check_not_locked(self) -> None:
        """`Failure` FAILED_PRECONDITION `USER_LOCKED` if the user is locked out."""
        if self.is_locked:
            raise user_locked()


@dataclass(frozen=True, slots=True)
class _LockedCaller:
    roles: frozenset[Role]
    ends: Mapping[Role, datetime]
    makers: frozenset[str]
    began_with: tuple[str, ...]


def of_new(found: frozenset[str]) -> frozenset[str]:
    """The makers of a new object. `Failure` RESOURCE_EXHAUSTED `TOO_MANY_MAKERS`."""
    if len(found) > MAX_MAKERS:
        raise _too_many_makers()
    return found


async def check_caller(transaction: Statements, actor: Actor) -> frozenset[str]:
    """Keeps the caller's token and roles until the transaction ends.

    Returns the caller with the makers of its token or session: `of_new` takes them.

    `Failure` UNAUTHENTICATED, PERMISSION_DENIED.
    """
    locked = None
    if isinstance(actor, Caller):
        row = await transaction.fetch_row(
            _LOCK_CALLER, caller_id=actor.user_id, credential=actor.credential
        )
        locked = _locked_caller(row)
        _check_roles(actor, locked)
    return _makers(actor, locked)


async def lock_user(
    transaction: Statements, user_id: str, *, actor: Actor, needs_role: bool = False
) -> LockedUser:
    """Locks the user, and the caller's token and roles, until the transaction ends.

    A user who writes to itself needs no role for that, unless `needs_role` says so. The link of a
    caller is not checked here.

    `Failure` NOT_FOUND, UNAUTHENTICATED, PERMISSION_DENIED.
    """
    if isinstance(actor, Caller):
        is_first = actor.user_id < user_id
        lock = _LOCK_CALLER_AND_USER if is_first else _LOCK_USER_AND_CALLER
        row = await transaction.fetch_row(
            lock, user_id=user_id, caller_id=actor.user_id, credential=actor.credential
        )
    else:
        row = await transaction.fetch_row(_LOCK_USER, user_id=user_id)
    if row is None:
        raise user_not_found(user_id)
    locked = _locked_caller(row)
    user = _user(row, _makers(actor, locked), locked)
    if isinstance(actor, Caller):
        if locked is None:
            raise unauthenticated()
        is_self = actor.user_id == user_id
        if not is_self or needs_role:
            _check_roles(actor, locked)
        if not is_self and not actor.covers(user.roles):
            raise permission_denied()
    return user


async def lock_users(
    transaction: Statements, user_ids: Iterable[str], *, actor: Actor, organization_id: str
) -> dict[str, LockedUser]:
    """Locks the users of the organization, and the caller's token and roles, as `lock_user` does.

    Users of other organizations, unknown ones, and those with permissions that the caller lacks are
    left out. The order of the locks is that of IDs, the caller's among them.

    `Failure` UNAUTHENTICATED, PERMISSION_DENIED.
    """
    ids = set(user_ids)
    first = {each for each in ids if each <= actor.user_id}
    rows = await transaction.fetch(
        _LOCK_USERS, user_ids=list(first), organization_id=organization_id
    )
    found = await check_caller(transaction, actor)
    rows += await transaction.fetch(
        _LOCK_USERS, user_ids=list(ids - first), organization_id=organization_id
    )
    users = [_user(row, found) for row in rows]
    return {
        each.user_id: each
        for each in users
        if not isinstance(actor, Caller) or actor.covers(each.roles)
    }


def _user(
    row: Row, found_makers: frozenset[str], caller: _LockedCaller | None = None
) -> LockedUser:
    email_makers = makers.UNKNOWN if row["email_makers"] is None else row["email_makers"]
    return from_row(
        LockedUser,
        row,
        roles=roles_of(row, "held_roles"),
        email_makers=frozenset(email_makers),
        found_makers=found_makers,
        began_with=caller.began_with if caller else (),
        caller_ends=caller.ends if caller else {},
    )


def _check_roles(caller: Caller, locked: _LockedCaller | None) -> None:
    """Checks that the caller still has the roles that the seam's decision was based on."""
    if locked is None:
        raise unauthenticated()
    if not caller.roles <= locked.roles:
        raise permission_denied()


def _makers(actor: Actor, locked: _LockedCaller | None) -> frozenset[str]:
    return frozenset({actor.user_id}) | (locked.makers if locked else frozenset())


def _locked_caller(row: Row | None) -> _LockedCaller | None:
    """The caller of a row. None: its token or session has ended."""
    if row is None or row["caller_roles"] is None:
        return None
    return _LockedCaller(
        roles_of(row, "caller_roles"),
        ends_of(json.loads(row["caller_grants"])),
        frozenset(row["makers"]),
        tuple(row["began_with"]),
    )


_too_many_makers: Final = FixedFailure(
    "TOO_MANY_MAKERS",
    f"More than {MAX_MAKERS} users may have the token or passkey that you use: each was made by way"
    " of another user's. Use one that you have made yourself, or ask another administrator.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
