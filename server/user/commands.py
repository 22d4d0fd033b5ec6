"""The commands on users."""

import base64
import hashlib
import secrets
from collections.abc import Collection, Sequence
from typing import Annotated, Final

from pydantic import Field

from server.access import admission
from server.access.admission import LockedUser
from server.access.caller import OPERATOR, Actor
from server.access.checked_append import check_admitted
from server.mail.outbox import MailKind, Notice, Outbox, cancel_to
from server.rpc.update_mask import mask_of
from server.session import store as session_store
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.user import store
from server.user.events import UserAdded, UserChanged, UserRemoved
from server.user.other_features import OtherFeatures
from server.user.roles import lock_instance_owner
from server.validation.confusables import skeleton_digests
from server.validation.fields import (
    Command,
    Id,
    OptionalMailAddress,
    OptionalName,
    Printable,
    UniqueName,
    case_folded,
)
from server.validation.paging import Page
from server.values.errors import FixedFailure, Kind
from server.values.ids import new_id

# The maximum length, which WebAuthn recommends (Level 3, section 14.6.1).
_USER_HANDLE_BYTES = 64
_MAX_QUERY: Final = 200


class CreateUser(Command):
    """Create a user in an organization."""

    user_name: UniqueName
    display_name: OptionalName
    email: OptionalMailAddress


class OneUser(Command):
    """Select a user."""

    user_id: Id


class ListUsers(Page):
    """List the users of an organization, or those that a text is part of."""

    query: Annotated[Printable, Field(max_length=_MAX_QUERY)]


PATCHABLE = ("display_name", "email")


class UserFields(Command):
    """The fields of a patch; None leaves a field unchanged."""

    user_id: Id
    display_name: OptionalName | None
    email: OptionalMailAddress | None


class PatchUser(Command):
    """Set the fields that the mask names."""

    user: UserFields
    update_mask: Annotated[tuple[str, ...], mask_of(PATCHABLE)]


async def create(
    database: Statements, command: CreateUser, *, actor: Actor, organization_id: str
) -> tuple[str, Details]:
    """Creates a user; returns its id and details. `Failure` ALREADY_EXISTS."""
    user_id = new_id()
    with on_conflict({UNIQUE_CLAIMS_KEY: _user_already_exists}):
        async with database.transaction() as transaction:
            makers = admission.of_new(await admission.check_caller(transaction, actor))
            event = _added(command.user_name, command.display_name, command.email, makers)
            added = await store.ADD.details(
                transaction,
                event,
                creator=actor.user_id,
                user_id=user_id,
                organization_id=organization_id,
            )
    return user_id, added


async def register(
    transaction: Statements,
    *,
    user_name: str,
    display_name: str,
    email: str,
    organization_id: str,
    user_id: str | None = None,
    makers: Collection[str] | None = None,
) -> str | None:
    """Creates a user who registers itself; returns its id. The organization is locked.

    Without a name, the id is the name. `makers` are those of the address; None: the owners of the
    organization, who control the identity provider that gave it. None is returned if another user
    has the address. UniqueConflictError: another user has the name, or one that looks the same.
    """
    if email and await store.has_address(
        transaction, organization_id=organization_id, address=email
    ):
        return None
    user_id = user_id or new_id()
    makers = {organization_id} if makers is None else makers
    event = _added(user_name or user_id, display_name, email, makers)
    await store.ADD.details(
        transaction, event, creator=user_id, user_id=user_id, organization_id=organization_id
    )
    return user_id


def _added(user_name: str, display_name: str, email: str, makers: Collection[str]) -> UserAdded:
    return UserAdded(
        user_name=user_name,
        user_name_claim=case_folded(user_name),
        user_name_skeletons=skeleton_digests(user_name),
        display_name=display_name or user_name,
        email=email,
        user_handle=base64.b64encode(secrets.token_bytes(_USER_HANDLE_BYTES)).decode(),
        makers=tuple(sorted(makers)),
    )


async def list_page(
    database: Statements, command: ListUsers, *, organization_id: str
) -> tuple[Sequence[store.User], str]:
    """A page of the users of an organization, oldest first, and the token of the next page."""
    if not command.query:
        return await command.read(
            store.LIST.all,
            database,
            lambda user: user.user_id,
            organization_id=organization_id,
        )
    # A token must not contain the text, which can be a name or a mail address.
    digest = hashlib.sha256(command.query.encode()).hexdigest()
    parent = f"{organization_id}:{digest}"
    users, goes_on_after = await store.search(
        database,
        organization_id=organization_id,
        query=command.query,
        after=command.after(parent),
        size=command.size(),
    )
    return users, command.token(parent, goes_on_after) if goes_on_after else ""


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
            makers=None if fields.email is None else tuple(sorted(user.makers)),
        )
        return await _change(
            transaction, user, event, creator=actor.user_id, others=others, outbox=outbox
        )


async def update_by_provider(
    transaction: Statements,
    user_id: str,
    *,
    display_name: str | None = None,
    email: str | None = None,
    organization_id: str,
    others: OtherFeatures,
    outbox: Outbox,
) -> None:
    """Sets the fields to those of an identity provider of the organization.

    The organization is locked if there is an address; one that another user has is not taken. The
    makers of the address are the owners of the organization, as in `register`.
    """
    user = await admission.lock_user(transaction, user_id, actor=OPERATOR)
    if email and await store.has_address(
        transaction, organization_id=organization_id, address=email
    ):
        email = None
    event = UserChanged(
        display_name=display_name, email=email, makers=(organization_id,) if email else None
    )
    await _change(transaction, user, event, creator=user_id, others=others, outbox=outbox)


async def _change(
    transaction: Statements,
    user: LockedUser,
    event: UserChanged,
    *,
    creator: str,
    others: OtherFeatures,
    outbox: Outbox,
) -> Details:
    details = await store.CHANGE.details(transaction, event, creator=creator, user_id=user.user_id)
    if event.email is not None and event.email != user.email:
        await others.end_mailed_elsewhere(transaction, user, event.email)
        notice = Notice(
            kind=MailKind.EMAIL_CHANGED,
            user_id=user.user_id,
            organization_id=user.organization_id,
            recipient_address=user.email,
            recipient_name=user.display_name,
            reference=user.user_id,
            parameters={"user_name": user.user_name},
        )
        await outbox.notify(transaction, notice)
    return details


async def remove(
    database: Statements, command: OneUser, *, actor: Actor, others: OtherFeatures
) -> Details:
    """Removes a user with all its objects; returns its last details. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        await lock_instance_owner(transaction, command.user_id, others)
        await check_admitted(transaction, actor)
        event = UserRemoved(await session_store.list_ids(transaction, user_id=command.user_id))
        details = await store.remove(
            transaction, event, creator=actor.user_id, user_id=command.user_id
        )
        await others.end_of_removed(transaction, command.user_id)
        await cancel_to(transaction, user_id=command.user_id, organization_id=details.owner)
    return details


_user_already_exists: Final = FixedFailure(
    "USER_ALREADY_EXISTS",
    "The organization has a user with this name, or with one that looks the same. Choose another"
    " user name.",
    kind=Kind.ALREADY_EXISTS,
)
