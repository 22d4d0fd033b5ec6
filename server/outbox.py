"""The outbox: a mail is written in the transaction of what it tells of, and sent afterwards.

The rule: whoever writes a fact that people are to be told of writes the mail with it, so that there
is never one without the other; nobody sends one from within a call. `server/mail/` delivers.

What a mail must not show to anybody but its receiver, like a link, is one of its secrets: encrypted
for that mail and receiver, and erased by the statement that ends the mail.

For any hour `hourly_limit` mails to an address are due at most, a quarter of them at once; further
ones wait for their turn. That is GCRA (ITU-T I.371, virtual scheduling): one row an address, moved
on by one atomic upsert. What an outage of the SMTP server has held up may come together.
"""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from server.database import Row, Statements
from server.encryption import Envelope, Keyring
from server.errors import Failure, Kind
from server.eventstore import new_id
from server.secrets_store import replace_envelope

# How long a mail is tried for. Senders should try for days (RFC 5321, 4.5.4.1), but nobody waits
# longer than this for what the server writes.
GIVE_UP_AFTER = "interval '48 hours'"
# A caller is told at once that an address gets too much; a notice comes late rather than never.
_LONGEST_WAIT = "interval '1 hour'"
_LONGEST_WAIT_OF_NOTICE = "interval '1 day'"

_SENDER_DOMAIN = "substring(sender_address from '[^@]*$')"


class MailKind(enum.StrEnum):
    """What mails there are, and what the templates of each need (`server/mail/templates/`)."""

    # parameters: expiry (ISO 8601); secrets: link
    PASSKEY_REGISTRATION_LINK = "passkey_registration_link"
    # parameters: passkey_name, provider_name (may be empty)
    PASSKEY_ADDED = "passkey_added"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to write. `reference` is the id of what it tells of: a link, a passkey.

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


def _emission_interval(hourly_limit: str) -> str:
    """Between two mails once the burst is spent: so many, burst included, fit into any one hour."""
    return f"interval '1 hour' / ({hourly_limit} - greatest(1, {hourly_limit} / 4) + 1)"


def _tolerance(hourly_limit: str) -> str:
    """How much ahead of its theoretical arrival a mail may come: what lets a burst pass."""
    return f"{_emission_interval(hourly_limit)} * (greatest(1, {hourly_limit} / 4) - 1)"


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
    longest_wait: str,
) -> dict[str, str]:
    """The statements, by name, that write a mail to each row of `receiver`, all given as SQL.

    A row of `receiver` is user_id, address, name, domain (of the sender). Nothing is written to an
    address that would have to wait for longer than `longest_wait`.
    """
    emission_interval, tolerance = _emission_interval(hourly_limit), _tolerance(hourly_limit)
    return {
        "mail_receiver": receiver,
        "mail_arrival": f"""
    insert into mail_recipients as recipient (address, theoretical_arrival_at)
    select lower(address), clock_timestamp() + {emission_interval} from mail_receiver
    on conflict (address) do update set theoretical_arrival_at =
        greatest(recipient.theoretical_arrival_at, clock_timestamp()) + {emission_interval}
    where recipient.theoretical_arrival_at - {tolerance} <= clock_timestamp() + {longest_wait}
    returning theoretical_arrival_at - {emission_interval} - {tolerance} as earliest""",
        "mail": f"""
    insert into mails (mail_id, kind, user_id, recipient_address, recipient_name, reference,
        parameters, has_secrets, message_domain, state, next_attempt_at, give_up_at, holds_until,
        created_at)
    select {mail_id}, {kind}, user_id, address, name, {reference}, {parameters}, {has_secrets},
        domain, 'pending', greatest(clock.now, earliest),
        greatest(clock.now, earliest) + {GIVE_UP_AFTER}, {holds_until}, clock.now
    from mail_receiver, mail_arrival, (select clock_timestamp() as now) as clock
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
    select $3::text as user_id, $4::text as address, $5::text as name, {_SENDER_DOMAIN} as domain
    from smtp_configs""",
    kind="$2::text",
    mail_id="$1::text",
    reference="$6::text",
    parameters="$7::jsonb",
    has_secrets="cardinality($10::text[]) > 0",
    holds_until="$8::timestamptz",
    hourly_limit="$9::int",
    longest_wait=_LONGEST_WAIT,
)

