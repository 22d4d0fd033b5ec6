"""Captured mails (`KEYSTEAD_MAIL_CAPTURE`): their messages are kept in place of their delivery.

The rule: a message is stored as the links in it, which are secrets of the mail. The last 1,000 are
kept, for as long as their mails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

from server.access.held_roles import roles_of
from server.access.roles import Role
from server.access.user_aggregate import account
from server.crypto.keyring import Keyring
from server.deliveries.smtp.envelope import content
from server.mail import mail_secrets
from server.store.database import Row, Statements
from server.store.statement import statement
from server.values.errors import NotFound

_MOST: Final = 1000

# S608: constants of this code.
# Stores the message of a mail, and erases the oldest ones beyond the limit.
_CAPTURE = statement(f"""
with captured as (
    update mails set is_captured = true where mail_id = :mail_id returning mail_id),
stored as (
    insert into secrets (aggregate_id, secret_id, key_id, ciphertext)
    select secret.*
    from captured,
        unnest(:aggregate_ids::text[], :secret_ids::text[], :key_ids::text[],
            :ciphertexts::bytea[]) as secret
    on conflict (aggregate_id, secret_id)
    do update set key_id = excluded.key_id, ciphertext = excluded.ciphertext),
dropped as (
    update mails set is_captured = false where mail_id = any(array(
        select mail_id from mails where is_captured and mail_id <> :mail_id
        order by mail_id desc offset :most::bigint - 1 limit 10))
    returning mail_id)
delete from secrets using dropped
where secrets.aggregate_id = dropped.mail_id and secret_id = '{mail_secrets.CAPTURED}'""")  # noqa: S608

# A mail with its message, if it is kept, and the roles of its user.
_GET = statement(f"""
select mail_id, recipient_address, secret_id, key_id, ciphertext,
    coalesce((select roles from ({account("mails.user_id")}) as account), '{{}}') as roles
from mails left join secrets
    on secrets.aggregate_id = mails.mail_id and secret_id = '{mail_secrets.CAPTURED}'
where mail_id = :mail_id and (:org_id = '' or org_id = :org_id)""")  # noqa: S608


@dataclass(frozen=True, slots=True)
class CapturedMail:
    """A message: names and values of its headers, and its two parts."""

    headers: Sequence[tuple[str, str]]
    text: str
    html: str


async def capture(
    database: Statements,
    keyring: Keyring,
    message: EmailMessage,
    *,
    mail_id: str,
    recipient_address: str,
) -> None:
    """Keeps the message of a mail."""
    secret = {mail_secrets.CAPTURED: content(message, utf8=True).decode()}
    encrypted = mail_secrets.parameters(keyring, [(mail_id, recipient_address, secret)])
    await database.fetch(_CAPTURE, mail_id=mail_id, most=_MOST, **encrypted)


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail whose message may be kept, and the roles of its user."""

    row: Row
    roles: frozenset[Role]

    def read(self, keyring: Keyring) -> CapturedMail:
        """The message. `Failure` NOT_FOUND: it is not kept. EncryptionKeyError."""
        mail_id, address = self.row["mail_id"], self.row["recipient_address"]
        if self.row["secret_id"] is None:
            raise _not_captured(mail_id)
        secrets = mail_secrets.read_secrets(
            keyring, [self.row], mail_id=mail_id, recipient_address=address
        )
        return _read(secrets[mail_secrets.CAPTURED].encode())


async def get(database: Statements, mail_id: str, *, organization_id: str) -> StoredMail | None:
    """A mail of an organization, or of any. None: there is no such mail."""
    row = await database.fetch_row(_GET, mail_id=mail_id, org_id=organization_id)
    return StoredMail(row, roles_of(row)) if row else None


def _read(stored: bytes) -> CapturedMail:
    message = message_from_bytes(stored, policy=policy.default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None  # noqa: S101 -- every mail has both parts
    assert html is not None  # noqa: S101
    headers = [(name, str(value)) for name, value in message.items()]
    return CapturedMail(headers, text.get_content(), html.get_content())


_not_captured: Final = NotFound(
    "captured_mail",
    "The mail was not captured, or its message is no longer kept. List the mails: those with"
    " `isCaptured` have one.",
)
