"""The commands on users, their roles and their tokens."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from server.access import admission, certificates, user_aggregate
from server.access.admission import LockedUser
from server.access.authorizer import user_not_found
from server.access.caller import OPERATOR, Actor
from server.access.certificates import MAX_PEM, ClientCertificate, read_certificate
from server.access.roles import Role
from server.access.tokens import TokenKind, new_token, thumbprint_hash, token_hash
from server.mail.outbox import MailKind, Notice, Outbox, cancel_to
from server.rpc.update_mask import mask_of, mask_schema
from server.session import store as session_store
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.store.refusals import UniqueConflictError
from server.user import store, token_store
from server.user.events import (
    RoleGranted,
    RoleRevoked,
    TokenCreated,
    TokenRevoked,
    UserAdded,
    UserChanged,
    UserRemoved,
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

# The maximum length, which WebAuthn recommends (Level 3, section 14.6.1).
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


class ListUsers(Page):
    """List the users of an organization."""


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


class AddCertificate(Command):
    """Let a user authenticate by a client certificate."""

    user_id: Id
    name: OptionalName
    certificate: Annotated[
        ClientCertificate,
        BeforeValidator(read_certificate),
        WithJsonSchema(
            {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_PEM,
                "pattern": "-----BEGIN (X509 )?CERTIFICATE-----",
            }
        ),
    ]


class OneToken(Command):
    """Which token of which user."""

    user_id: Id
    token_id: Id


class ListTokens(Page):
    """List the tokens of a user."""

    user_id: Id


@dataclass(frozen=True, slots=True)
class NewToken:
    """The only copy of a token in clear."""

    token_id: str
    token: str = field(repr=False)
    details: Details


@dataclass(frozen=True, slots=True)
class AddedCertificate:
    """The token of an added certificate. `thumbprint` is base64url of the SHA-256."""

    token_id: str
    thumbprint: str
    details: Details


async def create(
    database: Statements, command: CreateUser, *, actor: Actor, organization_id: str
) -> tuple[str, Details]:
    """Creates a user. Gives its ID and details."""
    user_id = new_id()
    event = _added(command.user_name, command.display_name, command.email)
    try:
        async with database.transaction() as transaction:
            await admission.check_caller(transaction, actor)
            added = await store.add(
                transaction,
                event,
                creator=actor.user_id,
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


async def register(
    transaction: Statements,
    *,
    user_name: str,
    display_name: str,
    email: str,
    organization_id: str,
) -> str | None:
    """Creates a user who signs in for the first time. Gives its ID. The organization is locked.

    Without a name, the ID is the name. None: another user has the address. UniqueConflictError:
    another user has the name.
    """
    if email and await store.has_address(
        transaction, organization_id=organization_id, address=email
    ):
        return None
    user_id = new_id()
    event = _added(user_name or user_id, display_name, email)
    await store.add(
        transaction, event, creator=user_id, user_id=user_id, organization_id=organization_id
    )
    return user_id


def _added(user_name: str, display_name: str, email: str) -> UserAdded:
    return UserAdded(
        user_name=user_name,
        user_name_claim=case_folded(user_name),
        display_name=display_name or user_name,
        email=email,
        user_handle=base64.b64encode(secrets.token_bytes(_USER_HANDLE_BYTES)).decode(),
    )


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
    actor: Actor,
    others: OtherFeatures,
    outbox: Outbox,
) -> Details:
    """Replaces the fields that are not None.

    A new address ends the links that were mailed to the old address, which gets a notice.
    """
    async with database.transaction() as transaction:
        # A user without a role may not change its own address.
        user = await admission.lock_user(
            transaction, fields.user_id, actor=actor, needs_role=fields.email is not None
        )
        event = UserChanged(
            display_name=user.user_name if fields.display_name == "" else fields.display_name,
            email=fields.email,
        )
        details = await store.change(
            transaction, event, creator=actor.user_id, user_id=user.user_id
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
    database: Statements, command: OneUser, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Removes a user with all its objects. Gives its last details."""
    async with database.transaction() as transaction:
        await others.lock_default_organization(transaction)
        await user_aggregate.lock(transaction, command.user_id)
        event = UserRemoved(await session_store.list_ids(transaction, user_id=command.user_id))
        removed = await store.remove(
            transaction, event, creator=actor.user_id, user_id=command.user_id
        )
        details = _unless_last_instance_owner(removed, command.user_id).details
        await others.end_of_removed(transaction, command.user_id)
        await cancel_to(transaction, user_id=command.user_id, organization_id=details.owner)
    return details


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
        change = _unless_last_instance_owner(revoked, command.user_id)
        if change.changed:
            await others.end_begun_by(transaction, command.user_id)
            await others.end_returned_to(transaction, command.user_id)
    return change.details


async def create_token(
    database: Statements, command: CreateToken, *, actor: Actor, limit: int
) -> NewToken:
    """The new token, in clear."""
    token = new_token(TokenKind.USER)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor)
        event = TokenCreated(
            token_id=new_id(),
            name=command.name,
            hash=base64.b64encode(token_hash(token)).decode(),
            expires_at=command.expires_at.isoformat() if command.expires_at else None,
            makers=tuple(sorted(user.makers)),
        )
        details = await _create_token(transaction, event, user, actor=actor, limit=limit)
    return NewToken(event.token_id, token, details)


async def add_certificate(
    database: Statements, command: AddCertificate, *, actor: Actor, limit: int
) -> AddedCertificate:
    """Makes the certificate a token of the user, until the certificate expires."""
    certificate = command.certificate
    thumbprint = certificates.shown(certificate.thumbprint)
    try:
        async with database.transaction() as transaction:
            user = await admission.lock_user(transaction, command.user_id, actor=actor)
            event = TokenCreated(
                token_id=new_id(),
                name=command.name,
                hash=base64.b64encode(thumbprint_hash(certificate.thumbprint)).decode(),
                expires_at=certificate.expires_at.isoformat(),
                makers=tuple(sorted(user.makers)),
                thumbprint=thumbprint,
            )
            details = await _create_token(transaction, event, user, actor=actor, limit=limit)
    except UniqueConflictError as conflict:
        conflict.must_be("unique_claims_pkey")
        raise Failure(
            Kind.ALREADY_EXISTS,
            "CERTIFICATE_ALREADY_ADDED",
            "A user has this certificate. Revoke that token first, or have another certificate"
            " issued.",
        ) from None
    return AddedCertificate(event.token_id, thumbprint, details)


async def _create_token(
    transaction: Statements, event: TokenCreated, user: LockedUser, *, actor: Actor, limit: int
) -> Details:
    """Writes the token, unless the user has the maximum number of tokens."""
    details, within_limit = await token_store.create(
        transaction, event, creator=actor.user_id, user_id=user.user_id, limit=limit
    )
    if not within_limit:
        raise Failure(
            Kind.RESOURCE_EXHAUSTED,
            "TOO_MANY_TOKENS",
            f"The user has {limit} tokens, as many as it may. Revoke those that are not used.",
        )
    return details


async def revoke_token(
    database: Statements, command: OneToken, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Revokes a token, and ends the ceremonies that its user began. Gives its last details.

    Links whose codes the user got stay valid: services renew their tokens, and the recipients of
    links have days to use them.
    """
    event = TokenRevoked(command.token_id)
    async with database.transaction() as transaction:
        revoked = await token_store.revoke(
            transaction, event, creator=actor.user_id, user_id=command.user_id
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
