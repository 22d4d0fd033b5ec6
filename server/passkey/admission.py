"""Whether who was admitted to begin something for a user still is, once nobody can change that.

A ceremony is in no list and neither is a link, so what revokes a token or a role ends those that it
finds. A call that was admitted a moment before must not begin another one after that.
"""

from server.authorization import user_not_found
from server.caller import AnyCaller, Caller
from server.database import Statements
from server.errors import permission_denied, unauthenticated
from server.passkey import ceremony_store
from server.passkey.ceremony_store import RegisteringUser


async def lock_user(
    transaction: Statements, user_id: str, *, caller: AnyCaller | None
) -> RegisteringUser:
    """Reads the user; until the transaction ends, nobody changes what it or the caller has.

    A caller of None is the operator. Whether the link of a caller is still good is not asked here.

    `Failure` NOT_FOUND, UNAUTHENTICATED, PERMISSION_DENIED.
    """
    user = None
    # In one order, so that of two who begin something for each other neither has what the other
    # waits for.
    for each in sorted({user_id, caller.user_id if caller else user_id}):
        if each == user_id:
            user = await ceremony_store.lock_user(transaction, user_id)
        else:
            await ceremony_store.lock_caller(transaction, each)
    if user is None:
        raise user_not_found(user_id)
    if isinstance(caller, Caller):
        await _check(transaction, caller, user_id=user_id, user=user)
    return user


async def _check(
    transaction: Statements, caller: Caller, *, user_id: str, user: RegisteringUser
) -> None:
    roles = await ceremony_store.roles_by_token(transaction, caller)
    if roles is None:
        raise unauthenticated()
    if caller.user_id != user_id and not (caller.roles <= roles and caller.covers(user.roles)):
        raise permission_denied()
