"""Makes the services whose methods commands call, in this process and without a transport.

The rule: a service is imported when it is made, so a command imports nothing that only others need.
Arguments that only other methods use are None.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from pkgutil import resolve_name
from typing import Any, Final

from server.cli.installation import Installation
from server.crypto.keyring import Keyring
from server.settings.settings import Settings
from server.wiring import dependencies


def _nothing(*_of: object) -> None:
    """Stands for the wakening of loops and the cache of callers, which only servers have."""


def _made(at: str, settings: Settings) -> Any:
    """The object that a function of the wiring makes from the settings."""
    return resolve_name(f"server.wiring.{at}")(settings)


_end_ceremonies: Final = dependencies.OTHER_FEATURES.end_begun_by

# The classes that have the methods of each service, by their arguments besides the database.
_CLASSES: Final[Mapping[str, Mapping[str, Callable[[Installation, Any], Mapping[str, Any]]]]] = {
    "ApplicationService": {
        "server.application.service:Applications": lambda at, _: {
            "groups": dependencies.GROUPS,
            "reserved": _made("policies:reserved_values", at.settings),
        },
        "server.oauth.grants.service:Grants": lambda _at, _: {},
        "server.oauth.preview.service:ClaimsPreview": lambda at, _: {"issuer": at.settings.issuer},
        "server.oauth.refused.service:RefusedRequests": lambda _at, _: {},
    },
    "AttributeService": {
        "server.user.attributes.service:AttributeService": lambda _at, _: {
            "lock_organization": resolve_name("server.org.store:lock")
        },
    },
    "BrandService": {
        "server.org.brand.service:BrandService": lambda at, _: {
            "instance_brand": resolve_name("server.org.brand.shown:InstanceBrand")(
                at.database, rp_name=at.settings.rp_name
            )
        },
    },
    "GroupService": {"server.group.service:GroupService": lambda _at, _: {}},
    "IDPLinkService": {
        "server.idp.links.service:IDPLinkService": lambda at, _: {
            "flows": None,
            "outbox": dependencies.outbox(at.settings),
            "forget": _nothing,
            "end_ceremonies": _end_ceremonies,
            "end_begun_with": dependencies.end_begun_with,
        },
    },
    "IdentityProviderService": {
        "server.idp.service:IdentityProviderService": lambda _at, _: {
            "end_sessions": dependencies.end_sessions_of_idp,
            "lock_groups": dependencies.GROUPS.lock_named,
        },
    },
    "MailDomainService": {
        "server.idp.domains.service:MailDomainService": lambda at, _: {
            "records": resolve_name("server.net.txt_records:TXTRecords")(at.settings.dns_servers),
            "lock_organization": resolve_name("server.org.store:lock"),
        },
    },
    "MailService": {
        "server.mail.service:Mails": lambda _at, keyring: {
            "keyring": keyring,
            "templates": None,
            "find_brand": None,
            "find_own_words": None,
            "wake": _nothing,
        },
        "server.org.mail_texts.service:MailTexts": lambda _at, _: {
            "templates": None,
            "find_brand": None,
            "forget": _nothing,
        },
    },
    "OIDCConfigService": {
        "server.idp.oidc.service:OIDCConfigService": lambda at, keyring: {
            "keyring": keyring,
            "providers": resolve_name("server.relying_party.provider:Providers")(
                _made("options:provider_options", at.settings)
            ),
            "end_sessions": dependencies.end_sessions_of_idp,
        },
    },
    "OrganizationService": {
        "server.org.service:Organizations": lambda _at, _: {
            "objects": dependencies.OBJECTS_OF_ORGANIZATION
        },
        "server.figures.service:OrganizationFigures": lambda at, _: {
            "idle_timeout": timedelta(seconds=at.settings.session_idle_timeout)
        },
    },
    "PasskeyService": {
        "server.passkey.service:PasskeyService": lambda at, keyring: {
            "keyring": keyring,
            "outbox": dependencies.outbox(at.settings),
            "forget": _nothing,
            "policy": dependencies.registration_policy(at.settings),
            "ceremony_policy": _made("policies:ceremony_policy", at.settings),
            "rp_ids": _made("options:rp_ids", at.settings),
            "find_rp_name": None,
            "end_begun_with": dependencies.end_begun_with,
        },
    },
    "PushService": {
        "server.push.service:PushService": lambda at, keyring: {
            "keyring": keyring,
            "client": resolve_name("server.deliveries.http.client:PushClient")(
                _made("options:push_options", at.settings)
            ),
            "wake": _nothing,
        },
    },
    "SMTPService": {
        "server.smtp.service:SMTPService": lambda at, keyring: {
            "keyring": keyring,
            "transport": _made("options:smtp_options", at.settings),
            "captures": at.settings.mail_capture,
        },
    },
    "SessionService": {
        "server.session.service:Sessions": lambda at, _: {
            "forget": _nothing,
            "idle_timeout": timedelta(seconds=at.settings.session_idle_timeout),
            "end_ceremonies": _end_ceremonies,
            **dict.fromkeys(("introspect", "ended", "signer", "jwt_policy")),
        },
    },
    "SystemService": {
        "server.system.service:SystemService": lambda at, _: {
            "settings": at.settings,
            **dict.fromkeys(("readiness", "started_at")),
        },
    },
    "UserService": {
        "server.user.service:UserService": lambda at, _: {
            "others": dependencies.OTHER_FEATURES,
            "outbox": dependencies.outbox(at.settings),
            "forget": _nothing,
            "max_tokens_per_user": at.settings.max_tokens_per_user,
            "issuer": at.settings.issuer,
        },
        "server.moving.service:MovingUsers": lambda at, _: {
            "policy": _made("policies:import_policy", at.settings)
        },
    },
}


def handler_of(at: Installation, service: str, method: str, keyring: Keyring | None) -> Any:
    """The method of a service. Without a keyring, it must neither encrypt nor decrypt."""
    for place, arguments in _CLASSES[service].items():
        kind = resolve_name(place)
        if hasattr(kind, method):
            return getattr(kind(at.database, **arguments(at, keyring)), method)
    raise LookupError(f"{service} has no method {method}")
