"""What can be done to the passkeys of a user."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from server.access import admission
from server.access.authorizer import user_not_found
from server.access.caller import AnyCaller, Caller, LinkCaller
from server.access.tokens import TokenKind, new_token, token_hash
from server.passkey import ceremony_store, link_store, links, refusals, store
from server.passkey.ceremony_store import Ceremony
from server.passkey.events import PasskeyRemoved, PasskeyRenamed, PasskeyVerified
from server.passkey.webauthn.ceremony import (
    Policy,
    VerifiedCredential,
    creation_options,
    verify_registration,
)
from server.session import store as session_store
from server.store.database import Statements, UniqueConflictError
from server.store.eventlog import Details, new_id
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
    """Ask what RegisterPasskey would begin."""

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
    """A ceremony that may be begun: for whom, and by a link until when."""

    user_name: str
    display_name: str
    link_expires_at: datetime | None


async def check(
    database: Statements,
    command: CheckPasskeyRegistration,
    *,
    caller: AnyCaller,
    max_passkeys: int,
) -> PossibleRegistration:
    """What `register` would begin. It decides anew, under a lock: this is for people to read."""
    user = await ceremony_store.get_user(database, command.user_id)
    if user is None:
        raise user_not_found(command.user_id)
    link_expires_at = None
    if isinstance(caller, LinkCaller):
        link = await links.check(database, user_id=command.user_id, link_id=caller.link_id)
        link_expires_at = link.expires_at
    if user.passkey_count >= max_passkeys:
        raise refusals.too_many_passkeys(max_passkeys)
    return PossibleRegistration(user.user_name, user.display_name, link_expires_at)


async def register(
    database: Statements,
    command: RegisterPasskey,
    *,
    caller: AnyCaller,
    policy: Policy,
    max_passkeys: int,
) -> BegunCeremony:
    """Begins a ceremony, by a link or by a token. Others that are pending stay so."""
    link_id = caller.link_id if isinstance(caller, LinkCaller) else None
    passkey_id, challenge = new_id(), secrets.token_bytes(_CHALLENGE_BYTES)
    registration_token = new_token(TokenKind.REGISTRATION)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, caller=caller)
        creator, makers = caller.user_id, user.makers
        if link_id is not None:
            link = await links.check(transaction, user_id=command.user_id, link_id=link_id)
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
    caller: AnyCaller,
    max_passkeys: int,
    hourly_mail_limit: int,
) -> Details:
    """Completes the ceremony, which success consumes, and its link. A try that fails is counted."""
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
            challenge=ceremony.challenge,
            caller=caller,
            max_passkeys=max_passkeys,
            hourly_mail_limit=hourly_mail_limit,
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
    challenge: bytes,
    caller: AnyCaller,
    max_passkeys: int,
    hourly_mail_limit: int,
) -> Details:
    """Writes the passkey if the ceremony still is what it was when the credential was verified."""
    add_verified = partial(
        store.add_verified,
        event=event,
        user_id=command.user_id,
        creator=caller.user_id,
        challenge=challenge,
        max_attempts=MAX_ATTEMPTS,
        max_passkeys=max_passkeys,
        mail_id=new_id(),
        hourly_mail_limit=hourly_mail_limit,
    )
    while True:
        try:
            if isinstance(caller, Caller):
                async with database.transaction() as transaction:
                    await admission.lock_user(transaction, command.user_id, caller=caller)
                    added = await add_verified(transaction)
            else:  # a registration token is good as long as its ceremony, which is locked there
                added = await add_verified(database)
        except UniqueConflictError as conflict:
            conflict.must_be("unique_claims_pkey")
            raise refusals.credential_already_registered() from None
        if added is None:
            await _pending(database, command)  # says why it no longer is; if it is again, again
            continue
        details, within_limit = added
        if not within_limit:
            raise refusals.too_many_passkeys(max_passkeys)
        return details


async def list_passkeys(database: Statements, command: ListPasskeys) -> store.PasskeyList:
    """A page of them, with one more if there are more."""
    found = await store.list_after(
        database,
        user_id=command.user_id,
        after=command.after(command.user_id),
        limit=command.limit(),
    )
    if found is None:
        raise user_not_found(command.user_id)
    return found


async def rename(database: Statements, command: RenamePasskey, *, caller_id: str) -> Details:
    """The passkey's details; those of before if it has the name already."""
    event = PasskeyRenamed(command.passkey_id, command.name)
    renamed = await store.rename(database, event, creator=caller_id, user_id=command.user_id)
    if renamed is None:
        raise refusals.passkey_not_found(command.passkey_id)
    return renamed


async def remove(database: Statements, command: RemovePasskey, *, caller_id: str) -> Details:
    """The details as of the removal."""
    # In this order: a ceremony that is being completed meanwhile is a passkey by the second look.
    removed = await ceremony_store.cancel(
        database, user_id=command.user_id, passkey_id=command.passkey_id
    )
    if removed is None:
        event = PasskeyRemoved(command.passkey_id)
        async with database.transaction() as transaction:
            # What it begins meanwhile, by a session of the passkey, must end.
            await session_store.lock_user(transaction, command.user_id)
            removed = await store.remove(
                transaction, event, creator=caller_id, user_id=command.user_id
            )
    if removed is None:
        raise refusals.passkey_not_found(command.passkey_id)
    return removed


async def _pending(database: Statements, command: VerifyPasskeyRegistration) -> Ceremony:
    """The ceremony, if it can be completed now. `Failure` says why not."""
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
