"""The tables `sessions` and `session_activity`, and every statement on them.

`sessions` is a read table. `session_activity` holds what must be erasable: when a session was last
used, and from which device. It is no projection, so it refers to nothing: a rebuild deletes
sessions and puts them back. A session without activity was last used when its user signed in.

A session ends with its passkey and with its user by foreign keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from server.access.caller import Caller, CallerSession
from server.access.roles import Role
from server.session.events import SessionEnded, SessionsEnded
from server.store.database import Statements
from server.store.eventlog import Details, Projections, append_statement, details
from server.store.statement import statement

# Sessions belong to the user's aggregate, so their events are its last ones.
_USER_CHANGED = """
        update users set sequence = event.sequence, change_date = event.created_at
        from event where users.id = event.aggregate_id"""

_EXPIRES_AT = """
    event.created_at + (event.payload->>'lifetime_seconds')::float8 * interval '1 second'"""

# The projections of SessionStarted and SessionRenewed on the tables of this store. The feature that
# the user signed in by adds those on its own.
STARTED: Final = (
    f"""
        insert into sessions (user_id, session_id, passkey_id, hash, authenticated_at, expires_at,
            sequence, creation_date, change_date)
        select aggregate_id, payload->>'session_id', payload->>'passkey_id',
            decode(payload->>'hash', 'base64'), created_at, {_EXPIRES_AT}, sequence, created_at,
            created_at
        from event""",
    """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and event.payload->'ended_session_ids' ? sessions.session_id""",
    _USER_CHANGED,
)
RENEWED: Final = (
    f"""
        update sessions set hash = decode(event.payload->>'hash', 'base64'),
            passkey_id = event.payload->>'passkey_id', authenticated_at = event.created_at,
            expires_at = {_EXPIRES_AT}, sequence = event.sequence, change_date = event.created_at
        from event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id = event.payload->>'session_id'""",
    _USER_CHANGED,
)

PROJECTIONS: Projections = {
    SessionEnded: [
        """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id = event.payload->>'session_id'""",
        _USER_CHANGED,
    ],
    SessionsEnded: [
        """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id is distinct from event.payload->>'kept_session_id'""",
        _USER_CHANGED,
    ],
}

# For `append_statement(also=...)` of the same events. Parameters: device_name, user_agent,
# ip_address.
ACTIVITY_STARTED: Final[Mapping[str, str]] = {
    "activity_started": """
    insert into session_activity (user_id, session_id, last_seen_at, device_name, user_agent,
        ip_address)
    select aggregate_id, payload->>'session_id', created_at, :device_name::text, :user_agent::text,
        :ip_address::text
    from event""",
    "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and event.payload->'ended_session_ids' ? activity.session_id""",
}
ACTIVITY_RENEWED: Final[Mapping[str, str]] = {
    "activity_renewed": """
    update session_activity as activity set last_seen_at = event.created_at from event
    where activity.user_id = event.aggregate_id
        and activity.session_id = event.payload->>'session_id'""",
}

# For the events that end sessions or remove a passkey: registration ceremonies that the user began
# for anyone, by whatever it began them. Complete if _LOCK_USER precedes the statement. The rows are
# locked in one order, so that two such statements do not wait for each other.
ENDS_CEREMONIES: Final[Mapping[str, str]] = {
    "ends_ceremonies": """
    delete from passkey_ceremonies using (
        select pending.user_id, pending.passkey_id from passkey_ceremonies as pending, event
        where pending.creator = event.aggregate_id
            and pending.verified_at is null and pending.link_id is null
        order by pending.user_id, pending.passkey_id for update of pending
    ) as ended
    where passkey_ceremonies.user_id = ended.user_id
        and passkey_ceremonies.passkey_id = ended.passkey_id"""
}

# For the event that removes a user.
ACTIVITY_OF_USER_ENDED: Final[Mapping[str, str]] = {
    "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id"""
}

