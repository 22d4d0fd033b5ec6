"""The tables `sessions` and `session_activity`, and every statement on them.

`sessions` is a read table. `session_activity` has the data that must be erasable: the time of the
last use and the device. It is not a projection, and has no foreign key, since a rebuild deletes and
reinserts all sessions. A session without activity was last used when its user signed in.

A session ends with its passkey, its link and its user by foreign keys.
"""

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from server.access import user_aggregate
from server.access.authorizer import user_not_found
from server.access.caller import Caller, CallerSession
from server.access.held_roles import roles_of
from server.access.listing import MOST_COUNTED, TotalSize, microseconds
from server.access.user_aggregate import (
    MOST_EXAMINED,
    MOVED,
    account,
    contains,
    examined,
    part_of_user,
    part_of_users,
    sequence_of_part,
)
from server.log.append import Projections, append
from server.session.events import IDPSessionsEnded, SessionEnded, SessionsEnded
from server.session.fragments import ACTIVITY_ENDED, LAST_SEEN_AT, NAMED_ENDED
from server.store.clock import DatabaseClock
from server.store.database import Statements
from server.store.filters import Filters, Instant, OneOf
from server.store.retention import retention
from server.store.rows import Details, Query, from_row
from server.store.statement import Statement, statement
from server.values.errors import Failure, NotFound

PROJECTIONS: Projections = {
    SessionEnded: [
        """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id = event.payload->>'session_id'""",
        MOVED,
    ],
    SessionsEnded: [
        """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id is distinct from event.payload->>'kept_session_id'""",
        MOVED,
    ],
    IDPSessionsEnded: [NAMED_ENDED, MOVED],
}

_IDLE = ":idle_timeout::interval"
_IDLE_EXPIRES_AT = f"least(sessions.expires_at, {LAST_SEEN_AT} + {_IDLE})"
_IS_LIVE = f"""sessions.expires_at > clock_timestamp()
    and {LAST_SEEN_AT} > clock_timestamp() - {_IDLE}"""
_LIVE = f"""
from sessions cross join lateral ({account("sessions.user_id")}) as account
    left join session_activity as activity using (user_id, session_id)
where {_IS_LIVE}"""

# `is_due`: the use must be recorded, at most every twentieth of the idle timeout. Another statement
# records it, so that this one works on a read-only database.
_FIND_CALLER = statement(f"""
select account.id, account.owner, account.roles, account.roles_end_at, account.user_name,
    account.display_name, sessions.session_id, sessions.authenticated_at, sessions.expires_at,
    sessions.passkey_id is not null as by_passkey,
    {_IDLE_EXPIRES_AT} as idle_expires_at, clock_timestamp() as now,
    current_setting('transaction_read_only') = 'off'
        and {LAST_SEEN_AT} <= clock_timestamp() - {_IDLE} / 20 as is_due
{_LIVE} and sessions.hash = :hash""")

# Records that a session was used. Of several concurrent calls only one records it. A missing row is
# made again, without the device; the lock excludes that the session has just ended.
_SEEN = statement(f"""
with live as (
    select user_id, session_id, expires_at from sessions
    where user_id = :user_id and session_id = :session_id for key share),
seen as (
    insert into session_activity as activity (user_id, session_id, last_seen_at, device_name,
        user_agent, ip_address)
    select user_id, session_id, clock_timestamp(), '', '', '' from live
    on conflict (user_id, session_id) do update set last_seen_at = excluded.last_seen_at
        where activity.last_seen_at <= clock_timestamp() - {_IDLE} / 20
    returning last_seen_at)
select least(live.expires_at, seen.last_seen_at + {_IDLE}) as idle_expires_at from live, seen""")

# Locks a session and its user, for a precondition.
LOCK_SEQUENCE: Final = statement(sequence_of_part("sessions", "session_id"))

_SHOWN = f"""
select sessions.session_id, sessions.user_id, coalesce(sessions.passkey_id, '') as passkey_id,
    coalesce(sessions.link_id, '') as link_id, coalesce(sessions.idp_id, '') as idp_id,
    sessions.authenticated_at, sessions.expires_at, sessions.user_verified,
    {LAST_SEEN_AT} as last_seen_at,
    {_IDLE_EXPIRES_AT} as idle_expires_at,
    coalesce(activity.device_name, '') as device_name,
    coalesce(activity.user_agent, '') as user_agent,
    coalesce(activity.ip_address, '') as ip_address,
    account.owner, account.user_name, account.display_name, sessions.sequence,
    sessions.creation_date, sessions.change_date"""
