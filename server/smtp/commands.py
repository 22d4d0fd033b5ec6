"""The commands on SMTP configurations.

`organization_id` selects the configuration of an organization; empty: that of the instance.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import AfterValidator, SecretStr, ValidationInfo

from server.access.caller import Actor
from server.crypto.keyring import EncryptedSecret, Keyring
from server.crypto.stored_secrets import parameters
from server.deliveries.smtp.destination import Destination
from server.smtp import store, stored_password
from server.smtp.events import (
    SMTPConfigAdded,
    SMTPConfigChanged,
    SMTPConfigPasswordChanged,
    SMTPConfigRemoved,
)
from server.smtp.oauth import secret as oauth_secret
from server.smtp.oauth.commands import CONFIG_NOT_FOUND
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Statements
from server.store.refusals import UniqueConflictError
from server.store.rows import Details
from server.validation.fields import (
    Command,
    HostPort,
    MailAddress,
    Name,
    OptionalMailAddress,
    Printable,
    PrintableSecret,
    described,
    read,
)
from server.values.errors import Failure, FixedFailure, Kind
from server.values.host_port import split_host_port
from server.values.ids import new_id

_LACKS_USER = "is given without a user: give both, or leave both empty for no authentication"


def _together_with_user(
    password: SecretStr | None, information: ValidationInfo
) -> SecretStr | None:
    user = information.data.get("user")  # missing if invalid
    if user is not None and password is not None:
        if user and not password.get_secret_value():
            raise ValueError(stored_password.USER_ALONE)
        if password.get_secret_value() and not user:
            raise ValueError(_LACKS_USER)
    return password


def _not_empty(password: SecretStr) -> SecretStr:
    if not password.get_secret_value():
        raise ValueError(
            "must not be empty; to turn authentication off, clear user and password with"
            " UpdateSMTPConfig"
        )
    return password


class _WholeConfig(Command):
    sender_address: MailAddress
    sender_name: Name
    tls: bool
    host: HostPort
    user: Printable


class AddSMTPConfig(_WholeConfig):
    """Add the SMTP configuration."""

    password: Annotated[PrintableSecret, AfterValidator(_together_with_user)]


class UpdateSMTPConfig(_WholeConfig):
    """Replace the SMTP configuration. A `password` of None keeps the stored password."""

    password: Annotated[PrintableSecret | None, AfterValidator(_together_with_user)]


class UpdateSMTPConfigPassword(Command):
    """Replace the password."""

    password: Annotated[PrintableSecret, AfterValidator(_not_empty), described(minLength=1)]


class TestSMTPConfig(Command):
    """Test an unsaved configuration, or the stored one (None)."""

    unsaved_config: UpdateSMTPConfig | None
    receiver_address: OptionalMailAddress


async def add(
    database: Statements,
    keyring: Keyring,
    command: AddSMTPConfig,
    *,
    actor: Actor,
    organization_id: str,
) -> Details:
    """Sets the configuration if none is set.

    `Failure` ALREADY_EXISTS if one is set. Of concurrent callers one succeeds.
    """
    config_id = new_id()
    secret = None
    if command.password:
        secret = stored_password.encrypted(keyring, command.password, config_id, command)
    event = SMTPConfigAdded.of(
        command,
        password_secret_id=secret.secret_id if secret else None,
        of_organization=bool(organization_id),
    )
    while True:
        try:
            added = await store.add(
                database,
                event,
                secret,
                actor=actor,
                config_id=config_id,
                organization_id=organization_id,
            )
        except UniqueConflictError as conflict:
            conflict.must_be("smtp_configs_pkey")
            # Another command inserted a configuration after this one found none. It is committed
            # by now, so the next attempt finds the configuration, unless it was removed again.
            continue
        if isinstance(added, int):
            raise _already_exists(added)
        return added


async def get(database: Statements, organization_id: str) -> store.SMTPConfig:
    """Reads the configuration. `Failure` NOT_FOUND if none is set."""
    config = await store.GET.one_or_none(database, organization_id=organization_id)
    if config is None:
        raise CONFIG_NOT_FOUND("")
    return config


async def update(
    database: Statements,
    keyring: Keyring,
    command: UpdateSMTPConfig,
    *,
    actor: Actor,
    organization_id: str,
) -> Details:
    """Replaces the configuration, and its password if one is given.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_PASSWORD_REQUIRED, SMTP_OAUTH_BOUND.
    """
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        oauth_secret.check_kept(current, command)
        secret, password_secret_id = None, None
        if command.password is None:
            password_secret_id = stored_password.kept(current, command)
        elif command.password:
            secret = stored_password.encrypted(keyring, command.password, current.id, command)
            password_secret_id = secret.secret_id
        event = SMTPConfigChanged.of(command, password_secret_id=password_secret_id)
        return await store.CHANGE.details(
            transaction, event, creator=actor.user_id, config_id=current.id, **parameters(secret)
        )


async def patch(
    database: Statements,
    keyring: Keyring,
    changes: Mapping[str, object],
    *,
    actor: Actor,
    organization_id: str,
) -> Details:
    """Changes some fields of `UpdateSMTPConfig`. `Failure` INVALID_ARGUMENT, and as `update`."""
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        unchanged = {name: getattr(current, name) for name in _WholeConfig.model_fields}
        command = read(UpdateSMTPConfig, {**unchanged, "password": None, **changes})
        return await update(
            transaction, keyring, command, actor=actor, organization_id=organization_id
        )


async def update_password(
    database: Statements,
    keyring: Keyring,
    command: UpdateSMTPConfigPassword,
    *,
    actor: Actor,
    organization_id: str,
) -> Details:
    """Replaces the password.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_USER_REQUIRED.
    """
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        if not current.user:
            raise _user_required()
        secret = stored_password.encrypted(keyring, command.password, current.id, current)
        event = SMTPConfigPasswordChanged(secret.secret_id)
        return await store.CHANGE_PASSWORD.details(
            transaction, event, creator=actor.user_id, config_id=current.id, **parameters(secret)
        )


async def remove(database: Statements, *, actor: Actor, organization_id: str) -> Details:
    """Removes the configuration and erases its secrets. Gives the last details.

    `Failure` NOT_FOUND if none is set.
    """
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        return await store.REMOVE.details(
            transaction, SMTPConfigRemoved(), creator=actor.user_id, config_id=current.id
        )


async def destination(
    database: Statements, keyring: Keyring, tokens: MailboxTokens, organization_id: str
) -> Destination | None:
    """The SMTP server and sender of the stored configuration. None: none is set.

    `Failure` FAILED_PRECONDITION SMTP_PASSWORD_UNREADABLE, SMTP_OAUTH_SECRET_UNREADABLE.
    """
    config, encrypted = await store.get_with_secret(database, organization_id)
    if config is None:
        return None
    secrets = _Secrets(keyring, tokens, organization_id)
    return secrets.destination(config, config, encrypted)


async def destination_to_test(
    database: Statements,
    keyring: Keyring,
    tokens: MailboxTokens,
    command: TestSMTPConfig,
    *,
    organization_id: str,
) -> Destination:
    """The SMTP server and sender of a test.

    `Failure` NOT_FOUND, FAILED_PRECONDITION SMTP_PASSWORD_REQUIRED, SMTP_OAUTH_BOUND, and as
    `destination`.
    """
    unsaved = command.unsaved_config
    if unsaved is not None and unsaved.password is not None:
        return _destination(unsaved, unsaved.password.get_secret_value(), organization_id)
    secrets = _Secrets(keyring, tokens, organization_id)
    stored, encrypted = await store.get_with_secret(database, organization_id)
    if unsaved is None:
        if stored is None:
            raise CONFIG_NOT_FOUND("")
        return secrets.destination(stored, stored, encrypted)
    oauth_secret.check_kept(stored, unsaved)
    if stored is None or stored.oauth is None:
        stored_password.kept(stored, unsaved, field="unsavedConfig.password")
    return secrets.destination(unsaved, stored, encrypted)


async def _locked(transaction: Statements, actor: Actor, organization_id: str) -> store.SMTPConfig:
    current = await store.lock(transaction, actor=actor, organization_id=organization_id)
    if current is None:
        raise CONFIG_NOT_FOUND("")
    return current


@dataclass(frozen=True, slots=True)
class _Secrets:
    """Decrypts the secrets of the configuration of an organization, or of the instance."""

    keyring: Keyring
    tokens: MailboxTokens
    organization_id: str

    def destination(
        self,
        config: UpdateSMTPConfig | store.SMTPConfig,
        stored: store.SMTPConfig | None,
        encrypted: EncryptedSecret | None,
    ) -> Destination:
        """The destination of a configuration that logs in with the stored secret."""
        of = self.organization_id
        if stored is None or stored.oauth is None:
            password = stored_password.decrypted(self.keyring, stored, encrypted)
            return _destination(config, password, of)
        client = oauth_secret.client(self.keyring, stored, encrypted, organization_id=of)
        source = self.tokens.source(client)
        return replace(_destination(config, "", of), user=stored.mailbox, tokens=source)


def _destination(
    config: UpdateSMTPConfig | store.SMTPConfig, password: str, organization_id: str
) -> Destination:
    host, port = split_host_port(config.host)
    return Destination(
        host=host,
        port=port,
        tls=config.tls,
        user=config.user,
        password=password,
        sender_address=config.sender_address,
        sender_name=config.sender_name,
        organization_id=organization_id,
    )


def _already_exists(sequence: int) -> Failure:
    return Failure(
        Kind.ALREADY_EXISTS,
        "SMTP_CONFIG_ALREADY_EXISTS",
        "An SMTP configuration is set. Change it with UpdateSMTPConfig, or remove it first.",
        metadata={"sequence": str(sequence)},
    )


_user_required: Final = FixedFailure(
    "SMTP_USER_REQUIRED",
    "The SMTP configuration has no user, so it needs no password. Set both with UpdateSMTPConfig.",
)
