"""The export of users, in the form in which they move in."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from server.access.authorizer import authorize_beyond
from server.access.caller import Actor
from server.group import import_store as group_import_store
from server.group.import_store import ExportedMember
from server.idp.links import import_store as link_import_store
from server.idp.links.import_store import ExportedLink
from server.passkey import import_store as passkey_import_store
from server.passkey.import_store import ExportedPasskey
from server.store.database import Statements
from server.user import store as user_store
from server.user.store import User
from server.validation.paging import Page

# Of a page, which clients take with at most 4 MiB. A user has at most 32 KiB.
_MAX_PICTURES: Final = 2 * 1024 * 1024

_Part = TypeVar("_Part", ExportedPasskey, ExportedLink, ExportedMember)


class ExportUsers(Page):
    """Export the users of an organization."""


@dataclass(frozen=True, slots=True)
class ExportedUser:
    """A user with its credentials and its groups, by the link that gave them; None: none did."""

    user: User
    passkeys: Sequence[ExportedPasskey]
    links: Sequence[ExportedLink]
    groups: Mapping[str | None, Sequence[str]]
    picture: bytes


async def export_page(
    database: Statements, command: ExportUsers, *, actor: Actor, organization_id: str
) -> tuple[list[ExportedUser], str]:
    """A page of users, in the order of their IDs, and the token of the next page.

    `Failure` PERMISSION_DENIED unless the actor may read the users of the whole instance.
    """
    authorize_beyond(actor, "user.read", None)
    users, token = await command.read(
        user_store.LIST.all, database, lambda user: user.user_id, organization_id=organization_id
    )
    with_picture = [user.user_id for user in users if user.picture_key]
    pictures = await user_store.pictures(database, with_picture, most_bytes=_MAX_PICTURES)
    # A user who has just been removed has none.
    if left_out := [user_id for user_id in with_picture if pictures.get(user_id, b"") is None]:
        users = [user for user in users if user.user_id < left_out[0]]
        token = command.token(organization_id, users[-1].user_id)
    ids = [user.user_id for user in users]
    passkeys = _by_user(await passkey_import_store.LIST_EXPORTED.all(database, user_ids=ids))
    links = _by_user(await link_import_store.LIST_EXPORTED.all(database, user_ids=ids))
    members = _by_user(await group_import_store.LIST_EXPORTED.all(database, user_ids=ids))
    exported = [
        ExportedUser(
            user,
            passkeys[user.user_id],
            links[user.user_id],
            _by_link(members[user.user_id]),
            pictures.get(user.user_id) or b"",
        )
        for user in users
    ]
    return exported, token


def _by_link(members: Iterable[ExportedMember]) -> defaultdict[str | None, list[str]]:
    found = defaultdict[str | None, list[str]](list)
    for each in members:
        found[each.link_id].append(each.group)
    return found


def _by_user(parts: Iterable[_Part]) -> defaultdict[str, list[_Part]]:
    found = defaultdict[str, list[_Part]](list)
    for each in parts:
        found[each.user_id].append(each)
    return found
