"""Signing in with a passkey, and reauthentication in a session."""

import base64
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from server.access.forgetting import forgetting
from server.access.tokens import TokenKind, new_token, token_hash
from server.crypto.keyring import Keyring
from server.passkey import refusals
from server.passkey.events import PasskeyCloneSuspected
from server.passkey.signin import store
from server.passkey.signin.store import CHALLENGES, FoundPasskey
from server.passkey.store import list_credentials
from server.passkey.webauthn import challenge as challenges
from server.passkey.webauthn.assertion import (
    ClonedPasskeyError,
    VerifiedAssertion,
    verify_assertion,
)
from server.passkey.webauthn.challenge import SIGN_IN, Purpose, reauthentication
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.credential import Assertion, read_assertion
from server.passkey.webauthn.options import CredentialDescriptor, request_options
from server.session.commands import SessionToken
from server.session.events import SessionRenewed, SessionStarted
from server.session.fragments import Device
from server.store.database import Database
from server.store.eventlog import new_id
from server.store.one_time import USED_KEY
from server.store.refusals import on_conflict
from server.store.turns import claim_for
from server.telemetry.tracing import span
from server.validation.credentials import AssertionCredential
from server.validation.fields import Command, OptionalName
from server.values.errors import unauthenticated

# Shorter than the lifetime, so that the browser gives up before the server does.
_CLIENT_TIMEOUT = timedelta(minutes=5)

# Another call has used the challenge since `_find`.
_CHALLENGE_USED = {USED_KEY: refusals.sign_in_used}


class CompletePasskeySignIn(Command):
    """Create a session of the user whose passkey signed the challenge."""

    public_key_credential: AssertionCredential
    device_name: OptionalName


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPolicy:
    """The accepted passkeys, and the limits of their sessions."""

    page: PagePolicy
    session_lifetime: timedelta
    max_sessions: int


@dataclass(frozen=True, slots=True)
class StartedSignIn:
    """A ceremony that waits for its credential. It is not stored."""

    options: dict[str, Any]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class PasskeySession:
    """A new session. This is the only time that `token` is in plaintext."""

    session_id: str
    user_id: str
    token: SessionToken
    user_handle: bytes = field(repr=False)
    accepted_credential_ids: tuple[bytes, ...]


def start(keyring: Keyring, policy: SignInPolicy) -> StartedSignIn:
    """Options for any passkey of the relying party."""
    return _start(keyring, policy, SIGN_IN)


async def complete(
    database: Database,
    keyring: Keyring,
    command: CompletePasskeySignIn,
    *,
    policy: SignInPolicy,
    device: Device,
    forget: Callable[[str], None],
) -> PasskeySession:
    """Verifies the assertion and starts a session, which may end the least recently used one.

    `Failure` as of `verify_assertion`; UNAUTHENTICATED `PASSKEY_UNKNOWN`; FAILED_PRECONDITION
    `CHALLENGE_EXPIRED`, `CHALLENGE_USED`.
    """
    assertion = _read(command.public_key_credential, keyring, policy, SIGN_IN)
    session_id, token = new_id(), new_token(TokenKind.SESSION)
    while True:
        found = await _find(database, assertion, policy)
        verified = await _verified(database, assertion, found, policy)
        if verified is None:
            continue
        event = SessionStarted(
            session_id=session_id,
            ended_session_ids=found.surplus,
            **_signed_in(token, found, verified, policy),
        )
        # From here on the call counts as this user's; calls that lock the same user are serialized.
        claim_for(found.user_id, target=found.user_id)
        with on_conflict(_CHALLENGE_USED), forgetting(forget, found.user_id):
            started = await store.start_session(
                database,
                event,
                found=found,
                challenge=assertion.client_data.challenge,
                device=device,
            )
        if started is not None:  # else the user changed after `_find`: retry
            return PasskeySession(
                session_id,
                found.user_id,
                SessionToken(token, started.change_date + policy.session_lifetime, started),
                found.credential.user_handle,
                found.accepted,
            )


async def start_reauthentication(
    database: Database, keyring: Keyring, user_id: str, session_id: str, *, policy: SignInPolicy
) -> StartedSignIn:
    """Options for the passkeys of the user, valid in this session only."""
    allowed = await list_credentials(database, user_id=user_id, rp_id=policy.page.rp_id)
    return _start(keyring, policy, reauthentication(session_id), allowed)


