"""The commands of sign-up.

The rule: a request looks up no user, so that neither its response nor its time depends on the
address. The link in the mail is a sealed value (`server/crypto/sealed.py`) with the ID of the user
to come, so it registers one user, however often it is opened. Only the holder of the mailbox gets
it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import structlog
from pydantic import SecretStr, StringConstraints

from server.access import admission, user_aggregate
from server.access.admission import LockedUser
from server.access.caller import Registrant
from server.crypto.keyring import Keyring
from server.crypto.sealed import Sealed
from server.mail.outbox import MailKind, NewMail, Outbox
from server.org import store as org_store
from server.org.store import Organization
from server.passkey import link_store, links
from server.passkey.link_store import LinkPurpose
from server.passkey.links import Issue, LinkChannel, NewLink, RegistrationPolicy
from server.rpc.rate_limits import RateLimit
from server.signup import refusals
from server.store.database import Statements
from server.store.one_time import USED_KEY, OneTime
from server.store.refusals import UNIQUE_CLAIMS_KEY, UniqueConflictError, on_conflict
from server.user import commands as user_commands
from server.user.events import EmailVerification
from server.validation.confusables import name_of
from server.validation.fields import (
    AnonymousMailAddress,
    Command,
    Id,
    OptionalName,
    OptionalReturnTo,
)
from server.values.errors import Failure, Kind
from server.values.ids import new_id

LIFETIME: Final = timedelta(hours=24)
# Of the link by which the new user registers a passkey. The mailed link makes another one.
_LINK_LIFETIME: Final = timedelta(hours=1)
# The registration links of one mailed link. Each replaces the last.
MAX_LINKS: Final = 10
# Twenty mails at once from a client network, then five a minute. An address has a budget, too.
_PER_NETWORK: Final = (5 / 60, 20)
_SIGN_UPS: Final = OneTime("sign_up", lifetime=LIFETIME)

_log = structlog.get_logger("signup")


class RequestSignUp(Command):
    """Have a link mailed that registers a new user."""

    org_id: Id
    email: AnonymousMailAddress
    display_name: OptionalName
    return_to: OptionalReturnTo


class ConfirmSignUp(Command):
    """Register the user of a mailed link."""

    sign_up_token: Annotated[SecretStr, StringConstraints(min_length=1, max_length=8000)]


@dataclass(frozen=True, slots=True)
class SignUp:
    """The user that a link registers. Servers of two releases read each other's."""

    user_id: str
    organization_id: str
    email: str
    display_name: str
    return_to: str
    # In seconds since 1970.
    expires_at: int


