"""What can be done to a user, its roles and its tokens."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

from server.access import admission
from server.access.admission import LockedUser
from server.access.authorizer import user_not_found
from server.access.caller import AnyCaller
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token, token_hash
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
    """Reads one."""
    user = await store.get(database, user_id)
    if user is None:
        raise user_not_found(user_id)
    return user


async def patch(
    database: Statements, fields: UserFields, *, caller: AnyCaller | None, hourly_mail_limit: int
) -> Details:
    """Replaces the fields that are not None."""
    async with database.transaction() as transaction:
        # A link that is mailed meanwhile must end. Of its address no user disposes without a role.
        user = await admission.lock_user(
            transaction, fields.user_id, caller=caller, needs_role=fields.email is not None
        )
        event = UserChanged(
            display_name=user.user_name if fields.display_name == "" else fields.display_name,
            email=fields.email,
        )
        return await store.change(
            transaction,
            event,
            creator=admission.creator(caller),
            user_id=user.user_id,
            mail_id=new_id(),
            hourly_mail_limit=hourly_mail_limit,
        )


async def remove(database: Statements, command: OneUser, *, caller_id: str) -> Details:
    """Removes it with all it has; the details as of the removal."""
    async with database.transaction() as transaction:
        await store.lock_instance_owners(transaction)
        await store.lock(transaction, command.user_id)  # what it gets meanwhile must go with it
        outcome = await store.remove(transaction, creator=caller_id, user_id=command.user_id)
    return _unless_last_instance_owner(outcome, command.user_id)


async def grant_role(
    database: Statements, command: ChangeRole, *, caller: AnyCaller | None
) -> Details:
    """Grants the role.

    The tokens, links and ceremonies of the user end that somebody made who lacks what it allows.
    """
    role, creator = command.named(), admission.creator(caller)
    async with database.transaction() as transaction:
        user = await admission.lock_user(
            transaction, command.user_id, caller=caller, needs_role=True
        )
        uncovering = await _makers_below(transaction, user, role)
        if role not in user.roles:
            await token_store.revoke_of_makers(
                transaction, uncovering, creator=creator, user_id=user.user_id
            )
        return await store.grant_role(
            transaction,
            RoleGranted(role),
            creator=creator,
            user_id=user.user_id,
            uncovering=uncovering,
        )


async def revoke_role(database: Statements, command: ChangeRole, *, caller_id: str) -> Details:
    """Revokes the role."""
    event = RoleRevoked(command.named())
    async with database.transaction() as transaction:
        await store.lock_instance_owners(transaction)
        await store.lock(transaction, command.user_id)  # what it begins meanwhile must end
        outcome = await store.revoke_role(
            transaction, event, creator=caller_id, user_id=command.user_id
        )
    return _unless_last_instance_owner(outcome, command.user_id)


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


async def revoke_token(database: Statements, command: OneToken, *, caller_id: str) -> Details:
    """The details as of the revocation."""
    event = TokenRevoked(command.token_id)
    async with database.transaction() as transaction:
        await store.lock(transaction, command.user_id)  # what it begins meanwhile must end
        revoked = await token_store.revoke(
            transaction, event, creator=caller_id, user_id=command.user_id
        )
    if revoked is None:
        raise not_found(
            "token",
            command.token_id,
            "The user has no such token. List its tokens to find the right id.",
        )
    return revoked


async def _makers_below(transaction: Statements, user: LockedUser, role: Role) -> list[str]:
    """The makers of what the user has who do not have what the role allows to it.

    The user itself may keep what it made, and the operator may do everything. A maker who was
    removed has nothing. None is locked: one who loses a role at the same time came before or after.
    """
    return [
        maker_id
        for maker_id, maker in (await store.list_makers(transaction, user.user_id)).items()
        if maker_id not in (user.user_id, OPERATOR)
        and (maker is None or not maker.covers_in(user.organization_id, role))
    ]


def _unless_last_instance_owner(outcome: store.Outcome | None, user_id: str) -> Details:
    if outcome is None:
        raise user_not_found(user_id)
    if outcome.is_last_instance_owner:
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "LAST_INSTANCE_OWNER",
            "This is the only user who administers the instance. Grant ROLE_INSTANCE_OWNER to"
            " another user first.",
        )
    return outcome.details
