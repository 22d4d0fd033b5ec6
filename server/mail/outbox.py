"""The outbox: a mail is written in the transaction of what it tells of, and sent afterwards.

The rule: whoever writes a fact that people are to be told of writes the mail with it, so that there
is never one without the other; nobody sends one from within a call. `server/mail/` delivers.

What a mail must not show to anybody but its receiver, like a link, is one of its secrets: encrypted
for that mail and receiver, and erased by the statement that ends the mail.

A notice tells its user of what happened, at the address that the user had before, and is always
written; but while one of its kind waits for that address that nobody has tried, what it tells of is
merged into that. How much mail an address gets: `mail_budget_store.py`.
"""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from server.crypto.keyring import EncryptedSecret, Keyring
from server.crypto.stored_secrets import replace
from server.mail import budget
from server.store.database import Row, Statements
from server.store.eventlog import new_id
from server.values.errors import Failure, Kind

# How long a mail is tried for. Senders should try for days (RFC 5321, 4.5.4.1), but nobody waits
# longer than this for what the server writes.
GIVE_UP_AFTER = "interval '48 hours'"

_SENDER_DOMAIN = "substring(sender_address from '[^@]*$')"
_FURTHER_COUNT = "further_count"


class MailKind(enum.StrEnum):
    """What mails there are, and what the templates of each need (`server/mail/templates/`)."""

    # parameters: expiry (ISO 8601); secrets: link
    PASSKEY_REGISTRATION_LINK = "passkey_registration_link"
    # Notices have further_count (of those that were merged into it; empty: none), too.
    # parameters: passkey_name, provider_name (may be empty)
    PASSKEY_ADDED = "passkey_added"
    # parameters: user_name
    EMAIL_CHANGED = "email_changed"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to write. `reference` is the id of what it tells of: a link, a passkey, a user.

    `parameters` are stored in clear, `secrets` are not; templates get both. After `holds_until` it
    is not worth sending any more.
    """

    kind: MailKind
    user_id: str
    recipient_address: str
    recipient_name: str
    reference: str
    parameters: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)
    holds_until: datetime | None = None


# What waits says how many more there are. It is tried for as long as if it were new.
_MERGED = f"""on conflict (user_id, kind, recipient_address)
        where is_collecting and attempts = 0 and state = 'pending'
    do update set give_up_at = excluded.give_up_at, parameters = mail.parameters
        || jsonb_build_object('{_FURTHER_COUNT}',
            (coalesce(nullif(mail.parameters->>'{_FURTHER_COUNT}', '')::int, 0) + 1)::text)"""


def _writes(
    *,
    receiver: str,
    kind: str,
    mail_id: str,
    reference: str,
    parameters: str,
    has_secrets: str,
    holds_until: str,
    hourly_limit: str,
    is_notice: bool,
) -> dict[str, str]:
    """The statements, by name, that write a mail to each row of `receiver`, all given as SQL.

    A row of `receiver` is user_id, scope_id (of the budget), address, name, domain (of the sender).
    A notice is merged into the one before where that is still to be tried, and never refused.
    """
    return {
        "mail_receiver": receiver,
        "mail_turn": budget.take(
            hourly_limit=hourly_limit, is_notice=is_notice, holds_until=holds_until
        ),
        "mail": f"""
    insert into mails as mail (mail_id, kind, user_id, recipient_address, recipient_name, reference,
        parameters, has_secrets, message_domain, state, next_attempt_at, due_at, give_up_at,
        holds_until, created_at, turn, is_collecting)
    select {mail_id}, {kind}, user_id, address, name, {reference}, {parameters}, {has_secrets},
        domain, 'pending', due.at, due.at, due.at + {GIVE_UP_AFTER}, {holds_until}, clock.now,
        {"null, true" if is_notice else "turn, false"}
    from mail_receiver, mail_turn, (select clock_timestamp() as now) as clock,
        lateral (select greatest(clock.now, earliest) as at) as due
    {_MERGED if is_notice else ""}
    returning mail_id""",
    }


def _with(statements: Mapping[str, str]) -> str:
    return "with " + ",\n".join(f"{name} as ({sql})" for name, sql in statements.items())


# $10 names, $11 keys, $12 ciphertexts
_STORE_SECRETS = """
    insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
    select mail.mail_id, secret.*
    from mail, unnest($10::text[], $11::text[], $12::bytea[]) as secret"""

_WRITES_ONE = _writes(
    receiver=f"""
    select users.id as user_id, users.owner as scope_id, $4::text as address, $5::text as name,
        {_SENDER_DOMAIN} as domain
    from smtp_configs, users where users.id = $3""",
    kind="$2::text",
    mail_id="$1::text",
    reference="$6::text",
    parameters="$7::jsonb",
    has_secrets="cardinality($10::text[]) > 0",
    holds_until="$8::timestamptz",
    hourly_limit="$9::int",
    is_notice=False,
)

# $1 mail, $2 kind, $3 user, $4 address, $5 name, $6 reference, $7 parameters, $8 until when it
# holds, $9 hourly limit
_ENQUEUE = f"""
{_with(_WRITES_ONE | {"stored": _STORE_SECRETS})}
select exists (select from smtp_configs) as is_configured, exists (select from mail) as is_written
"""

_RETURNING_ENDED = "returning mail_id, user_id, recipient_address, attempts, turn"

# $1 kind, $2 reference
_CANCEL = f"""
with mails_ended as (
    update mails set state = 'cancelled', ended_at = clock_timestamp(), is_leased = false
    where kind = $1 and reference = $2 and state = 'pending'
    {_RETURNING_ENDED}),
