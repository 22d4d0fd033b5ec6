"""Settings of well-known providers. An administrator adds only a name and the client.

Nothing here is fetched. Each issuer equals the one in the provider's discovery document, byte for
byte. Multi-tenant issuers (`common` of Microsoft Entra) cannot be used, because each tenant could
claim to be any user. Apple is missing because its client secret is a JWT, GitHub because it is not
an OpenID provider. The pages have the logos; `preset_of` says which one a provider has.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final

from server.idp.oidc.commands import TokenEndpointAuthMethod

_BASIC = TokenEndpointAuthMethod.CLIENT_SECRET_BASIC
_POST = TokenEndpointAuthMethod.CLIENT_SECRET_POST


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings of a provider, without a client. The issuer may have placeholders: `{name}`."""

    preset_id: str
    name: str
    issuer: str
    background_color: str
    text_color: str
    auth_method: TokenEndpointAuthMethod = _BASIC
    scopes: tuple[str, ...] = ("profile", "email")
    # The hosts that only this provider has; the path of the issuer tells the rest.
    own_hosts: str = r"[^/]+"

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The names of the placeholders in the issuer."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.issuer) if name)

    def issuer_of(self, values: Mapping[str, str]) -> str:
        """Fills the issuer. ValueError: a value is missing, superfluous or malformed."""
        if set(values) != set(self.placeholders):
            names = ", ".join(self.placeholders) or "none"
            raise ValueError(f"The values of '{self.preset_id}' are: {names}.")
        for name, value in values.items():
            pattern, description = _VALUES[name]
            if not re.fullmatch(pattern, value):
                raise ValueError(f"'{name}' must be {description}.")
        return self.issuer.format_map(values)


# The syntax of each value: a pattern and its description.
_VALUES: Final = {
    "host": (r"[a-z0-9.-]+(:[0-9]+)?", "a host name in lower case, with a port if it has one"),
    "realm": (r"[A-Za-z0-9._~-]+", "the name of a realm, as its addresses contain it"),
    "application": (r"[A-Za-z0-9._~-]+", "the slug of an application"),
    "tenant": (
        r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "the ID of a tenant, a UUID in lower case",
    ),
}

_HOSTED = r"[a-z0-9.-]+\."

PRESETS: Final = {
    preset.preset_id: preset
    for preset in (
        Preset(
            "auth0",
            "Auth0",
            "https://{host}/",
            "#191919",
            "#ffffff",
            own_hosts=_HOSTED + r"auth0\.com",
        ),
        Preset(
            "authentik",
            "authentik",
            "https://{host}/application/o/{application}/",
            "#18191a",
            "#ffffff",
        ),
        Preset("gitlab", "GitLab", "https://gitlab.com", "#171321", "#ffffff"),
        Preset(
            "gitlab-self-managed",
            "GitLab",
            "https://{host}",
            "#171321",
            "#ffffff",
            own_hosts=r"gitlab\.[^/]+",
        ),
        Preset("google", "Google", "https://accounts.google.com", "#ffffff", "#1f1f1f"),
        Preset("keycloak", "Keycloak", "https://{host}/realms/{realm}", "#004d6b", "#ffffff"),
        Preset(
            "microsoft",
            "Microsoft",
            "https://login.microsoftonline.com/{tenant}/v2.0",
            "#2f2f2f",
            "#ffffff",
            auth_method=_POST,
        ),
        Preset(
            "okta",
            "Okta",
            "https://{host}",
            "#00297a",
            "#ffffff",
            own_hosts=_HOSTED + r"(okta|okta-emea|oktapreview)\.com",
        ),
        Preset(
            "zitadel",
            "Zitadel",
            "https://{host}",
            "#1a1b1f",
            "#ffffff",
            own_hosts=_HOSTED + r"zitadel\.cloud",
        ),
    )
}


def _form_of(preset: Preset) -> re.Pattern[str]:
    patterns = {name: pattern for name, (pattern, _) in _VALUES.items()}
    patterns["host"] = preset.own_hosts
    return re.compile(
        "".join(
            re.escape(text) + (patterns[name] if name else "")
            for text, name, _, _ in Formatter().parse(preset.issuer)
        )
    )


_FORMS: Final = {preset_id: _form_of(preset) for preset_id, preset in PRESETS.items()}


# Anybody can get an account at these providers.
_OPEN_ISSUERS: Final = frozenset(
    {
        "https://accounts.google.com",
        "https://gitlab.com",
        # Personal accounts of Microsoft.
        "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
    }
)


def admits_anybody(issuer: str, *domains: Sequence[str]) -> bool:
    """Whether anybody can get an account at the provider, and no domains limit who registers."""
    return issuer in _OPEN_ISSUERS and not any(domains)


def preset_of(issuer: str) -> str:
    """The ID of the preset with this issuer; empty if the issuer does not tell.

    A self-hosted provider without a path of its own can be of any product.
    """
    return next((each for each, form in _FORMS.items() if form.fullmatch(issuer)), "")
