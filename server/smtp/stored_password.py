"""The stored password of the SMTP configuration.

The rule: it can be decrypted only for the host, port, tls and user that it was given for.
"""

import json
from typing import Final, Protocol

from pydantic import SecretStr

from server.access.caller import OPERATOR
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.crypto.stored_secrets import Secret
from server.smtp import store
from server.smtp.store import SMTPConfig
from server.store.database import Statements
from server.values.errors import FixedFailure, Violation, invalid
from server.values.ids import new_id

USER_ALONE: Final = "must be given together with user; leave both empty for no authentication"


class Server(Protocol):
    """The server and the user that a password is for. `host` includes the port."""

    @property
    def host(self) -> str: ...
    @property
    def tls(self) -> bool: ...
    @property
    def user(self) -> str: ...


def encrypted(keyring: Keyring, password: SecretStr, config_id: str, server: Server) -> Secret:
    """A new password of the configuration, for this server."""
    secret_id = new_id()
    context = _context(config_id, secret_id, server)
    return Secret(secret_id, keyring.encrypt(password.get_secret_value(), context=context))


def kept(current: SMTPConfig | None, server: Server, *, field: str = "password") -> str | None:
    """The id of the stored password, if it may be used for this server. None: there is none.

    `Failure` INVALID_ARGUMENT at `field`, FAILED_PRECONDITION SMTP_PASSWORD_REQUIRED.
    """
    if current is None or current.password_secret_id is None:
        if server.user:
            raise invalid(Violation(field, USER_ALONE))
        return None
    if (server.host, server.tls, server.user) != (current.host, current.tls, current.user):
        raise _password_required()
    return current.password_secret_id


def decrypted(keyring: Keyring, stored: SMTPConfig | None, secret: EncryptedSecret | None) -> str:
    """The stored password; empty if there is none.

    `Failure` FAILED_PRECONDITION SMTP_PASSWORD_UNREADABLE.
    """
    if stored is None or stored.password_secret_id is None or secret is None:
        return ""
    context = _context(stored.id, stored.password_secret_id, stored)
    try:
        return keyring.decrypt(secret, context=context)
    except EncryptionKeyError as error:
        raise _password_unreadable(str(error)) from None


async def rotate(database: Statements, keyring: Keyring, organization_id: str) -> bool:
    """Encrypts the stored password of a configuration under the keyring's first key.

    False: there is none, or it is encrypted under that key. EncryptionKeyError: it cannot be
    decrypted.
    """
    async with database.transaction() as transaction:
        current = await store.lock(transaction, actor=OPERATOR, organization_id=organization_id)
        if current is None or current.password_secret_id is None:
            return False
        secret_id = current.password_secret_id
        secret = await stored_secrets.get(transaction, aggregate_id=current.id, secret_id=secret_id)
        if secret is None:
            return False
        return await stored_secrets.reencrypt(
            transaction,
            keyring,
            secret,
            aggregate_id=current.id,
            secret_id=secret_id,
            context=_context(current.id, secret_id, current),
        )


def _context(config_id: str, secret_id: str, server: Server) -> bytes:
    """Binds the ciphertext to this row and to the server of the password."""
    bound_to = [config_id, secret_id, server.host, server.tls, server.user]
    return json.dumps(["smtp_config.password", *bound_to]).encode()


_password_required: Final = FixedFailure(
    "SMTP_PASSWORD_REQUIRED",
    "The stored password is valid only for the host, tls and user that it was set with. Send the"
    " password again with the change. For no authentication, leave out user and send an empty"
    " password.",
)

_password_unreadable: Final = FixedFailure(
    "SMTP_PASSWORD_UNREADABLE",
    "The stored password cannot be decrypted. Give every server of this database the same"
    " encryption keys (`keystead doctor` names the missing ones), or set the password again with"
    " UpdateSMTPConfigPassword.",
)
