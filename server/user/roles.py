"""The commands on the roles of a user."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator

from server.access import admission, makers
from server.access.admission import LockedUser
from server.access.caller import OPERATOR, Actor, Caller
from server.access.checked_append import check_admitted
from server.access.roles import SERVICE_ROLES, Role
from server.store.database import Database, Statements
from server.store.rows import Details
from server.user import store, token_store
from server.user.events import RoleEnded, RoleGranted, RoleRevoked
from server.user.other_features import OtherFeatures
from server.validation.fields import Command, Id, named
from server.values.errors import Failure, FixedFailure, Kind, WrongValueError

# A failure names at most this number of objects of a kind, since HTTP limits the size of trailers.
_MAX_NAMED: Final = 5


class ChangeRole(Command):
    """Grant or revoke a role of a user."""

    user_id: Id
    role: Annotated[Role, named(Role, "ROLE")]


def _in_the_future(at: datetime | None) -> datetime | None:
    if at is not None and at <= datetime.now(UTC):
        raise WrongValueError(
            "TIME_PASSED", "must be in the future; leave it out for a role that does not end"
        )
    return at


class GrantRole(ChangeRole):
    """Grant a role to a user."""

    end_foreign_credentials: bool
    expires_at: Annotated[datetime | None, AfterValidator(_in_the_future)]


async def grant_role(
    database: Statements,
    command: GrantRole,
    *,
    actor: Actor,
    others: OtherFeatures,
) -> Details:
    """Grants the role, or changes the end of one that the user has.

    Without `end_foreign_credentials`, the user must have no token, passkey or identity link with a
    maker who lacks permissions of the role. Pending registrations with such a maker end.

    `Failure` NOT_FOUND; FAILED_PRECONDITION `MADE_BY_OTHERS`, `ROLE_OUTLASTS_YOURS`,
    `LAST_INSTANCE_OWNER`.
    """
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor, needs_role=True)
        _check_end(actor, user, command)
        if command.role is Role.INSTANCE_OWNER and command.expires_at is not None:
            await others.lock_default_organization(transaction)
        if command.role not in user.roles:
            # The link of a sign-up proves access to a mailbox only.
            await others.end_own_links(transaction, user.user_id)
            await _end_made_by_others(transaction, user, command, actor.user_id, others)
        ends = command.expires_at.astimezone(UTC).isoformat() if command.expires_at else None
        return await store.grant_role(
            transaction,
            RoleGranted(command.role, ends),
            creator=actor.user_id,
            user_id=user.user_id,
        )


def _check_end(actor: Actor, user: LockedUser, command: GrantRole) -> None:
    """Nobody grants for longer than they hold the permissions. `Failure` `ROLE_OUTLASTS_YOURS`."""
    if not isinstance(actor, Caller):
        return
    lasting = frozenset(
        role
        for role in actor.roles
        if (end := user.caller_ends.get(role)) is None
        or (command.expires_at is not None and command.expires_at <= end)
    )
    if not replace(actor, roles=lasting).covers(frozenset({command.role})):
        raise _role_outlasts_yours()


_role_outlasts_yours: Final = FixedFailure(
    "ROLE_OUTLASTS_YOURS",
    "Your own role ends before this one would. Grant it with an end (expires_at) that is not after"
    " the end of your role.",
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
            await _end_begun(transaction, command.user_id, others)
    return details


async def end_role(database: Database, user_id: str, role: Role, *, others: OtherFeatures) -> None:
    """Revokes a role whose time has passed, unless its end was changed meanwhile."""
    by = {"creator": OPERATOR.user_id, "user_id": user_id}
    async with database.transaction() as transaction:
        roles = await store.lock(transaction, user_id)
        if await store.end_role(transaction, RoleEnded(role), **by):
            if roles == {role} <= SERVICE_ROLES:
                await token_store.end_of_user(transaction, **by)
            await _end_begun(transaction, user_id, others)


async def _end_begun(transaction: Statements, user_id: str, others: OtherFeatures) -> None:
    """Ends the ceremonies and links of a locked user that end with each of its roles."""
    await others.end_begun_by(transaction, user_id)
    await others.end_returned_to(transaction, user_id)


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
