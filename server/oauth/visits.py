"""The commands of the gate: a person enters by a code, and visits an application."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from server.access.tokens import token_hash
from server.application.claims import ClaimTarget
from server.application.store import Application
from server.oauth import refusals, store
from server.oauth.authorized import access_of_user, allowed, find_authorized
from server.oauth.claims import claims_of
from server.oauth.codes import use_code
from server.oauth.policy import OAuthPolicy
from server.oauth.refresh_token import RefreshToken
from server.oauth.refused.causes import Cause
from server.oauth.tokens import UserProfile
from server.session import store as session_store
from server.session.store import Session
from server.signing.signer import Signer
from server.store.database import Statements
from server.values.pkce import challenge_of


@dataclass(frozen=True, slots=True)
class Visit:
    """A person at the gate: the profile, the session, an access token, and the granted claims.

    `now` is the present time of the database's clock.
    """

    profile: UserProfile
    session: Session
    access_token: str = field(repr=False)
    claims: Mapping[str, Any]
    now: datetime


class Visits:
    """The people at the gate."""

    def __init__(self, database: Statements, *, policy: OAuthPolicy, signer: Signer) -> None:
        self._database = database
        self._policy = policy
        self._signer = signer

    async def enter(
        self, application: Application, *, code: str, redirect_uri: str, code_verifier: str
    ) -> str:
        """Uses up a code for the gate, which needs no tokens; returns the id of the authorization.

        `Failure` FAILED_PRECONDITION `INVALID_GRANT`.
        """
        used = await use_code(
            self._database,
            application,
            code_hash=token_hash(code),
            redirect_uri=redirect_uri,
            code_challenge=challenge_of(code_verifier),
            resource="",
            # Nobody gets it, so it is never used.
            refresh_token=RefreshToken.new(),
            refused=refusals.invalid_grant(Cause.CODE_INVALID),
        )
        return used.authorization_id

    async def visit(self, application: Application, authorization_id: str) -> Visit | None:
        """The user of an authorization, for the gate, with an access token.

        Counts as a use of the session. None: the authorization or its session has ended.
        """
        found = await store.find(self._database, authorization_id)
        if found is None or found.application_id != application.application_id:
            return None
        self._policy.check_audience(application)
        idle_timeout = self._policy.idle_timeout
        known = await find_authorized(
            self._database,
            found,
            idle_timeout=idle_timeout,
            groups_of=application.details.owner,
        )
        if known is None or known.session is None:
            return None
        signing = await self._signer.ready()
        await session_store.use(
            self._database, known.session, now=signing.now, idle_timeout=idle_timeout
        )
        scopes = allowed(application, found).scopes
        claims = {
            **known.profile.claims(claims_of(scopes), issuer=self._policy.issuer),
            **known.profile.further_claims(application, ClaimTarget.ID_TOKEN),
        }
        issued = access_of_user(
            signing,
            application,
            found,
            known,
            issuer=self._policy.issuer,
            scopes=scopes,
            claims=claims,
        )
        return Visit(known.profile, known.session, issued.access_token, claims, signing.now)
