"""The commands on the OpenID Connect settings of an identity provider."""

import base64
import json
import re
from enum import IntEnum
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, SecretStr, StringConstraints, ValidationInfo

from server.access import admission
from server.access.caller import Actor
from server.access.checked_append import check_admitted
from server.crypto import stored_secrets
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.crypto.stored_secrets import Secret
from server.idp import store as idp_store
from server.idp.commands import EndSessionsOfIDP, OneIDP
from server.idp.oidc import store
from server.idp.oidc.button import Button
from server.idp.oidc.events import OIDCConfigRemoved, OIDCConfigSet
from server.idp.oidc.store import OIDCConfig
from server.relying_party.token_request import RelyingParty
from server.store.database import Statements
from server.store.rows import Details
from server.validation.fields import Command, Id, Printable, defined, described
from server.validation.scopes import MAX_SCOPE, is_scope
from server.validation.value_lists import MAX_VALUES, each
from server.values.errors import FixedFailure, NotFound, Violation, WrongValueError, invalid
from server.values.https_url import check_https_url
from server.values.ids import new_id
from server.values.mail_address import normal_mail_domain
from server.values.names import printable

_MAX_ISSUER = 500
# Issuers of Microsoft Entra that stand for several tenants, on the hosts of its clouds.
_OF_SEVERAL_TENANTS = re.compile(
    r"https://(login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|windows\.net)|"
    r"sts\.windows\.net)/(common|organizations|consumers|\{.*\})(/|$)",
    re.IGNORECASE,
)
_MAX_SECRET = 1000
_MAX_SCOPES = 20


class TokenEndpointAuthMethod(IntEnum):
    """Client authentication at the token endpoint, with the numbers of the API."""

    UNSPECIFIED = 0
    CLIENT_SECRET_BASIC = 1
    CLIENT_SECRET_POST = 2
    NONE = 3


def _auth_method(number: int) -> TokenEndpointAuthMethod:
    return TokenEndpointAuthMethod(number or TokenEndpointAuthMethod.CLIENT_SECRET_BASIC)


def _issuer(issuer: str) -> str:
    check_https_url(issuer)
    if "?" in issuer:
        raise ValueError("must have no query")
    if _OF_SEVERAL_TENANTS.match(issuer):
        raise ValueError(
            "must name one tenant of Microsoft Entra by its ID, as in"
            " https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0 (personal"
            " accounts), because each tenant could claim to be any user"
        )
    return issuer


def _scopes(scopes: tuple[str, ...]) -> tuple[str, ...]:
    if len(scopes) > _MAX_SCOPES:
        raise WrongValueError("TOO_MANY_ENTRIES", f"must have at most {_MAX_SCOPES} entries")
    for scope in scopes:
        if not is_scope(scope):
            raise ValueError(
                f"must each be 1 to {MAX_SCOPE} characters without spaces, quotes and backslashes"
            )
    return tuple(scope for scope in dict.fromkeys(scopes) if scope != "openid")


def _secret(secret: SecretStr | None, information: ValidationInfo) -> SecretStr | None:
    if secret is None:
        return None
    if len(secret) > _MAX_SECRET:
        raise ValueError(f"must be at most {_MAX_SECRET} characters")
    printable(secret.get_secret_value())
    method = information.data.get("token_endpoint_auth_method")  # missing if invalid
    if method is TokenEndpointAuthMethod.NONE and secret.get_secret_value():
        raise ValueError("must be empty with TOKEN_ENDPOINT_AUTH_METHOD_NONE")
    if method is not None and method is not TokenEndpointAuthMethod.NONE and not secret:
        raise ValueError("must not be empty, except with TOKEN_ENDPOINT_AUTH_METHOD_NONE")
    return secret


def _normal_domains(domains: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(normal_mail_domain, domains)))


_Domains = Annotated[
    tuple[str, ...],
    BeforeValidator(tuple),
    each(normal_mail_domain),
    AfterValidator(_normal_domains),
    described(maxItems=MAX_VALUES),
]


class SetOIDCConfig(Command):
    """Set all settings. A `client_secret` of None keeps the stored secret."""

    idp_id: Id
    issuer: Annotated[
        str,
        StringConstraints(min_length=1, max_length=_MAX_ISSUER),
        AfterValidator(_issuer),
        described(pattern="^https://[!-~]+$"),
    ]
    client_id: Annotated[Printable, StringConstraints(min_length=1, max_length=500)]
    scopes: Annotated[tuple[str, ...], AfterValidator(_scopes), described(maxItems=_MAX_SCOPES)]
    token_endpoint_auth_method: Annotated[
        int,
        defined(TokenEndpointAuthMethod, prefix="TOKEN_ENDPOINT_AUTH_METHOD_"),
        AfterValidator(_auth_method),
    ]
    client_secret: Annotated[
        SecretStr | None, AfterValidator(_secret), described(maxLength=_MAX_SECRET)
    ]
    button: Button
    auto_register_mail_domains: _Domains
    auto_register_hosted_domains: _Domains
    update_name_at_sign_in: bool
    update_email_at_sign_in: bool


async def set_config(
    database: Statements,
    keyring: Keyring,
    command: SetOIDCConfig,
    *,
    actor: Actor,
    organization_id: str,
    end_sessions: EndSessionsOfIDP,
) -> Details:
    """Replaces all settings; keeps the client secret if the command has none.

    A changed issuer ends the sessions of the provider. `Failure` NOT_FOUND,
    FAILED_PRECONDITION `OIDC_CLIENT_SECRET_REQUIRED`.
    """
    async with database.transaction() as transaction:
        await idp_store.lock(transaction, command.idp_id, organization_id=organization_id)
        await admission.check_caller(transaction, actor)
        current = await store.get(transaction, command.idp_id)
        secret, secret_id = _secret_of(keyring, command, current)
        event = _event(command, secret_id)
        if current is not None and _event_of(current) == event:
            return current.details
        if current is not None and current.issuer != event.issuer:
            await end_sessions(transaction, command.idp_id, creator=actor.user_id)
        return await store.SET.details(
            transaction,
            event,
            creator=actor.user_id,
            idp_id=command.idp_id,
            **stored_secrets.parameters(secret),
        )


