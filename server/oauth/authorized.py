"""The user and the session of an authorization, and the access token of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from server.application.store import Application
from server.group import member_store
from server.oauth import tokens
from server.oauth.admission import admits
from server.oauth.request import OFFLINE_ACCESS, allowed_scopes
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


def allowed(application: Application, authorization: Authorization) -> Authorization:
    """The authorization without the scopes that the application has lost since."""
    scopes = allowed_scopes(application, " ".join(authorization.scopes))
    return replace(authorization, scopes=scopes)


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
    session = await session_store.GET.one_or_none(
        database,
        user_id=authorization.user_id,
        session_id=authorization.session_id,
        idle_timeout=idle_timeout,
    )
    if session is None and OFFLINE_ACCESS not in authorization.scopes:
        return None
    user = await user_store.GET.one_or_none(database, user_id=authorization.user_id)
    if user is None or user.locked_at:
        return None
    groups: Mapping[str, str] = {}
    if user.details.owner == groups_of:
        groups = await member_store.names_of_user(database, authorization.user_id)
    return Authorized(UserProfile(user, groups), session)


async def find_admitted(
    database: Statements,
    application: Application,
    authorization: Authorization,
    *,
    idle_timeout: timedelta,
    with_groups: bool = False,
) -> Authorized | None:
    """The same, if the application admits the user."""
    reads_groups = with_groups or application.configuration.admits_groups_only
    found = await find_authorized(
        database,
        authorization,
        idle_timeout=idle_timeout,
        groups_of=application.details.owner if reads_groups else "",
    )
    is_admitted = found and await admits(
        database,
        application,
        organization_id=found.profile.user.details.owner,
        group_ids=found.profile.groups,
    )
    return found if is_admitted else None


def access_of_user(
    signing: Signing,
    application: Application,
    authorization: Authorization,
    authorized: Authorized,
    *,
    issuer: str,
    scopes: Sequence[str],
    claims: Mapping[str, Any],
    resource: Application | None = None,
) -> IssuedTokens:
    """An access token of an authorization, with these claims of its user."""
    session = authorized.session
    further = tokens.authentication(session) if session else {"sid": authorization.session_id}
    token = AccessToken(
        authorization.authorization_id,
        authorization.user_id,
        authorized.profile.user.details.owner,
        scopes,
        resource,
        {**further, **claims},
    )
    return tokens.issued(signing, application, token, issuer=issuer)
