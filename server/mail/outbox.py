"""The transactional outbox: commands write mails, and the mail loop sends them later.

The rule: a command writes a mail in the transaction of the change that it reports, so that neither
exists without the other. No call sends mail itself.

A notice reports an event to its user, and is always written. It is merged into an earlier notice of
the same kind to the same address, if that one has not been tried yet. `budget.py` limits the number
of mails to an address.
"""

import enum
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from server.access.user_aggregate import address_key
from server.crypto.keyring import Keyring
from server.mail import budget, mail_secrets
from server.store.database import Statements
from server.store.statement import Statement, statement
from server.values.errors import Failure, FixedFailure, Kind
from server.values.ids import new_id

# How long delivery is attempted. RFC 5321, 4.5.4.1 recommends four to five days, but nobody waits
# longer than two days for a mail of this server.
GIVE_UP_AFTER = "interval '48 hours'"

# The domain of the sender of captured mails without an SMTP configuration.
CAPTURE_DOMAIN: Final = "mail.invalid"

_FURTHER_COUNT = "further_count"


class MailKind(enum.StrEnum):
    """The kinds of mail, and the variables of each kind's templates (`server/mail/templates/`)."""

    # parameters: expiry (ISO 8601); secrets: link
    PASSKEY_REGISTRATION_LINK = "passkey_registration_link"
    # parameters: user_name, expiry (ISO 8601); secrets: link
    PASSKEY_RECOVERY_LINK = "passkey_recovery_link"
    # parameters: inviter_name, application_name (both may be empty), organization_name, expiry
    # (ISO 8601); secrets: link
    PASSKEY_INVITATION = "passkey_invitation"
    # parameters: organization_name, expiry (ISO 8601); secrets: link
    SIGN_UP_LINK = "sign_up_link"
    # parameters: user_name, expiry (ISO 8601); secrets: link
    EMAIL_CHANGE_LINK = "email_change_link"
    # Notices also have further_count: the number of merged notices; empty: none.
    # parameters: passkey_name, provider_name (may be empty)
    PASSKEY_ADDED = "passkey_added"
    # parameters: user_name
    EMAIL_CHANGE_REQUESTED = "email_change_requested"
    # parameters: user_name
    EMAIL_CHANGED = "email_changed"
    # parameters: user_name, passkey_name, provider_name (may be empty)
    ACCOUNT_RECOVERED = "account_recovered"
    # parameters: idp_name
    IDP_LINKED = "idp_linked"
    # parameters: idp_name
    IDP_UNLINKED = "idp_unlinked"
    # parameters: token_name (may be empty), expiry (ISO 8601; empty: none), by_others (empty: the
    # user created it)
    TOKEN_CREATED = "token_created"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to write. `reference` is the id of its subject: a link, a passkey, a user.

    `user_id` is empty if the user does not exist yet. The mail takes a turn of the budget
    `scope_id`, usually the organization's. If it is cancelled before an attempt, it gives the turn
    back, unless it `keeps_turn`. `parameters` are stored in plaintext, `secrets` are encrypted;
    templates get both. It is not sent after `holds_until`.
    """

    kind: MailKind
    user_id: str
    organization_id: str
    scope_id: str
    recipient_address: str
    recipient_name: str
    reference: str
    parameters: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)
    holds_until: datetime | None = None
    keeps_turn: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A mail without secrets that reports an event to its user.

    Name and address of the recipient are those before the event. Without an address, no mail.
    """

    kind: MailKind
    user_id: str
    organization_id: str
    recipient_address: str
    recipient_name: str
    reference: str
    parameters: Mapping[str, str]


# Writes mails and their secrets, unless the budget refuses them. Of several mails to one address,
# it writes one.
_ENQUEUE = statement(f"""
with given as (
    select mail.*, {address_key("address")} as address_key
    from unnest(:mail_ids::text[], :user_ids::text[], :addresses::text[], :names::text[],
        :references::text[], :parameters::text[])
        as mail (mail_id, user_id, address, name, reference, parameters)),
admission as ({budget.TAKE}),
mail as (
    insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference,
        parameters, has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at,
        holds_until, created_at, turn, is_collecting, smtp_org_id, org_id)
    select distinct on (given.address_key) given.mail_id, :kind::text, given.user_id, given.address,
        given.name, given.reference, given.parameters::jsonb,
        cardinality(:secret_ids::text[]) > 0, :domain::text, 'pending', due.at, due.at,
        due.at + {GIVE_UP_AFTER}, :holds_until::timestamptz, clock.now,
        case when :keeps_turn::boolean then null else admission.turn end, false,
        :smtp_org_id::text, :org_id::text
    from admission join given on given.address_key = admission.address,
        (select clock_timestamp() as now from (select count(*) from admission) as taken) as clock,
        lateral (select greatest(clock.now, admission.earliest) as at) as due
    order by given.address_key, given.mail_id
    returning mail_id),
stored as (
    insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
    select secret.*
    from unnest(:aggregate_ids::text[], :secret_ids::text[], :key_ids::text[],
        :ciphertexts::bytea[]) as secret (mail_id, secret_id, key_id, ciphertext)
    where secret.mail_id in (select mail_id from mail))
select mail_id from mail""")

