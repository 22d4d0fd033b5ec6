"""The commands on the SMTP configuration."""

import json
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, SecretStr, ValidationInfo

from server.access import admission
from server.access.caller import Actor
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.crypto.stored_secrets import Secret
from server.mail.delivery import Destination
from server.smtp import store
from server.smtp.events import SMTPConfigAdded, SMTPConfigChanged, SMTPConfigPasswordChanged
from server.store.database import Statements
from server.store.eventlog import Details, new_id
from server.store.refusals import UniqueConflictError
from server.validation.fields import (
    PRINTABLE,
    Command,
    HostPort,
    MailAddress,
    Name,
    OptionalMailAddress,
    Printable,
    described,
)
from server.values.errors import Failure, Kind, Violation, invalid, not_found
from server.values.host_port import split_host_port
from server.values.names import printable

_USER_ALONE = "must be given together with user; leave both empty for no authentication"
_LACKS_USER = "is given without a user: give both, or leave both empty for no authentication"


def _printable_secret(password: SecretStr | None) -> SecretStr | None:
    if password is not None:
        printable(password.get_secret_value())
    return password


def _together_with_user(
    password: SecretStr | None, information: ValidationInfo
) -> SecretStr | None:
    # The user is missing here if it is invalid itself; that violation is enough.
    user = information.data.get("user")
    if user is not None and password is not None:
        if user and not password.get_secret_value():
            raise ValueError(_USER_ALONE)
        if password.get_secret_value() and not user:
            raise ValueError(_LACKS_USER)
    return password


def _not_empty(password: SecretStr) -> SecretStr:
    if not password.get_secret_value():
        raise ValueError(
            "must not be empty; for no authentication empty user and password by UpdateSMTPConfig"
        )
    return password


class _WholeConfig(Command):
    sender_address: MailAddress
    sender_name: Name
    tls: bool
    host: HostPort
    user: Printable


class AddSMTPConfig(_WholeConfig):
    """Set the SMTP configuration if none is set."""

    password: Annotated[
        SecretStr, AfterValidator(_printable_secret), AfterValidator(_together_with_user), PRINTABLE
    ]


class UpdateSMTPConfig(_WholeConfig):
    """Replace the SMTP configuration; the password None keeps the stored one."""

    password: Annotated[
        SecretStr | None,
        AfterValidator(_printable_secret),
        AfterValidator(_together_with_user),
        PRINTABLE,
    ]


class UpdateSMTPConfigPassword(Command):
    """Replace the password alone."""

    password: Annotated[
        SecretStr,
        AfterValidator(_printable_secret),
        AfterValidator(_not_empty),
        PRINTABLE,
        described(minLength=1),
    ]


class TestSMTPConfig(Command):
    """Try a configuration that is not saved, or, for None, the stored one."""

    unsaved_config: UpdateSMTPConfig | None
    receiver_address: OptionalMailAddress


# The objects with the host, tls and user for which a password is stored.
_PasswordHolder: TypeAlias = AddSMTPConfig | UpdateSMTPConfig | store.SMTPConfig


async def add(
    database: Statements, keyring: Keyring, command: AddSMTPConfig, *, actor: Actor
) -> Details:
    """Sets the configuration if none is set.

    `Failure` ALREADY_EXISTS if one is set. Of concurrent callers one succeeds.
    """
    config_id = new_id()
    secret = _encrypt(keyring, command.password, config_id, command) if command.password else None
    event = SMTPConfigAdded.of(command, password_secret_id=secret.secret_id if secret else None)
    while True:
        try:
            async with database.transaction() as transaction:
                await admission.check_caller(transaction, actor)
                added = await store.add(
                    transaction,
                    event,
                    secret,
                    creator=actor.user_id,
                    config_id=config_id,
                )
        except UniqueConflictError as conflict:
            conflict.must_be("smtp_configs_pkey")
            # Another command inserted a configuration after this one found none. It is committed
            # by now, so the next attempt finds the configuration, unless it was removed again.
            continue
        if isinstance(added, int):
            raise _already_exists(added)
        return added


async def get(database: Statements) -> store.SMTPConfig:
    """Reads the configuration. `Failure` NOT_FOUND if none is set."""
    config = await store.get(database)
    if config is None:
        raise _not_found()
    return config


async def update(
    database: Statements, keyring: Keyring, command: UpdateSMTPConfig, *, actor: Actor
) -> Details:
    """Replaces the configuration, and its password if one is given.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_PASSWORD_REQUIRED.
    """
    async with database.transaction() as transaction:
        await admission.check_caller(transaction, actor)
        current = await _locked(transaction)
        secret, password_secret_id = None, None
        if command.password is None:
            password_secret_id = _kept_password(current, command)
        elif command.password:
            secret = _encrypt(keyring, command.password, current.id, command)
            password_secret_id = secret.secret_id
        event = SMTPConfigChanged.of(command, password_secret_id=password_secret_id)
        return await store.change(
            transaction, event, secret, creator=actor.user_id, config_id=current.id
        )


async def update_password(
    database: Statements,
    keyring: Keyring,
    command: UpdateSMTPConfigPassword,
    *,
    actor: Actor,
) -> Details:
    """Replaces the password for the stored host, tls and user.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_USER_REQUIRED.
    """
    async with database.transaction() as transaction:
        await admission.check_caller(transaction, actor)
        current = await _locked(transaction)
        if not current.user:
            raise Failure(
                Kind.FAILED_PRECONDITION,
                "SMTP_USER_REQUIRED",
                "The SMTP configuration has no user, so it needs no password."
                " Set both with UpdateSMTPConfig.",
            )
        secret = _encrypt(keyring, command.password, current.id, current)
        event = SMTPConfigPasswordChanged(secret.secret_id)
        return await store.change(
            transaction, event, secret, creator=actor.user_id, config_id=current.id
        )


