"""Registration links, by which a user without a token registers one passkey.

A link is `<page>#user=<user id>;code=<code>`. Browsers do not send the fragment, so the code is in
no log and no `Referer`. Opening a link, as mail scanners do, begins no ceremony.

The rule: only a verified passkey uses up its link, and a user has at most one valid link of each
purpose.
"""

import asyncio
import enum
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from server.access import admission, makers
from server.access.admission import LockedUser
from server.access.caller import Actor
from server.access.tokens import TokenKind, new_token, token_hash
from server.access.user_aggregate import Account
from server.crypto.keyring import Keyring
from server.mail.outbox import MailKind, NewMail, Outbox, cancel_about
from server.passkey import link_store, refusals
from server.passkey.events import PasskeyLinkCreated
from server.passkey.invitations import DescribeInvitation, Invitation
from server.passkey.link_store import LinkPurpose, MailedLink
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, OptionalId, OptionalReturnTo
from server.values.errors import Failure, Violation, invalid, unauthenticated
from server.values.ids import new_id

# Limits a page that begins ceremonies in a loop. Guessing needs no limit, since codes are long.
MAX_CEREMONIES = 10


# Checks the field `return_to` of a request: `ReturnTargets.check`.
CheckReturn = Callable[[Statements, str], Awaitable[None]]
# Whether a page that was checked before is still allowed: `ReturnTargets.allows`.
AllowsReturn = Callable[[Statements, str], Awaitable[bool]]
# Ends the tokens that a locked user made itself, and its grants to applications.
EndOfRecovered = Callable[[Statements, str], Awaitable[None]]
# Records that a locked user opened a link that was mailed to its address.
VerifyAddress = Callable[[Statements, str], Awaitable[None]]


class CreatePasskeyRegistrationLink(Command):
    """Create a link by which the user registers a passkey."""

    user_id: Id
    return_to: OptionalReturnTo
    is_invitation: bool
    application_id: OptionalId


class LinkChannel(enum.StrEnum):
    """The delivery of a link to its user, with the names of the API."""

    SEND_LINK = "send_link"
    RETURN_CODE = "return_code"


class AllowsRecovery(Protocol):
    """Whether the users of an organization may recover by mail.

    `lock` keeps the setting until the transaction ends: it locks the organization, which must come
    before locks of users.
    """

    async def __call__(
        self, database: Statements, organization_id: str, *, lock: bool = False
    ) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationPolicy:
    """The limits of registrations, and the functions of other features.

    `max_passkeys` is the maximum number of passkeys of a user. `link_page` and `link_lifetime` are
    of links, except that recovery links have a lifetime of their own.
    """

    max_passkeys: int
    link_page: str
    link_lifetime: timedelta
    allows_recovery: AllowsRecovery
    check_return: CheckReturn
    allows_return: AllowsReturn
    describe_invitation: DescribeInvitation
    end_of_recovered: EndOfRecovered
    verify_address: VerifyAddress

    def check_count(self, user: Account | LockedUser) -> None:
        """`Failure` RESOURCE_EXHAUSTED `TOO_MANY_PASSKEYS` if the user has the maximum number."""
        if user.passkey_count >= self.max_passkeys:
            raise refusals.too_many_passkeys(self.max_passkeys)


