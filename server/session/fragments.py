"""SQL by which the sign-in features start, renew and end sessions.

An event and its projections are one statement, so these features cannot call this one: they are
composed of the fragments here, and do not name the tables of sessions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from server.access.user_aggregate import SIGNED_IN

_EXPIRES_AT = """
    event.created_at + (event.payload->>'lifetime_seconds')::float8 * interval '1 second'"""

# A session is never newer than the sign-in at the identity provider. `least` ignores null.
_AUTHENTICATED_AT = "least(created_at, (payload->>'authenticated_at')::timestamptz)"

# Deletes the sessions that an event names.
NAMED_ENDED = """
        delete from sessions using event
        where sessions.user_id = event.aggregate_id
            and event.payload->'ended_session_ids' ? sessions.session_id"""


def started(*, where: str = "true") -> tuple[str, ...]:
    """The projections of SessionStarted and SessionStartedByIDP on sessions and their user.

    The sign-in feature adds those on its own tables. `where` is a condition on
    `event`: whether the session exists.
    """
    return (
        f"""
        insert into sessions (user_id, session_id, passkey_id, link_id, idp_id, hash,
            authenticated_at, expires_at, user_verified, sequence, creation_date, change_date)
        select aggregate_id, payload->>'session_id', payload->>'passkey_id', payload->>'link_id',
            payload->>'idp_id', decode(payload->>'hash', 'base64'), {_AUTHENTICATED_AT},
            {_EXPIRES_AT},
            coalesce((payload->>'user_verified')::boolean, false), sequence, created_at, created_at
        from event where {where}""",
        NAMED_ENDED,
        SIGNED_IN,
    )


# The projections of SessionRenewed on sessions and their user.
RENEWED: Final = (
    f"""
        update sessions set hash = decode(event.payload->>'hash', 'base64'),
            passkey_id = event.payload->>'passkey_id', authenticated_at = event.created_at,
            expires_at = {_EXPIRES_AT},
            user_verified = (event.payload->>'user_verified')::boolean, sequence = event.sequence,
            change_date = event.created_at
        from event
        where sessions.user_id = event.aggregate_id
            and sessions.session_id = event.payload->>'session_id'""",
    SIGNED_IN,
)

# For `append(also=...)` of events that name the sessions that they end.
ACTIVITY_ENDED: Final[Mapping[str, str]] = {
    "activity_ended": """
    delete from session_activity as activity using event
    where activity.user_id = event.aggregate_id
        and event.payload->'ended_session_ids' ? activity.session_id"""
}
# For `append(also=...)` of events that start or renew a session. The first has the parameters of a
# `Device`.
ACTIVITY_STARTED: Final[Mapping[str, str]] = {
    "activity_started": """
    insert into session_activity (user_id, session_id, last_seen_at, device_name, user_agent,
        ip_address)
    select aggregate_id, payload->>'session_id', created_at, :device_name::text, :user_agent::text,
        :ip_address::text
    from event""",
    **ACTIVITY_ENDED,
}
ACTIVITY_RENEWED: Final[Mapping[str, str]] = {
    "activity_renewed": """
    update session_activity as activity set last_seen_at = event.created_at from event
    where activity.user_id = event.aggregate_id
        and activity.session_id = event.payload->>'session_id'""",
}

# An expression: the last use of a session, of `sessions` and `session_activity as activity`.
LAST_SEEN_AT: Final = "coalesce(activity.last_seen_at, sessions.change_date)"

# An expression: the sessions of `account` that must end before one more starts, so that it has
# :max_sessions at most. Exact while the user's sequence stays the same.
SURPLUS: Final = f"""
    array(
        select sessions.session_id
        from sessions left join session_activity as activity using (user_id, session_id)
        where sessions.user_id = account.id and sessions.expires_at > clock_timestamp()
        order by {LAST_SEEN_AT} desc, sessions.session_id desc
        offset :max_sessions::int - 1)"""

# The session `:session_id` of `account`, unless it has expired.
LIVE_SESSION: Final = """
        from sessions
        where sessions.user_id = account.id and sessions.session_id = :session_id
            and sessions.expires_at > clock_timestamp()"""


@dataclass(frozen=True, slots=True)
class Device:
    """The device that started a session; stored with the session, but not in the log."""

    user_agent: str
    ip_address: str
    name: str = ""

    def parameters(self) -> dict[str, object]:
        """The parameters of `ACTIVITY_STARTED`."""
        return {
            "device_name": self.name,
            "user_agent": self.user_agent,
            "ip_address": self.ip_address,
        }