async def remove(database: Statements, *, actor: Actor) -> Details:
    """Removes the configuration and erases its password. Gives the last details.

    `Failure` NOT_FOUND if none is set.
    """
    async with database.transaction() as transaction:
        await admission.check_caller(transaction, actor)
        current = await _locked(transaction)
        return await store.remove(transaction, creator=actor.user_id, config_id=current.id)


async def destination(database: Statements, keyring: Keyring) -> Destination | None:
    """The SMTP server and sender of the stored configuration. None: none is set.

    `Failure` FAILED_PRECONDITION SMTP_PASSWORD_UNREADABLE.
    """
    config, encrypted = await store.get_with_password(database)
    if config is None:
        return None
    return _destination(config, _password(keyring, config, encrypted))


async def destination_to_test(
    database: Statements, keyring: Keyring, command: TestSMTPConfig
) -> Destination:
    """The SMTP server and sender of a test.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_PASSWORD_REQUIRED, SMTP_PASSWORD_UNREADABLE.
    """
    unsaved = command.unsaved_config
    if unsaved is not None and unsaved.password is not None:
        return _destination(unsaved, unsaved.password.get_secret_value())
    stored, encrypted = await store.get_with_password(database)
    if unsaved is None:
        if stored is None:
            raise _not_found()
        return _destination(stored, _password(keyring, stored, encrypted))
    _kept_password(stored, unsaved, field="unsavedConfig.password")
    return _destination(unsaved, _password(keyring, stored, encrypted))


async def rotate_password(database: Statements, keyring: Keyring) -> bool:
    """Encrypts the stored password under the first key.

    False: there is none, or it has that key already. EncryptionKeyError: it cannot be decrypted.
    """
    async with database.transaction() as transaction:
        current = await store.lock(transaction)
        if current is None or current.password_secret_id is None:
            return False
        secret_id = current.password_secret_id
        encrypted = await stored_secrets.get(
            transaction, aggregate_id=current.id, secret_id=secret_id
        )
        if encrypted is None:
            return False
        return await stored_secrets.reencrypt(
            transaction,
            keyring,
            encrypted,
            aggregate_id=current.id,
            secret_id=secret_id,
            context=_context(current.id, secret_id, current),
        )


async def _locked(transaction: Statements) -> store.SMTPConfig:
    current = await store.lock(transaction)
    if current is None:
        raise _not_found()
    return current


def _kept_password(
    current: store.SMTPConfig | None, command: UpdateSMTPConfig, *, field: str = "password"
) -> str | None:
    """The ID of the stored password, which stays only for the destination it was given for."""
    if current is None or current.password_secret_id is None:
        if command.user:
            raise invalid(Violation(field, _USER_ALONE))
        return None
    if (command.host, command.tls, command.user) != (current.host, current.tls, current.user):
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "SMTP_PASSWORD_REQUIRED",
            "The stored password is valid only for the host, tls and user that it was set with."
            " Send the password again with the change. For no authentication, leave out user and"
            " send an empty password.",
        )
    return current.password_secret_id


def _destination(config: UpdateSMTPConfig | store.SMTPConfig, password: str) -> Destination:
    host, port = split_host_port(config.host)
    return Destination(
        host=host,
        port=port,
        tls=config.tls,
        user=config.user,
        password=password,
        sender_address=config.sender_address,
        sender_name=config.sender_name,
    )


def _password(
    keyring: Keyring, stored: store.SMTPConfig | None, encrypted: EncryptedSecret | None
) -> str:
    """The stored password; empty if there is none."""
    if stored is None or stored.password_secret_id is None or encrypted is None:
        return ""
    context = _context(stored.id, stored.password_secret_id, stored)
    try:
        return keyring.decrypt(encrypted, context=context)
    except EncryptionKeyError as error:
        raise Failure(
            Kind.FAILED_PRECONDITION,
            "SMTP_PASSWORD_UNREADABLE",
            "The stored password cannot be decrypted. Give every server of this database the same"
            " encryption keys, of which `keystead doctor` says what is missing; or set the password"
            " anew with UpdateSMTPConfigPassword.",
            log_detail=str(error),
        ) from None


def _encrypt(
    keyring: Keyring, password: SecretStr, config_id: str, destination: _PasswordHolder
) -> Secret:
    secret_id = new_id()
    context = _context(config_id, secret_id, destination)
    return Secret(secret_id, keyring.encrypt(password.get_secret_value(), context=context))


def _context(config_id: str, secret_id: str, destination: _PasswordHolder) -> bytes:
    """The context of the encryption: it binds the password to this row and its destination."""
    host, tls, user = destination.host, destination.tls, destination.user
    return json.dumps(["smtp_config.password", config_id, secret_id, host, tls, user]).encode()


def _already_exists(sequence: int) -> Failure:
    return Failure(
        Kind.ALREADY_EXISTS,
        "SMTP_CONFIG_ALREADY_EXISTS",
        "An SMTP configuration is set. Change it with UpdateSMTPConfig, or remove it first.",
        metadata={"sequence": str(sequence)},
    )


def _not_found() -> Failure:
    return not_found("smtp_config", "", "No SMTP configuration is set. Add one with AddSMTPConfig.")
