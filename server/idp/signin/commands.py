"""Signing in with an identity provider: starts a session of a linked user or of a new user."""

import base64
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol, TypeAlias

from server.access.authorizer import user_locked
from server.access.forgetting import forgetting
from server.access.makers import trusts_providers
from server.access.tokens import TokenKind, new_token, token_hash
from server.idp.domains import store as domain_store
from server.idp.links import store as link_store
from server.idp.links.events import IDPLinked
from server.idp.links.store import FoundLink
from server.idp.mappings import GROUPS
from server.idp.signin import refusals, store
from server.idp.signin.flow_token import FLOWS
from server.idp.signin.flows import CompletedFlow
from server.idp.signin.mapped import OF_PROFILE, Mapped, mapped
from server.idp.signin.profile import Profile, is_of_domains, profile_of, verified_domain
from server.idp.signin.store import Rules
from server.session.commands import NewSession
from server.session.events import SessionStartedByIDP
from server.session.fragments import Device
from server.session.refused import Noted
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
    """Sets fields and attributes of a user as far as they fit; returns why others are skipped."""

    async def __call__(
        self,
        transaction: Statements,
        user_id: str,
        *,
        fields: Mapping[str, str],
        attributes: Mapping[str, Any],
        is_verified: bool,
        organization_id: str,
    ) -> Mapping[str, str]: ...


# Changes the memberships of a locked user.
MapGroups: TypeAlias = Callable[[str], Awaitable[None]]


class PlanGroups(Protocol):
    """Plans memberships, and locks the groups that the user joins; see `group/mapped_store.py`."""

    async def __call__(
        self,
        transaction: Statements,
        named: Collection[str],
        *,
        user_id: str,
        link_id: str | None,
        ends_others: bool,
        organization_id: str,
    ) -> tuple[MapGroups | None, str]: ...


_FLOW_USED: Final = {USED_KEY: refusals.flow_used}

