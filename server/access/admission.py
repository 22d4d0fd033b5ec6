"""Re-checks a caller's token and roles in the transaction of a write that grants access.

The seam decides before the transaction begins. A caller that loses its token or a role while its
call is on its way must not gain access by that call.

The rule: every write that grants access, or decides where it is sent, passes here first. It locks
the rows of the users in the order of their ids, so that two callers who write to each other do not
deadlock. A caller of None is the operator, whose rights cannot be revoked.

It also gives the makers of the new object: the caller, and the makers of the token that it uses.
Without them, a manager could create a token for a user and by it a second one, whose creator is the
user.
"""

from dataclasses import dataclass
from datetime import datetime

from server.access.authorizer import user_not_found
from server.access.caller import AnyCaller, Caller
from server.access.roles import Role
from server.store.database import Row, Statements
from server.store.eventlog import OPERATOR
from server.store.statement import statement
from server.values.errors import permission_denied, unauthenticated

# Locks a user.
_LOCK_USER = statement("""
select id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    clock_timestamp() as now
from users where id = :user_id for update""")

# Locks a caller and its token. A key share lock excludes a revocation, and no other call of this
# caller. Both rows are locked: after a wait, PostgreSQL re-reads locked rows only. The expiry is
# compared outside of the locking query, whose conditions are evaluated before the wait.
_LOCK_CALLER = statement("""
with locked as materialized (
    select users.roles, tokens.makers, tokens.expires_at
    from users join tokens on tokens.user_id = users.id
    where users.id = :user_id and tokens.token_id = :token_id
    for key share)
select roles, makers from locked where expires_at is null or expires_at > clock_timestamp()""")

# The same for a caller by the token of a session, which only the user itself can make.
_LOCK_SESSION = statement("""
with locked as materialized (
    select users.roles, sessions.expires_at
    from users join sessions on sessions.user_id = users.id
    where users.id = :user_id and sessions.session_id = :session_id
    for key share)
select roles, array[]::text[] as makers from locked where expires_at > clock_timestamp()""")


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
    now: datetime
    # Of objects that the caller makes for the user.
    makers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _LockedCaller:
    roles: frozenset[Role]
    makers: frozenset[str]


def creator(caller: AnyCaller | None) -> str:
    """The name of the caller in the log."""
    return caller.user_id if caller else OPERATOR


async def check_caller(transaction: Statements, caller: AnyCaller | None) -> None:
    """Keeps the caller's token and roles until the transaction ends.

    `Failure` UNAUTHENTICATED, PERMISSION_DENIED.
    """
    if isinstance(caller, Caller):
        _check_roles(caller, await _lock_caller(transaction, caller))


async def lock_user(
    transaction: Statements, user_id: str, *, caller: AnyCaller | None, needs_role: bool = False
) -> LockedUser:
    """Locks the user, and the caller's token and roles, until the transaction ends.

    A user who writes to itself needs no role for that, unless `needs_role` says so. The link of a
    caller is not checked here.

    `Failure` NOT_FOUND, UNAUTHENTICATED, PERMISSION_DENIED.
    """
    row, locked = None, None
    for each in sorted({user_id, caller.user_id if caller else user_id}):
        if each == user_id:
            row = await transaction.fetch_row(_LOCK_USER, user_id=user_id)
        if isinstance(caller, Caller) and each == caller.user_id:
            locked = await _lock_caller(transaction, caller)
    if row is None:
        raise user_not_found(user_id)
    user = _user(row, makers=frozenset({creator(caller)}) | (locked.makers if locked else set()))
    if isinstance(caller, Caller):
        if locked is None:
            raise unauthenticated()
        is_self = caller.user_id == user_id
        if not is_self or needs_role:
            _check_roles(caller, locked)
        if not is_self and not caller.covers(user.roles):
            raise permission_denied()
    return user


def _check_roles(caller: Caller, locked: _LockedCaller | None) -> None:
    """Checks that the caller still has the roles that the seam's decision was based on."""
    if locked is None:
        raise unauthenticated()
    if not caller.roles <= locked.roles:
        raise permission_denied()


async def _lock_caller(transaction: Statements, caller: Caller) -> _LockedCaller | None:
    """Locks the caller. None: its token or session has ended."""
    if caller.session is None:
        row = await transaction.fetch_row(
            _LOCK_CALLER, user_id=caller.user_id, token_id=caller.token_id
        )
    else:
        row = await transaction.fetch_row(
            _LOCK_SESSION, user_id=caller.user_id, session_id=caller.session.session_id
        )
    return _LockedCaller(_roles(row), frozenset(row["makers"])) if row else None


def _roles(row: Row) -> frozenset[Role]:
    return frozenset(map(Role, row["roles"]))


def _user(row: Row, *, makers: frozenset[str]) -> LockedUser:
    return LockedUser(
        row["id"],
        row["owner"],
        row["user_name"],
        row["display_name"],
        row["email"],
        _roles(row),
        row["user_handle"],
        row["passkey_count"],
        row["now"],
        makers,
    )