# Writes a notice, or merges it into one that has not been tried yet, whose delivery may then take
# as long as that of a new one.
_NOTIFY = statement(f"""
with admission as ({budget.TAKE_FOR_NOTICE})
insert into mails as mail (mail_id, kind, user_id, recipient_address, recipient_name, reference,
    parameters, has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at,
    holds_until, created_at, turn, is_collecting, smtp_org_id, org_id)
select :mail_id::text, :kind::text, :user_id::text, :address::text, :name::text, :reference::text,
    :parameters::jsonb || jsonb_build_object('{_FURTHER_COUNT}', ''), false, :domain::text,
    'pending', due.at, due.at, due.at + {GIVE_UP_AFTER}, null, clock.now, null, true,
    :smtp_org_id::text, :org_id::text
from admission, (select clock_timestamp() as now) as clock,
    lateral (select greatest(clock.now, admission.earliest) as at) as due
on conflict (user_id, kind, recipient_address)
    where is_collecting and attempts = 0 and state = 'pending'
do update set give_up_at = excluded.give_up_at, parameters = mail.parameters
    || jsonb_build_object('{_FURTHER_COUNT}',
        (coalesce(nullif(mail.parameters->>'{_FURTHER_COUNT}', '')::int, 0) + 1)::text)
returning mail_id""")


def _cancel(where: str) -> Statement:
    """Cancels pending mails, erases their secrets, and gives back their turns."""
    return statement(f"""
with cancelled as (
    update mails set state = 'cancelled', ended_at = clock_timestamp(), is_leased = false
    where {where} and state = 'pending'
    returning mail_id, recipient_address, attempts, turn),
given_back as ({budget.GIVE_BACK})
delete from secrets using cancelled where secrets.aggregate_id = cancelled.mail_id""")


# The mails with some references.
_CANCEL_ABOUT = _cancel("reference = any(:references::text[])")

# The mails of an organization.
_CANCEL_OF = _cancel("org_id = :organization_id and org_id <> ''")

# Deletes them, with their attempts and the messages that are kept.
_FORGET = statement("""
with gone as (
    delete from mails where org_id = :organization_id and org_id <> '' returning mail_id)
delete from secrets using gone where secrets.aggregate_id = gone.mail_id""")

# The mails to a user.
_CANCEL_TO = _cancel("user_id = :user_id")

# References of a user's mails with secrets, sent or pending, to another address. Addresses that
# differ only in case are different: only the host knows the mailbox (RFC 5321, section 2.4).
_LIST_SECRETS_ELSEWHERE = statement("""
select distinct reference from mails
where user_id = :user_id and has_secrets and recipient_address <> :address""")

# The addresses that a user had within 30 days, from the notices of their replacement. The oldest
# come first, so that an attacker cannot displace them by setting more addresses.
_LIST_FORMER_ADDRESSES = statement("""
select recipient_address as address from mails
where user_id = :user_id and kind = :kind and recipient_address <> :address
    and created_at > now() - interval '30 days'
group by recipient_address order by min(mail_id) limit :limit""")


# Whose SMTP configuration delivers the mails of an organization (empty: the instance's), and the
# domain of its sender address. None: no SMTP configuration is set.
FindSender: TypeAlias = Callable[[Statements, str], Awaitable[tuple[str, str] | None]]


