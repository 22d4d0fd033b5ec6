"""Recovery by mail: a user who has lost all passkeys gets a registration link (decision 19).

A request only stores the address. Every second, `Recovery.mail_links` looks up the stored addresses
and mails the links, so neither the response nor its time depends on the address.

The rule: a link is mailed only to the stored address of a user who has a passkey and no role, in an
organization that allows recovery. The registration of the new passkey ends the user's sessions, the
tokens that the user made itself, and its grants to applications.
"""

from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta

import structlog
from prometheus_client import Counter

from server.access import admission, user_aggregate
from server.access.admission import LockedUser
from server.access.caller import RECOVERY
from server.crypto.keyring import Keyring
from server.mail.outbox import MailKind, Notice, Outbox, list_former_addresses
from server.passkey import link_store, links, pending, recovery_store, refusals
from server.passkey.events import PasskeyVerified
from server.passkey.link_store import LinkPurpose
from server.passkey.links import Issue, LinkChannel, RegistrationPolicy
from server.passkey.provider import provider_name
from server.session import store as session_store
from server.session.events import SessionsEnded
from server.store.database import Database, Statements
from server.telemetry.background import tried
from server.validation.fields import AnonymousMailAddress, Command, OptionalReturnTo
from server.values.errors import Failure, Kind

LINK_LIFETIME = timedelta(minutes=30)
# The interval of `mail_links`. It is fixed, so that response times reveal no known address.
INTERVAL_SECONDS = 1.0
# The number of requests per interval, in which networks take turns. While MAX_PENDING requests
# wait, the network with the most of them gets no further one.
_BATCH = 20
MAX_PENDING = 1000
# Longer than the processing of a batch.
_LEASE = timedelta(minutes=1)
# Maximum numbers: users of one address in an organization that get a link, and former addresses
# that get a notice.
_MAX_USERS = 10
_MAX_FORMER_ADDRESSES = 5

# Failures that refuse the link; after other failures the request is tried again.
_FINAL = (Kind.NOT_FOUND, Kind.FAILED_PRECONDITION, Kind.RESOURCE_EXHAUSTED)

_log = structlog.get_logger("recovery")


# Selects the organizations that allow recovery.
ListRecovering = Callable[[Statements, Collection[str]], Awaitable[set[str]]]


class RequestPasskeyRecovery(Command):
    """Ask for recovery links."""

    email: AnonymousMailAddress
    return_to: OptionalReturnTo


async def request(
    database: Statements,
    command: RequestPasskeyRecovery,
    *,
    policy: RegistrationPolicy,
    network: str,
) -> None:
    """Stores the address, by one statement that is the same for every address."""
    if command.return_to:
        await policy.check_return(database, command.return_to)
    await recovery_store.add(
        database,
        command.email,
        return_to=command.return_to,
        network=network,
        max_pending=MAX_PENDING,
    )


class Recovery:
    """Mails the requested links."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        policy: RegistrationPolicy,
        list_recovering: ListRecovering,
        outbox: Outbox,
        failures: Counter,
    ) -> None:
        """`failures` counts links that failed."""
        self._database = database
        self._keyring = keyring
        self._policy = policy
        self._list_recovering = list_recovering
        self._outbox = outbox
        self._failures = failures

    async def mail_links(self) -> None:
        """Mails the links of pending requests. A failed request is tried again later."""
        requests = await recovery_store.ACQUIRE.all(self._database, limit=_BATCH, lease=_LEASE)
        for each in requests:
            found = await self._users_of(each.address)
            if all([await self._is_answered(user_id, each.return_to) for user_id in found]):
                await recovery_store.end(self._database, each)

    async def _users_of(self, address: str) -> list[str]:
        found = await user_aggregate.LIST_RECOVERABLE.all(
            self._database, address=address, per_organization=_MAX_USERS
        )
        if not found:
            return []
        organization_ids = {user.organization_id for user in found}
        allowed = await self._list_recovering(self._database, organization_ids)
        return [user.user_id for user in found if user.organization_id in allowed]

    async def _is_answered(self, user_id: str, return_to: str) -> bool:
        """Mails the link, or logs the refusal. False: a failure, to be tried again."""
        with tried("to mail a recovery link", self._failures):
            try:
                async with self._database.transaction() as transaction:
                    reason = await self._mail_link(transaction, user_id, return_to)
            except Failure as failure:
                if failure.kind not in _FINAL:
                    raise
                reason = failure.reason
            _log.info("recovery was requested", user_id=user_id, refused=reason or None)
            return True
        return False

    async def _mail_link(self, transaction: Statements, user_id: str, return_to: str) -> str:
        """Mails the link; returns the reason of a refusal, or an empty text."""
        user = await admit(transaction, user_id, self._policy)
        self._policy.check_count(user)
        if user.roles:
            return "HAS_ROLE"
        if await link_store.can_recover(transaction, user_id):
            return "LINK_WORKS"
        new = Issue(
            LinkPurpose.RECOVERY,
            LinkChannel.SEND_LINK,
            creator=RECOVERY.user_id,
            lifetime=LINK_LIFETIME,
            return_to=return_to,
        )
        await links.issue(
            transaction,
            user,
            new,
            page=self._policy.link_page,
            outbox=self._outbox,
            keyring=self._keyring,
        )
        return ""


async def admit(transaction: Statements, user_id: str, policy: RegistrationPolicy) -> LockedUser:
    """Locks the organization and the user, so that recovery stays allowed in this transaction.

    A user without a passkey, perhaps since the link was mailed, is refused. `Failure` NOT_FOUND,
    FAILED_PRECONDITION `RECOVERY_NOT_ALLOWED`.
    """
    account = await user_aggregate.ACCOUNT.one(transaction, user_id=user_id)
    if not await policy.allows_recovery(transaction, account.organization_id, lock=True):
        raise refusals.recovery_not_allowed()
    user = await admission.lock_user(transaction, user_id, actor=RECOVERY)
    if not user.passkey_count:
        raise refusals.recovery_not_allowed()
    return user


async def complete(
    transaction: Statements,
    user: LockedUser,
    event: PasskeyVerified,
    *,
    address: str,
    policy: RegistrationPolicy,
    outbox: Outbox,
) -> None:
    """Ends the access of others to a user who has just registered a passkey by a recovery link.

    Its other passkeys stay. Writes notices to `address`, which got the link, and to recent former
    addresses of the user.
    """
    user_id = user.user_id
    await session_store.end_all(transaction, SessionsEnded(), creator=user_id, user_id=user_id)
    await policy.end_of_recovered(transaction, user_id)
    await pending.end_begun_by(transaction, user_id)
    former = await list_former_addresses(
        transaction, user_id=user_id, address=address, limit=_MAX_FORMER_ADDRESSES
    )
    for recipient in [address, *former]:
        notice = Notice(
            kind=MailKind.ACCOUNT_RECOVERED,
            user_id=user_id,
            organization_id=user.organization_id,
            recipient_address=recipient,
            recipient_name=user.display_name,
            reference=event.passkey_id,
            parameters={
                "user_name": user.user_name,
                "passkey_name": event.name,
                "provider_name": provider_name(event.aaguid),
            },
        )
        await outbox.notify(transaction, notice)
