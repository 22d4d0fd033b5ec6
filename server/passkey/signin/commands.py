"""Signing in with a passkey, and reauthentication in a session."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import SecretStr, StringConstraints

from server.access.authorizer import user_locked
from server.access.caller import AnyCaller
from server.access.forgetting import forgetting
from server.access.tokens import TokenKind, new_token, token_hash
from server.crypto.keyring import Keyring
from server.passkey import refusals
from server.passkey import store as passkey_store
from server.passkey.events import PasskeyCloneSuspected
from server.passkey.signin import store
from server.passkey.signin.store import CHALLENGES, FoundPasskey
from server.passkey.webauthn.assertion import (
    ClonedPasskeyError,
    VerifiedAssertion,
    verify_assertion,
)
from server.passkey.webauthn.challenge import (
    SIGN_IN,
    Purpose,
    check_challenge,
    new_challenge,
    reauthentication,
)
from server.passkey.webauthn.checks import PagePolicy
from server.passkey.webauthn.credential import Assertion, AssertionCredential
from server.passkey.webauthn.options import CredentialDescriptor, request_options
from server.session.commands import NewSession, session_of
from server.session.events import SessionRenewed, SessionStarted
from server.session.fragments import Device
from server.session.refused import Noted
from server.store.database import Database
from server.store.one_time import USED_KEY
from server.store.refusals import on_conflict
from server.store.rows import Details
from server.store.turns import claim_for
from server.telemetry.tracing import span
from server.validation.fields import Command, OptionalName, OptionalRPID, ReturnTo
from server.values.errors import Violation, invalid
from server.values.ids import new_id

# Another call has used the challenge since `_find`.
_CHALLENGE_USED = {USED_KEY: refusals.sign_in_used}


class StartPasskeySignIn(Command):
    """Create the options of a sign-in."""

    rp_id: OptionalRPID


class StartReauthentication(Command):
    """Create the options of a reauthentication."""

    rp_id: OptionalRPID


class CompletePasskeySignIn(Command):
    """Create a session of the user whose passkey signed the challenge."""

    public_key_credential: AssertionCredential
    device_name: OptionalName


class CompleteReauthentication(Command):
    """Renew the session of the caller, whose passkey signed the challenge."""

    public_key_credential: AssertionCredential


class CheckReturn(Command):
    """Check a page to which a person is to be sent back."""

    return_to: ReturnTo


class SignInAfterRegistration(Command):
    """Create a session of a user who has just registered a passkey by a link."""

    registration_token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=1000)]
    device_name: OptionalName


@dataclass(frozen=True, slots=True)
class FormerPage:
    """A former RP ID, and its address: where browsers use its passkeys without related origins."""

    policy: PagePolicy
    origin: str

    @property
    def rp_id(self) -> str:
        """The former RP ID."""
        return self.policy.rp_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPolicy:
    """The accepted passkeys, and the limits of their sessions."""

    page: PagePolicy
    former: tuple[FormerPage, ...] = ()
    session_lifetime: timedelta
    max_sessions: int

    @property
    def pages(self) -> tuple[PagePolicy, ...]:
        """The policies of all RP IDs, that of today first. A ceremony is of one of them."""
        return (self.page, *(former.policy for former in self.former))

    def page_of(self, rp_id: str) -> PagePolicy:
        """The policy of an RP ID of a request; empty: of today. `Failure` INVALID_ARGUMENT."""
        for page in self.pages:
            if rp_id in ("", page.rp_id):
                return page
        known = ", ".join(page.rp_id for page in self.pages)
        raise invalid(Violation("rpId", f"is not an RP ID of this server; use one of {known}"))


@dataclass(frozen=True, slots=True)
class StartedSignIn:
    """A ceremony that waits for its credential. It is not stored.

    `former` are the former RP IDs that could be asked for as well.
    """

    options: dict[str, Any]
    expires_at: datetime
    former: tuple[FormerPage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeySession(NewSession):
    """A new session, and the user handle and the accepted passkeys of its user."""

    user_handle: bytes = field(repr=False)
    accepted_credential_ids: tuple[bytes, ...]


def start(keyring: Keyring, command: StartPasskeySignIn, policy: SignInPolicy) -> StartedSignIn:
    """Options for all passkeys of one relying party."""
    return _started(keyring, policy.page_of(command.rp_id), SIGN_IN, former=policy.former)


async def start_reauthentication(
    database: Database,
    keyring: Keyring,
    command: StartReauthentication,
    *,
    caller: AnyCaller,
    policy: SignInPolicy,
) -> StartedSignIn:
    """Options for the passkeys of the caller at one relying party, valid in its session only.

    A user without a passkey of the RP ID of today is asked for one of a former ID.
    """
    purpose = reauthentication(session_of(caller).session_id)
    page = policy.page_of(command.rp_id)
    credentials = await passkey_store.LIST_CREDENTIALS.all(database, user_id=caller.user_id)
    rp_ids = {credential.rp_id for credential in credentials}
    former = tuple(each for each in policy.former if each.rp_id in rp_ids)
    if not command.rp_id and page.rp_id not in rp_ids and former:
        page = former[0].policy
    allowed = [each for each in credentials if each.rp_id == page.rp_id]
    return _started(keyring, page, purpose, allowed, former=former)


def _started(
    keyring: Keyring,
    page: PagePolicy,
    purpose: Purpose,
    allowed: Sequence[CredentialDescriptor] = (),
    *,
    former: tuple[FormerPage, ...],
) -> StartedSignIn:
    expires_at = (datetime.now(UTC) + CHALLENGES.lifetime).replace(microsecond=0)
    challenge = new_challenge(keyring, purpose=purpose, policy=page, expires_at=expires_at)
    options = request_options(policy=page, challenge=challenge, allowed=allowed)
    return StartedSignIn(options, expires_at, former)


async def complete(
    database: Database,
    keyring: Keyring,
    assertion: Assertion,
    *,
    policy: SignInPolicy,
    device: Device,
    forget: Callable[[str], None],
    noted: Noted,
    renewing: AnyCaller | None = None,
) -> PasskeySession:
    """Verifies the assertion and starts a session, which may end the least recently used one.

    With `renewing`, it is the session of this caller that gets another token and a later expiry.
    `noted` notes the refusal of a user.

    `Failure` as of `verify_assertion`; UNAUTHENTICATED `PASSKEY_UNKNOWN`, or without a reason if
    the renewed session has ended; FAILED_PRECONDITION `CHALLENGE_EXPIRED`, `CHALLENGE_USED`, and
    after a verified assertion `USER_LOCKED`.
    """
    session_id = session_of(renewing).session_id if renewing else new_id()
    purpose = reauthentication(session_id) if renewing else SIGN_IN
    challenge = assertion.response.client_data.challenge
    page = check_challenge(
        challenge, keyring, purpose=purpose, policies=policy.pages, now=datetime.now(UTC)
    )
    token = new_token(TokenKind.SESSION)
    signed_in: dict[str, Any] = {
        "session_id": session_id,
        "hash": base64.b64encode(token_hash(token)).decode(),
        "lifetime_seconds": policy.session_lifetime.total_seconds(),
    }
    while True:
        found = await _find(database, assertion, page, policy)
        if renewing and found.user_id != renewing.user_id:
            raise refusals.sign_in_failed("the passkey is another user's")
        with noted(found.user_id):
            if found.is_challenge_used:
                raise refusals.sign_in_used()
            verified = await _verified(database, assertion, found, page, is_known=bool(renewing))
            if verified is None:  # the user changed after `_find`: retry
                continue
            if found.is_locked:
                raise user_locked()
        signed_in["passkey_id"] = found.passkey_id
        event = (
            SessionRenewed.of(verified, **signed_in)
            if renewing
            else SessionStarted.of(verified, **signed_in, ended_session_ids=found.surplus)
        )
        # From here on the call counts as this user's; calls that lock the same user are serialized.
        claim_for(found.user_id, target=found.user_id)
        with noted(found.user_id), on_conflict(_CHALLENGE_USED), forgetting(forget, found.user_id):
            written = await store.write(
                database, event, found=found, challenge=challenge, device=device
            )
        if written is not None:  # else the user changed after `_find`: retry
            return _new_session(found, session_id, token, written, policy)


async def sign_in_after_registration(
    database: Database,
    command: SignInAfterRegistration,
    *,
    policy: SignInPolicy,
    device: Device,
    forget: Callable[[str], None],
) -> PasskeySession:
    """Starts a session of the user of a ceremony that a link began and that has just ended.

    `Failure` UNAUTHENTICATED `SIGN_IN_FAILED`; FAILED_PRECONDITION `CHALLENGE_USED`, `USER_LOCKED`.
    """
    registration = token_hash(command.registration_token.get_secret_value())
    token, session_id = new_token(TokenKind.SESSION), new_id()
    while True:
        found = await store.find_registered(
            database, registration, rp_id=policy.page.rp_id, max_sessions=policy.max_sessions
        )
        if found is None:
            raise refusals.sign_in_failed("no link has just registered a passkey by this token")
        if found.passkey.is_challenge_used:
            raise refusals.sign_in_used()
        if found.passkey.is_locked:
            raise user_locked()
        event = SessionStarted.of(
            found.state,
            session_id=session_id,
            hash=base64.b64encode(token_hash(token)).decode(),
            lifetime_seconds=policy.session_lifetime.total_seconds(),
            passkey_id=found.passkey.passkey_id,
            ended_session_ids=found.passkey.surplus,
        )
        claim_for(found.passkey.user_id, target=found.passkey.user_id)
        with on_conflict(_CHALLENGE_USED), forgetting(forget, found.passkey.user_id):
            written = await store.write(
                database, event, found=found.passkey, challenge=found.challenge, device=device
            )
        if written is not None:  # else the user changed after `find_registered`: retry
            return _new_session(found.passkey, session_id, token, written, policy)


def _new_session(
    found: FoundPasskey, session_id: str, token: str, written: Details, policy: SignInPolicy
) -> PasskeySession:
    return PasskeySession(
        session_id=session_id,
        user_id=found.user_id,
        token=token,
        expires_at=written.change_date + policy.session_lifetime,
        details=written,
        user_handle=found.user_handle,
        accepted_credential_ids=found.accepted,
    )


async def _find(
    database: Database, assertion: Assertion, page: PagePolicy, policy: SignInPolicy
) -> FoundPasskey:
    """The passkey of the relying party of the ceremony: one of another has not this credential."""
    found = await store.find(
        database,
        rp_id=page.rp_id,
        credential_id=assertion.credential_id,
        challenge=assertion.response.client_data.challenge,
        max_sessions=policy.max_sessions,
    )
    if found is None:
        raise refusals.passkey_unknown()
    return found


async def _verified(
    database: Database,
    assertion: Assertion,
    found: FoundPasskey,
    page: PagePolicy,
    *,
    is_known: bool,
) -> VerifiedAssertion | None:
    """Verifies the assertion. Records the suspicion of a copied passkey.

    `is_known`: the options listed the passkeys of the user.

    None: the suspicion is not recorded, because the user changed after `_find`.
    """
    allowed = found.accepted if is_known else ()
    try:
        with span("webauthn ceremony"):
            return verify_assertion(assertion, stored=found, policy=page, allowed=allowed)
    except ClonedPasskeyError as error:
        event = PasskeyCloneSuspected(
            found.passkey_id, stored_sign_count=error.stored, received_sign_count=error.received
        )
        challenge = assertion.response.client_data.challenge
        with on_conflict(_CHALLENGE_USED):
            if not await store.suspect_clone(database, event, found=found, challenge=challenge):
                return None
        raise
