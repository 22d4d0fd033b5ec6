"""The statements by which the claims of an identity provider change memberships."""

from collections.abc import Awaitable, Callable, Collection
from functools import partial

from server.access.user_aggregate import LINK_EXISTS, MOVED, part_of_user
from server.group import import_store
from server.group.events import GroupsMapped
from server.log.append import Projections, append
from server.store.database import Statements
from server.store.statement import statement
from server.validation.fields import is_id

PROJECTIONS: Projections = {
    GroupsMapped: [
        """
        delete from group_members using event
        where group_members.user_id = event.aggregate_id
            and event.payload->'left_group_ids' ? group_members.group_id
            and group_members.link_id = event.payload->>'link_id'""",
        f"""
        insert into group_members (user_id, group_id, link_id, sequence, creation_date, change_date)
        select event.aggregate_id, groups.id, event.payload->>'link_id', event.sequence,
            event.created_at, event.created_at
        from event cross join lateral
            jsonb_array_elements_text(event.payload->'joined_group_ids') as joined (group_id)
            join groups on groups.id = joined.group_id collate "C"
        where not event.payload ? 'link_id' or {LINK_EXISTS}""",
        MOVED,
    ]
}

# Changes the memberships of a locked user.
_MAP = append(
    GroupsMapped,
    target=part_of_user(creation_date="null::timestamptz"),
    projections=PROJECTIONS,
)

# The organization's groups among some ids and names, and whether the user is in them.
_LIST_NAMED = statement("""
select groups.id, exists (
    select from group_members as member
    where member.group_id = groups.id and member.user_id = :user_id) as is_member
from groups
where owner = :organization_id and (id = any(:named::text[]) or name = any(:named::text[]))
order by id""")

# The memberships that end with a link of the user.
_LIST_GIVEN = statement("""
select group_id from group_members
where user_id = :user_id and link_id = :link_id order by group_id""")


async def plan(
    transaction: Statements,
    named: Collection[str],
    *,
    user_id: str,
    link_id: str | None,
    ends_others: bool,
    organization_id: str,
    limit: int,
) -> tuple[Callable[[str], Awaitable[None]] | None, str]:
    """The change that makes a locked user a member of the groups among `named`, ids or names.

    None: the user is in all of them. `ends_others`: it leaves other groups that the link gave it.
    Locks the groups that the user joins; its memberships must not change before the event. Also
    returns why it joins fewer groups: `GROUP_FULL` or `GROUP_UNKNOWN`.
    """
    found = await transaction.fetch(
        _LIST_NAMED, named=sorted(named), user_id=user_id, organization_id=organization_id
    )
    wanted = {row["id"] for row in found}
    new = [row["id"] for row in found if not row["is_member"]]
    locked = await import_store.lock_named(transaction, new, organization_id=organization_id)
    joined = tuple(each for each in new if each in locked and locked[each].members < limit)
    given = await transaction.fetch(_LIST_GIVEN, user_id=user_id, link_id=link_id)
    left = tuple(row["group_id"] for row in given if ends_others and row["group_id"] not in wanted)
    event = GroupsMapped(link_id, joined, left)
    change = partial(_map, transaction, event) if joined or left else None
    if len(joined) < len(new):
        return change, "GROUP_FULL"
    is_known = wanted.issuperset(each for each in named if is_id(each))
    return change, "" if is_known else "GROUP_UNKNOWN"


async def _map(transaction: Statements, event: GroupsMapped, user_id: str) -> None:
    await _MAP.details(transaction, event, creator=user_id, user_id=user_id)
