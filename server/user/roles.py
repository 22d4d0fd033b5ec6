"""The commands on the roles of a user."""

from typing import Annotated

from pydantic import AfterValidator

from server.access import admission
from server.access.admission import LockedUser
from server.access.authorizer import user_not_found
from server.access.caller import OPERATOR, Actor
from server.access.roles import Role
from server.store.database import Statements
from server.store.eventlog import Details
from server.user import store, token_store
from server.user.events import RoleGranted, RoleRevoked
from server.user.other_features import OtherFeatures
from server.validation.fields import Command, Id, described
from server.values.errors import failed_precondition

_ROLES = [f"ROLE_{role}" for role in Role]


def _role(name: str) -> str:
    if name not in _ROLES:
        raise ValueError(f"must be one of {', '.join(_ROLES)}")
    return name


class ChangeRole(Command):
    """Grant or revoke a role of a user."""

    user_id: Id
    role: Annotated[str, AfterValidator(_role), described(enum=[*_ROLES])]

    def named(self) -> Role:
        """The role."""
        return Role(self.role.removeprefix("ROLE_"))


async def grant_role(
    database: Statements,
    command: ChangeRole,
    *,
    actor: Actor,
    others: OtherFeatures,
) -> Details:
    """Grants the role.

    The user loses the tokens, links and ceremonies that were made by users without the permissions
    of the role.
    """
    role, creator = command.named(), actor.user_id
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor, needs_role=True)
        if role not in user.roles and (
            makers := await _makers_below(transaction, user, role, others)
        ):
            if await token_store.revoke_made_by(
                transaction, makers, creator=creator, user_id=user.user_id
            ):
                await others.end_begun_by(transaction, user.user_id)
            await others.end_made_by(
                transaction,
                makers,
                user_id=user.user_id,
                organization_id=user.organization_id,
            )
        return await store.grant_role(
            transaction, RoleGranted(role), creator=creator, user_id=user.user_id
        )


async def revoke_role(
    database: Statements, command: ChangeRole, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Revokes the role.

    Ends the ceremonies that the user began, and the links whose codes were returned to the user.
    """
    event = RoleRevoked(command.named())
    async with database.transaction() as transaction:
        await others.lock_default_organization(transaction)
        revoked = await store.revoke_role(
            transaction, event, creator=actor.user_id, user_id=command.user_id
        )
        change = unless_last_instance_owner(revoked, command.user_id)
        if change.changed:
            await others.end_begun_by(transaction, command.user_id)
            await others.end_returned_to(transaction, command.user_id)
    return change.details


async def _makers_below(
    transaction: Statements, user: LockedUser, role: Role, others: OtherFeatures
) -> list[str]:
    """The makers of the user's tokens, links and ceremonies without the permissions of the role.

    The user itself and the operator are not among them; removed makers are, as they have no
    permissions. The makers are not locked: a concurrent revocation takes effect before or after.
    """
    makers = await token_store.list_makers(transaction, user.user_id)
    makers |= await others.list_makers(transaction, user.user_id)
    makers -= {user.user_id, OPERATOR.user_id}
    if not makers:
        return []
    covering = {
        maker.user_id
        for maker in await store.list_callers(transaction, makers)
        if maker.covers_in(user.organization_id, role)
    }
    return sorted(makers - covering)


def unless_last_instance_owner(
    change: store.GuardedChange | None, user_id: str
) -> store.GuardedChange:
    """The change, if it was allowed.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `LAST_INSTANCE_OWNER`.
    """
    if change is None:
        raise user_not_found(user_id)
    if change.is_last_instance_owner:
        raise failed_precondition(
            "LAST_INSTANCE_OWNER",
            "This user is the only instance owner. Grant ROLE_INSTANCE_OWNER to another user"
            " first.",
        )
    return change
