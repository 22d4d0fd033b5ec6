"""The commands on the roles of a user."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from server.access import admission, makers
from server.access.admission import LockedUser
from server.access.caller import Actor
from server.access.checked_append import check_admitted
from server.access.roles import SERVICE_ROLES, Role
from server.store.database import Statements
from server.store.rows import Details
from server.user import store, token_store
from server.user.events import RoleGranted, RoleRevoked
from server.user.other_features import OtherFeatures
from server.validation.fields import Command, Id, named
from server.values.errors import Failure, Kind

# A failure names at most this number of objects of a kind, since HTTP limits the size of trailers.
_MAX_NAMED: Final = 5


class ChangeRole(Command):
    """Grant or revoke a role of a user."""

    user_id: Id
    role: Annotated[Role, named(Role, "ROLE")]


class GrantRole(ChangeRole):
    """Grant a role to a user."""

    end_foreign_credentials: bool


async def grant_role(
    database: Statements,
    command: GrantRole,
    *,
    actor: Actor,
    others: OtherFeatures,
) -> Details:
    """Grants the role.

    Without `end_foreign_credentials`, the user must have no token, passkey or identity link with a
    maker who lacks permissions of the role. Pending registrations with such a maker end.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `MADE_BY_OTHERS`.
    """
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor, needs_role=True)
        if command.role not in user.roles:
            # The link of a sign-up proves access to a mailbox only.
            await others.end_own_links(transaction, user.user_id)
            await _end_made_by_others(transaction, user, command, actor.user_id, others)
        return await store.GRANT_ROLE.details(
            transaction, RoleGranted(command.role), creator=actor.user_id, user_id=user.user_id
        )


async def _end_made_by_others(
    transaction: Statements,
    user: LockedUser,
    command: GrantRole,
    creator: str,
    others: OtherFeatures,
) -> None:
    """Ends credentials with a maker below the role. `Failure` `MADE_BY_OTHERS`."""
    found = await token_store.MADE.list_makers(transaction, user_id=user.user_id)
    found |= await others.list_makers(transaction, user)
    below = await makers.list_below(
        transaction,
        {command.role},
        found,
        user_id=user.user_id,
        organization_id=user.organization_id,
    )
    if not below:
        return
    token_ids = await token_store.MADE.list_made_by(transaction, below, user_id=user.user_id)
    made = {"tokens": token_ids, **await others.list_made_by(transaction, user, below)}
    if any(made.values()):
        if not command.end_foreign_credentials:
            raise _made_by_others(below, made)
        await token_store.end(transaction, token_ids, creator=creator, user_id=user.user_id)
        await others.end_begun_by(transaction, user.user_id)
    await others.end_made_by(transaction, user, below, creator)


def _made_by_others(below: Sequence[str], made: Mapping[str, Sequence[str]]) -> Failure:
    named = {
        name: ",".join(ids[:_MAX_NAMED]) for name, ids in {**made, "makers": below}.items() if ids
    }
    listed = "; ".join(f"{name}: {ids}" for name, ids in named.items())
    return Failure(
        Kind.FAILED_PRECONDITION,
        "MADE_BY_OTHERS",
        "Users who are locked, or lack permissions of this role, may have credentials of this user"
        f" ({listed}). Check them, and grant the role with end_foreign_credentials"
        " (--end-foreign-credentials) to end them.",
        metadata=named,
    )


async def revoke_role(
    database: Statements, command: ChangeRole, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Revokes the role.

    Ends the ceremonies that the user began, and the links whose codes were returned to the user.
    With its last role, a service also loses its tokens.
    """
    event, by = RoleRevoked(command.role), {"creator": actor.user_id, "user_id": command.user_id}
    async with database.transaction() as transaction:
        roles = await lock_instance_owner(transaction, command.user_id, others)
        await check_admitted(transaction, actor)
        if roles == {command.role} <= SERVICE_ROLES:
            await token_store.end_of_user(transaction, **by)
        details, had_role = await store.revoke_role(transaction, event, **by)
        if had_role:
            await others.end_begun_by(transaction, command.user_id)
            await others.end_returned_to(transaction, command.user_id)
    return details


async def lock_instance_owner(
    transaction: Statements, user_id: str, others: OtherFeatures
) -> frozenset[Role]:
    """Locks a user who may lose the role of instance owner, before the change; returns its roles.

    For an instance owner, `lock_default_organization` serializes these changes.
    """
    roles = await store.lock(transaction, user_id)
    if Role.INSTANCE_OWNER in roles:
        await others.lock_default_organization(transaction)
    return roles