async def get(database: Statements, command: OneIDP, *, organization_id: str) -> OIDCConfig:
    """Reads the settings. `Failure` NOT_FOUND."""
    config = await store.get(database, command.idp_id)
    if config is not None and config.details.owner == organization_id:
        return config
    await idp_store.GET.one(database, idp_id=command.idp_id, organization_id=organization_id)
    raise _not_found(command.idp_id)


async def remove(
    database: Statements,
    command: OneIDP,
    *,
    actor: Actor,
    organization_id: str,
    end_sessions: EndSessionsOfIDP,
) -> Details:
    """Removes the settings, and ends the sessions of the provider; returns their last details.

    `Failure` NOT_FOUND.
    """
    async with database.transaction() as transaction:
        await idp_store.lock(transaction, command.idp_id, organization_id=organization_id)
        await check_admitted(transaction, actor)
        if await store.get(transaction, command.idp_id) is None:
            raise _not_found(command.idp_id)
        await end_sessions(transaction, command.idp_id, creator=actor.user_id)
        return await store.REMOVE.details(
            transaction, OIDCConfigRemoved(), creator=actor.user_id, idp_id=command.idp_id
        )


async def rotate_secrets(database: Statements, keyring: Keyring) -> int:
    """Encrypts all client secrets under the keyring's first key; returns their number.

    EncryptionKeyError: a secret cannot be decrypted.
    """
    idp_ids = store.list_under_other_keys(database, keyring.writing_key_id)
    return sum([await _rotate(database, keyring, idp_id) async for idp_id in idp_ids])


async def _rotate(database: Statements, keyring: Keyring, idp_id: str) -> bool:
    # Not locked: the secret of an id never changes, nor the client that it is bound to.
    config = await store.get(database, idp_id)
    if config is None or config.client_secret_id is None or config.encrypted_secret is None:
        return False
    return await stored_secrets.reencrypt(
        database,
        keyring,
        config.encrypted_secret,
        aggregate_id=idp_id,
        secret_id=config.client_secret_id,
        context=_context(idp_id, config.client_secret_id, config),
    )


def relying_party(keyring: Keyring, config: OIDCConfig) -> RelyingParty:
    """This server's registration as a client of the provider.

    `Failure` FAILED_PRECONDITION `OIDC_CLIENT_SECRET_UNREADABLE`.
    """
    secret = ""
    if config.client_secret_id is not None and config.encrypted_secret is not None:
        context = _context(config.idp_id, config.client_secret_id, config)
        try:
            secret = keyring.decrypt(config.encrypted_secret, context=context)
        except EncryptionKeyError as error:
            raise _secret_unreadable(str(error)) from None
    return RelyingParty(
        issuer=config.issuer,
        client_id=config.client_id,
        client_secret=secret,
        auth_method=config.token_endpoint_auth_method,
        scopes=config.scopes,
    )


def _secret_of(
    keyring: Keyring, command: SetOIDCConfig, current: OIDCConfig | None
) -> tuple[Secret | None, str | None]:
    """The secret to store, if any, and the secret id of the new settings."""
    if command.token_endpoint_auth_method is TokenEndpointAuthMethod.NONE:
        return None, None
    if command.client_secret is not None:
        secret_id = new_id()
        context = _context(command.idp_id, secret_id, command)
        secret = command.client_secret.get_secret_value()
        return Secret(secret_id, keyring.encrypt(secret, context=context)), secret_id
    if current is None or current.client_secret_id is None:
        problem = "must be given, except with TOKEN_ENDPOINT_AUTH_METHOD_NONE"
        raise invalid(Violation("clientSecret", problem))
    if (command.issuer, command.client_id) != (current.issuer, current.client_id):
        raise _secret_required()
    return None, current.client_secret_id


def _event(command: SetOIDCConfig, secret_id: str | None) -> OIDCConfigSet:
    button = command.button
    return OIDCConfigSet.of(
        command,
        client_secret_id=secret_id,
        token_endpoint_auth_method=TokenEndpointAuthMethod(command.token_endpoint_auth_method).name,
        logo=base64.b64encode(button.logo).decode(),
        background_color=button.background_color,
        text_color=button.text_color,
    )


def _event_of(config: OIDCConfig) -> OIDCConfigSet:
    return OIDCConfigSet.of(config, logo=base64.b64encode(config.logo).decode())


def _context(idp_id: str, secret_id: str, client: SetOIDCConfig | OIDCConfig) -> bytes:
    """Binds the ciphertext to this row and to the client of the secret."""
    bound_to = [idp_id, secret_id, client.issuer, client.client_id]
    return json.dumps(["idp.client_secret", *bound_to]).encode()


_secret_required: Final = FixedFailure(
    "OIDC_CLIENT_SECRET_REQUIRED",
    "The stored client secret is valid only for the issuer and the client ID that it was set with."
    " Send the secret again with the change.",
)

_secret_unreadable: Final = FixedFailure(
    "OIDC_CLIENT_SECRET_UNREADABLE",
    "The stored client secret cannot be decrypted. Give every server of this database the same"
    " encryption keys (`keystead doctor` names the missing ones), or set the secret again with"
    " SetOIDCConfig.",
)

_not_found: Final = NotFound(
    "oidc_config",
    "The identity provider has no OpenID Connect settings. Set them with SetOIDCConfig.",
)
