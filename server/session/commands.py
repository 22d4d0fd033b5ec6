"""The commands on the sessions of a user."""

import enum
import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, TypeAlias

from pydantic import Field, SecretStr

from server.access import user_aggregate
from server.access.caller import Actor, Caller, CallerSession
from server.access.checked_append import check_admitted
from server.access.listing import EVER, Listed, OrderedPage, SelectedPage, pattern_of_orders
from server.session import store
from server.session.events import SessionEnded, SessionsEnded
from server.session.store import Session
from server.store.database import Statements
from server.store.filters import read_order
from server.store.rows import Details
from server.validation.fields import (
    MAX_NAME,
    Command,
    Id,
    OptionalId,
    Printable,
    described,
    named,
)
from server.validation.paging import Cursor, Page
from server.values.errors import Failure, Kind, NotFound, Violation, invalid, unauthenticated

# Ends the registration ceremonies that a user began, in the open transaction.
EndCeremonies: TypeAlias = Callable[[Statements, str], Awaitable[None]]


# The microseconds of the time of an order, and the ID of a session.
_MOMENT: Final = re.compile(r"([0-9]{1,18}):([\w-]{1,200})", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# The IDs of imported users can have points and colons.
_PLACE: Final = re.compile(r"([\w.:-]{1,200}):([\w-]{1,200}|~)", re.ASCII)


class IntrospectSession(Command):
    """Look up the session of a token."""

    session_token: Annotated[SecretStr, Field(min_length=1, max_length=1000)]


class WatchEndedSessions(Command):
    """Watch the end of sessions."""

    after_cursor: Cursor


class SignInMethod(enum.StrEnum):
    """How a session began, by the API's names without `SIGN_IN_METHOD_`."""

    PASSKEY = "PASSKEY"
    IDP = "IDP"


class ListSessions(OrderedPage):
    """List the sessions of a user."""

    orders = tuple(store.ORDERS)

    user_id: Id
    order_by: Annotated[
        Printable,
        Field(max_length=MAX_NAME),
        described(pattern=pattern_of_orders(tuple(store.ORDERS))),
    ]


class ListOrganizationSessions(SelectedPage):
    """List the sessions of an organization or of the instance. Empty fields do not filter."""

    filters = store.FILTERS

    method: Annotated[str, named(SignInMethod, "SIGN_IN_METHOD", unspecified="")]
    all_organizations: bool

    def parent(self, organization_id: str | None) -> str:
        """Identifies the list in its page tokens, which are valid for this list only.

        A digest, because the query can be a name or a mail address.
        """
        parts = (organization_id, self.query, self.method, self.filter)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class ListSignInRefusals(Page):
    """List the refused sign-ins of users of an organization."""

    user_id: OptionalId


class EndSession(Command):
    """End a session."""

    user_id: Id
    session_id: Id


class EndSessions(Command):
    """End all sessions of a user."""

    user_id: Id
    keep_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A new or renewed session. This is the only time that `token` is in plaintext."""

    session_id: str
    user_id: str
    token: str = field(repr=False)
    expires_at: datetime
    details: Details


def session_of(actor: Actor) -> CallerSession:
    """The session of the caller's token. `Failure` NOT_FOUND for a token of another kind."""
    if isinstance(actor, Caller) and actor.session is not None:
        return actor.session
    raise _not_a_session("current")


async def get_current(database: Statements, *, actor: Actor, idle_timeout: timedelta) -> Session:
    """The session of the caller."""
    session = await store.GET.one_or_none(
        database,
        user_id=actor.user_id,
        session_id=session_of(actor).session_id,
        idle_timeout=idle_timeout,
    )
    if session is None:  # it ended a moment ago
        raise unauthenticated()
    return session


async def list_of_user(
    database: Statements, command: ListSessions, *, idle_timeout: timedelta
) -> tuple[Sequence[Session], str]:
    """A page of the sessions of a user, and the token of the next page."""
    parent = command.parent(command.user_id)
    order = read_order(command.order_by, command.orders)
    selection = {"user_id": command.user_id, "idle_timeout": idle_timeout, "limit": command.limit()}
    if order is None:
        found = await store.LIST.all(database, **selection, after=command.after(parent))
        return command.cut(found, parent, lambda session: session.session_id)
    after = command.position(parent, _MOMENT)
    listed, begin = (
        (store.DESCENDING, (EVER, "~")) if order.is_descending else (store.ASCENDING, (0, ""))
    )
    key, session_id = (int(after[1]), after[2]) if after else begin
    found = await listed[order.field].all(database, **selection, after_key=key, after=session_id)
    return command.cut(
        found, parent, lambda each: f"{_microseconds(each, order.field)}:{each.session_id}"
    )


def _microseconds(session: Session, field: str) -> int:
    at = session.details.creation_date if field == "creation_date" else getattr(session, field)
    return int((at - _EPOCH) // timedelta(microseconds=1))


async def list_page(
    database: Statements,
    command: ListOrganizationSessions,
    *,
    organization_id: str,
    idle_timeout: timedelta,
) -> Listed[Session]:
    """A page of the sessions."""
    owner = None if command.all_organizations else organization_id
    parent = command.parent(owner)
    after = command.position(parent, _PLACE)
    selection = store.SessionSelection(command.query, command.method, command.filter)
    sessions, goes_on_after = await store.list_page(
        database,
        organization_id=owner,
        selection=selection,
        after=store.Place(after[1], after[2]) if after else store.START,
        size=command.size(),
        idle_timeout=idle_timeout,
    )
    token = command.token(parent, ":".join(goes_on_after)) if goes_on_after else ""
    if not command.with_total_size:
        return Listed(sessions, token, None)
    total = await store.count(database, selection, organization_id=owner, idle_timeout=idle_timeout)
    return Listed(sessions, token, total)


async def sign_out(database: Statements, *, actor: Actor, end_ceremonies: EndCeremonies) -> Details:
    """Ends the session of the caller."""
    command = EndSession(user_id=actor.user_id, session_id=session_of(actor).session_id)
    try:
        async with database.transaction() as transaction:
            await user_aggregate.lock(transaction, command.user_id)
            return await _end(transaction, command, actor=actor, end_ceremonies=end_ceremonies)
    except Failure as failure:
        if failure.kind is Kind.NOT_FOUND:  # another call ended it a moment ago
            raise unauthenticated() from None
        raise


async def end(
    database: Statements, command: EndSession, *, actor: Actor, end_ceremonies: EndCeremonies
) -> Details:
    """Ends a session; returns its last details. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        return await _end(transaction, command, actor=actor, end_ceremonies=end_ceremonies)


async def _end(
    transaction: Statements, command: EndSession, *, actor: Actor, end_ceremonies: EndCeremonies
) -> Details:
    """Ends a session of a locked user."""
    ended = await store.END.details(
        transaction,
        SessionEnded(command.session_id),
        creator=actor.user_id,
        user_id=command.user_id,
    )
    await end_ceremonies(transaction, command.user_id)
    return ended


async def end_all(
    database: Statements,
    command: EndSessions,
    *,
    actor: Actor,
    end_ceremonies: EndCeremonies,
) -> tuple[Details, int]:
    """Ends the sessions of a user; returns the user's details and the number of ended sessions."""
    kept = _kept(actor, command.user_id) if command.keep_current else None
    async with database.transaction() as transaction:
        await user_aggregate.lock(transaction, command.user_id)
        await check_admitted(transaction, actor)
        ended = await store.end_all(
            transaction, SessionsEnded(kept), creator=actor.user_id, user_id=command.user_id
        )
        await end_ceremonies(transaction, command.user_id)
    return ended


_not_a_session: Final = NotFound(
    "session", "The token of this call is not a session token. Sign in to get one."
)


def _kept(actor: Actor, user_id: str) -> str:
    if isinstance(actor, Caller) and actor.session is not None and actor.user_id == user_id:
        return actor.session.session_id
    raise invalid(
        Violation("keepCurrent", "must be false unless the call has a session token of this user")
    )