given_back as ({budget.GIVE_BACK})
delete from secrets using mails_ended where secrets.aggregate_id = mails_ended.mail_id"""


def _ended_by_event(which: str = "true") -> Mapping[str, str]:
    """Statements for `append(also=...)`: the mails of the event's user end that still wait."""
    return {
        "mails_ended": f"""
    update mails set state = 'cancelled', ended_at = event.created_at, is_leased = false
    from event where mails.user_id = event.aggregate_id and mails.state = 'pending' and {which}
    {_RETURNING_ENDED}""",
        "mail_turns_given_back": budget.GIVE_BACK,
        "mail_secrets_erased": """
    delete from secrets using mails_ended where secrets.aggregate_id = mails_ended.mail_id""",
    }


# For the event that removes a user: what is for nobody is erased with it.
WITHOUT_RECEIVER = _ended_by_event()

# A mail to another address than the event's `email`; none where that was not set. One that differs
# in case alone is another: whose mailbox it is only its host knows (RFC 5321, section 2.4).
SENT_ELSEWHERE = "mails.recipient_address <> event.payload->>'email'"

# For the event that changes a user's address: what lets its reader in is not for the old one. A
# notice is: it tells of what happened while the address was the user's.
SECRETS_SENT_ELSEWHERE = _ended_by_event(f"mails.has_secrets and {SENT_ELSEWHERE}")


def secrets_about(references: str) -> Mapping[str, str]:
    """For an event that ends links of its user: the mails that carry them, a relation of ids."""
    return _ended_by_event(f"mails.has_secrets and mails.reference in {references}")


_UNDER_OTHER_KEYS = """
select mail_id, recipient_address, secret_id, key_id, ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id
where secrets.key_id <> $1"""


async def enqueue(
    transaction: Statements, keyring: Keyring, mail: NewMail, *, hourly_limit: int
) -> str:
    """Writes a mail, which is sent once the transaction has been committed; its id.

    Its user exists. `Failure` FAILED_PRECONDITION SMTP_CONFIG_MISSING; RESOURCE_EXHAUSTED
    TOO_MANY_MAILS where the mail would have to wait for more than an hour, or until it does not
    hold any more.
    """
    mail_id = new_id()
    envelopes = {
        name: keyring.encrypt(secret, context=_context(mail_id, name, mail.recipient_address))
        for name, secret in mail.secrets.items()
    }
    row = await transaction.fetch_one(
        _ENQUEUE,
        mail_id,
        mail.kind,
        mail.user_id,
        mail.recipient_address,
        mail.recipient_name,
        mail.reference,
        json.dumps(dict(mail.parameters)),
        mail.holds_until,
        hourly_limit,
        list(envelopes),
        [envelope.key_id for envelope in envelopes.values()],
        [envelope.ciphertext for envelope in envelopes.values()],
    )
    if not row["is_configured"]:
        raise _no_configuration()
    if not row["is_written"]:
        refused = await transaction.fetch_one(
            budget.RETRY_AFTER,
            mail.user_id,
            mail.recipient_address,
            hourly_limit,
            mail.holds_until,
        )
        raise _too_many_mails(refused)
    return mail_id


