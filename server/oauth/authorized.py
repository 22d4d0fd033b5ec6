"""The user and the session of an authorization, and the access token of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from server.application.store import Application
from server.group import member_store
from server.oauth import tokens
from server.oauth.request import OFFLINE_ACCESS
from server.oauth.store import Authorization
from server.oauth.tokens import AccessToken, IssuedTokens, UserProfile
from server.session import store as session_store
from server.session.store import Session
from server.signing.signer import Signing
from server.store.database import Statements
from server.user import store as user_store


@dataclass(frozen=True, slots=True)
class Authorized:
    """The user and the session of an authorization.

    `session` is None if it has ended, and the authorization outlives it.
    """

    profile: UserProfile
    session: Session | None


async def find_authorized(
    database: Statements,
    authorization: Authorization,
    *,
    idle_timeout: timedelta,
    groups_of: str = "",
) -> Authorized | None:
    """The user and the session of an authorization. None: it has ended with one of them.

    `groups_of` is the organization of the application, if it needs the groups of the user: a
    statement more. Their names mean something in their own organization only: the owner of another
    one chooses the same names.
    """
    session = await session_store.get(
        database,
        user_id=authorization.user_id,
        session_id=authorization.session_id,
        idle_timeout=idle_timeout,
    )
    if session is None and OFFLINE_ACCESS not in authorization.scopes:
        return None
    user = await user_store.get(database, authorization.user_id)
    if user is None or user.locked_at:
        return None
    groups: Mapping[str, str] = {}
    if user.details.owner == groups_of:
        groups = await member_store.names_of_user(database, authorization.user_id)
    return Authorized(UserProfile(user, groups), session)


def access_of_user(
    signing: Signing,
    application: Application,
    authorization: Authorization,
    authorized: Authorized,
    *,
    issuer: str,
    scopes: Sequence[str],
    claims: Mapping[str, Any],
) -> IssuedTokens:
    """An access token of an authorization, with these claims of its user."""
    session = authorized.session
    further = tokens.authentication(session) if session else {"sid": authorization.session_id}
    token = AccessToken(
        authorization.authorization_id,
        authorization.user_id,
        scopes,
        authorization.resource,
        {**further, **claims},
    )
    return tokens.issued(signing, application, token, issuer=issuer)
