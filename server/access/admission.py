"""Re-checks a caller's token and roles in the transaction of a write that grants access.

The seam checks rights before the transaction begins. A caller that loses its token or a role
between that check and the transaction must not gain access by its call.

The rule: every write that grants access, or changes where a grant is sent, calls this module first.
It locks users' rows in the order of their IDs, so that two callers that write to each other do not
deadlock. The rights of the operator cannot be revoked.

It also gives the makers of the new object (`makers.py`): the caller, and the makers of the caller's
token or session; and the credentials with which the caller's access began (`began_with.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import makers
from server.access.authorizer import user_locked, user_not_found
from server.access.began_with import OF_SESSION
from server.access.caller import Actor, Caller
from server.access.roles import Role
from server.store.database import Row, Statements
from server.store.rows import from_row
from server.store.statement import Statement, statement
from server.values.errors import FixedFailure, Kind, permission_denied, unauthenticated

# The makers of a new object. Each user of a chain of credentials adds itself, and events have all.
MAX_MAKERS: Final = 100

# Locks a user.
_USER = """
    select id as user_id, owner as organization_id, user_name, display_name, email, email_makers,
        roles, user_handle, passkey_count, locked_at is not null as is_locked
    from {after}users where id = :user_id for update of users"""

# Locks a caller and its token. A key share lock excludes revocations, but no other calls of this
# caller. Both rows are locked, because after a wait PostgreSQL re-reads only locked rows.
_BY_TOKEN = """
    select users.roles, tokens.makers, tokens.began_with, tokens.expires_at
    from {after}users join tokens on tokens.user_id = users.id
    where users.id = :caller_id and tokens.hash = :credential
    for key share of users, tokens"""

_MAKERS_OF_LINK = makers.of_link("users.owner")
# The same for a caller with a session token. The makers of a passkey or link never change, and a
# session ends with either, so these rows need no lock.
_BY_SESSION = f"""
    select users.roles, sessions.expires_at, {OF_SESSION} as began_with,
        case when passkeys.user_id is null then array[]::text[] else {makers.OF_PASSKEY} end
        || case when idp_links.user_id is null then array[]::text[] else {_MAKERS_OF_LINK} end
        as makers
    from {{after}}users join sessions on sessions.user_id = users.id
        left join passkeys on passkeys.user_id = sessions.user_id
            and passkeys.passkey_id = sessions.passkey_id
        left join idp_links on idp_links.user_id = sessions.user_id
            and idp_links.link_id = sessions.link_id
    where users.id = :caller_id and sessions.hash = :credential
    for key share of users, sessions"""

# Not in the locking query, because its conditions are evaluated before it waits for the lock.
_IS_VALID = "(caller.expires_at is null or caller.expires_at > clock_timestamp())"


def _lock_caller(caller: str) -> Statement:
    return statement(f"""
with caller as materialized ({caller.format(after="")})
select roles as caller_roles, makers, began_with from caller where {_IS_VALID}""")


def _lock_both(caller: str, *, caller_first: bool) -> Statement:
    """Locks a user and a caller. The second query counts the first one's rows, to run after it."""
    first, second = ("caller", "target") if caller_first else ("target", "caller")
    queries = {"caller": caller, "target": _USER}
    after = f"(select count(*) from {first}) as locked, "
    return statement(f"""
with {first} as materialized ({queries[first].format(after="")}),
{second} as materialized ({queries[second].format(after=after)})
select target.*, clock_timestamp() as now, caller.roles as caller_roles, caller.makers,
    caller.began_with
from target left join caller on {_IS_VALID}""")


_LOCK_USER = statement(f"""
with target as materialized ({_USER.format(after="")})
select target.*, clock_timestamp() as now, null::text[] as caller_roles from target""")
# By whether the caller has a session; the second also by whether the caller's row comes first.
_LOCK_CALLER = {False: _lock_caller(_BY_TOKEN), True: _lock_caller(_BY_SESSION)}
_LOCK_BOTH = {
    (has_session, caller_first): _lock_both(caller, caller_first=caller_first)
    for has_session, caller in ((False, _BY_TOKEN), (True, _BY_SESSION))
    for caller_first in (False, True)
}


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
    # The makers of an object that the caller makes for the user.
    makers: frozenset[str]
    # The credentials with which the access of the caller began.
    began_with: tuple[str, ...]

    def check_not_locked(self) -> None:
        """`Failure` FAILED_PRECONDITION `USER_LOCKED` if the user is locked out."""
        if self.is_locked:
            raise user_locked()


@dataclass(frozen=True, slots=True)
class _LockedCaller:
    roles: frozenset[Role]
    makers: frozenset[str]
    began_with: tuple[str, ...]


async def check_caller(transaction: Statements, actor: Actor) -> frozenset[str]:
    """Keeps the caller's token and roles until the transaction ends; returns the makers.

    `Failure` UNAUTHENTICATED, PERMISSION_DENIED.
    """
    locked = None
    if isinstance(actor, Caller):
        row = await transaction.fetch_row(
            _LOCK_CALLER[actor.session is not None],
            caller_id=actor.user_id,
            credential=actor.credential,
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
        lock = _LOCK_BOTH[actor.session is not None, actor.user_id < user_id]
        row = await transaction.fetch_row(
            lock, user_id=user_id, caller_id=actor.user_id, credential=actor.credential
        )
    else:
        row = await transaction.fetch_row(_LOCK_USER, user_id=user_id)
    if row is None:
        raise user_not_found(user_id)
    locked = _locked_caller(row)
    email_makers = makers.UNKNOWN if row["email_makers"] is None else row["email_makers"]
    user = from_row(
        LockedUser,
        row,
        roles=_roles(row["roles"]),
        email_makers=frozenset(email_makers),
        makers=_makers(actor, locked),
        began_with=locked.began_with if locked else (),
    )
    if isinstance(actor, Caller):
        if locked is None:
            raise unauthenticated()
        is_self = actor.user_id == user_id
        if not is_self or needs_role:
            _check_roles(actor, locked)
        if not is_self and not actor.covers(user.roles):
            raise permission_denied()
    return user


def _check_roles(caller: Caller, locked: _LockedCaller | None) -> None:
    """Checks that the caller still has the roles that the seam's decision was based on."""
    if locked is None:
        raise unauthenticated()
    if not caller.roles <= locked.roles:
        raise permission_denied()


def _makers(actor: Actor, locked: _LockedCaller | None) -> frozenset[str]:
    """The makers of an object that the actor makes. `Failure` `TOO_MANY_MAKERS`."""
    found = frozenset({actor.user_id}) | (locked.makers if locked else frozenset())
    if len(found) > MAX_MAKERS:
        raise _too_many_makers()
    return found


def _locked_caller(row: Row | None) -> _LockedCaller | None:
    """The caller of a row. None: its token or session has ended."""
    if row is None or row["caller_roles"] is None:
        return None
    return _LockedCaller(
        _roles(row["caller_roles"]), frozenset(row["makers"]), tuple(row["began_with"])
    )


def _roles(names: Sequence[str]) -> frozenset[Role]:
    return frozenset(map(Role, names))


_too_many_makers: Final = FixedFailure(
    "TOO_MANY_MAKERS",
    f"More than {MAX_MAKERS} users may have the token or passkey that you use: each was made by way"
    " of another user's. Use one that you have made yourself, or ask another administrator.",
    kind=Kind.RESOURCE_EXHAUSTED,
)