async def reauthenticate(
    database: Database,
    keyring: Keyring,
    user_id: str,
    session_id: str,
    credential: dict[str, Any],
    *,
    policy: SignInPolicy,
) -> SessionToken:
    """Verifies the assertion and renews the session, which gets another token.

    `Failure` as of `complete`; UNAUTHENTICATED if the session has ended.
    """
    assertion = _read(credential, keyring, policy, reauthentication(session_id))
    token = new_token(TokenKind.SESSION)
    while True:
        found = await _find(database, assertion, policy)
        if found.user_id != user_id:
            raise refusals.sign_in_failed("the passkey is another user's")
        verified = await _verified(database, assertion, found, policy, allowed=found.accepted)
        if verified is None:
            continue
        event = SessionRenewed(session_id=session_id, **_signed_in(token, found, verified, policy))
        claim_for(user_id, target=user_id)
        # Only this user can use the challenge, and its use moves the user's sequence.
        renewed = await store.renew_session(
            database,
            event,
            found=found,
            challenge=assertion.client_data.challenge,
        )
        if renewed is None:  # the user changed after `_find`: retry
            continue
        details, is_live = renewed
        if not is_live:
            raise unauthenticated()
        return SessionToken(token, details.change_date + policy.session_lifetime, details)


def _start(
    keyring: Keyring,
    policy: SignInPolicy,
    purpose: Purpose,
    allowed: Sequence[CredentialDescriptor] = (),
) -> StartedSignIn:
    expires_at = (datetime.now(UTC) + CHALLENGES.lifetime).replace(microsecond=0)
    challenge = challenges.new_challenge(
        keyring, purpose=purpose, policy=policy.page, expires_at=expires_at
    )
    options = request_options(
        policy=policy.page, challenge=challenge, timeout=_CLIENT_TIMEOUT, allowed=allowed
    )
    return StartedSignIn(options, expires_at)


def _read(
    credential: dict[str, Any], keyring: Keyring, policy: SignInPolicy, purpose: Purpose
) -> Assertion:
    def check_challenge(challenge: bytes) -> None:
        challenges.check_challenge(
            challenge, keyring, purpose=purpose, policy=policy.page, now=datetime.now(UTC)
        )

    return read_assertion(credential, check_challenge=check_challenge)


async def _find(database: Database, assertion: Assertion, policy: SignInPolicy) -> FoundPasskey:
    found = await store.find(
        database,
        rp_id=policy.page.rp_id,
        credential_id=assertion.credential_id,
        challenge=assertion.client_data.challenge,
        max_sessions=policy.max_sessions,
    )
    if found is None:
        raise refusals.passkey_unknown()
    if found.is_challenge_used:
        raise refusals.sign_in_used()
    return found


async def _verified(
    database: Database,
    assertion: Assertion,
    found: FoundPasskey,
    policy: SignInPolicy,
    *,
    allowed: Collection[bytes] = (),
) -> VerifiedAssertion | None:
    """Verifies the assertion. Records the suspicion of a copied passkey.

    None: the suspicion is not recorded, because the user changed after `_find`: retry.
    """
    try:
        with span("webauthn ceremony"):
            return verify_assertion(
                assertion, stored=found.credential, policy=policy.page, allowed=allowed
            )
    except ClonedPasskeyError as error:
        event = PasskeyCloneSuspected(
            found.passkey_id, stored_sign_count=error.stored, received_sign_count=error.received
        )
        with on_conflict(_CHALLENGE_USED):
            recorded = await store.suspect_clone(
                database,
                event,
                found=found,
                challenge=assertion.client_data.challenge,
            )
        if recorded is None:
            return None
        raise


def _signed_in(
    token: str, found: FoundPasskey, verified: VerifiedAssertion, policy: SignInPolicy
) -> dict[str, Any]:
    """The common fields of the events of a sign-in."""
    return {
        "hash": base64.b64encode(token_hash(token)).decode(),
        "lifetime_seconds": policy.session_lifetime.total_seconds(),
        "passkey_id": found.passkey_id,
        "sign_count": verified.sign_count,
        "backup_eligible": verified.backup_eligible,
        "backed_up": verified.backed_up,
        "user_verified": verified.user_verified,
        "origin": verified.origin,
        "top_origin": verified.top_origin or "",
        "sign_count_went_back": verified.sign_count_went_back,
        "backup_eligible_changed": verified.backup_eligible_changed,
    }
