"""Registration ceremonies: begin, preview, complete.

A token of the user or a link begins a ceremony. Its registration token, or a token of the user,
completes it.
"""

import base64
import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from server.access import admission, user_aggregate
from server.access.authorizer import user_locked
from server.access.caller import Actor, Caller, LinkCaller
from server.access.tokens import TokenKind, new_token, token_hash
from server.mail.outbox import MailKind, Notice, Outbox, cancel_about
from server.passkey import ceremony_store, link_store, links, recovery, refusals, store
from server.passkey.ceremony_store import Ceremony
from server.passkey.events import PasskeyVerified
from server.passkey.invitations import Invitation
from server.passkey.links import RegistrationPolicy
from server.passkey.provider import provider_name
from server.passkey.webauthn.credential import RegistrationCredential, read_registration
from server.passkey.webauthn.options import creation_options
from server.passkey.webauthn.registration import (
    CeremonyPolicy,
    VerifiedCredential,
    verify_registration,
)
from server.store.database import Statements
from server.store.refusals import UNIQUE_CLAIMS_KEY, on_conflict
from server.store.rows import Details
from server.validation.fields import Command, Id, Name
from server.values.errors import Failure, Kind, Violation, invalid
from server.values.ids import new_id

_CHALLENGE_BYTES = 32


class RegisterPasskey(Command):
    """Begin a registration ceremony."""

    user_id: Id
    conditional: bool = False


class CheckPasskeyRegistration(Command):
    """Check whether RegisterPasskey would succeed."""

    user_id: Id


class VerifyPasskeyRegistration(Command):
    """Complete a registration ceremony."""

    user_id: Id
    passkey_id: Id
    public_key_credential: RegistrationCredential
    passkey_name: Name


@dataclass(frozen=True, slots=True)
class BegunCeremony:
    """A ceremony that waits for its credential."""

    passkey_id: str
    options: dict[str, Any]
    registration_token: str = field(repr=False)
    details: Details


@dataclass(frozen=True, slots=True)
class PossibleRegistration:
    """The user of a possible ceremony, and the expiry and target of the link that would begin it.

    `return_to` is empty without such a link, and if its target is no longer allowed.
    """

    user_name: str
    display_name: str
    link_expires_at: datetime | None = None
    return_to: str = ""
    invitation: Invitation | None = None


async def check(
    database: Statements,
    command: CheckPasskeyRegistration,
    *,
    actor: Actor,
    policy: RegistrationPolicy,
) -> PossibleRegistration:
    """A preview of `register`, for display. `register` checks again, under a lock."""
    user = await user_aggregate.ACCOUNT.one(database, user_id=command.user_id)
    if user.is_locked:
        raise user_locked()
    possible = PossibleRegistration(user.user_name, user.display_name)
    if isinstance(actor, LinkCaller):
        link = await links.check(database, actor.link_id, user=user, policy=policy)
        possible = replace(
            possible,
            link_expires_at=link.expires_at,
            return_to=link.return_to
            if await policy.allows_return(database, link.return_to)
            else "",
            invitation=await policy.describe_invitation(
                database, link.creator, user.organization_id, link.application_id
            )
            if link.is_invitation
            else None,
        )
    policy.check_count(user)
    return possible


async def register(
    database: Statements,
    command: RegisterPasskey,
    *,
    actor: Actor,
    policy: RegistrationPolicy,
    ceremony_policy: CeremonyPolicy,
) -> BegunCeremony:
    """Begins a ceremony, by a link or by a token. Other pending ceremonies continue."""
    link_id = actor.link_id if isinstance(actor, LinkCaller) else None
    if command.conditional:
        if link_id is not None:  # the registration is the sign-in, which verifies the user
            raise invalid(Violation("conditional", "must be false with the code of a link"))
        ceremony_policy = ceremony_policy.conditional()
    passkey_id, challenge = new_id(), secrets.token_bytes(_CHALLENGE_BYTES)
    registration_token = new_token(TokenKind.REGISTRATION)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor)
        user.check_not_locked()
        creator, makers = actor.user_id, user.makers
        if link_id is not None:
            link = await links.check(transaction, link_id, user=user, policy=policy)
            if link.is_mailed:  # whoever set the address may have lost its roles since
                await links.check_address(transaction, user)
            creator, makers = link.creator, frozenset(link.makers)
        policy.check_count(user)
        exclude: list[store.StoredDescriptor] = []
        if user.passkey_count:
            # Not those of former RP IDs: the user replaces them on the same authenticator.
            every = await store.LIST_CREDENTIALS.all(transaction, user_id=user.user_id)
            exclude = [each for each in every if each.rp_id == ceremony_policy.rp_id]
        begun = await ceremony_store.begin(
            transaction,
            user_id=user.user_id,
            passkey_id=passkey_id,
            organization_id=user.organization_id,
            challenge=challenge,
            policy=ceremony_policy,
            creator=creator,
            makers=sorted(makers),
            registration_token_hash=token_hash(registration_token),
            link_id=link_id,
        )
        if begun is None:
            raise refusals.too_many_ceremonies(ceremony_store.MAX_PENDING, ceremony_store.LIFETIME)
        if link_id is not None:
            await link_store.count_ceremony(transaction, user_id=user.user_id, link_id=link_id)
    options = creation_options(
        policy=ceremony_policy,
        challenge=challenge,
        user_handle=user.user_handle,
        user_name=user.user_name,
        user_display_name=user.display_name,
        exclude=exclude,
    )
    return BegunCeremony(passkey_id, options, registration_token, begun)