_COLUMNS = f"{_SHOWN} {_LIVE}"

FILTERS: Final = Filters(
    authenticated_at=Instant("sessions.authenticated_at"),
    last_seen_at=Instant(LAST_SEEN_AT),
    expires_at=Instant("sessions.expires_at"),
    user_verified=OneOf("sessions.user_verified::text", ("true", "false"), prefix=""),
)

_SEARCHED = (
    *("account.user_name", "account.display_name", "account.email"),
    *("activity.device_name", "activity.user_agent", "activity.ip_address"),
)


@dataclass(frozen=True, slots=True)
class Session:
    """A session, read from both tables."""

    session_id: str
    user_id: str
    user_name: str
    display_name: str
    # Empty if the session does not have one.
    passkey_id: str
    link_id: str
    idp_id: str
    device_name: str
    user_agent: str
    ip_address: str
    authenticated_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    idle_expires_at: datetime
    user_verified: bool
    details: Details

    @property
    def began_with(self) -> tuple[str, ...]:
        """The record of an object that is made in the session (`access/began_with.py`)."""
        return tuple(filter(None, (self.passkey_id, self.link_id)))


# A session that has not expired.
GET: Final = Query(
    f"{_COLUMNS} and sessions.user_id = :user_id and sessions.session_id = :session_id", Session
)

# A page of the sessions of a user that have not expired, oldest first.
LIST: Final = Query(
    f"""{_COLUMNS} and sessions.user_id = :user_id and sessions.session_id > :after
order by sessions.session_id limit :limit""",
    Session,
)

# The orders of the sessions of a user, who has few.
ORDERS: Final = {
    "creation_date": "sessions.creation_date",
    "last_seen_at": LAST_SEEN_AT,
    "expires_at": "sessions.expires_at",
}


def _ordered(time: str, direction: str, beyond: str) -> Query[Session]:
    """The same in the order of a time, after the microseconds of one and an ID."""
    key = microseconds(time)
    return Query(
        f"""{_COLUMNS} and sessions.user_id = :user_id
    and ({key}, sessions.session_id) {beyond} (:after_key::bigint, :after::text)
order by {key} {direction}, sessions.session_id {direction} limit :limit""",
        Session,
    )


ASCENDING: Final = {name: _ordered(time, "asc", ">") for name, time in ORDERS.items()}
DESCENDING: Final = {name: _ordered(time, "desc", "<") for name, time in ORDERS.items()}

_SELECTED = f"""
from sessions left join session_activity as activity using (user_id, session_id)
where sessions.user_id = account.id and {_IS_LIVE}
    and {FILTERS.condition}
    and (:method::text = '' or (sessions.idp_id is null) = (:method::text = 'PASSKEY'))
    and (:query::text = '' or sessions.session_id = :query::text or account.id = :query::text
        or {contains(_SEARCHED, ":query::text")})"""

_FOUND = f"""
{_SHOWN} {_SELECTED}
    and (account.id > :after_user_id or sessions.session_id > :after_session_id)"""


def _page(where: str) -> Statement:
    """The sessions of the examined users, and the last of these users also without one."""
    return statement(f"""
select account.id as account_id, account.place, found.*
from ({examined(where)}) as account left join lateral ({_FOUND}) as found on true
where found.session_id is not null or account.place = :examined
order by account.id, found.session_id limit :limit""")


def _number(where: str) -> Statement:
    """The number of the sessions of the examined users, and of these users.

    The limit has PostgreSQL search for the sessions of each user.
    """
    return statement(f"""
select count(found) as sessions, count(distinct account.id) as examined
from ({examined(where)}) as account
    left join lateral (
        select true as found {_SELECTED} limit {MOST_COUNTED}) as matching on true""")


_LIST_OF_ORGANIZATION = _page("owner = :organization_id")
_LIST_OF_INSTANCE = _page("true")
_NUMBER_OF_ORGANIZATION = _number("owner = :organization_id")
_NUMBER_OF_INSTANCE = _number("true")

# The number of sessions of an organization that have not expired; a limit of null examines all
# users.
_COUNT_LIVE = statement(f"""
select count(*) as sessions
from ({examined("owner = :organization_id")}) as account
    join sessions on sessions.user_id = account.id
    left join session_activity as activity using (user_id, session_id)
where {_IS_LIVE}""")

_FIND_USER = statement("select user_id from sessions where session_id = :session_id")

# The session is unknown, has ended, or belongs to another user.
session_not_found: Final = NotFound(
    "session", "The user has no such session. List its sessions to find the right id."
)