# Serializes the registrations of an organization, so that addresses stay unique.
LockOrganization: TypeAlias = Callable[[Statements, str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IDPSignInPolicy:
    """The limits of new sessions, and functions of the features of users and groups."""

    session_lifetime: timedelta
    max_sessions: int
    lock_organization: LockOrganization
    register_user: RegisterUser
    update_user: UpdateUser
    plan_groups: PlanGroups


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
    noted: Noted,
) -> IDPSession:
    """Starts a session of the identity's user; registers a user if none has the identity.

    The least recently used session of the user may end. `noted` notes the refusal of a user.

    `Failure` FAILED_PRECONDITION `FLOW_EXPIRED`, `FLOW_USED`, `IDP_DISABLED`,
    `NOT_REGISTERED`, `ROLES_EXCEED_PROVIDER`, `USER_EXISTS_LINK_FIRST`, `USER_LOCKED`.
    """
    identity, max_sessions = completed.identity, policy.max_sessions
    while True:
        rules = await store.RULES.one_or_none(database, idp_id=identity.idp_id)
        if rules is None:  # the provider was removed
            raise refusals.not_registered()
        found = await link_store.find(database, identity, max_sessions=max_sessions)
        try:
            if found is None:
                with on_conflict(_FLOW_USED):
                    started = await _register(database, completed, rules, policy, device)
            else:
                refusable, forgotten = noted(found.user_id), forgetting(forget, found.user_id)
                with refusable, on_conflict(_FLOW_USED), forgotten:
                    started = await _sign_in(database, completed, rules, found, policy, device)
        except UniqueConflictError as conflict:
            conflict.must_be(UNIQUE_CLAIMS_KEY)
            # Another call has just linked the identity, or the name is taken.
            if await link_store.find(database, identity, max_sessions=max_sessions) is None:
                raise refusals.user_exists() from None
            continue
        if started is not None:  # else the user, link or provider has just changed: retry
            return started


async def _sign_in(
    database: Statements,
    completed: CompletedFlow,
    rules: Rules,
    found: FoundLink,
    policy: IDPSignInPolicy,
    device: Device,
) -> IDPSession | None:
    """Starts a session of the user. None: the user or the provider has just changed."""
    if found.is_locked:
        raise user_locked()
    if not trusts_providers(found.roles, completed.config.details.owner):
        raise refusals.roles_exceed_provider()
    # From here on the call counts as this user's; calls that lock the same user are serialized.
    claim_for(found.user_id, target=found.user_id)
    values = mapped(rules.mappings, completed.claims, registers=False)
    fields, profile = _changes(completed, rules, values, found)
    async with database.transaction() as transaction:
        if "email" in fields:
            await policy.lock_organization(transaction, completed.config.details.owner)
        if (await lock_provider(transaction, completed)).sequence != rules.sequence:
            return None
        is_verified = profile is not None and await _is_trusted(transaction, completed, profile)
        planned = await _plan(transaction, completed, values, policy, found)
        session = await _start_session(transaction, completed, found, policy, device)
        if session is not None:
            changes = _Changes(fields, is_verified, values, planned)
            await _apply(transaction, completed, policy, found, changes)
        return session


@dataclass(frozen=True, slots=True)
class _Changes:
    """The changes of a user by a sign-in. `is_verified`: its address is verified from now on."""

    fields: Mapping[str, str]
    is_verified: bool
    values: Mapped
    planned: tuple[MapGroups | None, str]


def _others(values: Mapped) -> dict[str, str]:
    """The fields that no profile has."""
    return {name: text for name, text in values.fields.items() if name not in OF_PROFILE}


def _changes(
    completed: CompletedFlow, rules: Rules, values: Mapped, found: FoundLink
) -> tuple[dict[str, str], Profile | None]:
    """The fields of the user that change, and the profile if the address is not verified yet."""
    config, profile = completed.config, profile_of(completed.claims, values.fields)
    of_settings = {
        "display_name": config.update_name_at_sign_in,
        "email": config.update_email_at_sign_in,
    }
    mapped_names = {each.attribute for each in rules.mappings}
    said = {
        name: getattr(profile, name)
        for name in OF_PROFILE
        if name in values.fields or (of_settings[name] and name not in mapped_names)
    }
    changes = {
        name: value for name, value in said.items() if value not in ("", getattr(found, name))
    }
    is_own = "email" in changes or (profile.email == found.email and not found.is_verified)
    return changes | _others(values), profile if is_own else None


async def _is_trusted(transaction: Statements, completed: CompletedFlow, profile: Profile) -> bool:
    """Whether the provider has verified the address, and is trusted for its domain."""
    config = completed.config
    domain = verified_domain(completed.claims, profile, hosted=config.auto_register_hosted_domains)
    return domain != "" and await domain_store.is_trusted(
        transaction,
        domain,
        idp_id=completed.identity.idp_id,
        organization_id=config.details.owner,
    )


async def _register(
    database: Statements,
    completed: CompletedFlow,
    rules: Rules,
    policy: IDPSignInPolicy,
    device: Device,
) -> IDPSession | None:
    """Creates a user with the identity and a session.

    None: the identity has just been linked, or the provider has just changed.
    """
    identity, organization_id = completed.identity, completed.config.details.owner
    if not rules.auto_register:
        raise refusals.not_registered()
    values = mapped(rules.mappings, completed.claims, registers=True)
    profile, config = profile_of(completed.claims, values.fields), completed.config
    if not is_of_domains(
        completed.claims,
        profile,
        mail=config.auto_register_mail_domains,
        hosted=config.auto_register_hosted_domains,
    ):
        raise refusals.not_registered("the verified address or hd is of no domain of the settings")
    async with database.transaction() as transaction:
        await policy.lock_organization(transaction, organization_id)
        if (await lock_provider(transaction, completed)).sequence != rules.sequence:
            return None
        if await link_store.find(transaction, identity, max_sessions=policy.max_sessions):
            return None
        link_id = new_id()
        planned = await _plan(transaction, completed, values, policy, FoundLink("", 0, link_id))
        user_id = await policy.register_user(
            transaction,
            user_name=profile.user_name,
            display_name=profile.display_name,
            email=profile.email,
            is_verified=await _is_trusted(transaction, completed, profile),
            organization_id=organization_id,
        )
        if user_id is None:
            raise refusals.user_exists()
        linked = IDPLinked.of(identity, link_id=link_id, makers=(user_id,))
        details = await link_store.LINK.details(
            transaction, linked, creator=user_id, user_id=user_id
        )
        found = FoundLink(user_id, details.sequence, link_id)
        session = await _start_session(
            transaction, completed, found, policy, device, registered=True
        )
        await _apply(
            transaction, completed, policy, found, _Changes(_others(values), False, values, planned)
        )
        return session


async def _plan(
    transaction: Statements,
    completed: CompletedFlow,
    values: Mapped,
    policy: IDPSignInPolicy,
    found: FoundLink,
) -> tuple[MapGroups | None, str]:
    """The change of memberships. Groups are locked before users."""
    if values.groups is None:
        return None, ""
    return await policy.plan_groups(
        transaction,
        values.groups.named,
        user_id=found.user_id,
        link_id=found.link_id if values.groups.is_kept else None,
        ends_others=values.groups.ends_others,
        organization_id=completed.config.details.owner,
    )


async def _apply(
    transaction: Statements,
    completed: CompletedFlow,
    policy: IDPSignInPolicy,
    found: FoundLink,
    changes: "_Changes",
) -> None:
    """Changes the user, whose session has started, and records the mappings that do not fit."""
    values, skipped = changes.values, dict(changes.values.skipped)
    if changes.fields or values.attributes or changes.is_verified:
        skipped |= await policy.update_user(
            transaction,
            found.user_id,
            fields=changes.fields,
            attributes=values.attributes,
            is_verified=changes.is_verified,
            organization_id=completed.config.details.owner,
        )
    map_groups, reason = changes.planned
    if map_groups is not None:
        await map_groups(found.user_id)
    if reason:
        skipped.setdefault(GROUPS, reason)
    if skipped or found.has_skipped:
        await link_store.skip(transaction, found.link_id, skipped, user_id=found.user_id)


async def lock_provider(transaction: Statements, completed: CompletedFlow) -> store.LockedProvider:
    """Locks the provider, whose settings must not have changed since the start of the flow.

    `Failure` FAILED_PRECONDITION `FLOW_EXPIRED`, `IDP_DISABLED`.
    """
    provider = await store.LOCK_PROVIDER.one_or_none(
        transaction, idp_id=completed.identity.idp_id, sequence=completed.config.details.sequence
    )
    if provider is None:
        raise refusals.flow_expired()
    if provider.is_disabled:
        raise refusals.disabled()
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
