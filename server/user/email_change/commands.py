"""The commands by which a user changes its own mail address."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import SecretStr, StringConstraints

from server.access import admission
from server.access.admission import LockedUser
from server.access.authorizer import may_beyond
from server.access.caller import Actor, Caller
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.mail.outbox import MailKind, NewMail, Outbox
from server.rpc.rate_limits import RateLimit
from server.store.database import Statements
from server.store.rows import Details
from server.user import store
from server.user.commands import OneUser, change, end_link, notice_of, profile_kept
from server.user.events import (
    EmailChangeCancelled,
    EmailChangeRequested,
    EmailVerification,
    UserChanged,
)
from server.user.other_features import OtherFeatures
from server.validation.fields import MailAddress
from server.values.errors import FixedFailure, Kind, Violation, invalid, permission_denied
from server.values.ids import new_id

LIFETIME: Final = timedelta(hours=24)
# Five mails at once of a user, then five an hour. Addresses have a budget, too.
_PER_USER: Final = (5 / 3600, 5)


class RequestEmailChange(OneUser):
    """Have a link mailed to a new address."""

    email: MailAddress


class ConfirmEmailChange(OneUser):
    """Set the address of a mailed link."""

    email_change_token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=2000)]


@dataclass(frozen=True, slots=True)
class _Link:
    """A request, in a link. Servers of two releases read each other's.

    `replaces` is the address as of the request. Servers without requests do not end one.
    """

    user_id: str
    change_id: str
    replaces: str


class EmailChanges:
    """Requests and confirms changes."""

    def __init__(
        self,
        database: Statements,
        keyring: Keyring,
        *,
        page: str,
        others: OtherFeatures,
        outbox: Outbox,
    ) -> None:
        """`page` is the URL of the account, which takes the link."""
        self._database = database
        self._keyring = keyring
        self._page = page
        self._others = others
        self._outbox = outbox
        self._sealed = Sealed(keyring, _Link, purpose="keystead email change")
        self._per_user = RateLimit(*_PER_USER)

    async def request(
        self, command: RequestEmailChange, *, actor: Actor, organization_id: str
    ) -> tuple[Details, datetime]:
        """Mails a link, which ends an earlier one; returns its expiry too.

        `Failure`: see RequestEmailChange.
        """
        caller = _own_session(actor, command.user_id)
        async with self._database.transaction() as transaction:
            user = await self._lock(transaction, caller, organization_id)
            stored = await store.GET.one(transaction, user_id=user.user_id)
            verification = stored.email_verification
            if command.email == user.email and verification and verification.is_claimed:
                problem = "must be another address than the present one, which is verified"
                raise invalid(Violation("email", problem))
            self._per_user.admit(user.user_id)
            await end_link(transaction, user.user_id, user.organization_id)
            expires_at = user.now + LIFETIME
            event = EmailChangeRequested(new_id(), command.email, expires_at.isoformat())
            details = await store.REQUEST_EMAIL_CHANGE.details(
                transaction, event, creator=user.user_id, user_id=user.user_id
            )
            await self._outbox.enqueue(transaction, self._keyring, self._mail(user, event))
            if command.email != user.email:
                notice = notice_of(MailKind.EMAIL_CHANGE_REQUESTED, user)
                await self._outbox.notify(transaction, notice)
        return details, expires_at

    def _mail(self, user: LockedUser, event: EmailChangeRequested) -> NewMail:
        token = self._sealed.sealed(_Link(user.user_id, event.change_id, user.email))
        return NewMail(
            kind=MailKind.EMAIL_CHANGE_LINK,
            user_id=user.user_id,
            organization_id=user.organization_id,
            # Every user requests these mails, so they do not use the budget of the organization.
            scope_id=f"email_change:{user.organization_id}",
            keeps_turn=True,
            recipient_address=event.email,
            # A user can choose the name, perhaps with a message for somebody else.
            recipient_name="",
            reference=event.change_id,
            parameters={"user_name": user.user_name, "expiry": event.expires_at},
            secrets={"link": f"{self._page}#email={token}"},
            holds_until=user.now + LIFETIME,
        )

    async def confirm(
        self, command: ConfirmEmailChange, *, actor: Actor, organization_id: str
    ) -> Details:
        """Sets the address of the link. `Failure`: see ConfirmEmailChange."""
        caller = _own_session(actor, command.user_id)
        link = self._sealed.opened(command.email_change_token.get_secret_value())
        if link is None:
            raise _invalid()
        if link.user_id != caller.user_id:
            raise _of_other_user()
        async with self._database.transaction() as transaction:
            # Under this lock, the addresses of the organization stay unique.
            await self._others.lock_organization(transaction, organization_id)
            user = await self._lock(transaction, caller, organization_id)
            requested = await store.REQUESTED_EMAIL.one(transaction, user_id=user.user_id)
            if (requested.change_id, user.email) != (link.change_id, link.replaces):
                raise _ended()
            if requested.expires_at is None or requested.expires_at <= user.now:
                raise _expired()
            if await store.has_address(
                transaction,
                organization_id=organization_id,
                address=requested.email,
                but_user_id=user.user_id,
            ):
                raise _taken()
            event = UserChanged(
                email=requested.email,
                makers=tuple(sorted(user.makers)),
                email_verification=EmailVerification.LINK,
            )
            return await change(
                transaction,
                user,
                event,
                creator=user.user_id,
                others=self._others,
                outbox=self._outbox,
            )

    async def _lock(
        self, transaction: Statements, caller: Caller, organization_id: str
    ) -> LockedUser:
        """Locks the user. `Failure` FAILED_PRECONDITION: it may not change its own address."""
        user = await admission.lock_user(transaction, caller.user_id, actor=caller)
        if not may_beyond(caller, "user.write", organization_id) and (
            await self._others.keeps_profiles(transaction, organization_id)
        ):
            raise profile_kept()
        if await self._others.is_address_provided(transaction, user.user_id):
            raise _from_provider()
        return user


async def cancel(database: Statements, command: OneUser, *, actor: Actor) -> Details:
    """Ends a pending change of the user. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor)
        change_id = await end_link(transaction, user.user_id, user.organization_id)
        return await store.CANCEL_EMAIL_CHANGE.details(
            transaction,
            EmailChangeCancelled(change_id),
            creator=actor.user_id,
            user_id=user.user_id,
        )


