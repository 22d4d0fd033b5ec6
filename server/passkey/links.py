"""Registration links: by one, a user who has no token yet registers one passkey.

A link is `<page>#user=<user id>;code=<code>`. A browser keeps the fragment to itself, so the code
is in no log and no `Referer`; and whoever merely opens links, as mail scanners do, begins nothing.

The rule: a link is used up by a passkey that was verified by it and by nothing else, and of a user
one link at most is good.
"""

import enum
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from server.access import admission
from server.access.admission import LockedUser
from server.access.caller import AnyCaller
from server.access.tokens import TokenKind, new_token, token_hash
from server.crypto.keyring import Keyring
from server.mail import outbox
from server.mail.outbox import MailKind, NewMail
from server.passkey import link_store, refusals
from server.passkey.events import PasskeyLinkCreated
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.values.errors import Violation, invalid, unauthenticated

# The code cannot be guessed. This bounds what a page can do that begins again and again.
MAX_CEREMONIES = 10


class Delivery(enum.StrEnum):
    """How a link reaches its user; the names are those of the API."""

    SEND_LINK = "send_link"
    RETURN_CODE = "return_code"


@dataclass(frozen=True, slots=True)
class LinkPolicy:
    """What links of this instance are like: the page they open, and how long they are good."""

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
    delivery: Delivery | None,
    *,
    caller: AnyCaller | None,
    policy: LinkPolicy,
    keyring: Keyring,
    max_passkeys: int,
    hourly_mail_limit: int,
) -> NewLink:
    """Creates a link, and writes the mail that carries it if it is to be mailed.

    A caller of None is the operator.
    The links before it end, with the ceremonies begun by them and the mails that carry them.
    """
    if delivery is None:
        raise invalid(
            Violation("sendLink", "must be set unless returnCode is"),
            Violation("returnCode", "must be set unless sendLink is"),
        )
    link_id, code = new_id(), new_token(TokenKind.LINK)
    async with database.transaction() as transaction:
        user = await admission.lock_user(transaction, user_id, caller=caller)
        if user.passkey_count >= max_passkeys:
            raise refusals.too_many_passkeys(max_passkeys)
        for replaced in await link_store.replace(transaction, user_id):
            await link_store.cancel_mail(transaction, replaced)
        expires_at = user.now + policy.lifetime
        details = await link_store.add(
            transaction,
            PasskeyLinkCreated(link_id, delivery, expires_at.isoformat()),
            creator=admission.creator(caller),
            makers=user.makers,
            user_id=user_id,
            code_hash=token_hash(code),
        )
        # Identifiers, hexadecimal digits and `;` are written as they are in JSON and HTML.
        url = f"{policy.page}#user={user_id};code={code}"
        if delivery is Delivery.RETURN_CODE:
            return NewLink(expires_at, details, code=code, url=url)
        mail = _mail(user, link_id=link_id, url=url, expires_at=expires_at)
        mail_id = await outbox.enqueue(transaction, keyring, mail, hourly_limit=hourly_mail_limit)
        return NewLink(expires_at, details, mail_id=mail_id)


async def check(database: Statements, *, user_id: str, link_id: str) -> link_store.Link:
    """The link, if a ceremony may be begun by it. `Failure` says why not.

    While its user is locked, the link stays so. UNAUTHENTICATED: it was forgotten since the caller
    was found.
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
        recipient_address=user.email,
        recipient_name=user.display_name,
        reference=link_id,
        parameters={"expiry": expires_at.isoformat()},
        secrets={"link": url},
        holds_until=expires_at,
    )