class Outbox:
    """Writes mails. Each method takes the transaction of the change that the mail reports."""

    def __init__(
        self,
        *,
        hourly_limit: int,
        find_sender: FindSender,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`wake` has the mail loop of this process, if any, look for mails at once."""
        self._hourly_limit = hourly_limit
        self._find_sender = find_sender
        self._wake = wake

    async def sender(self, database: Statements, organization_id: str) -> tuple[str, str]:
        """By whose SMTP configuration the organization's mails go, and their domain.

        `Failure` FAILED_PRECONDITION SMTP_CONFIG_MISSING.
        """
        sender = await self._find_sender(database, organization_id)
        if sender is None:
            raise _no_configuration()
        return sender

    async def enqueue(self, transaction: Statements, keyring: Keyring, mail: NewMail) -> str:
        """Writes a mail, which is sent after the commit; returns its id.

        `Failure` FAILED_PRECONDITION SMTP_CONFIG_MISSING; RESOURCE_EXHAUSTED TOO_MANY_MAILS if the
        mail would have to wait for more than an hour, or until after `holds_until`.
        """
        [result] = await self.enqueue_all(transaction, keyring, [mail])
        if isinstance(result, Failure):
            raise result
        return result

    async def enqueue_all(
        self, transaction: Statements, keyring: Keyring, mails: Sequence[NewMail]
    ) -> list[str | Failure]:
        """The same for mails that differ only by recipient, reference, parameters and secrets.

        Gives the id of each, or TOO_MANY_MAILS. Of several mails to one address, it writes one.
        """
        like = mails[0]
        sender = await self.sender(transaction, like.organization_id)
        mail_ids = [new_id() for _ in mails]
        budgeted = {
            "scope_id": like.scope_id,
            "addresses": [each.recipient_address for each in mails],
            "hourly_limit": self._hourly_limit,
            "holds_until": like.holds_until,
        }
        rows = await transaction.fetch(
            _ENQUEUE,
            mail_ids=mail_ids,
            kind=like.kind,
            user_ids=[each.user_id for each in mails],
            names=[each.recipient_name for each in mails],
            references=[each.reference for each in mails],
            parameters=[json.dumps(dict(each.parameters)) for each in mails],
            smtp_org_id=sender[0],
            org_id=like.organization_id,
            domain=sender[1],
            keeps_turn=like.keeps_turn,
            **mail_secrets.parameters(
                keyring,
                [
                    (mail_id, each.recipient_address, each.secrets)
                    for mail_id, each in zip(mail_ids, mails, strict=True)
                ],
            ),
            **budgeted,
        )
        written = {row["mail_id"] for row in rows}
        refused = {}
        if len(written) < len(mails):
            found = await transaction.fetch(budget.RETRY_AFTER, **budgeted)
            refused = {row["address"]: row["retry_after"] for row in found}
        if written:
            transaction.once_written(self._wake)
        return [
            mail_id if mail_id in written else _too_many_mails(refused[each.recipient_address])
            for mail_id, each in zip(mail_ids, mails, strict=True)
        ]

    async def notify(self, transaction: Statements, notice: Notice) -> str | None:
        """Writes a notice, or merges it into a pending one; returns the id of the mail.

        None: nothing is written, since the user has no address or no SMTP configuration is set.
        """
        if not notice.recipient_address:
            return None
        sender = await self._find_sender(transaction, notice.organization_id)
        if sender is None:
            return None
        row = await transaction.fetch_one(
            _NOTIFY,
            mail_id=new_id(),
            kind=notice.kind,
            user_id=notice.user_id,
            scope_id=notice.user_id,
            address=notice.recipient_address,
            name=notice.recipient_name,
            reference=notice.reference,
            parameters=json.dumps(dict(notice.parameters)),
            smtp_org_id=sender[0],
            org_id=notice.organization_id,
            domain=sender[1],
            hourly_limit=self._hourly_limit,
        )
        transaction.once_written(self._wake)
        mail_id: str = row["mail_id"]
        return mail_id


async def cancel_about(
    transaction: Statements, references: Sequence[str], *, organization_id: str
) -> None:
    """Cancels the pending mails with these references, and erases their secrets.

    Turns that are given back go to the budget of the organization.
    """
    if references:
        await transaction.fetch(_CANCEL_ABOUT, references=references, scope_id=organization_id)


async def forget(transaction: Statements, organization_id: str) -> None:
    """Deletes the mails of an organization that is removed."""
    await transaction.fetch(_CANCEL_OF, organization_id=organization_id, scope_id=organization_id)
    await transaction.fetch(_FORGET, organization_id=organization_id)


async def cancel_to(transaction: Statements, *, user_id: str, organization_id: str) -> None:
    """Cancels the pending mails to a user of the organization, and erases their secrets."""
    await transaction.fetch(_CANCEL_TO, user_id=user_id, scope_id=organization_id)


async def list_secrets_elsewhere(
    transaction: Statements, *, user_id: str, address: str
) -> list[str]:
    """The references of the user's mails with secrets to any other address, sent or not."""
    rows = await transaction.fetch(_LIST_SECRETS_ELSEWHERE, user_id=user_id, address=address)
    return [row["reference"] for row in rows]


async def list_former_addresses(
    transaction: Statements, *, user_id: str, address: str, limit: int
) -> list[str]:
    """The user's addresses that were replaced within 30 days, oldest first, without `address`."""
    rows = await transaction.fetch(
        _LIST_FORMER_ADDRESSES,
        user_id=user_id,
        kind=MailKind.EMAIL_CHANGED,
        address=address,
        limit=limit,
    )
    return [row["address"] for row in rows]


_no_configuration: Final = FixedFailure(
    "SMTP_CONFIG_MISSING",
    "No mail can be sent while no SMTP configuration is set. Add one with AddSMTPConfig.",
)


def _too_many_mails(retry_after: timedelta) -> Failure:
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_MAILS",
        "Too many mails to this address were sent or are waiting. Try again later.",
        retry_after=retry_after,
    )
