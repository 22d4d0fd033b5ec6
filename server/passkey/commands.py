"""The commands on the passkeys of a user."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from server.access import admission, user_aggregate
from server.access.authorizer import user_not_found
from server.access.caller import Actor, Caller, LinkCaller
from server.access.tokens import TokenKind, new_token, token_hash
from server.access.user_aggregate import Account, find_account
from server.mail.outbox import MailKind, Notice, Outbox, cancel_about
from server.passkey import (
    ceremony_store,
    link_store,
    links,
    pending,
    recovery,
    refusals,
    store,
)
from server.passkey.ceremony_store import Ceremony
from server.passkey.events import PasskeyRemoved, PasskeyRenamed, PasskeyVerified
from server.passkey.links import LinkPolicy
from server.passkey.provider import provider_name
from server.passkey.webauthn.options import creation_options
from server.passkey.webauthn.registration import Policy, VerifiedCredential, verify_registration
from server.session import store as session_store
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.store.refusals import UniqueConflictError
from server.validation.credentials import RegistrationCredential
from server.validation.fields import Command, Id, Name
from server.validation.paging import Page
from server.values.errors import Failure, Kind

CEREMONY_LIFETIME = timedelta(minutes=10)
# Shorter than the lifetime, so that the browser gives up before the server does.
_CLIENT_TIMEOUT = timedelta(minutes=5)
_CHALLENGE_BYTES = 32
MAX_ATTEMPTS = 10
MAX_PENDING_CEREMONIES = 10


class RegisterPasskey(Command):
    """Begin a registration ceremony."""

    user_id: Id


class CheckPasskeyRegistration(Command):
    """Check whether RegisterPasskey would succeed."""

    user_id: Id


class VerifyPasskeyRegistration(Command):
    """Complete a registration ceremony."""

    user_id: Id
    passkey_id: Id
    public_key_credential: RegistrationCredential
    passkey_name: Name


class ListPasskeys(Page):
    """List the passkeys of a user."""

    user_id: Id


class RenamePasskey(Command):
    """Give a passkey another name."""

    user_id: Id
    passkey_id: Id
    name: Name


class RemovePasskey(Command):
    """Remove a passkey, or end its ceremony."""

    user_id: Id
    passkey_id: Id


class CreatePasskeyRegistrationLink(Command):
    """Create a link by which the user registers a passkey."""

    user_id: Id


@dataclass(frozen=True, slots=True)
class BegunCeremony:
    """A ceremony that waits for its credential."""

    passkey_id: str
    options: dict[str, Any]
    registration_token: str = field(repr=False)
    details: Details


@dataclass(frozen=True, slots=True)
class PossibleRegistration:
    """The user of a possible ceremony, and the expiry of the link, if a link would begin it."""

    user_name: str
    display_name: str
    link_expires_at: datetime | None


async def check(
    database: Statements,
    command: CheckPasskeyRegistration,
    *,
    actor: Actor,
    link_policy: LinkPolicy,
    max_passkeys: int,
) -> PossibleRegistration:
    """A preview of `register`, for display. `register` checks again, under a lock."""
    user = await find_account(database, command.user_id)
    if user is None:
        raise user_not_found(command.user_id)
    link_expires_at = None
    if isinstance(actor, LinkCaller):
        link = await links.check(
            database,
            user_id=user.id,
            link_id=actor.link_id,
            organization_id=user.owner,
            passkey_count=user.passkey_count,
            policy=link_policy,
        )
        link_expires_at = link.expires_at
    if user.passkey_count >= max_passkeys:
        raise refusals.too_many_passkeys(max_passkeys)
    return PossibleRegistration(user.user_name, user.display_name, link_expires_at)


async def register(
    database: Statements,
    command: RegisterPasskey,
    *,
    actor: Actor,
    policy: Policy,
    link_policy: LinkPolicy,
    max_passkeys: int,
) -> BegunCeremony:
    """Begins a ceremony, by a link or by a token. Other pending ceremonies continue."""
    link_id = actor.link_id if isinstance(actor, LinkCaller) else None
    passkey_id, challenge = new_id(), secrets.token_bytes(_CHALLENGE_BYTES)
    registration_token = new_token(TokenKind.REGISTRATION)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor)
        creator, makers = actor.user_id, user.makers
        if link_id is not None:
            link = await links.check(
                transaction,
                user_id=user.user_id,
                link_id=link_id,
                organization_id=user.organization_id,
                passkey_count=user.passkey_count,
                policy=link_policy,
            )
            creator, makers = link.creator, frozenset(link.makers)
        if user.passkey_count >= max_passkeys:
            raise refusals.too_many_passkeys(max_passkeys)
        exclude = await store.list_credentials(
            transaction, user_id=command.user_id, rp_id=policy.rp_id
        )
        begun = await ceremony_store.begin(
            transaction,
            user_id=command.user_id,
            passkey_id=passkey_id,
            organization_id=user.organization_id,
            challenge=challenge,
            policy=policy,
            creator=creator,
            makers=makers,
            registration_token_hash=token_hash(registration_token),
            lifetime=CEREMONY_LIFETIME,
            max_pending=MAX_PENDING_CEREMONIES,
            max_attempts=MAX_ATTEMPTS,
            link_id=link_id,
        )
        if begun is None:
            raise refusals.too_many_ceremonies(MAX_PENDING_CEREMONIES, CEREMONY_LIFETIME)
        if link_id is not None:
            await link_store.count_ceremony(transaction, user_id=command.user_id, link_id=link_id)
    options = creation_options(
        policy=policy,
        challenge=challenge,
        user_handle=user.user_handle,
        user_name=user.user_name,
        user_display_name=user.display_name,
        exclude=exclude,
        timeout=_CLIENT_TIMEOUT,
    )
    return BegunCeremony(passkey_id, options, registration_token, begun)


async def verify(
    database: Statements,
    command: VerifyPasskeyRegistration,
    *,
    actor: Actor,
    link_policy: LinkPolicy,
    outbox: Outbox,
    max_passkeys: int,
) -> Details:
    """Completes the ceremony, and consumes the ceremony and its link. Counts a failed attempt.

    If a recovery link began the ceremony, the sessions of the user end.
    """
    ceremony = await _pending(database, command)
    try:
        credential = verify_registration(
            credential=command.public_key_credential,
            expected_challenge=ceremony.challenge,
            policy=ceremony.policy,
        )
        return await _complete(
            database,
            command,
            _verified(command, ceremony, credential),
            ceremony=ceremony,
            actor=actor,
            link_policy=link_policy,
            outbox=outbox,
            max_passkeys=max_passkeys,
        )
    except Failure as failure:
        if failure.kind in (Kind.INVALID_ARGUMENT, Kind.ALREADY_EXISTS):
            await ceremony_store.count_attempt(
                database, user_id=command.user_id, passkey_id=command.passkey_id
            )
        raise


async def _complete(
    database: Statements,
    command: VerifyPasskeyRegistration,
    event: PasskeyVerified,
    *,
    ceremony: Ceremony,
    actor: Actor,
    link_policy: LinkPolicy,
    outbox: Outbox,
    max_passkeys: int,
) -> Details:
    """Writes the passkey, if the ceremony has not changed since the verification."""
    while True:
        try:
            async with database.transaction() as transaction:
                recovered = None
                if ceremony.recovers:
                    recovered = await recovery.admit(transaction, command.user_id, link_policy)
                # A registration token is valid as long as its ceremony, which `add_verified` locks.
                if isinstance(actor, Caller):
                    await admission.lock_user(transaction, command.user_id, actor=actor)
                completion = await store.add_verified(
                    transaction,
                    event=event,
                    user_id=command.user_id,
                    creator=actor.user_id,
                    challenge=ceremony.challenge,
                    max_attempts=MAX_ATTEMPTS,
                    max_passkeys=max_passkeys,
                )
                if completion and completion.within_limit:
                    await _follow_up(
                        transaction, event, completion, command.user_id, recovered, outbox=outbox
                    )
        except UniqueConflictError as conflict:
            conflict.must_be("unique_claims_pkey")
            raise refusals.credential_already_registered() from None
        if completion is None:
            await _pending(database, command)  # raises, unless the ceremony is pending again
            continue
        if not completion.within_limit:
            raise refusals.too_many_passkeys(max_passkeys)
        return completion.details


async def _follow_up(
    transaction: Statements,
    event: PasskeyVerified,
    completion: store.Completion,
    user_id: str,
    recovered: Account | None,
    *,
    outbox: Outbox,
) -> None:
    """Cancels the mail with the used link, and writes the notice of the new passkey.

    `recovered` is the user if the link was a recovery link; the user's sessions end.
    """
    if event.link_id:
        await cancel_about(transaction, [event.link_id], organization_id=completion.details.owner)
    if recovered:
        await recovery.complete(
            transaction, recovered, event, address=completion.email, outbox=outbox
        )
        return
    await outbox.notify(
        transaction,
        Notice(
            kind=MailKind.PASSKEY_ADDED,
            user_id=user_id,
            recipient_address=completion.email,
            recipient_name=completion.display_name,
            reference=event.passkey_id,
            parameters={
                "passkey_name": event.name,
                "provider_name": provider_name(event.aaguid),
            },
        ),
    )


async def list_passkeys(database: Statements, command: ListPasskeys) -> store.PasskeyList:
    """A page of passkeys, with one extra passkey if a further page exists."""
    found = await store.list_after(
        database,
        user_id=command.user_id,
        after=command.after(command.user_id),
        limit=command.limit(),
    )
    if found is None:
        raise user_not_found(command.user_id)
    return found


async def rename(database: Statements, command: RenamePasskey, *, actor: Actor) -> Details:
    """Renames a passkey; returns its details, unchanged if it has the name already."""
    event = PasskeyRenamed(command.passkey_id, command.name)
    renamed = await store.rename(database, event, creator=actor.user_id, user_id=command.user_id)
    if renamed is None:
        raise refusals.passkey_not_found(command.passkey_id)
    return renamed


async def remove(database: Statements, command: RemovePasskey, *, actor: Actor) -> Details:
    """Removes a passkey or ends its ceremony; returns the last details."""
    # In this order, since a concurrent request may complete the ceremony and create the passkey.
    removed = await ceremony_store.cancel(
        database, user_id=command.user_id, passkey_id=command.passkey_id
    )
    if removed is None:
        async with database.transaction() as transaction:
            await user_aggregate.lock(transaction, command.user_id)
            ended = await session_store.list_ids(
                transaction, user_id=command.user_id, passkey_id=command.passkey_id
            )
            event = PasskeyRemoved(command.passkey_id, ended)
            removed = await store.remove(
                transaction, event, creator=actor.user_id, user_id=command.user_id
            )
            if removed is not None:
                # The sessions of the passkey have ended, so their ceremonies end, too.
                await pending.end_begun_by(transaction, command.user_id)
    if removed is None:
        raise refusals.passkey_not_found(command.passkey_id)
    return removed


async def _pending(database: Statements, command: VerifyPasskeyRegistration) -> Ceremony:
    """The ceremony, which can be completed now; otherwise `Failure`."""
    ceremony = await ceremony_store.get(
        database, user_id=command.user_id, passkey_id=command.passkey_id
    )
    if ceremony is None:
        raise refusals.passkey_not_found(command.passkey_id)
    if ceremony.is_verified:
        raise refusals.challenge_used()
    if ceremony.is_link_used:
        raise refusals.link_used()
    if ceremony.is_link_replaced:
        raise refusals.link_replaced()
    if ceremony.is_expired:
        raise refusals.challenge_expired()
    if ceremony.attempts >= MAX_ATTEMPTS:
        raise refusals.too_many_tries()
    return ceremony


def _verified(
    command: VerifyPasskeyRegistration, ceremony: Ceremony, credential: VerifiedCredential
) -> PasskeyVerified:
    return PasskeyVerified(
        passkey_id=command.passkey_id,
        name=command.passkey_name,
        began_by=ceremony.creator,
        rp_id=ceremony.policy.rp_id,
        credential_id=base64.b64encode(credential.credential_id).decode(),
        public_key=base64.b64encode(credential.public_key).decode(),
        algorithm=credential.algorithm,
        sign_count=credential.sign_count,
        aaguid=credential.aaguid,
        transports=credential.transports,
        attachment=credential.attachment or "",
        attestation_format=credential.attestation_format,
        attestation_type=credential.attestation_type,
        attestation_trusted=credential.attestation_trusted,
        user_verified=credential.user_verified,
        backup_eligible=credential.backup_eligible,
        backed_up=credential.backed_up,
        origin=credential.origin,
        top_origin=credential.top_origin or "",
        link_id=ceremony.link_id,
    )
