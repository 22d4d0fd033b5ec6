"""The statements by which users are imported, each for all users of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.access.user_aggregate import address_key
from server.log.append import Projections, append
from server.store.database import Statements
from server.store.rows import Query
from server.user.events import UserImported
from server.user.store import inserted_user

PROJECTIONS: Projections = {
    UserImported: [
        inserted_user(
            creation_date="coalesce((payload->>'originally_created_at')::timestamptz, created_at)",
            locked_at="case when payload ? 'lock_reason' then created_at end",
            lock_reason="coalesce(payload->>'lock_reason', '')",
            import_digest="decode(payload->>'import_digest', 'base64')",
            picture="coalesce(decode(payload->>'picture', 'base64'), '')",
            picture_key="coalesce(payload->>'picture_key', '')",
        ),
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'user_name', owner || ':' || (payload->>'user_name_claim'), aggregate_id
        from event
        union all
        select 'user_name_skeleton', owner || ':' || digest, aggregate_id
        from event, jsonb_array_elements_text(payload->'user_name_skeletons') as digest""",
        # `sub` of a user and the ID of an application are names in one token. The claim stays
        # after the removal of the user, who alone may have the ID again.
        """
        insert into unique_claims (kind, value, aggregate_id)
        select 'application_audience', event.aggregate_id, event.aggregate_id
        from event where not exists (
            select from unique_claims as own
            where own.kind = 'application_audience' and own.value = event.aggregate_id
                and own.aggregate_id = event.aggregate_id)""",
    ]
}

_SAME_ADDRESS = f"{address_key('users.email')} = {address_key('given.email')}"

# The users and claims that exist already, for each given user in its order. `offset 0` keeps the
# planner from reading all users of the organization for each address.
_COMPARE: Final = f"""
select given.user_id, users.owner, users.import_digest,
    exists (
        select from unique_claims
        where kind = 'application_audience' and value = given.user_id) as is_claimed,
    exists (
        select from unique_claims
        where kind = 'user_name' and value = :organization_id || ':' || given.name_claim
    ) or exists (
        select from unique_claims
        where kind = 'user_name_skeleton' and value = any(
            select :organization_id || ':' || digest
            from unnest(string_to_array(given.skeletons, ' ')) as digest)) as is_name_taken,
    given.email <> '' and exists (
        select from (
            select users.owner from users where users.email <> '' and {_SAME_ADDRESS} offset 0
        ) as same where same.owner = :organization_id) as is_address_taken,
    {address_key("given.email")} as address_key
from unnest(:user_ids::text[], :name_claims::text[], :skeletons::text[], :emails::text[])
    with ordinality as given (user_id, name_claim, skeletons, email, place)
left join users on users.id = given.user_id collate "C"
order by given.place"""

# Adds all users of an import. `sequences` are those of removed users with the same IDs.
_ADD = append(
    UserImported,
    target="""
    select id, :organization_id::text as owner, last as sequence,
        null::timestamptz as creation_date, null::timestamptz as change_date, true as changed,
        payload
    from unnest(:user_ids::text[], :sequences::bigint[], :payloads::text[])
        as given (id, last, payload)""",
    projections=PROJECTIONS,
    payload="target.payload::jsonb",
)


@dataclass(frozen=True, slots=True)
class Compared:
    """The values of a given user that others have already.

    `owner` and `import_digest` are those of the user with its ID; None: no user has it.
    `address_key` is empty without an address.
    """

    user_id: str
    owner: str | None
    import_digest: bytes | None
    is_claimed: bool
    is_name_taken: bool
    is_address_taken: bool
    address_key: str


COMPARE: Final = Query(_COMPARE, Compared)


async def add(
    transaction: Statements,
    events: Mapping[str, UserImported],
    sequences: Sequence[int],
    *,
    creator: str,
    organization_id: str,
) -> None:
    """Writes the users by their IDs. UniqueConflictError: somebody has just taken a value."""
    await transaction.fetch(
        _ADD,
        user_ids=list(events),
        sequences=sequences,
        payloads=[event.payload() for event in events.values()],
        creator=creator,
        organization_id=organization_id,
    )
