"""The stored secret of the OAuth settings: a JSON object by the names of fields of the API.

The rule: it can be decrypted only for the token endpoint, the client ID, the host, tls and the
mailbox that it was given for. A new refresh token replaces it under the lock of the configuration,
which the request of the token holds, so that no server uses a replaced one.
"""

import json
from collections.abc import Mapping
from typing import Final

from server.access.caller import OPERATOR
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.crypto.stored_secrets import Secret
from server.smtp import store
from server.smtp.oauth.client import MailboxClient
from server.smtp.oauth.credential import TokenMethod
from server.smtp.store import SMTPConfig
from server.smtp.stored_password import Server
from server.store.database import Statements
from server.values.errors import FixedFailure


def encrypted(keyring: Keyring, credential: Mapping[str, str], config: SMTPConfig) -> Secret:
    """A new secret for the OAuth settings of the configuration, which name its ID."""
    text = json.dumps(credential)
    assert config.oauth is not None  # noqa: S101 -- the caller has set it
    return Secret(config.oauth.credential_id, keyring.encrypt(text, context=context_of(config)))


def context_of(config: SMTPConfig) -> bytes:
    """Binds the ciphertext to this row, and to the parties that the secret is for."""
    oauth = config.oauth
    settings = (oauth.credential_id, oauth.token_endpoint, oauth.client_id) if oauth else ()
    bound_to = [config.id, *settings, config.host, config.tls, config.mailbox]
    return json.dumps(["smtp_config.oauth", *bound_to]).encode()


def check_kept(current: SMTPConfig | None, server: Server) -> None:
    """Refuses to use the OAuth settings with another server. `Failure` SMTP_OAUTH_BOUND."""
    if current is None or current.oauth is None:
        return
    mailbox = current.oauth.mailbox or server.user
    if (server.host, server.tls, mailbox) != (current.host, current.tls, current.mailbox):
        raise _bound()


def client(
    keyring: Keyring, config: SMTPConfig, secret: EncryptedSecret | None, *, organization_id: str
) -> MailboxClient:
    """The client of the settings. `organization_id` is empty for those of the instance.

    `Failure` FAILED_PRECONDITION SMTP_OAUTH_SECRET_UNREADABLE.
    """
    oauth = config.oauth
    assert oauth is not None  # noqa: S101 -- the caller has checked it
    context = context_of(config)
    return MailboxClient(
        config_id=config.id,
        organization_id=organization_id,
        secret_id=oauth.credential_id,
        token_endpoint=oauth.token_endpoint,
        client_id=oauth.client_id,
        scope=oauth.scope,
        mailbox=config.mailbox,
        method=TokenMethod(oauth.method),
        context=context,
        credential=_credential(keyring, secret, context),
    )


async def lock(
    transaction: Statements, keyring: Keyring, client: MailboxClient
) -> Mapping[str, str]:
    """The present secret; locks the configuration until the transaction ends.

    `Failure` SMTP_OAUTH_SECRET_UNREADABLE, also if the settings were changed meanwhile.
    """
    await transaction.fetch(store.LOCK_ID, config_id=client.config_id)
    secret = await stored_secrets.get(
        transaction, aggregate_id=client.config_id, secret_id=client.secret_id
    )
    return _credential(keyring, secret, client.context)


async def replace(
    transaction: Statements, keyring: Keyring, client: MailboxClient, credential: Mapping[str, str]
) -> None:
    """Stores another secret under the same id. The caller has called `lock`."""
    named = {"aggregate_id": client.config_id}
    encrypted = keyring.encrypt(json.dumps(credential), context=client.context)
    await stored_secrets.erase(transaction, **named, secret_ids=[client.secret_id])
    await stored_secrets.add(transaction, **named, secret_id=client.secret_id, encrypted=encrypted)


async def rotate(database: Statements, keyring: Keyring, organization_id: str) -> bool:
    """Encrypts the stored secret of a configuration under the keyring's first key.

    False: there is none, or it is encrypted under that key. EncryptionKeyError: it cannot be
    decrypted.
    """
    async with database.transaction() as transaction:
        current = await store.lock(transaction, actor=OPERATOR, organization_id=organization_id)
        if current is None or current.oauth is None:
            return False
        named = {"aggregate_id": current.id, "secret_id": current.oauth.credential_id}
        secret = await stored_secrets.get(transaction, **named)
        if secret is None:
            return False
        return await stored_secrets.reencrypt(
            transaction, keyring, secret, **named, context=context_of(current)
        )


def _credential(
    keyring: Keyring, secret: EncryptedSecret | None, context: bytes
) -> Mapping[str, str]:
    if secret is None:
        raise _unreadable("It is not stored.")
    try:
        credential: Mapping[str, str] = json.loads(keyring.decrypt(secret, context=context))
    except EncryptionKeyError as error:
        raise _unreadable(str(error)) from None
    return credential


_bound: Final = FixedFailure(
    "SMTP_OAUTH_BOUND",
    "The OAuth settings are valid only for the host, tls and mailbox that they were set with."
    " Remove them with RemoveSMTPOAuth before the change, and set them again afterwards.",
)

_unreadable: Final = FixedFailure(
    "SMTP_OAUTH_SECRET_UNREADABLE",
    "The stored secret of the OAuth settings cannot be decrypted. Give every server of this"
    " database the same encryption keys (`keystead doctor` names the missing ones), or set the"
    " secret again with SetSMTPOAuth.",
)
