"""The statements by which memberships are imported, each for all users of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.access.user_aggregate import MOVED, link_exists, part_of_imported
from server.group.events import GroupsImported
from server.log.append import Projections, append
from server.store.database import Statements
from server.store.rows import Query
from server.store.statement import statement

PROJECTIONS: Projections = {
    GroupsImported: [
        # A link of a removed provider does not return in a rebuild, nor do its memberships.
        f"""
        insert into group_members (user_id, group_id, link_id, sequence, creation_date, change_date)
        select event.aggregate_id, groups.id, joined.link_id, event.sequence, event.created_at,
            event.created_at
        from event cross join lateral (
                select group_id, event.payload->'link_ids'->>group_id
                from jsonb_array_elements_text(event.payload->'group_ids') as group_id
            ) as joined (group_id, link_id)
            join groups on groups.id = joined.group_id collate "C"
        where joined.link_id is null or {link_exists("joined.link_id")}""",
        MOVED,
    ]
}

# Makes users who were imported in this transaction members of locked groups.
_JOIN = append(
    GroupsImported,
    target=part_of_imported(),
    projections=PROJECTIONS,
    payload="target.payload::jsonb",
)

# Locks the organization's groups among some IDs and names.
_LOCK = statement("""
select id, name from groups
where owner = :organization_id and (id = any(:named::text[]) or name = any(:named::text[]))
order by id for no key update""")


@dataclass(frozen=True, slots=True)
class CountedGroup:
    """A locked group, and the number of its members."""

    group_id: str
    name: str
    members: int


@dataclass(frozen=True, slots=True)
class ExportedMember:
    """A membership of a user: the name of the group, and the link that gave it, if one did."""

    user_id: str
    group: str
    link_id: str | None


# The memberships of some users.
LIST_EXPORTED: Final = Query(
    """
select member.user_id, groups.name as group, member.link_id
from group_members as member join groups on groups.id = member.group_id
where member.user_id = any(:user_ids::text[]) order by member.user_id, groups.name""",
    ExportedMember,
)

# The members of locked groups.
_COUNT: Final = Query(
    """
select groups.id as group_id, groups.name, (
    select count(*) from group_members where group_members.group_id = groups.id) as members
from groups where id = any(:group_ids::text[])""",
    CountedGroup,
)


async def lock_named(
    transaction: Statements, named: Sequence[str], *, organization_id: str
) -> dict[str, CountedGroup]:
    """Locks the organization's groups among these IDs and names; returns them by both."""
    rows = await transaction.fetch(_LOCK, named=named, organization_id=organization_id)
    counted = await _COUNT.all(transaction, group_ids=[row["id"] for row in rows])
    return {key: group for group in counted for key in (group.group_id, group.name)}


async def join(
    transaction: Statements, events: Mapping[str, GroupsImported], *, creator: str
) -> None:
    """Makes users, who were imported in this transaction, members of locked groups."""
    await transaction.fetch(
        _JOIN,
        user_ids=list(events),
        payloads=[event.payload() for event in events.values()],
        creator=creator,
    )
