"""Signing in with an identity provider: starts a session of a linked user or of a new user."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeAlias

from server.access.authorizer import user_locked
from server.access.forgetting import forgetting
from server.access.makers import trusts_providers
from server.access.tokens import TokenKind, new_token, token_hash
from server.idp import store as idp_store
from server.idp.links import store as link_store
from server.idp.links.events import IDPLinked
from server.idp.links.store import FoundLink
from server.idp.oidc.store import OIDCConfig
from server.idp.signin import refusals, store
from server.idp.signin.flow_token import FLOWS
from server.idp.signin.flows import CompletedFlow
from server.idp.signin.profile import Profile, is_of_domains, is_trusted, profile_of
from server.session.commands import NewSession
from server.session.events import SessionStartedByIDP
from server.session.fragments import Device
from server.store.database import Statements
from server.store.one_time import USED_KEY
from server.store.refusals import UNIQUE_CLAIMS_KEY, UniqueConflictError, on_conflict
from server.store.turns import claim_for
from server.validation.fields import Id
from server.validation.paging import Page
from server.values.ids import new_id


class ListSignInOptions(Page):
    """List the identity providers of an organization with which people can sign in."""

    # Buttons have logos of up to 32 KiB, and most clients refuse responses over 4 MiB.
    max_page_size = 50

    org_id: Id


class RegisterUser(Protocol):
    """Creates a user at the first sign-in; returns the id, or None if the address is taken.

    UniqueConflictError: the name is taken.
    """

    async def __call__(
        self,
        transaction: Statements,
        *,
        user_name: str,
        display_name: str,
        email: str,
        is_verified: bool,
        organization_id: str,
    ) -> str | None: ...


class UpdateUser(Protocol):
    """Sets fields of a user, except an address that another user has."""

    async def __call__(
        self,
        transaction: Statements,
        user_id: str,
        *,
        display_name: str | None = None,
        email: str | None = None,
        is_verified: bool = False,
        organization_id: str,
    ) -> None: ...


# Serializes the registrations of an organization, so that addresses stay unique.
LockOrganization: TypeAlias = Callable[[Statements, str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IDPSignInPolicy:
    """The limits of new sessions, and the functions of the user feature for new users."""

    session_lifetime: timedelta
    max_sessions: int
    lock_organization: LockOrganization
    register_user: RegisterUser
    update_user: UpdateUser


@dataclass(frozen=True, slots=True, kw_only=True)
class IDPSession(NewSession):
    """A new session, and whether its sign-in registered its user."""

    registered: bool


async def sign_in(
    database: Statements,
    completed: CompletedFlow,
    *,
    policy: IDPSignInPolicy,
    device: Device,
    forget: Callable[[str], None],
) -> IDPSession:
    """Starts a session of the identity's user; registers a user if none has the identity.

    The least recently used session of the user may end.

    `Failure` FAILED_PRECONDITION `FLOW_EXPIRED`, `FLOW_USED`, `NOT_REGISTERED`,
    `ROLES_EXCEED_PROVIDER`, `USER_EXISTS_LINK_FIRST`, `USER_LOCKED`.
    """
    identity, max_sessions = completed.identity, policy.max_sessions
    while True:
        found = await link_store.find(database, identity, max_sessions=max_sessions)
        try:
            with on_conflict({USED_KEY: refusals.flow_used}):
                if found is None:
                    started = await _register(database, completed, policy, device)
                else:
                    with forgetting(forget, found.user_id):
                        started = await _sign_in(database, completed, found, policy, device)
        except UniqueConflictError as conflict:
            conflict.must_be(UNIQUE_CLAIMS_KEY)
            # Another call has just linked the identity, or the name is taken.
            if await link_store.find(database, identity, max_sessions=max_sessions) is None:
                raise refusals.user_exists() from None
            continue
        if started is not None:  # else the user or link changed after `find`: retry
            return started


async def _sign_in(
    database: Statements,
    completed: CompletedFlow,
    found: FoundLink,
    policy: IDPSignInPolicy,
    device: Device,
) -> IDPSession | None:
    """Starts a session of the user. None: the user changed after `find`."""
    if found.is_locked:
        raise user_locked()
    if not trusts_providers(found.roles, completed.config.details.owner):
        raise refusals.roles_exceed_provider()
    # From here on the call counts as this user's; calls that lock the same user are serialized.
    claim_for(found.user_id, target=found.user_id)
    changes, organization_id = _changes(completed, found), completed.config.details.owner
    async with database.transaction() as transaction:
        if "email" in changes:
            await policy.lock_organization(transaction, organization_id)
        await lock_provider(transaction, completed)
        session = await _start_session(transaction, completed, found, policy, device)
        if session is not None and changes:
            await policy.update_user(
                transaction, found.user_id, **changes, organization_id=organization_id
            )
        return session


def _changes(completed: CompletedFlow, found: FoundLink) -> dict[str, Any]:
    """The fields of the user that the settings update, and the provider says otherwise.

    `is_verified`: the provider has verified the address of the user after the update.
    """
    config, profile = completed.config, profile_of(completed.claims)
    updates = {
        "display_name": config.update_name_at_sign_in,
        "email": config.update_email_at_sign_in,
    }
    said = {name: getattr(profile, name) for name, is_updated in updates.items() if is_updated}
    changes: dict[str, Any] = {
        name: value for name, value in said.items() if value not in ("", getattr(found, name))
    }
    is_own = "email" in changes or (profile.email == found.email and not found.is_verified)
    if is_own and _is_trusted(config, profile):
        changes["is_verified"] = True
    return changes


def _is_trusted(config: OIDCConfig, profile: Profile) -> bool:
    return is_trusted(
        profile,
        mail=config.auto_register_mail_domains,
        hosted=config.auto_register_hosted_domains,
    )


async def _register(
    database: Statements, completed: CompletedFlow, policy: IDPSignInPolicy, device: Device
) -> IDPSession | None:
    """Creates a user with the identity and a session. None: the identity has just been linked."""
    identity, organization_id = completed.identity, completed.config.details.owner
    idp = await idp_store.GET.one_or_none(
        database, idp_id=identity.idp_id, organization_id=organization_id
    )
    if idp is None or not idp.auto_register:
        raise refusals.not_registered()
    profile, config = profile_of(completed.claims), completed.config
    if not is_of_domains(
        completed.claims,
        profile,
        mail=config.auto_register_mail_domains,
        hosted=config.auto_register_hosted_domains,
    ):
        raise refusals.not_registered("the verified address or hd is of no domain of the settings")
    async with database.transaction() as transaction:
        await policy.lock_organization(transaction, organization_id)
        if not (await lock_provider(transaction, completed)).auto_register:
            raise refusals.not_registered()
        if await link_store.find(transaction, identity, max_sessions=policy.max_sessions):
            return None
        user_id = await policy.register_user(
            transaction,
            user_name=profile.user_name,
            display_name=profile.display_name,
            email=profile.email,
            is_verified=_is_trusted(config, profile),
            organization_id=organization_id,
        )
        if user_id is None:
            raise refusals.user_exists()
        linked = IDPLinked.of(identity, link_id=new_id(), makers=(user_id,))
        details = await link_store.LINK.details(
            transaction, linked, creator=user_id, user_id=user_id
        )
        found = FoundLink(user_id, details.sequence, linked.link_id)
        return await _start_session(transaction, completed, found, policy, device, registered=True)


async def lock_provider(transaction: Statements, completed: CompletedFlow) -> store.LockedProvider:
    """Locks the provider, whose settings must not have changed since the start of the flow.

    `Failure` FAILED_PRECONDITION `FLOW_EXPIRED`.
    """
    provider = await store.LOCK_PROVIDER.one_or_none(
        transaction, idp_id=completed.identity.idp_id, sequence=completed.config.details.sequence
    )
    if provider is None:
        raise refusals.flow_expired()
    return provider


async def _start_session(
    transaction: Statements,
    completed: CompletedFlow,
    found: FoundLink,
    policy: IDPSignInPolicy,
    device: Device,
    *,
    registered: bool = False,
) -> IDPSession | None:
    """Marks the flow as used and starts a session. None: the user changed after `find`."""
    session_id, token = new_id(), new_token(TokenKind.SESSION)
    event = SessionStartedByIDP(
        session_id=session_id,
        hash=base64.b64encode(token_hash(token)).decode(),
        lifetime_seconds=policy.session_lifetime.total_seconds(),
        idp_id=completed.identity.idp_id,
        link_id=found.link_id,
        ended_session_ids=found.surplus,
        authenticated_at=at.isoformat() if (at := completed.authenticated_at) else None,
    )
    details = await store.start_session(transaction, event, found=found, device=device)
    if details is None:
        return None
    await FLOWS.use(transaction, completed.hash)
    return IDPSession(
        session_id=session_id,
        user_id=found.user_id,
        token=token,
        expires_at=details.change_date + policy.session_lifetime,
        details=details,
        registered=registered,
    )