# Ends a session.
END: Final = append(
    SessionEnded,
    target=part_of_user(
        join="join sessions on sessions.user_id = account.id",
        where="sessions.session_id = :session_id",
        creation_date="sessions.creation_date",
    ),
    projections=PROJECTIONS,
    missing=("session_id", session_not_found),
    also={
        "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and activity.session_id = event.payload->>'session_id'"""
    },
)

# Ends all sessions of a user but one. The user is locked, so no session starts meanwhile.
_END_ALL = append(
    SessionsEnded,
    target=part_of_user(changed="jsonb_array_length(:payload::jsonb->'ended_session_ids') > 0"),
    projections=PROJECTIONS,
    missing=("user_id", user_not_found),
    also={
        "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and activity.session_id is distinct from event.payload->>'kept_session_id'"""
    },
)

# The users with sessions of an identity provider.
_LIST_USERS_OF_IDP = statement("select distinct user_id from sessions where idp_id = :idp_id")

# Ends the sessions of an identity provider, with one event per user. The users are locked.
_END_OF_IDP = append(
    IDPSessionsEnded,
    target=part_of_users(
        join="""
    join (
        select user_id, jsonb_agg(session_id order by session_id) as ended_session_ids
        from sessions where idp_id = :idp_id group by user_id
    ) as ended on ended.user_id = account.id""",
        columns="ended.ended_session_ids",
    ),
    payload="""jsonb_build_object(
            'idp_id', :idp_id::text, 'ended_session_ids', target.ended_session_ids)""",
    projections=PROJECTIONS,
    also=ACTIVITY_ENDED,
    returning=["id"],
)

# The sessions of a user, of a passkey or of a link; without the kept one.
_LIST_IDS = statement("""
select session_id from sessions
where user_id = :user_id and (:passkey_id::text is null or passkey_id = :passkey_id)
    and (:link_id::text is null or link_id = :link_id)
    and session_id is distinct from :kept_session_id::text
order by session_id""")

# Expired sessions are deleted without an event; `keystead rebuild` allows for that.
MAY_BE_FORGOTTEN: Final = "expires_at <= clock_timestamp()"

# Expired sessions, with their activity.
ENDED: Final = retention(
    "sessions",
    until="expires_at",
    also="""
    delete from session_activity as activity using deleted
    where activity.user_id = deleted.user_id and activity.session_id = deleted.session_id""",
)

# Foreign keys delete the sessions of a removed user, but not their activity.
_END_ACTIVITY = statement("delete from session_activity where user_id = :user_id")


async def find_caller(
    database: Statements, hashed: bytes, *, idle_timeout: timedelta, is_use: bool = True
) -> Caller | None:
    """The user of the session whose token has this hash, if the session has not expired.

    With `is_use`, records the use. If that fails, the idle timeout runs from the last recorded use.
    """
    row = await database.fetch_row(_FIND_CALLER, hash=hashed, idle_timeout=idle_timeout)
    if row is None:
        return None
    clock = DatabaseClock(row["now"])
    idle_expires_at = row["idle_expires_at"]
    if is_use and row["is_due"]:
        with contextlib.suppress(Failure):
            seen = await database.fetch_row(
                _SEEN, user_id=row["id"], session_id=row["session_id"], idle_timeout=idle_timeout
            )
            idle_expires_at = seen["idle_expires_at"] if seen else idle_expires_at
    return Caller(
        row["id"],
        row["owner"],
        roles_of(row),
        idle_expires_at,
        session=CallerSession(
            row["session_id"],
            row["authenticated_at"],
            row["expires_at"],
            row["user_name"],
            row["display_name"],
            row["by_passkey"],
        ),
        credential=hashed,
        clock=clock,
        roles_end_at=row["roles_end_at"],
    )


async def use(
    database: Statements, session: Session, *, now: datetime, idle_timeout: timedelta
) -> None:
    """Records a use of a session, if the last recorded one is not recent. `now`: the database's.

    If that fails, the idle timeout runs from the last recorded use.
    """
    if session.last_seen_at <= now - idle_timeout / 20:
        with contextlib.suppress(Failure):
            await database.fetch_row(
                _SEEN,
                user_id=session.user_id,
                session_id=session.session_id,
                idle_timeout=idle_timeout,
            )


