"""Re-checks a caller's token and roles in the transaction of a write that grants access.

The seam decides before the transaction begins. A call that was on its way when its caller lost the
token or a role must not leave anything by which that caller still acts.

The rule: every write that grants access, or decides where it is sent, passes here first. It locks
the rows of the users in the order of their ids, so that of two callers who write to each other
neither has what the other waits for. A caller of None is the operator, whom nobody can revoke.

It also gives the makers of what the caller is about to make: the caller, and everybody who made the
token that it uses. Without them, a manager could create a token for a user and by it a second one,
whose creator is the user.
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

# $1 user
_LOCK_USER = """
select id, owner, user_name, display_name, email, roles, user_handle, passkey_count,
    clock_timestamp() as now
from users where id = $1 for update"""

# $1 user, $2 token. A key share lock keeps out a revocation, and no other call of this caller. Both
# rows are locked: where the lock was waited for, PostgreSQL looks again at locked rows only.
_LOCK_CALLER = """
select users.roles, tokens.makers from users join tokens on tokens.user_id = users.id
where users.id = $1 and tokens.token_id = $2
    and (tokens.expires_at is null or tokens.expires_at > clock_timestamp())
for key share"""

# The same for a caller by the token of a session. Nobody made that but the user itself.
_LOCK_SESSION = statement("""
select users.roles, array[]::text[] as makers
from users join sessions on sessions.user_id = users.id
where users.id = :user_id and sessions.session_id = :session_id
    and sessions.expires_at > clock_timestamp()
for key share""")


@dataclass(frozen=True, slots=True)
class LockedUser:
    """A user whose row is locked, and what time it is."""

    user_id: str
    organization_id: str
    user_name: str
    display_name: str
    email: str
    roles: frozenset[Role]
    user_handle: bytes
    passkey_count: int
    now: datetime
    # Of what the caller makes for it.
    makers: frozenset[str]


@dataclass(frozen=True, slots=True)
class _LockedCaller:
    roles: frozenset[Role]
    makers: frozenset[str]


def creator(caller: AnyCaller | None) -> str:
    """The name of the caller in the log."""
    return caller.user_id if caller else OPERATOR


async def check_caller(transaction: Statements, caller: AnyCaller | None) -> None:
    """Until the transaction ends, nobody takes the caller's token or roles away.

    `Failure` UNAUTHENTICATED, PERMISSION_DENIED.
    """
    if isinstance(caller, Caller):
        _check_roles(caller, await _lock_caller(transaction, caller))


async def lock_user(
    transaction: Statements, user_id: str, *, caller: AnyCaller | None, needs_role: bool = False
) -> LockedUser:
    """Reads the user; until the transaction ends, nobody changes what it or the caller has.

    A user who writes to itself needs no role for that, unless `needs_role` says so. Whether the
    link of a caller is still good is not asked here.

    `Failure` NOT_FOUND, UNAUTHENTICATED, PERMISSION_DENIED.
    """
    row, locked = None, None
    for each in sorted({user_id, caller.user_id if caller else user_id}):
        if each == user_id:
            row = await transaction.fetch_row(_LOCK_USER, user_id)
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
    """Whether all that the seam's decision stood on still holds."""
    if locked is None:
        raise unauthenticated()
    if not caller.roles <= locked.roles:
        raise permission_denied()


async def _lock_caller(transaction: Statements, caller: Caller) -> _LockedCaller | None:
    """The caller as it is. None: its token or session has ended."""
    if caller.session is None:
        row = await transaction.fetch_row(_LOCK_CALLER, caller.user_id, caller.token_id)
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