def _own_session(actor: Actor, user_id: str) -> Caller:
    """Checks that the caller is the user, with a session.

    The option `recent_sign_in` of the methods checks the time of the sign-in, which a token lacks.
    """
    if not isinstance(actor, Caller) or actor.user_id != user_id or actor.session is None:
        raise permission_denied()
    return actor


_invalid: Final = FixedFailure(
    "EMAIL_CHANGE_INVALID",
    "The link is incomplete. Open it as it is in the mail, or ask for another one in your account.",
)
_of_other_user: Final = FixedFailure(
    "EMAIL_CHANGE_OF_OTHER_USER",
    "The link is of another account. Sign in to that account, and open the link again.",
)
_expired: Final = FixedFailure(
    "EMAIL_CHANGE_EXPIRED",
    "The link is older than 24 hours. Ask for another one in your account.",
)
# It was used, cancelled or replaced, or the address was changed otherwise.
_ended: Final = FixedFailure(
    "EMAIL_CHANGE_ENDED",
    "The link was used already, or the change was cancelled or replaced by another one. Look at the"
    " mail address of your account, and ask for another link there if it is not right.",
)
# Only the holder of the mailbox is told.
_taken: Final = FixedFailure(
    "EMAIL_TAKEN",
    "Another account of the organization has this mail address. Use another address, or ask an"
    " administrator.",
    kind=Kind.ALREADY_EXISTS,
)
_from_provider: Final = FixedFailure(
    "EMAIL_FROM_PROVIDER",
    "The identity provider with which you sign in gives your mail address at every sign-in. Change"
    " it there, and sign in again.",
)
