"""What can be done to the sessions of a user."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from server.access.authorizer import user_not_found
from server.access.caller import AnyCaller, Caller, CallerSession
from server.session import store
from server.session.events import SessionEnded, SessionsEnded
from server.session.store import Session
from server.store.database import Statements
from server.store.eventlog import Details
from server.validation.credentials import AssertionCredential
from server.validation.fields import Command, Id
from server.validation.paging import Page
from server.values.errors import Failure, Violation, invalid, not_found, unauthenticated


class CompleteReauthentication(Command):
    """Renew the sign-in of a session."""

    public_key_credential: AssertionCredential


class ListSessions(Page):
    """List the sessions of a user."""

    user_id: Id


class EndSession(Command):
    """End a session."""

    user_id: Id
    session_id: Id


class EndSessions(Command):
    """End all sessions of a user."""

    user_id: Id
    keep_current: bool


@dataclass(frozen=True, slots=True)
class SessionToken:
    """A token of a session, in clear for the only time."""

    token: str = field(repr=False)
    expires_at: datetime
    details: Details


def session_of(caller: AnyCaller) -> CallerSession:
    """The session whose token the caller uses. `Failure` NOT_FOUND for another token."""
    if isinstance(caller, Caller) and caller.session is not None:
        return caller.session
    raise not_found(
        "session", "current", "The token of this call is not of a session. Sign in to get one."
    )


async def get_current(
    database: Statements, caller: AnyCaller, *, idle_timeout: timedelta
) -> Session:
    """The session of the caller."""
    session = await store.get(
        database,
        user_id=caller.user_id,
        session_id=session_of(caller).session_id,
        idle_timeout=idle_timeout,
    )
    if session is None:  # it ended a moment ago
        raise unauthenticated()
    return session


async def sign_out(database: Statements, caller: AnyCaller) -> Details:
    """Ends the session of the caller."""
    ended = await _end(
        database, session_of(caller).session_id, user_id=caller.user_id, caller_id=caller.user_id
    )
    if ended is None:  # another call ended it a moment ago
        raise unauthenticated()
    return ended


async def list_sessions(
    database: Statements, command: ListSessions, *, idle_timeout: timedelta
) -> list[Session]:
    """A page of them, with one more if there are more."""
    return await store.list_after(
        database,
        user_id=command.user_id,
        after=command.after(command.user_id),
        limit=command.limit(),
        idle_timeout=idle_timeout,
    )


async def end(database: Statements, command: EndSession, *, caller_id: str) -> Details:
    """The details as of the end."""
    ended = await _end(database, command.session_id, user_id=command.user_id, caller_id=caller_id)
    if ended is None:
        raise session_not_found(command.session_id)
    return ended


async def end_all(
    database: Statements, command: EndSessions, *, caller: AnyCaller
) -> tuple[Details, int]:
    """The details of the user, and the number of sessions that ended."""
    kept = _kept(caller, command.user_id) if command.keep_current else None
    async with database.transaction() as transaction:
        await store.lock_user(transaction, command.user_id)  # what it begins meanwhile must end
        ended = await store.end_all(
            transaction, SessionsEnded(kept), creator=caller.user_id, user_id=command.user_id
        )
    if ended is None:
        raise user_not_found(command.user_id)
    return ended


async def _end(
    database: Statements, session_id: str, *, user_id: str, caller_id: str
) -> Details | None:
    async with database.transaction() as transaction:
        await store.lock_user(transaction, user_id)  # what it begins meanwhile must end
        return await store.end(
            transaction, SessionEnded(session_id), creator=caller_id, user_id=user_id
        )


def session_not_found(session_id: str) -> Failure:
    """The session is unknown, another user's, or has ended."""
    return not_found(
        "session",
        session_id,
        "The user has no such session. List its sessions to find the right id.",
    )


def _kept(caller: AnyCaller, user_id: str) -> str:
    if isinstance(caller, Caller) and caller.session is not None and caller.user_id == user_id:
        return caller.session.session_id
    raise invalid(
        Violation("keepCurrent", "must be false unless the call has the token of such a session")
    )
