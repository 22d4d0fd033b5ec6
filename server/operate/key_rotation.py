"""The rotation of the encryption key: every stored secret gets the first key (decision 14)."""

from typing import Final

from server.crypto import encryption_keys
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.idp.oidc import commands as oidc_commands
from server.log import checkpoints
from server.mail import mail_secrets
from server.push import signing_secrets
from server.rpc.preconditions import idempotent_answers
from server.signing import commands as signing
from server.smtp import store as smtp_store
from server.smtp import stored_password
from server.smtp.oauth import secret as oauth_secret
from server.store.database import Database

# A process that is not among the running servers can store secrets until the other keys are locked.
_ROUNDS: Final = 5


async def rotate(database: Database, keyring: Keyring) -> int:
    """Encrypts all secrets under the first key, and retires the others. Gives their number.

    OtherKeysError, before anything changes, if a server encrypts with another key.
    EncryptionKeyError: a secret cannot be decrypted.
    """
    await encryption_keys.require_servers(database, keyring)
    await encryption_keys.restore(database, keyring)
    number, needed = 0, frozenset[str]()
    for _ in range(_ROUNDS):
        number += await _reencrypt(database, keyring)
        async with database.transaction() as transaction:
            await encryption_keys.lock_others(transaction, keyring)
            await encryption_keys.require_servers(transaction, keyring)
            needed = await key_ids_in_use(transaction)
            needed |= await idempotent_answers.key_ids_in_use(transaction)
            needed -= {keyring.writing_key_id}
            if not needed:
                await encryption_keys.retire_others(transaction, keyring)
                return number
    raise EncryptionKeyError(
        f"Secrets are still encrypted with other keys: {', '.join(sorted(needed))}. Keep these"
        " keys. Stop servers that have them in the first place, and try again."
    )


async def _reencrypt(database: Database, keyring: Keyring) -> int:
    passwords = 0
    for organization_id in await smtp_store.list_organizations(database):
        passwords += await stored_password.rotate(database, keyring, organization_id)
        passwords += await oauth_secret.rotate(database, keyring, organization_id)
    client_secrets = await oidc_commands.rotate_secrets(database, keyring)
    checkpoint_keys = int(await checkpoints.rotate_key(database, keyring))
    mails = await mail_secrets.rotate_secrets(database, keyring)
    answers = await idempotent_answers.rotate(database, keyring)
    signing_keys = await signing.rotate_secrets(database, keyring)
    webhooks = await signing_secrets.rotate_secrets(database, keyring)
    return webhooks + passwords + client_secrets + checkpoint_keys + mails + answers + signing_keys