# $1 mail, $2 kind, $3 user, $4 address, $5 name, $6 reference, $7 parameters, $8 until when it
# holds, $9 hourly limit
_ENQUEUE = f"""
{_with(_WRITES_ONE | {"stored": _STORE_SECRETS})}
select exists (select from mail_receiver) as is_configured, exists (select from mail) as is_written
"""

# $1 address, $2 hourly limit. The refused upsert has locked the row, so this is exact.
_RETRY_AFTER = f"""
select greatest(interval '0', theoretical_arrival_at - {_tolerance("$2::int")} - {_LONGEST_WAIT}
    - clock_timestamp()) as retry_after
from mail_recipients where address = lower($1)"""

# $1 kind, $2 reference
_CANCEL = """
with ended as (
    update mails set state = 'cancelled', ended_at = clock_timestamp(), is_leased = false
    where kind = $1 and reference = $2 and state = 'pending'
    returning mail_id)
delete from secrets using ended where secrets.aggregate_id = ended.mail_id"""


def _ended_by_event(which: str = "true") -> Mapping[str, str]:
    """Statements for `append(also=...)`: the mails of the event's user end that still wait."""
    return {
        "mails_ended": f"""
    update mails set state = 'cancelled', ended_at = event.created_at, is_leased = false
    from event where mails.user_id = event.aggregate_id and mails.state = 'pending' and {which}
    returning mail_id""",
        "mail_secrets_erased": """
    delete from secrets using mails_ended where secrets.aggregate_id = mails_ended.mail_id""",
    }


# For the event that removes a user: what is for nobody is erased with it.
WITHOUT_RECEIVER = _ended_by_event()

# A mail to another address than the event's `email`; none where that was not set.
SENT_ELSEWHERE = "mails.recipient_address <> event.payload->>'email'"

# For the event that changes a user's address: what lets its reader in is not for the old one. A
# notice is: it tells of what happened while the address was the user's.
SECRETS_SENT_ELSEWHERE = _ended_by_event(f"mails.has_secrets and {SENT_ELSEWHERE}")

_UNDER_OTHER_KEYS = """
select mail_id, recipient_address, secret_id, key_id, ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id
where secrets.key_id <> $1"""


async def enqueue(
    transaction: Statements, keyring: Keyring, mail: NewMail, *, hourly_limit: int
) -> str:
    """Writes a mail, which is sent once the transaction has been committed; its id.

    `Failure` FAILED_PRECONDITION SMTP_CONFIG_MISSING; RESOURCE_EXHAUSTED TOO_MANY_MAILS where the
    mail would have to wait for more than an hour.
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
        refused = await transaction.fetch_one(_RETRY_AFTER, mail.recipient_address, hourly_limit)
        raise _too_many_mails(refused)
    return mail_id


async def cancel(transaction: Statements, *, kind: MailKind, reference: str) -> None:
    """Ends the mail about `reference` if it is still pending, and erases its secrets."""
    await transaction.fetch(_CANCEL, kind, reference)


def about_event(
    kind: MailKind, *, mail_id: str, hourly_limit: str, parameters: str, reference: str
) -> Mapping[str, str]:
    """Statements for `append(also=...)`: a mail about the event to the user that it is of.

    The arguments are SQL expressions, `$8::text`. It has no secrets. Nothing is written without an
    address of the user or an SMTP configuration, or where it would have to wait for over a day.
    """
    return _writes(
        receiver=f"""
    select users.id as user_id, users.email as address, users.display_name as name,
        {_SENDER_DOMAIN} as domain
    from event join users on users.id = event.aggregate_id, smtp_configs
    where users.email <> ''""",
        kind=f"'{kind}'",
        mail_id=mail_id,
        reference=reference,
        parameters=parameters,
        has_secrets="false",
        holds_until="null",
        hourly_limit=hourly_limit,
        longest_wait=_LONGEST_WAIT_OF_NOTICE,
    )


def read_secrets(
    keyring: Keyring, rows: Sequence[Row], *, mail_id: str, recipient_address: str
) -> dict[str, str]:
    """The secrets of a mail, of its rows secret_id, key_id, ciphertext.

    EncryptionKeyError for a key that is not here, and for what belongs to another mail or receiver.
    """
    return {
        row["secret_id"]: keyring.decrypt(
            Envelope(row["key_id"], row["ciphertext"]),
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
    return await replace_envelope(database, aggregate_id=mail_id, secret_id=name, envelope=renewed)


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
