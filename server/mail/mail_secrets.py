"""The secrets of mails, such as links: rows of `secrets` whose aggregate is the mail.

The rule: a secret is encrypted for one mail and its recipient. The statement that ends the mail
erases it.
"""

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Final

from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.store.database import Row, Statements
from server.store.pages import read_all
from server.store.statement import statement

# A page of the secrets of mails that are encrypted under another key than `:key_id`.
_LIST_UNDER_OTHER_KEYS = statement("""
select mail_id, recipient_address, secret_id, key_id, ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id
where secrets.key_id <> :key_id
    and (secrets.aggregate_id, secrets.secret_id) > (:after_mail_id::text, :after_secret_id::text)
order by secrets.aggregate_id, secrets.secret_id limit :limit""")

# A page of the secrets of mails.
_LIST = statement("""
select mails.mail_id, mails.recipient_address, secrets.secret_id, secrets.key_id, secrets.ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id
where (secrets.aggregate_id, secrets.secret_id) > (:after_mail_id::text, :after_secret_id::text)
order by secrets.aggregate_id, secrets.secret_id limit :limit""")

# The secret with the message of a captured mail, which outlives the end of the mail.
CAPTURED: Final = "captured_message"

# The keys of a page, before the first one.
_FROM_START: Final = {"mail_id": "", "secret_id": ""}


def parameters(
    keyring: Keyring, mails: Iterable[tuple[str, str, Mapping[str, str]]]
) -> dict[str, object]:
    """The encrypted secrets of mails: `aggregate_ids`, `secret_ids`, `key_ids`, `ciphertexts`.

    A mail is its id, the address of its recipient, and its secrets.
    """
    encrypted = [
        (mail_id, name, keyring.encrypt(secret, context=_context(mail_id, name, address)))
        for mail_id, address, secrets in mails
        for name, secret in secrets.items()
    ]
    return {
        "aggregate_ids": [mail_id for mail_id, _, _ in encrypted],
        "secret_ids": [name for _, name, _ in encrypted],
        "key_ids": [each.key_id for _, _, each in encrypted],
        "ciphertexts": [each.ciphertext for _, _, each in encrypted],
    }


def read_secrets(
    keyring: Keyring, rows: Sequence[Row], *, mail_id: str, recipient_address: str
) -> dict[str, str]:
    """Decrypts the secrets of a mail from its rows secret_id, key_id, ciphertext.

    EncryptionKeyError: the key is missing, or the secret belongs to another mail or recipient.
    """
    return {
        row["secret_id"]: keyring.decrypt(
            EncryptedSecret(row["key_id"], row["ciphertext"]),
            context=_context(mail_id, row["secret_id"], recipient_address),
        )
        for row in rows
    }


async def unreadable(
    database: Statements, keyring: Keyring
) -> AsyncIterator[tuple[str, EncryptionKeyError]]:
    """The mails with a secret that cannot be decrypted, by ID, with the reason."""
    async for row in read_all(database, _LIST, after=_FROM_START):
        mail_id, address = row["mail_id"], row["recipient_address"]
        try:
            read_secrets(keyring, [row], mail_id=mail_id, recipient_address=address)
        except EncryptionKeyError as error:
            yield mail_id, error


async def rotate_secrets(database: Statements, keyring: Keyring) -> int:
    """Encrypts the secrets of all mails under the first key, one by one; returns their number.

    No lock is needed, since other code only erases a secret. Secrets that a concurrent rotation
    moves do not count. EncryptionKeyError: a secret cannot be decrypted.
    """
    number = 0
    async for row in read_all(
        database, _LIST_UNDER_OTHER_KEYS, after=_FROM_START, key_id=keyring.writing_key_id
    ):
        mail_id, secret_id = row["mail_id"], row["secret_id"]
        number += await stored_secrets.reencrypt(
            database,
            keyring,
            EncryptedSecret(row["key_id"], row["ciphertext"]),
            aggregate_id=mail_id,
            secret_id=secret_id,
            context=_context(mail_id, secret_id, row["recipient_address"]),
        )
    return number


def _context(mail_id: str, name: str, recipient_address: str) -> bytes:
    """Binds the ciphertext to this row and to the address of the recipient."""
    return json.dumps(["mail.secret", mail_id, name, recipient_address]).encode()