async def verify(
    database: Statements,
    command: VerifyPasskeyRegistration,
    *,
    actor: Actor,
    policy: RegistrationPolicy,
    outbox: Outbox,
) -> Details:
    """Completes the ceremony, and consumes the ceremony and its link. Counts a failed attempt.

    If a recovery link began the ceremony, see `recovery.complete`.
    """
    ceremony = await _pending(database, command)
    try:
        credential = verify_registration(
            read_registration(command.public_key_credential),
            expected_challenge=ceremony.challenge,
            policy=ceremony.policy,
        )
        event = _event(command, ceremony, credential)
        while True:
            details = await _complete(
                database, command, event, ceremony, actor=actor, policy=policy, outbox=outbox
            )
            if details is not None:
                return details
            await _pending(database, command)  # raises, unless the ceremony is pending again
    except Failure as failure:
        if failure.kind in (Kind.INVALID_ARGUMENT, Kind.ALREADY_EXISTS):
            await ceremony_store.count_attempt(
                database, user_id=command.user_id, passkey_id=command.passkey_id, actor=actor
            )
        raise


async def _complete(
    database: Statements,
    command: VerifyPasskeyRegistration,
    event: PasskeyVerified,
    ceremony: Ceremony,
    *,
    actor: Actor,
    policy: RegistrationPolicy,
    outbox: Outbox,
) -> Details | None:
    """Writes the passkey and its notice. None: the ceremony has changed since it was read."""
    user_id, recovered = command.user_id, None
    with on_conflict({UNIQUE_CLAIMS_KEY: refusals.credential_already_registered}):
        async with database.transaction() as transaction:
            if ceremony.recovers:
                recovered = await recovery.admit(transaction, user_id, policy)
            # A registration token is valid as long as its ceremony, which `add_verified` locks.
            if isinstance(actor, Caller):
                user = await admission.lock_user(transaction, user_id, actor=actor)
                event = replace(event, makers=tuple(sorted({*ceremony.makers, *user.makers})))
            elif ceremony.is_by_mail:
                user = await admission.lock_user(transaction, user_id, actor=actor)
                await links.check_address(transaction, user)
            completion = await store.add_verified(
                transaction,
                event=event,
                user_id=user_id,
                creator=actor.user_id,
                challenge=ceremony.challenge,
                max_passkeys=policy.max_passkeys,
            )
            if completion is None:
                return None
            if not completion.within_limit:
                raise refusals.too_many_passkeys(policy.max_passkeys)
            details = completion.details
            if ceremony.is_by_mail:
                await policy.verify_address(transaction, user_id)
            if event.link_id:
                await cancel_about(transaction, [event.link_id], organization_id=details.owner)
            if recovered:
                await recovery.complete(
                    transaction,
                    recovered,
                    event,
                    address=completion.email,
                    policy=policy,
                    outbox=outbox,
                )
            else:
                await outbox.notify(transaction, _passkey_added(user_id, event, completion))
    return details


async def _pending(database: Statements, command: VerifyPasskeyRegistration) -> Ceremony:
    """The ceremony, which can be completed now; otherwise `Failure`."""
    ceremony = await ceremony_store.GET.one(
        database, user_id=command.user_id, passkey_id=command.passkey_id
    )
    if ceremony.is_verified:
        raise refusals.challenge_used()
    if ceremony.is_link_used:
        raise refusals.link_used()
    if ceremony.is_link_replaced:
        raise refusals.link_replaced()
    if ceremony.is_expired:
        raise refusals.challenge_expired()
    if ceremony.attempts >= ceremony_store.MAX_ATTEMPTS:
        raise refusals.too_many_tries()
    return ceremony


def _event(
    command: VerifyPasskeyRegistration, ceremony: Ceremony, credential: VerifiedCredential
) -> PasskeyVerified:
    return PasskeyVerified.of(
        credential,
        passkey_id=command.passkey_id,
        name=command.passkey_name,
        began_by=ceremony.creator,
        rp_id=ceremony.policy.rp_id,
        credential_id=base64.b64encode(credential.credential_id).decode(),
        public_key=base64.b64encode(credential.public_key).decode(),
        link_id=ceremony.link_id,
        makers=ceremony.makers,
    )


def _passkey_added(user_id: str, event: PasskeyVerified, completion: store.Completion) -> Notice:
    return Notice(
        kind=MailKind.PASSKEY_ADDED,
        user_id=user_id,
        organization_id=completion.details.owner or "",
        recipient_address=completion.email,
        recipient_name=completion.display_name,
        reference=event.passkey_id,
        parameters={"passkey_name": event.name, "provider_name": provider_name(event.aaguid)},
    )
