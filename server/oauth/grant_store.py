"""The read table `application_grants` and every statement on it.

A grant is part of the user's aggregate. That of a removed application has no effect, because ids
are never used again; it ends when its user has `MAX_GRANTS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.access import began_with
from server.access.user_aggregate import MOVED, account, part_of_user, sequence_of_part
from server.log.append import Projections, append
from server.oauth.events import (
    ApplicationEntered,
    ApplicationGranted,
    ApplicationRevoked,
    ApplicationScopesRevoked,
)
from server.store.database import Statements
from server.store.rows import Details, Query
from server.store.statement import statement
from server.values.errors import NotFound

# All grants of a user end in one transaction, with an event for each.
MAX_GRANTS: Final = 1000

PROJECTIONS: Projections = {
    ApplicationGranted: [
        f"""
        insert into application_grants as stored (user_id, application_id, scopes, began_with,
            entered_at, sequence, creation_date, change_date)
        select aggregate_id, payload->>'application_id',
            array(select jsonb_array_elements_text(payload->'scopes')), {began_with.PROJECTED},
            created_at, sequence, created_at, created_at
        from event
        on conflict (user_id, application_id) do update set
            scopes = excluded.scopes, began_with = excluded.began_with,
            entered_at = excluded.entered_at, sequence = excluded.sequence,
            change_date = excluded.change_date""",
        MOVED,
    ],
    # The grant itself, with its sequence, stays as it is.
    ApplicationEntered: [
        """
        update application_grants as stored set entered_at = event.created_at
        from event
        where stored.user_id = event.aggregate_id
            and stored.application_id = event.payload->>'application_id'""",
        MOVED,
    ],
    ApplicationScopesRevoked: [
        """
        update application_grants as stored set
            scopes = array(
                select scope from unnest(stored.scopes) with ordinality as listed (scope, place)
                where not event.payload->'scopes' ? scope order by place),
            sequence = event.sequence, change_date = event.created_at
        from event
        where stored.user_id = event.aggregate_id
            and stored.application_id = event.payload->>'application_id'""",
        MOVED,
    ],
    ApplicationRevoked: [
        """
        delete from application_grants using event
        where application_grants.user_id = event.aggregate_id
            and application_grants.application_id = event.payload->>'application_id'""",
        MOVED,
    ],
}

_grant_not_found: Final = NotFound(
    "application_grant",
    "The user has granted nothing to this application. List the grants of the user to find the"
    " right id.",
)

# Grants scopes to an application.
GRANT: Final = append(ApplicationGranted, target=part_of_user(), projections=PROJECTIONS)

# Notes that a session got its first code for an application.
ENTER: Final = append(ApplicationEntered, target=part_of_user(), projections=PROJECTIONS)

_GRANTED = part_of_user(
    join="join application_grants as stored on stored.user_id = account.id",
    where="stored.application_id = :application_id",
    creation_date="stored.creation_date",
)

# Takes scopes of the grant to an application back.
REVOKE_SCOPES: Final = append(
    ApplicationScopesRevoked,
    target=_GRANTED,
    projections=PROJECTIONS,
    missing=("application_id", _grant_not_found),
)

# Ends the grant to an application.
REVOKE: Final = append(
    ApplicationRevoked,
    target=_GRANTED,
    projections=PROJECTIONS,
    missing=("application_id", _grant_not_found),
)

# Locks a grant and its user, for a precondition.
LOCK_SEQUENCE: Final = statement(sequence_of_part("application_grants", "application_id"))

# The scopes that a user granted to an application.
_FIND = statement("""
select scopes from application_grants
where user_id = :user_id and application_id = :application_id""")

# The number of a user's grants, at most `:limit`.
_COUNT = statement("""
select count(*) from (
    select from application_grants where user_id = :user_id limit :limit) as counted""")

# Those whose last scopes were granted in a session of a passkey or an identity link.
_LIST_BEGUN_WITH = statement("""
select application_id from application_grants
where user_id = :user_id and :credential_id = any(began_with) order by application_id""")

# The applications of a locked user's grants.
_LIST_IDS = statement("""
select application_id from application_grants where user_id = :user_id order by application_id""")


# When these users last entered an application.
_ENTERED = statement("""
select user_id, entered_at from application_grants
where user_id = any(:user_ids::text[]) and application_id = :application_id
    and entered_at is not null""")


@dataclass(frozen=True, slots=True)
class Grant:
    """The scopes that a user granted to an application.

    `entered_at` is the time at which a session of the user last got its first code, or the user
    last agreed. None: before this was stored.
    """

    application_id: str
    scopes: Sequence[str]
    entered_at: datetime | None
    details: Details


# A page of the grants of a user, after the ID of an application.
LIST: Final = Query(
    f"""
select stored.application_id, stored.scopes, stored.entered_at, account.owner, stored.sequence,
    stored.creation_date, stored.change_date
from application_grants as stored cross join lateral ({account("stored.user_id")}) as account
where stored.user_id = :user_id and stored.application_id > :after
order by stored.application_id limit :limit""",
    Grant,
)


async def granted_scopes(
    database: Statements, *, user_id: str, application_id: str
) -> frozenset[str]:
    """The scopes that the user granted to the application."""
    row = await database.fetch_row(_FIND, user_id=user_id, application_id=application_id)
    return frozenset(row["scopes"]) if row else frozenset()


async def entered_at(
    database: Statements, user_ids: Sequence[str], application_id: str
) -> Mapping[str, datetime]:
    """When users last entered the application, without those who never did."""
    rows = await database.fetch(_ENTERED, user_ids=user_ids, application_id=application_id)
    return {row["user_id"]: row["entered_at"] for row in rows}


async def may_have_another(transaction: Statements, user_id: str) -> bool:
    """Whether a locked user has fewer than `MAX_GRANTS` grants."""
    row = await transaction.fetch_one(_COUNT, user_id=user_id, limit=MAX_GRANTS)
    has_fewer: bool = row["count"] < MAX_GRANTS
    return has_fewer


async def list_ids(transaction: Statements, user_id: str) -> list[str]:
    """The applications of a locked user's grants."""
    rows = await transaction.fetch(_LIST_IDS, user_id=user_id)
    return [row["application_id"] for row in rows]


async def end(
    transaction: Statements, application_ids: Sequence[str], *, user_id: str, creator: str
) -> None:
    """Ends the grants of a locked user to these applications."""
    for application_id in application_ids:
        event = ApplicationRevoked(application_id)
        await REVOKE.details(transaction, event, creator=creator, user_id=user_id)


async def end_of_user(transaction: Statements, *, user_id: str, creator: str) -> None:
    """Ends all grants of a locked user."""
    application_ids = await list_ids(transaction, user_id)
    await end(transaction, application_ids, user_id=user_id, creator=creator)


async def end_begun_with(
    transaction: Statements, credential_id: str, *, user_id: str, creator: str
) -> list[str]:
    """Ends the grants of a locked user that began with a credential; returns the applications."""
    rows = await transaction.fetch(_LIST_BEGUN_WITH, user_id=user_id, credential_id=credential_id)
    application_ids = [row["application_id"] for row in rows]
    await end(transaction, application_ids, user_id=user_id, creator=creator)
    return application_ids