# An expression: the sessions of a row of `users` that must end before it gets one more, which may
# have :max_sessions. Exact while the user's sequence stays the same.
SURPLUS: Final = """
    array(
        select sessions.session_id
        from sessions left join session_activity as activity using (user_id, session_id)
        where sessions.user_id = users.id and sessions.expires_at > clock_timestamp()
        order by coalesce(activity.last_seen_at, sessions.authenticated_at) desc,
            sessions.session_id desc
        offset :max_sessions::int - 1)"""

_LAST_SEEN_AT = "coalesce(activity.last_seen_at, sessions.authenticated_at)"
_IDLE = ":idle_timeout::interval"
_IS_LIVE = f"""sessions.expires_at > clock_timestamp()
    and {_LAST_SEEN_AT} > clock_timestamp() - {_IDLE}"""
_LIVE = f"""
from sessions join users on users.id = sessions.user_id
    left join session_activity as activity using (user_id, session_id)
where {_IS_LIVE}"""

# Writes when the session was last used, unless that was written within a twentieth of the idle
# timeout.
_FIND_CALLER = statement(f"""
with found as (
    select users.id, users.owner, users.roles, sessions.session_id, sessions.authenticated_at,
        sessions.expires_at, {_LAST_SEEN_AT} as last_seen_at, clock_timestamp() as now
    {_LIVE} and sessions.hash = :hash),
seen as (
    update session_activity as activity set last_seen_at = found.now from found
    where activity.user_id = found.id and activity.session_id = found.session_id
        and activity.last_seen_at <= found.now - {_IDLE} / 20
    returning activity.last_seen_at)
select id, owner, roles, session_id, authenticated_at,
    least(expires_at, coalesce(seen.last_seen_at, found.last_seen_at) + {_IDLE}) as expires_at
from found left join seen on true""")

_COLUMNS = f"""
select sessions.session_id, sessions.user_id, sessions.passkey_id, sessions.authenticated_at,
    sessions.expires_at, {_LAST_SEEN_AT} as last_seen_at,
    least(sessions.expires_at, {_LAST_SEEN_AT} + {_IDLE}) as idle_expires_at,
    coalesce(activity.device_name, '') as device_name,
    coalesce(activity.user_agent, '') as user_agent,
    coalesce(activity.ip_address, '') as ip_address,
    users.owner, sessions.sequence, sessions.creation_date, sessions.change_date
{_LIVE}"""

_GET = statement(
    f"{_COLUMNS} and sessions.user_id = :user_id and sessions.session_id = :session_id"
)

_LIST = statement(f"""{_COLUMNS} and sessions.user_id = :user_id and sessions.session_id > :after
order by sessions.session_id limit :limit""")

_FIND_USER = statement("select user_id from sessions where session_id = :session_id")

_END = append_statement(
    SessionEnded,
    target="""
    select users.id, users.owner, users.sequence, sessions.creation_date, users.change_date,
        true as changed
    from users join sessions on sessions.user_id = users.id
    where users.id = :user_id and sessions.session_id = :session_id for update""",
    projections=PROJECTIONS,
    also={
        "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and activity.session_id = event.payload->>'session_id'""",
        **ENDS_CEREMONIES,
    },
)

_LOCK_USER = statement("select from users where id = :user_id for update")

# Ends those that started a moment ago, too, if _LOCK_USER precedes it.
_END_ALL = append_statement(
    SessionsEnded,
    target="""
    select users.id, users.owner, users.sequence, users.creation_date, users.change_date,
        ended.count, ended.count > 0 as changed
    from users, lateral (
        select count(*) from sessions
        where sessions.user_id = users.id
            and sessions.session_id is distinct from :kept_session_id::text
    ) as ended
    where users.id = :user_id for update of users""",
    projections=PROJECTIONS,
    also={
        "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and activity.session_id is distinct from event.payload->>'kept_session_id'""",
        **ENDS_CEREMONIES,
    },
    returning=["count"],
)

# A session that has expired is forgotten without an event; `keystead rebuild` does not miss it.
MAY_BE_FORGOTTEN: Final = "expires_at <= clock_timestamp()"

