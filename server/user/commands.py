"""The commands on users, their roles and their tokens."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

from server.access import admission, user_aggregate
from server.access.admission import LockedUser
from server.access.authorizer import user_not_found
from server.access.caller import AnyCaller
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token, token_hash
from server.mail.outbox import MailKind, Notice, Outbox, cancel_to
from server.rpc.update_mask import mask_of, mask_schema
from server.store.database import Statements, UniqueConflictError
from server.store.eventlog import OPERATOR, Details, new_id
from server.user import store, token_store
from server.user.events import (
    RoleGranted,
    RoleRevoked,
    TokenCreated,
    TokenRevoked,
    UserAdded,
    UserChanged,
)
from server.user.other_features import OtherFeatures
from server.validation.fields import (
    Command,
    Id,
    OptionalMailAddress,
    OptionalName,
    UniqueName,
    case_folded,
    described,
)
from server.validation.paging import Page
from server.values.errors import Failure, Kind, not_found

# As many as WebAuthn allows and recommends (Level 3, section 14.6.1).
_USER_HANDLE_BYTES = 64


_ROLES = [f"ROLE_{role}" for role in Role]


def _role(name: str) -> str:
    if name not in _ROLES:
        raise ValueError(f"must be one of {', '.join(_ROLES)}")
    return name


def _in_the_future(at: datetime | None) -> datetime | None:
    if at is not None and at <= datetime.now(UTC):
        raise ValueError("must be in the future; leave it out for a token that does not expire")
    return at


class CreateUser(Command):
    """Create a user in an organization."""

    user_name: UniqueName
    display_name: OptionalName
    email: OptionalMailAddress


class OneUser(Command):
    """Which user."""

    user_id: Id


PATCHABLE = ("display_name", "email")


class UserFields(Command):
    """The fields of a patch; None stays as it is."""

    user_id: Id
    display_name: OptionalName | None
    email: OptionalMailAddress | None


class PatchUser(Command):
    """Set the fields that the mask names."""

    user: UserFields
    update_mask: Annotated[
        tuple[str, ...], AfterValidator(mask_of(PATCHABLE)), mask_schema(PATCHABLE)
    ]


class ChangeRole(Command):
    """Which role of which user."""

    user_id: Id
    role: Annotated[str, AfterValidator(_role), described(enum=[*_ROLES])]

    def named(self) -> Role:
        """The role."""
        return Role(self.role.removeprefix("ROLE_"))


class CreateToken(Command):
    """Create a token for a user."""

    user_id: Id
    name: OptionalName
    expires_at: Annotated[datetime | None, AfterValidator(_in_the_future)]


class OneToken(Command):
    """Which token of which user."""

    user_id: Id
    token_id: Id


class ListTokens(Page):
    """List the tokens of a user."""

    user_id: Id


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token, in clear for the only time."""

    token_id: str
    token: str = field(repr=False)
    details: Details


async def create(
    database: Statements, command: CreateUser, *, caller: AnyCaller | None, organization_id: str
) -> tuple[str, Details]:
    """The new id and the details."""
    user_id = new_id()
    event = UserAdded(
        user_name=command.user_name,
        user_name_claim=case_folded(command.user_name),
        display_name=command.display_name or command.user_name,
        email=command.email,
        user_handle=base64.b64encode(secrets.token_bytes(_USER_HANDLE_BYTES)).decode(),
    )
    try:
        async with database.transaction() as transaction:
            await admission.check_caller(transaction, caller)
            added = await store.add(
                transaction,
                event,
                creator=admission.creator(caller),
                user_id=user_id,
                organization_id=organization_id,
            )
    except UniqueConflictError as conflict:
        conflict.must_be("unique_claims_pkey")
        raise Failure(
            Kind.ALREADY_EXISTS,
            "USER_ALREADY_EXISTS",
            "The organization has a user of this name. Choose another user name.",
        ) from None
    return user_id, added


async def get(database: Statements, user_id: str) -> store.User:
    """Reads a user."""
    user = await store.get(database, user_id)
    if user is None:
        raise user_not_found(user_id)
    return user


async def patch(
    database: Statements,
    fields: UserFields,
    *,
    caller: AnyCaller | None,
    others: OtherFeatures,
    outbox: Outbox,
) -> Details:
    """Replaces the fields that are not None.

    Another address ends the links that were mailed to the old one, which gets a notice.
    """
    async with database.transaction() as transaction:
        # A user without a role may not change its own address.
        user = await admission.lock_user(
            transaction, fields.user_id, caller=caller, needs_role=fields.email is not None
        )
        event = UserChanged(
            display_name=user.user_name if fields.display_name == "" else fields.display_name,
            email=fields.email,
        )
        details = await store.change(
            transaction, event, creator=admission.creator(caller), user_id=user.user_id
        )
        if fields.email is not None and fields.email != user.email:
            await others.end_mailed_elsewhere(
                transaction,
                user_id=user.user_id,
                organization_id=user.organization_id,
                address=fields.email,
            )
            await outbox.notify(transaction, _address_changed(user))
    return details


