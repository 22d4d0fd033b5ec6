"""Registration links: by a link, a user who has no token yet registers one passkey.

A link is `<page>#user=<user id>;code=<code>`. Browsers do not send the fragment, so the code is in
no log and no `Referer`. Mail scanners that open a link begin no ceremony.

The rule: only a passkey that was verified by a link uses it up, and a user has at most one link
that works.
"""

import enum
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from server.access import admission
from server.access.admission import LockedUser
from server.access.caller import AnyCaller
from server.access.tokens import TokenKind, new_token, token_hash
from server.crypto.keyring import Keyring
from server.mail.outbox import MailKind, NewMail, Outbox, cancel_about
from server.passkey import link_store, refusals
from server.passkey.events import PasskeyLinkCreated
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.values.errors import Violation, invalid, unauthenticated

# Bounds the ceremonies that a page begins again and again. The code cannot be guessed.
MAX_CEREMONIES = 10


class LinkChannel(enum.StrEnum):
    """How a link reaches its user; the names are those of the API."""

    SEND_LINK = "send_link"
    RETURN_CODE = "return_code"


@dataclass(frozen=True, slots=True)
class LinkPolicy:
    """The page that links open, and their lifetime."""

    page: str
    lifetime: timedelta


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link, in clear for the only time if it is returned; else by the id of its mail."""

    expires_at: datetime
    details: Details
    code: str = field(default="", repr=False)
    url: str = field(default="", repr=False)
    mail_id: str = ""


async def create(
    database: Statements,
    user_id: str,
    channel: LinkChannel | None,
    *,
    caller: AnyCaller | None,
    policy: LinkPolicy,
    outbox: Outbox,
    keyring: Keyring,
    max_passkeys: int,
) -> NewLink:
    """Creates a link, and writes the mail that carries it if it is to be mailed.

    It replaces the earlier links, their ceremonies and the mails that carry them. A caller of None
    is the operator.
    """
    if channel is None:
        raise invalid(
            Violation("sendLink", "must be set unless returnCode is"),
            Violation("returnCode", "must be set unless sendLink is"),
        )
    link_id, code = new_id(), new_token(TokenKind.LINK)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, user_id, caller=caller)
        if user.passkey_count >= max_passkeys:
            raise refusals.too_many_passkeys(max_passkeys)
        if replaced := await link_store.replace(transaction, user_id):
            await cancel_about(transaction, replaced, organization_id=user.organization_id)
        expires_at = user.now + policy.lifetime
        details = await link_store.add(
            transaction,
            PasskeyLinkCreated(link_id, channel, expires_at.isoformat()),
            creator=admission.creator(caller),
            makers=user.makers,
            user_id=user_id,
            code_hash=token_hash(code),
        )
        # Identifiers, hexadecimal digits and `;` are written as they are in JSON and HTML.
        url = f"{policy.page}#user={user_id};code={code}"
        if channel is LinkChannel.RETURN_CODE:
            return NewLink(expires_at, details, code=code, url=url)
        mail = _mail(user, link_id=link_id, url=url, expires_at=expires_at)
        mail_id = await outbox.enqueue(transaction, keyring, mail)
        return NewLink(expires_at, details, mail_id=mail_id)


async def check(database: Statements, *, user_id: str, link_id: str) -> link_store.Link:
    """The link, if a ceremony may be begun by it; `Failure` otherwise.

    While its user is locked, the link does not change. UNAUTHENTICATED: it was deleted since the
    caller was authenticated.
    """
    link = await link_store.get(database, user_id=user_id, link_id=link_id)
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
    return link


def _mail(user: LockedUser, *, link_id: str, url: str, expires_at: datetime) -> NewMail:
    if not user.email:
        raise refusals.user_has_no_email()
    return NewMail(
        kind=MailKind.PASSKEY_REGISTRATION_LINK,
        user_id=user.user_id,
        organization_id=user.organization_id,
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=link_id,
        parameters={"expiry": expires_at.isoformat()},
        secrets={"link": url},
        holds_until=expires_at,
    )
