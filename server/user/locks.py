"""The commands that lock users out, and let them in again (decision 12)."""

from typing import Final

from server.access import admission
from server.access.batches import ManyUsers
from server.access.caller import Actor
from server.access.checked_append import check_admitted
from server.session import store as session_store
from server.store.database import Statements
from server.store.rows import Details
from server.user import store
from server.user.commands import OneUser, end_link
from server.user.events import UserLocked, UserUnlocked
from server.user.other_features import OtherFeatures
from server.user.roles import lock_instance_owner
from server.validation.fields import OptionalName
from server.values.errors import FixedFailure


class LockUser(OneUser):
    """Lock a user."""

    reason: OptionalName


class LockUsers(ManyUsers):
    """Lock users."""

    reason: OptionalName


async def lock(
    database: Statements, command: LockUser, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Locks the user, and ends everything by which it can act until then.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `CANNOT_LOCK_YOURSELF`, `LAST_INSTANCE_OWNER`.
    """
    user_id = command.user_id
    if actor.user_id == user_id:
        raise _cannot_lock_yourself()
    async with database.transaction() as transaction:
        # Sign-ins and approvals lock the user, or require that its sequence is unchanged.
        await lock_instance_owner(transaction, user_id, others)
        await check_admitted(transaction, actor)
        user = await store.GET.one(transaction, user_id=user_id)
        if user.locked_at:
            return user.details
        await others.end_of_locked(transaction, user_id, user.details.owner, actor.user_id)
        await end_link(transaction, user_id, user.details.owner)
        ended = await session_store.list_ids(transaction, user_id=user_id)
        return await store.lock_out(
            transaction, UserLocked(command.reason, ended), creator=actor.user_id, user_id=user_id
        )


async def unlock(database: Statements, command: OneUser, *, actor: Actor) -> Details:
    """Unlocks the user. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor, needs_role=True)
        return await store.UNLOCK.details(
            transaction, UserUnlocked(), creator=actor.user_id, user_id=user.user_id
        )


_cannot_lock_yourself: Final = FixedFailure(
    "CANNOT_LOCK_YOURSELF",
    "You cannot lock yourself. Another administrator can.",
)
