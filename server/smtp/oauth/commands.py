"""The commands on the OAuth settings of the SMTP configuration."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final

from pydantic import AfterValidator, SecretStr, StringConstraints, ValidationInfo
from pydantic.alias_generators import to_camel

from server.access.caller import Actor
from server.crypto.keyring import Keyring
from server.crypto.stored_secrets import parameters
from server.smtp import store
from server.smtp.events import SMTPOAuthRemoved, SMTPOAuthSet
from server.smtp.oauth import secret
from server.smtp.oauth.credential import (
    FIELDS,
    TokenMethod,
    check_private_key,
    check_service_account,
)
from server.smtp.oauth.presets import ENDPOINTS, TENANT, TokenPreset
from server.smtp.store import SMTPConfig, SMTPOAuth
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Printable, PrintableSecret, defined, described
from server.validation.scopes import MAX_SCOPE, SCOPE, is_scope
from server.values.errors import FixedFailure, NotFound, Violation, invalid
from server.values.https_url import check_https_url
from server.values.ids import new_id

_MAX_CLIENT_SECRET: Final = 1000
_MAX_SECRET: Final = 16 * 1024


# From Python 3.12 on, pydantic does not take an enumeration for a validator.
def _preset(number: int) -> TokenPreset:
    return TokenPreset(number)


def _tenant(tenant: str, information: ValidationInfo) -> str:
    if bool(tenant) != (information.data.get("preset") is TokenPreset.MICROSOFT):
        raise ValueError("must be given with SMTP_TOKEN_PRESET_MICROSOFT, and only with it")
    return tenant


def _token_endpoint(url: str, information: ValidationInfo) -> str:
    if url:
        return check_https_url(url)
    preset = information.data.get("preset")  # missing if invalid
    if preset is TokenPreset.UNSPECIFIED:
        raise ValueError("must be given without a preset")
    return ENDPOINTS[preset].url.format(tenant=information.data.get("tenant")) if preset else url


def _scope(scope: str, information: ValidationInfo) -> str:
    preset = information.data.get("preset")
    if not scope:
        return ENDPOINTS[preset].scope if preset else scope
    if not all(is_scope(each) for each in scope.split(" ")):
        raise ValueError(
            f"must be scopes of 1 to {MAX_SCOPE} characters without quotes and backslashes,"
            " separated by single spaces"
        )
    return scope


def _private_key(key: SecretStr) -> SecretStr:
    if key:
        check_private_key(key.get_secret_value())
    return key


def _service_account(key: SecretStr) -> SecretStr:
    if key:
        check_service_account(key.get_secret_value())
    return key


def _at_most(length: int) -> AfterValidator:
    def check(secret: SecretStr) -> SecretStr:
        if len(secret) > length:
            raise ValueError(f"must be at most {length} characters")
        return secret

    return AfterValidator(check)


_Short = Annotated[Printable, StringConstraints(max_length=500)]
_KeyText = Annotated[SecretStr, _at_most(_MAX_SECRET), described(maxLength=_MAX_SECRET)]
# Separated by single spaces (RFC 6749, section 3.3).
_SCOPES: Final = f"{SCOPE}( {SCOPE})*"


class SetSMTPOAuth(Command):
    """Set all OAuth settings. Without a secret, the stored one is kept."""

    preset: Annotated[
        int, defined(TokenPreset, prefix="SMTP_TOKEN_PRESET_"), AfterValidator(_preset)
    ]
    tenant: Annotated[
        str,
        StringConstraints(pattern=f"^({TENANT})?$", max_length=254),
        AfterValidator(_tenant),
    ]
    token_endpoint: Annotated[
        str,
        StringConstraints(max_length=500),
        AfterValidator(_token_endpoint),
        described(pattern="^(https://[!-~]+)?$"),
    ]
    client_id: _Short
    scope: Annotated[
        str,
        StringConstraints(max_length=1000),
        AfterValidator(_scope),
        described(pattern=f"^({_SCOPES})?$"),
    ]
    mailbox: Annotated[Printable, StringConstraints(max_length=200)]
    client_secret: Annotated[
        PrintableSecret, _at_most(_MAX_CLIENT_SECRET), described(maxLength=_MAX_CLIENT_SECRET)
    ]
    private_key: Annotated[
        _KeyText, AfterValidator(_private_key), described(pattern=r"^\s*(-----BEGIN [\s\S]+)?$")
    ]
    service_account_key: Annotated[
        _KeyText, AfterValidator(_service_account), described(pattern=r"^\s*(\{[\s\S]+)?$")
    ]
    refresh_token: Annotated[
        PrintableSecret, _at_most(_MAX_SECRET), described(maxLength=_MAX_SECRET)
    ]

    @property
    def credential(self) -> dict[str, str]:
        """The given secrets."""
        given: dict[str, SecretStr] = {name: getattr(self, name) for name in FIELDS.values()}
        return {name: value.get_secret_value() for name, value in given.items() if value}


async def set_oauth(
    database: Statements,
    keyring: Keyring,
    command: SetSMTPOAuth,
    *,
    actor: Actor,
    organization_id: str,
) -> Details:
    """Replaces all OAuth settings; keeps the secret if the command has none.

    `Failure` NOT_FOUND, INVALID_ARGUMENT, FAILED_PRECONDITION SMTP_OAUTH_SECRET_REQUIRED.
    """
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        config = replace(current, oauth=_settings(command, current.oauth))
        if not config.mailbox:
            raise invalid(Violation("mailbox", "must be given: the configuration has no user"))
        stored = None
        if command.credential:
            stored = secret.encrypted(keyring, command.credential, config)
        elif secret.context_of(config) != secret.context_of(current):
            raise _secret_required()
        return await store.SET_OAUTH.details(
            transaction,
            SMTPOAuthSet.of(config.oauth),
            creator=actor.user_id,
            config_id=current.id,
            **parameters(stored),
        )


async def remove(database: Statements, *, actor: Actor, organization_id: str) -> Details:
    """Removes the OAuth settings and erases their secret. `Failure` NOT_FOUND."""
    async with database.transaction() as transaction:
        current = await _locked(transaction, actor, organization_id)
        if current.oauth is None:
            raise _not_found("")
        return await store.REMOVE_OAUTH.details(
            transaction, SMTPOAuthRemoved(), creator=actor.user_id, config_id=current.id
        )


async def _locked(transaction: Statements, actor: Actor, organization_id: str) -> SMTPConfig:
    current = await store.lock(transaction, actor=actor, organization_id=organization_id)
    if current is None:
        raise CONFIG_NOT_FOUND("")
    return current


def _settings(command: SetSMTPOAuth, current: SMTPOAuth | None) -> SMTPOAuth:
    """The new settings, with a new secret ID if the command has a secret."""
    given = command.credential
    if not given and current is None:
        others = "privateKey, serviceAccountKey or refreshToken"
        raise invalid(Violation("clientSecret", f"must be given, or else {others}"))
    method = _method(given) if given or current is None else TokenMethod(current.method)
    client_id = command.client_id
    if method is TokenMethod.SERVICE_ACCOUNT:
        client_id = client_id or (current.client_id if current else "")
        if given:
            client_id = check_service_account(given["service_account_key"])
        if command.client_id not in ("", client_id):
            raise invalid(Violation("clientId", "must be empty: the key names its client"))
    elif not client_id:
        raise invalid(Violation("clientId", "must be given, except with a service account"))
    return SMTPOAuth(
        token_endpoint=command.token_endpoint,
        client_id=client_id,
        scope=command.scope,
        mailbox=command.mailbox,
        method=method,
        credential_id=new_id() if given or current is None else current.credential_id,
    )


def _method(given: Mapping[str, str]) -> TokenMethod:
    names = {*given} - ({"client_secret"} if "refresh_token" in given else set())
    methods = [method for method, field in FIELDS.items() if field in names]
    if len(methods) > 1:
        fields = [to_camel(FIELDS[method]) for method in methods]
        problem = f"must be given without {' and '.join(fields[1:])}"
        raise invalid(Violation(fields[0], problem))
    return methods[0]


_not_found: Final = NotFound(
    "smtp_oauth", "The SMTP configuration has no OAuth settings. Set them with SetSMTPOAuth."
)

_secret_required: Final = FixedFailure(
    "SMTP_OAUTH_SECRET_REQUIRED",
    "The stored secret is valid only for the token endpoint, the client ID and the mailbox that it"
    " was set with. Send the secret again with the change.",
)

CONFIG_NOT_FOUND: Final = NotFound(
    "smtp_config", "No SMTP configuration is set. Add one with AddSMTPConfig."
)