class Place(NamedTuple):
    """The place in a list of sessions after which a page begins."""

    user_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class SessionSelection:
    """Sessions that contain the text and meet the filter. `method`: PASSKEY, IDP, or empty."""

    query: str
    method: str
    filter: str

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters of a statement."""
        return {"query": self.query, "method": self.method, **FILTERS.read(self.filter)}


START: Final = Place("", "")
# Sorts after every ID.
_END_OF_USER: Final = "~"


async def list_page(
    database: Statements,
    *,
    organization_id: str | None,
    selection: SessionSelection,
    after: Place,
    size: int,
    idle_timeout: timedelta,
) -> tuple[list[Session], Place | None]:
    """At most `size` sessions of an organization, or of the instance, that have not expired.

    They are ordered by their user and ID. Also returns the place after which the list continues;
    None at its end.
    """
    of = {} if organization_id is None else {"organization_id": organization_id}
    rows = await database.fetch(
        _LIST_OF_INSTANCE if organization_id is None else _LIST_OF_ORGANIZATION,
        **of,
        **selection.parameters,
        after_user_id=after.user_id,
        after_session_id=after.session_id,
        examined=MOST_EXAMINED,
        limit=size + 1,
        idle_timeout=idle_timeout,
    )
    is_end = not rows or rows[-1]["place"] < MOST_EXAMINED
    last = None if is_end else Place(rows[-1]["account_id"], _END_OF_USER)
    found = [from_row(Session, row) for row in rows if row["session_id"] is not None]
    if len(found) > size:
        return found[:size], Place(found[size - 1].user_id, found[size - 1].session_id)
    return found, last


async def count(
    database: Statements,
    selection: SessionSelection,
    *,
    organization_id: str | None,
    idle_timeout: timedelta,
) -> TotalSize:
    """The number of the sessions of an organization, or of the instance."""
    of = {} if organization_id is None else {"organization_id": organization_id}
    row = await database.fetch_one(
        _NUMBER_OF_INSTANCE if organization_id is None else _NUMBER_OF_ORGANIZATION,
        **of,
        **selection.parameters,
        after_user_id="",
        examined=MOST_EXAMINED,
        idle_timeout=idle_timeout,
    )
    is_more = row["sessions"] > MOST_COUNTED or row["examined"] == MOST_EXAMINED
    return TotalSize(min(row["sessions"], MOST_COUNTED), is_more)


async def count_live(
    database: Statements, organization_id: str, *, examined: int | None, idle_timeout: timedelta
) -> int:
    """The number of sessions of at most `examined` users, or of all, that have not expired."""
    row = await database.fetch_one(
        _COUNT_LIVE,
        organization_id=organization_id,
        after_user_id="",
        examined=examined,
        idle_timeout=idle_timeout,
    )
    return int(row["sessions"])


async def find_user(database: Statements, session_id: str) -> str | None:
    """The user of the session."""
    row = await database.fetch_row(_FIND_USER, session_id=session_id)
    return row["user_id"] if row else None


async def end_all(
    transaction: Statements, event: SessionsEnded, *, creator: str, user_id: str
) -> tuple[Details, int]:
    """Ends the sessions of a locked user; returns their number. `Failure` NOT_FOUND.

    Adds the IDs of the sessions to the event.
    """
    ending = await list_ids(transaction, user_id=user_id, kept_session_id=event.kept_session_id)
    event = replace(event, ended_session_ids=ending)
    ended = await _END_ALL.details(transaction, event, creator=creator, user_id=user_id)
    return ended, len(ending)


async def list_ids(
    transaction: Statements,
    *,
    user_id: str,
    passkey_id: str | None = None,
    link_id: str | None = None,
    kept_session_id: str | None = None,
) -> tuple[str, ...]:
    """The sessions of a locked user, of a passkey, of a link or all, without the kept one.

    An event that ends sessions names them as `ended_session_ids`, for watching services.
    """
    rows = await transaction.fetch(
        _LIST_IDS,
        user_id=user_id,
        passkey_id=passkey_id,
        link_id=link_id,
        kept_session_id=kept_session_id,
    )
    return tuple(row["session_id"] for row in rows)


async def end_of_idp(transaction: Statements, idp_id: str, *, creator: str) -> tuple[str, ...]:
    """Ends the sessions of a locked identity provider, and returns their users.

    The lock excludes sign-ins. Locks on the users exclude other commands that end their sessions.
    """
    rows = await transaction.fetch(_LIST_USERS_OF_IDP, idp_id=idp_id)
    if not rows:
        return ()
    await user_aggregate.lock_all(transaction, [row["user_id"] for row in rows])
    ended = await transaction.fetch(_END_OF_IDP, idp_id=idp_id, creator=creator)
    return tuple(row["id"] for row in ended)


async def end_activity(transaction: Statements, user_id: str) -> None:
    """Deletes the activity of all sessions of a removed user."""
    await transaction.fetch(_END_ACTIVITY, user_id=user_id)
