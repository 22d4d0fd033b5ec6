"""The commands on the registered passkeys of a user."""

from dataclasses import replace

from server.access import user_aggregate
from server.access.authorizer import user_not_found
from server.access.began_with import EndBegunWith, EndedAccess
from server.access.caller import Actor
from server.access.checked_append import check_admitted, written_by
from server.passkey import ceremony_store, pending, removal_store, store
from server.passkey.events import PasskeyRenamed
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, Name
from server.validation.paging import Page


class ListPasskeys(Page):
    """List the passkeys of a user."""

    user_id: Id


class RenamePasskey(Command):
    """Give a passkey another name."""

    user_id: Id
    passkey_id: Id
    name: Name


class RemovePasskey(Command):
    """Remove a passkey, or end its ceremony."""

    user_id: Id
    passkey_id: Id
    lost_or_stolen: bool


async def list_passkeys(database: Statements, command: ListPasskeys) -> store.PasskeyList:
    """A page of passkeys, with one extra passkey if a further page exists."""
    found = await store.list_after(
        database,
        user_id=command.user_id,
        after=command.after(command.user_id),
        limit=command.limit(),
    )
    if found is None:
        raise user_not_found(command.user_id)
    return found


async def rename(database: Statements, command: RenamePasskey, *, actor: Actor) -> Details:
    """Renames a passkey; returns its details, unchanged if it has the name already."""
    event = PasskeyRenamed(command.passkey_id, command.name)
    return await store.RENAME.details(database, event, **written_by(actor), user_id=command.user_id)


async def remove(
    database: Statements, command: RemovePasskey, *, actor: Actor, end_begun_with: EndBegunWith
) -> tuple[Details, EndedAccess]:
    """Removes a passkey or ends its ceremony; returns the last details, and the ended access."""
    # In this order, since a concurrent request may complete the ceremony and create the passkey.
    cancelled = await ceremony_store.cancel(
        database, user_id=command.user_id, passkey_id=command.passkey_id, actor=actor
    )
    if cancelled:
        return cancelled, EndedAccess()
    return await _remove(database, command, actor=actor, end_begun_with=end_begun_with)


async def _remove(
    database: Statements, command: RemovePasskey, *, actor: Actor, end_begun_with: EndBegunWith
) -> tuple[Details, EndedAccess]:
    """Removes a passkey, its sessions, and the ceremonies that the user began."""
    async with database.transaction() as transaction:
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        removed, sessions = await removal_store.remove(
            transaction,
            command.passkey_id,
            lost_or_stolen=command.lost_or_stolen,
            creator=actor.user_id,
            user_id=command.user_id,
        )
        await pending.end_begun_by(transaction, command.user_id)
        if command.lost_or_stolen:
            ended = await end_begun_with(
                transaction, command.user_id, command.passkey_id, actor.user_id
            )
        else:
            ended = EndedAccess()
    return removed, replace(ended, sessions=sessions)