class SignUps:
    """Requests and confirms sign-ups."""

    def __init__(
        self,
        database: Statements,
        keyring: Keyring,
        *,
        page: str,
        policy: RegistrationPolicy,
        outbox: Outbox,
    ) -> None:
        """`page` is the URL of the sign-in page, which takes the link."""
        self._database = database
        self._keyring = keyring
        self._page = page
        self._policy = policy
        self._outbox = outbox
        self._sealed = Sealed(keyring, SignUp, purpose="keystead sign-up")
        self._per_network = RateLimit(*_PER_NETWORK)

    async def request(self, command: RequestSignUp, *, network: str) -> None:
        """Mails a link, unless the budget of the address is spent. `Failure`: see RequestSignUp.

        `network` is that of the client.
        """
        if command.return_to:
            await self._policy.check_return(self._database, command.return_to)
        organization = await _check_allowed(self._database, command.org_id)
        self._per_network.admit(network)
        expires_at = datetime.now(UTC) + LIFETIME
        sign_up = SignUp(
            user_id=new_id(),
            organization_id=command.org_id,
            email=command.email,
            display_name=command.display_name,
            return_to=command.return_to,
            expires_at=int(expires_at.timestamp()),
        )
        mail = NewMail(
            kind=MailKind.SIGN_UP_LINK,
            user_id="",
            organization_id=command.org_id,
            # Anybody requests these mails, so they do not use the budget of the organization.
            scope_id=f"sign_up:{command.org_id}",
            keeps_turn=True,
            recipient_address=command.email,
            # Anybody can choose the name, perhaps with a message for somebody else.
            recipient_name="",
            reference=sign_up.user_id,
            parameters={
                "organization_name": organization.name,
                "expiry": expires_at.isoformat(),
            },
            secrets={"link": f"{self._page}#sign-up={self._sealed.sealed(sign_up)}"},
            holds_until=expires_at,
        )
        try:
            async with self._database.transaction() as transaction:
                await org_store.lock_shared(transaction, command.org_id)
                await self._outbox.enqueue(transaction, self._keyring, mail)
        except Failure as failure:
            # A refusal would tell that somebody else has just asked for this address.
            if failure.kind is not Kind.RESOURCE_EXHAUSTED:
                raise
            _log.info("a sign-up mail was refused", reason=failure.reason)

    async def confirm(self, command: ConfirmSignUp) -> tuple[str, NewLink]:
        """Registers the user; returns its ID, and a link for its passkey. `Failure`: ConfirmSignUp.

        The link can be confirmed again until the user has a passkey, in case a response was lost:
        `MAX_LINKS` times in all.
        """
        sign_up = self._sealed.opened(command.sign_up_token.get_secret_value())
        if sign_up is None or sign_up.expires_at <= datetime.now(UTC).timestamp():
            raise refusals.expired()
        try:
            return sign_up.user_id, await self._confirm(sign_up, user_name=name_of(sign_up.email))
        except UniqueConflictError as conflict:
            conflict.must_be(UNIQUE_CLAIMS_KEY)
        # Another user has the name: the ID is the name then.
        return sign_up.user_id, await self._confirm(sign_up, user_name="")

    async def _confirm(self, sign_up: SignUp, *, user_name: str) -> NewLink:
        user_id = sign_up.user_id
        with on_conflict({USED_KEY: refusals.used}):
            async with self._database.transaction() as transaction:
                # Under this lock, the addresses of the organization stay unique.
                await org_store.lock(transaction, sign_up.organization_id)
                await _check_allowed(transaction, sign_up.organization_id)
                if not await user_aggregate.ACCOUNT.one_or_none(transaction, user_id=user_id):
                    await self._register(transaction, sign_up, user_name)
                user = await admission.lock_user(transaction, user_id, actor=Registrant(user_id))
                user.check_not_locked()
                if await _is_over(transaction, user, sign_up):
                    raise refusals.used()
                new = Issue(
                    LinkPurpose.REGISTRATION,
                    LinkChannel.RETURN_CODE,
                    creator=user_id,
                    lifetime=_LINK_LIFETIME,
                    return_to=sign_up.return_to,
                )
                return await links.issue(
                    transaction,
                    user,
                    new,
                    page=self._policy.link_page,
                    outbox=self._outbox,
                    keyring=self._keyring,
                )

    async def _register(self, transaction: Statements, sign_up: SignUp, user_name: str) -> None:
        # Of a removed user, too: its link registers nobody a second time.
        await _SIGN_UPS.use(transaction, sign_up.user_id.encode())
        registered = await user_commands.register(
            transaction,
            user_id=sign_up.user_id,
            user_name=user_name,
            display_name=sign_up.display_name,
            email=sign_up.email,
            organization_id=sign_up.organization_id,
            email_verification=EmailVerification.LINK,
            makers={sign_up.user_id},
        )
        if registered is None:
            raise refusals.user_exists()


async def _check_allowed(database: Statements, organization_id: str) -> Organization:
    """The organization, if people may register themselves. `Failure` `SIGN_UP_NOT_ALLOWED`."""
    organization = await org_store.GET.one_or_none(database, organization_id=organization_id)
    if organization is None or not organization.allows_sign_up:
        raise refusals.not_allowed()
    return organization


async def _is_over(transaction: Statements, user: LockedUser, sign_up: SignUp) -> bool:
    """Whether access to the mailbox gives no access to the user any more."""
    if user.passkey_count or user.roles or user.email != sign_up.email:
        return True
    links_of_user = await link_store.COUNT.one(transaction, user_id=user.user_id)
    return bool(links_of_user.used) or links_of_user.made >= MAX_LINKS