async def cancel(transaction: Statements, *, kind: MailKind, reference: str) -> None:
    """Ends the mail about `reference` if it is still pending, and erases its secrets."""
    await transaction.fetch(_CANCEL, kind, reference)


def about_event(
    kind: MailKind,
    *,
    mail_id: str,
    hourly_limit: str,
    parameters: str,
    reference: str,
    only_if: str = "true",
) -> Mapping[str, str]:
    """Statements for `append(also=...)`: a notice of the event to the user that it is of.

    It goes where the `target` of the event says, by its columns email and display_name: as they
    were before the event. The arguments are SQL expressions, `$8::text`; `only_if` asks `event` and
    `target`. A notice has no secrets. Nothing is written without an address of the user or an SMTP
    configuration. Where one waits that nobody has tried, that one counts this as `further_count`.
    """
    return _writes(
        receiver=f"""
    select target.id as user_id, target.id as scope_id, target.email as address,
        target.display_name as name, {_SENDER_DOMAIN} as domain
    from event, target, smtp_configs where target.email <> '' and {only_if}""",
        kind=f"'{kind}'",
        mail_id=mail_id,
        reference=reference,
        parameters=f"({parameters}) || jsonb_build_object('{_FURTHER_COUNT}', '')",
        has_secrets="false",
        holds_until="null",
        hourly_limit=hourly_limit,
        is_notice=True,
    )


def read_secrets(
    keyring: Keyring, rows: Sequence[Row], *, mail_id: str, recipient_address: str
) -> dict[str, str]:
    """The secrets of a mail, of its rows secret_id, key_id, ciphertext.

    EncryptionKeyError for a key that is not here, and for what belongs to another mail or receiver.
    """
    return {
        row["secret_id"]: keyring.decrypt(
            EncryptedSecret(row["key_id"], row["ciphertext"]),
            context=_context(mail_id, row["secret_id"], recipient_address),
        )
        for row in rows
    }


async def rotate_secrets(database: Statements, keyring: Keyring) -> int:
    """Encrypts the secrets of all mails under the first key, one by one; how many those were.

    Without what another rotation has moved meanwhile. EncryptionKeyError: one cannot be read.
    """
    rows = await database.fetch(_UNDER_OTHER_KEYS, keyring.writing_key_id)
    return sum([await _rotate(database, keyring, row) for row in rows])


async def _rotate(database: Statements, keyring: Keyring, row: Row) -> bool:
    """Whether it was moved. No lock is needed: a mail's secret is never changed, only erased."""
    mail_id: str = row["mail_id"]
    address: str = row["recipient_address"]
    [(name, secret)] = read_secrets(
        keyring, [row], mail_id=mail_id, recipient_address=address
    ).items()
    renewed = keyring.encrypt(secret, context=_context(mail_id, name, address))
    return await replace(database, aggregate_id=mail_id, secret_id=name, encrypted=renewed)


def _context(mail_id: str, name: str, recipient_address: str) -> bytes:
    """What the ciphertext is bound to: this row, and the address that may see the secret."""
    return json.dumps(["mail.secret", mail_id, name, recipient_address]).encode()


def _no_configuration() -> Failure:
    return Failure(
        Kind.FAILED_PRECONDITION,
        "SMTP_CONFIG_MISSING",
        "No mail can be sent while no SMTP configuration is set. Add one with AddSMTPConfig.",
    )


def _too_many_mails(row: Row) -> Failure:
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "TOO_MANY_MAILS",
        "This address has been sent many mails, and more of them wait. Try again later.",
        retry_after=row["retry_after"],
    )
