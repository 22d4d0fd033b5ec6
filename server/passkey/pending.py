"""Ends the pending ceremonies and links of a user when the user changes.

Commands on users call these functions in their open transaction, while the row of the user is
locked; `server/wiring/dependencies.py` passes them. A ceremony is pending until it is verified, a
link until it is used or replaced.

The rule: two transactions may end the same rows, so every statement locks them in the order of
their keys.
"""

from collections.abc import Sequence

from server.access.admission import LockedUser
from server.mail import outbox
from server.store.database import Statements
from server.store.statement import Statement, statement

_PENDING_CEREMONY = "verified_at is null"
_PENDING_LINK = "used_at is null and replaced_at is null"
# A ceremony by a link depends on that link only, and not on its creator.
_BEGUN_BY = f"""creator collate "C" = any(:begun_by::text[])
        and {_PENDING_CEREMONY} and link_id is null"""
_RETURNED_TO = f"returned_to = :user_id and {_PENDING_LINK}"


def _end_ceremonies(where: str) -> Statement:
    return statement(f"""
delete from passkey_ceremonies using (
    select user_id, passkey_id from passkey_ceremonies where {where}
    order by user_id, passkey_id for update
) as ended
where passkey_ceremonies.user_id = ended.user_id
    and passkey_ceremonies.passkey_id = ended.passkey_id""")


def _end_links(where: str) -> Statement:
    return statement(f"""
delete from passkey_links using (
    select user_id, link_id from passkey_links where {where}
    order by user_id, link_id for update
) as ended
where passkey_links.user_id = ended.user_id and passkey_links.link_id = ended.link_id
returning passkey_links.link_id""")


# Makers of the pending ceremonies and links of a user.
_LIST_MAKERS = statement(f"""
select distinct unnest(makers) as id from (
    select makers from passkey_links where user_id = :user_id and {_PENDING_LINK}
    union all
    select makers from passkey_ceremonies where user_id = :user_id and {_PENDING_CEREMONY}
) as pending""")

# Ceremonies that some users began, for any user.
_END_CEREMONIES_BEGUN_BY = _end_ceremonies(_BEGUN_BY)

# Links whose codes were returned to a user.
_END_LINKS_RETURNED_TO = _end_links(_RETURNED_TO)

# All ceremonies of a user, and those that it began for others.
_END_CEREMONIES_OF_REMOVED = _end_ceremonies(f"user_id = :user_id or {_BEGUN_BY}")

# All links of a user, and those of others whose codes were returned to it.
_END_LINKS_OF_REMOVED = _end_links(f"user_id = :user_id or {_RETURNED_TO}")

# The same of a locked user. A used link stays: it ends the sign-up for good (`server/signup`).
_END_LINKS_OF_LOCKED = _end_links(
    f"(user_id = :user_id or returned_to = :user_id) and {_PENDING_LINK}"
)

# Ceremonies and links that any of the makers made for a user.
_MADE_BY = "user_id = :user_id and makers && :makers::text[]"
_END_CEREMONIES_MADE_BY = _end_ceremonies(f"{_MADE_BY} and {_PENDING_CEREMONY}")
_END_LINKS_MADE_BY = _end_links(f"{_MADE_BY} and {_PENDING_LINK}")

# Links of a user that it got itself, as after a sign-up.
_END_OWN_LINKS = _end_links(f"user_id = :user_id and {_RETURNED_TO}")

# These, and some other links of the user.
_END_LINKS_ELSEWHERE = _end_links(f"""user_id = :user_id and {_PENDING_LINK}
        and (link_id = any(:link_ids::text[]) or returned_to = :user_id)""")


async def list_makers(transaction: Statements, user_id: str) -> set[str]:
    """The makers of the pending ceremonies and links of the user."""
    return {row["id"] for row in await transaction.fetch(_LIST_MAKERS, user_id=user_id)}


async def end_begun_by(transaction: Statements, *user_ids: str) -> None:
    """Ends the ceremonies that the users began. A token, role or session of each was ended."""
    await transaction.fetch(_END_CEREMONIES_BEGUN_BY, begun_by=user_ids)


async def end_returned_to(transaction: Statements, user_id: str) -> None:
    """Ends the links whose codes were returned to the user. A role of the user was revoked."""
    await transaction.fetch(_END_LINKS_RETURNED_TO, user_id=user_id)


async def end_own_links(transaction: Statements, user_id: str) -> None:
    """Ends the links of the user that it got itself. The user was granted a role."""
    await transaction.fetch(_END_OWN_LINKS, user_id=user_id)


async def end_of_removed(transaction: Statements, user_id: str) -> None:
    """Ends ceremonies and links of a removed user, and those that the user began or received."""
    await transaction.fetch(_END_CEREMONIES_OF_REMOVED, user_id=user_id, begun_by=[user_id])
    await transaction.fetch(_END_LINKS_OF_REMOVED, user_id=user_id)


async def end_of_locked(transaction: Statements, user_id: str, organization_id: str) -> None:
    """The same for a locked user, but used links stay; cancels the mails of those that end."""
    await transaction.fetch(_END_CEREMONIES_OF_REMOVED, user_id=user_id, begun_by=[user_id])
    ended = await transaction.fetch(_END_LINKS_OF_LOCKED, user_id=user_id)
    link_ids = [row["link_id"] for row in ended]
    await outbox.cancel_about(transaction, link_ids, organization_id=organization_id)


async def end_made_by(
    transaction: Statements, makers: Sequence[str], *, user_id: str, organization_id: str
) -> None:
    """Ends ceremonies and links that any of `makers` made for the user; cancels their mails."""
    await transaction.fetch(_END_CEREMONIES_MADE_BY, user_id=user_id, makers=makers)
    ended = await transaction.fetch(_END_LINKS_MADE_BY, user_id=user_id, makers=makers)
    link_ids = [row["link_id"] for row in ended]
    await outbox.cancel_about(transaction, link_ids, organization_id=organization_id)


async def end_mailed_elsewhere(transaction: Statements, user: LockedUser, address: str) -> None:
    """Ends the links that other addresses of the user gave it, and cancels their mails."""
    user_id = user.user_id
    link_ids = await outbox.list_secrets_elsewhere(transaction, user_id=user_id, address=address)
    await transaction.fetch(_END_LINKS_ELSEWHERE, user_id=user_id, link_ids=link_ids)
    await outbox.cancel_about(transaction, link_ids, organization_id=user.organization_id)