@dataclass(frozen=True, slots=True)
class Issue:
    """The purpose, delivery, creator, lifetime and target of a link to issue."""

    purpose: LinkPurpose
    channel: LinkChannel
    creator: str
    lifetime: timedelta
    # Checked; empty: the account.
    return_to: str
    # None: the link is no invitation.
    invitation: Invitation | None = None
    application_id: str = ""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link: the code, which is returned only once, or the id of the mail that contains it."""

    expires_at: datetime
    details: Details
    code: str = field(default="", repr=False)
    url: str = field(default="", repr=False)
    mail_id: str = ""


async def create(
    database: Statements,
    command: CreatePasskeyRegistrationLink,
    channel: LinkChannel | None,
    *,
    actor: Actor,
    policy: RegistrationPolicy,
    outbox: Outbox,
    keyring: Keyring,
) -> NewLink:
    """Creates a link, and with `SEND_LINK` writes the mail that contains it.

    The new link replaces earlier links, their ceremonies and their mails.
    """
    if channel is None:
        raise invalid(
            Violation("sendLink", "must be set unless returnCode is"),
            Violation("returnCode", "must be set unless sendLink is"),
        )
    if command.return_to:
        await policy.check_return(database, command.return_to)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, command.user_id, actor=actor)
        user.check_not_locked()
        policy.check_count(user)
        if channel is LinkChannel.SEND_LINK:
            await check_address(transaction, user)
        new = Issue(
            LinkPurpose.REGISTRATION,
            channel,
            creator=actor.user_id,
            lifetime=policy.link_lifetime,
            return_to=command.return_to,
            invitation=await _invitation(transaction, user.organization_id, command, actor, policy),
            application_id=command.application_id,
        )
        return await issue(
            transaction, user, new, page=policy.link_page, outbox=outbox, keyring=keyring
        )


async def check_address(transaction: Statements, user: LockedUser) -> None:
    """`Failure` `EMAIL_SET_BY_OTHERS` if somebody below the roles of the user set its address."""
    if await makers.list_below(
        transaction,
        user.roles,
        user.email_makers,
        user_id=user.user_id,
        organization_id=user.organization_id,
    ):
        raise refusals.email_set_by_others()


async def _invitation(
    transaction: Statements,
    organization_id: str,
    command: CreatePasskeyRegistrationLink,
    actor: Actor,
    policy: RegistrationPolicy,
) -> Invitation | None:
    """The invitation of a new link. None: it is none. `Failure` INVALID_ARGUMENT."""
    application_id = command.application_id
    if command.is_invitation:
        return await invitation_to(transaction, organization_id, application_id, actor, policy)
    if application_id:
        raise invalid(Violation("applicationId", "must be empty unless isInvitation is true"))
    return None


async def invitation_to(
    transaction: Statements,
    organization_id: str,
    application_id: str,
    actor: Actor,
    policy: RegistrationPolicy,
) -> Invitation:
    """An invitation to an organization and an application, if any. `Failure` INVALID_ARGUMENT."""
    invitation = await policy.describe_invitation(
        transaction, actor.user_id, organization_id, application_id
    )
    if application_id and not invitation.application_name:
        problem = "must be an application that admits users of this organization"
        raise invalid(Violation("applicationId", problem))
    return invitation


async def issue(
    transaction: Statements,
    user: LockedUser,
    new: Issue,
    *,
    page: str,
    outbox: Outbox,
    keyring: Keyring,
) -> NewLink:
    """Writes a link of a locked user, and its mail; ends the links that it replaces."""
    link_id, code = new_id(), new_token(TokenKind.LINK)
    replaced = await link_store.replace(transaction, [user.user_id], new.purpose)
    await cancel_about(transaction, replaced, organization_id=user.organization_id)
    expires_at = user.now + new.lifetime
    # Whoever has set the address can read the code of a mailed link.
    is_returned = new.channel is LinkChannel.RETURN_CODE
    details = await link_store.ADD.details(
        transaction,
        PasskeyLinkCreated(link_id, new.channel, expires_at.isoformat(), new.purpose),
        creator=new.creator,
        makers=sorted(user.makers if is_returned else user.makers | user.email_makers),
        user_id=user.user_id,
        code_hash=token_hash(code),
        return_to=new.return_to,
        is_invitation=new.invitation is not None,
        application_id=new.application_id,
    )
    url = _url(page, user, code)
    if is_returned:
        return NewLink(expires_at, details, code=code, url=url)
    mail = _mail(user, new, link_id=link_id, url=url, expires_at=expires_at)
    mail_id = await outbox.enqueue(transaction, keyring, mail)
    return NewLink(expires_at, details, mail_id=mail_id)


async def mail_all(
    transaction: Statements,
    users: Sequence[LockedUser],
    new: Issue,
    *,
    page: str,
    outbox: Outbox,
    keyring: Keyring,
) -> list[Failure | None]:
    """Mails a link to each of the locked users of an organization, as `issue` does to one.

    Returns the failure of each: the links of a user whose mail is refused stay. Other tasks have a
    turn in between.
    """
    if not users:
        return []
    expires_at = users[0].now + new.lifetime
    links, mails = [], []
    for user in users:
        await asyncio.sleep(0)
        link_id, code = new_id(), new_token(TokenKind.LINK)
        event = PasskeyLinkCreated(link_id, new.channel, expires_at.isoformat(), new.purpose)
        makers_of_link = sorted(user.makers | user.email_makers)
        links.append(MailedLink(user.user_id, event, token_hash(code), makers_of_link))
        url = _url(page, user, code)
        mails.append(_mail(user, new, link_id=link_id, url=url, expires_at=expires_at))
    results = await outbox.enqueue_all(transaction, keyring, mails)
    mailed = [
        link for link, result in zip(links, results, strict=True) if not isinstance(result, Failure)
    ]
    replaced = await link_store.replace(transaction, [each.user_id for each in mailed], new.purpose)
    await cancel_about(transaction, replaced, organization_id=users[0].organization_id)
    await link_store.add_all(
        transaction,
        mailed,
        creator=new.creator,
        return_to=new.return_to,
        is_invitation=new.invitation is not None,
        application_id=new.application_id,
    )
    return [result if isinstance(result, Failure) else None for result in results]


async def check(
    database: Statements, link_id: str, *, user: Account | LockedUser, policy: RegistrationPolicy
) -> link_store.Link:
    """The link of a user who is not locked out, if it may begin a ceremony; otherwise `Failure`.

    The link does not change while its user is locked. UNAUTHENTICATED: the link was deleted after
    the caller was authenticated.
    """
    link = await link_store.GET.one_or_none(database, user_id=user.user_id, link_id=link_id)
    if link is None:
        raise unauthenticated()
    if link.is_used:
        raise refusals.link_used()
    if link.is_replaced:
        raise refusals.link_replaced()
    if link.is_expired:
        raise refusals.link_expired()
    if link.ceremonies >= MAX_CEREMONIES:
        raise refusals.link_tried_too_often()
    if link.recovers and not (
        user.passkey_count and await policy.allows_recovery(database, user.organization_id)
    ):
        raise refusals.recovery_not_allowed()
    return link


def _url(page: str, user: LockedUser, code: str) -> str:
    # Identifiers, hexadecimal digits and `;` need no escaping in JSON and HTML.
    return f"{page}#user={user.user_id};code={code}"


def _mail(user: LockedUser, new: Issue, *, link_id: str, url: str, expires_at: datetime) -> NewMail:
    if not user.email:
        raise refusals.user_has_no_email()
    recovers = new.purpose is LinkPurpose.RECOVERY
    kind, parameters = MailKind.PASSKEY_REGISTRATION_LINK, {}
    if recovers:
        kind, parameters = MailKind.PASSKEY_RECOVERY_LINK, {"user_name": user.user_name}
    elif new.invitation:
        kind, parameters = MailKind.PASSKEY_INVITATION, new.invitation.parameters()
    return NewMail(
        kind=kind,
        user_id=user.user_id,
        organization_id=user.organization_id,
        # Anybody can request recovery links, so these do not use the organization's budget.
        scope_id=f"recovery:{user.user_id}" if recovers else user.organization_id,
        keeps_turn=recovers,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=link_id,
        parameters={"expiry": expires_at.isoformat(), **parameters},
        secrets={"link": url},
        holds_until=expires_at,
    )