def _address_changed(user: LockedUser) -> Notice:
    return Notice(
        kind=MailKind.EMAIL_CHANGED,
        user_id=user.user_id,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=user.user_id,
        parameters={"user_name": user.user_name},
    )


async def remove(
    database: Statements, command: OneUser, *, caller_id: str, others: OtherFeatures
) -> Details:
    """Removes a user with all it has; the details as of the removal."""
    async with database.transaction() as transaction:
        await others.lock_default_organization(transaction)
        await user_aggregate.lock(transaction, command.user_id)
        removed = await store.remove(transaction, creator=caller_id, user_id=command.user_id)
        details = _unless_last_instance_owner(removed, command.user_id).details
        await others.end_of_removed(transaction, command.user_id)
        await cancel_to(transaction, user_id=command.user_id, organization_id=details.owner)
    return details


async def grant_role(
    database: Statements,
    command: ChangeRole,
    *,
    caller: AnyCaller | None,
    others: OtherFeatures,
) -> Details:
    """Grants the role.

    The user loses the tokens, links and ceremonies that were made by users without the permissions
    of the role.
    """
    role, creator = command.named(), admission.creator(caller)
    async with database.transaction() as transaction:
        user = await admission.lock_user(
            transaction, command.user_id, caller=caller, needs_role=True
        )
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
    database: Statements, command: ChangeRole, *, caller_id: str, others: OtherFeatures
) -> Details:
    """Revokes the role.

    It ends the ceremonies that the user began, and the links whose codes were returned to it.
    """
    event = RoleRevoked(command.named())
    async with database.transaction() as transaction:
        await others.lock_default_organization(transaction)
        revoked = await store.revoke_role(
            transaction, event, creator=caller_id, user_id=command.user_id
        )
        change = _unless_last_instance_owner(revoked, command.user_id)
        if change.changed:
            await others.end_begun_by(transaction, command.user_id)
            await others.end_returned_to(transaction, command.user_id)
    return change.details


async def create_token(
    database: Statements, command: CreateToken, *, caller: AnyCaller | None, limit: int
) -> NewToken:
    """The new token, in clear."""
    token_id, token = new_id(), new_token(TokenKind.USER)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, caller=caller)
        event = TokenCreated(
            token_id=token_id,
            name=command.name,
            hash=base64.b64encode(token_hash(token)).decode(),
            expires_at=command.expires_at.isoformat() if command.expires_at else None,
            makers=tuple(sorted(user.makers)),
        )
        details, within_limit = await token_store.create(
            transaction,
            event,
            creator=admission.creator(caller),
            user_id=command.user_id,
            limit=limit,
        )
    if not within_limit:
        raise Failure(
            Kind.RESOURCE_EXHAUSTED,
            "TOO_MANY_TOKENS",
            f"The user has {limit} tokens, as many as it may. Revoke those that are not used.",
        )
    return NewToken(token_id, token, details)


async def revoke_token(
    database: Statements, command: OneToken, *, caller_id: str, others: OtherFeatures
) -> Details:
    """Revokes a token, and ends the ceremonies that its user began; the details as of then.

    Links that the user was given stay: services renew their tokens, and people have days to use a
    link.
    """
    event = TokenRevoked(command.token_id)
    async with database.transaction() as transaction:
        revoked = await token_store.revoke(
            transaction, event, creator=caller_id, user_id=command.user_id
        )
        if revoked is None:
            raise not_found(
                "token",
                command.token_id,
                "The user has no such token. List its tokens to find the right id.",
            )
        await others.end_begun_by(transaction, command.user_id)
    return revoked


async def _makers_below(
    transaction: Statements, user: LockedUser, role: Role, others: OtherFeatures
) -> list[str]:
    """The makers of the user's tokens, links and ceremonies without the permissions of the role.

    The user itself may keep what it made, and the operator may do everything. A maker who was
    removed has no permissions. The makers are not locked: a concurrent revocation is ordered before
    or after this.
    """
    makers = await token_store.list_makers(transaction, user.user_id)
    makers |= await others.list_makers(transaction, user.user_id)
    makers -= {user.user_id, OPERATOR}
    if not makers:
        return []
    covering = {
        maker.user_id
        for maker in await store.list_callers(transaction, makers)
        if maker.covers_in(user.organization_id, role)
    }
    return sorted(makers - covering)


def _unless_last_instance_owner(
    change: store.GuardedChange | None, user_id: str
) -> store.GuardedChange:
    if change is None:
        raise user_not_found(user_id)
    if change.is_last_instance_owner:
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "LAST_INSTANCE_OWNER",
            "This is the only user who administers the instance. Grant ROLE_INSTANCE_OWNER to"
            " another user first.",
        )
    return change