_BATCH = 1000
# In batches, and without waiting for anybody.
_FORGET = statement("""
with forgotten as (
    select user_id, session_id from sessions where expires_at < now()
    order by expires_at limit :batch for update skip locked),
deleted as (
    delete from sessions using forgotten
    where sessions.user_id = forgotten.user_id and sessions.session_id = forgotten.session_id)
select count(*) from forgotten""")

# Sessions end with their passkey by a foreign key, which leaves these.
_FORGET_ACTIVITY = """
delete from session_activity as activity where not exists (
    select from sessions
    where sessions.user_id = activity.user_id and sessions.session_id = activity.session_id)"""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it is read back."""

    session_id: str
    user_id: str
    passkey_id: str
    device_name: str
    user_agent: str
    ip_address: str
    authenticated_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    idle_expires_at: datetime
    details: Details


async def find_caller(
    database: Statements, hashed: bytes, *, idle_timeout: timedelta
) -> Caller | None:
    """The user of the session whose token has this hash, if the session has not expired.

    Records that the session was used.
    """
    row = await database.fetch_row(_FIND_CALLER, hash=hashed, idle_timeout=idle_timeout)
    if row is None:
        return None
    return Caller(
        row["id"],
        row["owner"],
        frozenset(map(Role, row["roles"])),
        row["expires_at"],
        session=CallerSession(row["session_id"], row["authenticated_at"]),
    )


async def get(
    database: Statements, *, user_id: str, session_id: str, idle_timeout: timedelta
) -> Session | None:
    """Reads one that has not expired."""
    row = await database.fetch_row(
        _GET, user_id=user_id, session_id=session_id, idle_timeout=idle_timeout
    )
    return _session(row) if row else None


async def list_after(
    database: Statements, *, user_id: str, after: str, limit: int, idle_timeout: timedelta
) -> list[Session]:
    """Those of the user that have not expired, after an id, oldest first."""
    rows = await database.fetch(
        _LIST, user_id=user_id, after=after, limit=limit, idle_timeout=idle_timeout
    )
    return [_session(row) for row in rows]


async def find_user(database: Statements, session_id: str) -> str | None:
    """The user of the session."""
    row = await database.fetch_row(_FIND_USER, session_id=session_id)
    return row["user_id"] if row else None


async def end(
    transaction: Statements, event: SessionEnded, *, creator: str, user_id: str
) -> Details | None:
    """Ends the session of a user who is locked. None: no such session of this user."""
    row = await transaction.fetch_row(
        _END,
        payload=event.payload(),
        creator=creator,
        user_id=user_id,
        session_id=event.session_id,
    )
    return details(row) if row else None


async def lock_user(transaction: Statements, user_id: str) -> None:
    """Until the transaction ends, nobody else changes what the user has."""
    await transaction.fetch(_LOCK_USER, user_id=user_id)


async def end_all(
    transaction: Statements, event: SessionsEnded, *, creator: str, user_id: str
) -> tuple[Details, int] | None:
    """Ends the sessions of a user who is locked, and gives their number. None: no such user."""
    row = await transaction.fetch_row(
        _END_ALL,
        payload=event.payload(),
        creator=creator,
        user_id=user_id,
        kept_session_id=event.kept_session_id,
    )
    return (details(row), row["count"]) if row else None


async def forget_expired(database: Statements) -> None:
    """Deletes sessions that have expired, and the activity of those that ended."""
    while (await database.fetch_one(_FORGET, batch=_BATCH))["count"] == _BATCH:
        pass
    await database.fetch(_FORGET_ACTIVITY)


def _session(row: Any) -> Session:
    return Session(
        session_id=row["session_id"],
        user_id=row["user_id"],
        passkey_id=row["passkey_id"],
        device_name=row["device_name"],
        user_agent=row["user_agent"],
        ip_address=row["ip_address"],
        authenticated_at=row["authenticated_at"],
        last_seen_at=row["last_seen_at"],
        expires_at=row["expires_at"],
        idle_expires_at=row["idle_expires_at"],
        details=details(row),
    )
