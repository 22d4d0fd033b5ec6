"""The read table `group_members` and every statement on it.

A membership is part of the user's aggregate. Foreign keys delete it with its group and with its
user. A rebuild may replay the events of a user after the removal of a group, so the projection
joins the group: a membership in a removed group must not return.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.access.authorizer import user_not_found
from server.access.checked_append import IS_ADMITTED
from server.access.user_aggregate import MOVED, account, part_of_user, sequence_of_part
from server.group.events import GroupJoined, GroupLeft
from server.group.store import COLUMNS, Group
from server.log.append import Projections, append
from server.store.database import Statements
from server.store.rows import Details, Query, details
from server.store.statement import statement
from server.values.errors import NotFound

PROJECTIONS: Projections = {
    GroupJoined: [
        """
        insert into group_members (user_id, group_id, sequence, creation_date, change_date)
        select event.aggregate_id, groups.id, event.sequence, event.created_at, event.created_at
        from event join groups on groups.id = event.payload->>'group_id'""",
        MOVED,
    ],
    GroupLeft: [
        """
        delete from group_members using event
        where group_members.user_id = event.aggregate_id
            and group_members.group_id = event.payload->>'group_id'""",
        MOVED,
    ],
}

_member_not_found: Final = NotFound(
    "group_member",
    "The user is not a member of this group, or the group does not exist in this organization."
    " Find the right id with ListGroupMembers or ListGroupsOfUser.",
)

_MEMBER = "from group_members where user_id = :user_id and group_id = :group_id"
# The count is exact while the group is locked.
_IS_MEMBER_OR_FITS = f"""exists (select {_MEMBER})
    or :limit::int > (select count(*) from group_members where group_id = :group_id)"""

# Makes a user of the organization a member of a locked group that it is not in, if it fits.
_JOIN = append(
    GroupJoined,
    target=part_of_user(
        where="account.owner = :organization_id",
        sequence=f"coalesce((select sequence {_MEMBER}), account.sequence)",
        creation_date=f"(select creation_date {_MEMBER})",
        change_date=f"(select change_date {_MEMBER})",
        changed=f"not exists (select {_MEMBER}) and ({_IS_MEMBER_OR_FITS})",
        columns=f"({_IS_MEMBER_OR_FITS}) as fits",
    ),
    projections=PROJECTIONS,
    returning=["fits"],
    missing=("user_id", user_not_found),
    admission=IS_ADMITTED,
)

# Removes a user from a group of the organization.
LEAVE: Final = append(
    GroupLeft,
    target=part_of_user(
        join="join group_members as member on member.user_id = account.id",
        where="member.group_id = :group_id and account.owner = :organization_id",
        creation_date="member.creation_date",
    ),
    projections=PROJECTIONS,
    missing=("user_id", _member_not_found),
    admission=IS_ADMITTED,
)

# Locks a membership and its user, for a precondition.
LOCK_SEQUENCE: Final = statement(
    sequence_of_part("group_members", "group_id", where="account.owner = :organization_id")
)


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A stored membership, with the names of the user."""

    user_id: str
    user_name: str
    display_name: str
    link_id: str
    details: Details


# A page of the members of a group, oldest users first.
LIST: Final = Query(
    f"""
select account.id as user_id, account.user_name, account.display_name, account.owner,
    coalesce(member.link_id, '') as link_id, member.sequence, member.creation_date,
    member.change_date
from group_members as member cross join lateral ({account("member.user_id")}) as account
where member.group_id = :group_id and member.user_id > :after
order by member.user_id limit :limit""",
    GroupMember,
)

# A page of the groups of a user, oldest first.
LIST_OF_USER: Final = Query(
    f"""
select {COLUMNS} from group_members as member join groups on groups.id = member.group_id
where member.user_id = :user_id and member.group_id > :after
order by member.group_id limit :limit""",
    Group,
)

# The users who are members of any of these groups.
_LIST_ANY = statement("""
select distinct user_id from group_members where group_id = any(:group_ids::text[])""")

# The users who are members of all of some groups.
_LIST_COMMON = statement("""
select user_id from group_members where group_id = any(:group_ids::text[])
group by user_id having count(*) = cardinality(:group_ids::text[])""")

# The groups of a user: ids and names.
_NAMES_OF_USER = statement("""
select groups.id, groups.name
from group_members as member join groups on groups.id = member.group_id
where member.user_id = :user_id order by groups.name""")


async def join(
    transaction: Statements, event: GroupJoined, *, limit: int, **values: object
) -> tuple[Details, bool]:
    """Makes a user a member of a locked group. False: the group is full, so nothing was written.

    `Failure` NOT_FOUND.
    """
    row = await _JOIN.one(transaction, event, limit=limit, **values)
    return details(row), row["fits"]


async def names_of_user(database: Statements, user_id: str) -> dict[str, str]:
    """The names of all groups of a user by their ids, in the order of the names.

    The names are the claim `groups`. An application admits the user if its ids include one of
    these.
    """
    rows = await database.fetch(_NAMES_OF_USER, user_id=user_id)
    return {row["id"]: row["name"] for row in rows}


async def list_any(database: Statements, group_ids: Sequence[str]) -> Sequence[str]:
    """The IDs of the users who are members of any of these groups."""
    return [row["user_id"] for row in await database.fetch(_LIST_ANY, group_ids=group_ids)]


async def list_common(database: Statements, group_ids: Sequence[str]) -> Sequence[str]:
    """The IDs of the users who are members of all these groups, each of which is given once."""
    return [row["user_id"] for row in await database.fetch(_LIST_COMMON, group_ids=group_ids)]
