"""The table `passkey_links`: the state of each registration link, by the clock of the database.

Only the SHA-256 of a code is stored. The event log contains only the creation of a link.

The rule: the row of a link is updated only while the row of its user is locked. Housekeeping
deletes it 90 days after its expiry, or a change of a user deletes it (`pending.py`).
"""

import enum
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access.caller import LinkCaller
from server.access.held_roles import has_ended_role
from server.access.user_aggregate import INVITED, part_of_imported, part_of_user
from server.log.append import Projections, append
from server.passkey.events import PasskeyLinkCreated
from server.store.database import Statements
from server.store.retention import retention
from server.store.rows import Query
from server.store.statement import statement

PROJECTIONS: Projections = {PasskeyLinkCreated: [INVITED]}


def _insert(code_hash: str, makers: str, events: str = "event") -> str:
    """Inserts the links of `events`; the other arguments are expressions."""
    return f"""
    insert into passkey_links (user_id, link_id, purpose, code_hash, creator, makers, returned_to,
        return_to, is_invitation, application_id, created_at, expires_at)
    select aggregate_id, payload->>'link_id', payload->>'purpose', {code_hash}, creator, {makers},
        case payload->>'delivery' when 'return_code' then creator end, :return_to::text,
        :is_invitation::boolean, :application_id::text, created_at,
        (payload->>'expires_at')::timestamptz
    from {events}"""


# Creates a link of a locked user. The details are those of the user.
ADD: Final = append(
    PasskeyLinkCreated,
    target=part_of_user(),
    projections=PROJECTIONS,
    also={"link": _insert(":code_hash::bytea", ":makers::text[]")},
)

# Creates a link for each of some locked users.
_ADD_ALL = append(
    PasskeyLinkCreated,
    target=part_of_imported(),
    projections=PROJECTIONS,
    payload="target.payload::jsonb",
    also={
        "link": _insert(
            "decode(given.code_hash, 'hex')",
            "given.makers",
            """event join jsonb_to_recordset(:links::jsonb)
        as given (user_id text, code_hash text, makers text[]) on given.user_id = aggregate_id""",
        )
    },
)

# Replaces the links of users, expired ones too, because a ceremony that began in time could still
# be completed. A recovery link, which anybody can request, replaces only recovery links.
_REPLACE = statement("""
update passkey_links set replaced_at = clock_timestamp()
where user_id = any(:user_ids::text[]) and used_at is null and replaced_at is null
    and (:purpose::text = 'registration' or purpose = :purpose)
returning link_id""")

# When some users were last mailed a registration link. A link of a former address is deleted.
_LAST_MAILED = statement("""
select user_id, max(created_at) as mailed_at from passkey_links
where user_id = any(:user_ids::text[]) and purpose = 'registration' and returned_to is null
group by user_id""")

# Whether a user has a valid recovery link.
_CAN_RECOVER = statement("""
select exists (
    select from passkey_links
    where user_id = :user_id and purpose = 'recovery' and used_at is null and replaced_at is null
        and expires_at > clock_timestamp()) as can_recover""")


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The number of a user's links, and of those that have registered a passkey.

    Such a passkey may be removed by now.
    """

    made: int
    used: int


# The numbers of a user's links.
COUNT: Final = Query(
    """
select count(*) as made, count(used_at) as used from passkey_links where user_id = :user_id""",
    LinkCounts,
)


@dataclass(frozen=True, slots=True)
class Link:
    """The state of a link, and its makers."""

    creator: str
    makers: tuple[str, ...]
    recovers: bool
    return_to: str
    is_invitation: bool
    application_id: str
    ceremonies: int
    is_mailed: bool
    is_used: bool
    is_replaced: bool
    expires_at: datetime
    is_expired: bool


# Whether the code of a link was returned to a user, a role of whom has ended since.
_HAS_ENDED: Final = f"""(used_at is null and replaced_at is null
        and {has_ended_role("returned_to")})"""

# A link, which cannot change while its user is locked.
GET: Final = Query(
    f"""
select creator, makers, purpose = 'recovery' as recovers, return_to, is_invitation, application_id,
    ceremonies, returned_to is null as is_mailed, used_at is not null as is_used,
    replaced_at is not null as is_replaced, expires_at,
    expires_at <= clock_timestamp() as is_expired
from passkey_links where user_id = :user_id and link_id = :link_id and not {_HAS_ENDED}""",
    Link,
)

# Counts a ceremony that a link began.
_COUNT_CEREMONY = statement("""
update passkey_links set ceremonies = ceremonies + 1
where user_id = :user_id and link_id = :link_id""")

# The link of a code.
_FIND_BY_CODE = statement(f"""
select user_id, link_id from passkey_links where code_hash = :code_hash and not {_HAS_ENDED}""")

# Links 90 days after their expiry. Until then, a person who opens an old mail learns why its link
# is invalid.
ENDED: Final = retention("passkey_links", until="expires_at", after="now() - interval '90 days'")


class LinkPurpose(enum.StrEnum):
    """The purpose of a link: created by an administrator, or requested by the user."""

    REGISTRATION = "registration"
    RECOVERY = "recovery"


@dataclass(frozen=True, slots=True)
class MailedLink:
    """A link to mail to a locked user: its event, the hash of its code, and its makers."""

    user_id: str
    event: PasskeyLinkCreated
    code_hash: bytes
    makers: Sequence[str]


async def add_all(
    transaction: Statements, links: Sequence[MailedLink], *, creator: str, **common: object
) -> None:
    """Creates links of locked users, each of another; `common` are the columns that all share."""
    rows = [
        {"user_id": each.user_id, "code_hash": each.code_hash.hex(), "makers": list(each.makers)}
        for each in links
    ]
    await transaction.fetch(
        _ADD_ALL,
        user_ids=[each.user_id for each in links],
        payloads=[each.event.payload() for each in links],
        links=json.dumps(rows),
        creator=creator,
        **common,
    )


async def last_mailed(transaction: Statements, user_ids: Sequence[str]) -> dict[str, datetime]:
    """The times at which users were last mailed a registration link that they may still have."""
    rows = await transaction.fetch(_LAST_MAILED, user_ids=user_ids)
    return {row["user_id"]: row["mailed_at"] for row in rows}


async def replace(
    transaction: Statements, user_ids: Sequence[str], purpose: LinkPurpose
) -> list[str]:
    """Ends the links that new links of this purpose replace; returns their ids.

    The users are locked. The ceremonies of the links end, too.
    """
    rows = await transaction.fetch(_REPLACE, user_ids=user_ids, purpose=purpose)
    return [row["link_id"] for row in rows]


async def can_recover(transaction: Statements, user_id: str) -> bool:
    """Whether the locked user has a valid recovery link."""
    row = await transaction.fetch_one(_CAN_RECOVER, user_id=user_id)
    can_recover: bool = row["can_recover"]
    return can_recover


async def count_ceremony(transaction: Statements, *, user_id: str, link_id: str) -> None:
    """Counts a ceremony that the link of a locked user began."""
    await transaction.fetch(_COUNT_CEREMONY, user_id=user_id, link_id=link_id)


async def find_caller(database: Statements, hashed: bytes) -> LinkCaller | None:
    """Finds the link of a code, in any state."""
    row = await database.fetch_row(_FIND_BY_CODE, code_hash=hashed)
    return LinkCaller(row["user_id"], row["link_id"]) if row else None
