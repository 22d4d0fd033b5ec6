"""Settings of well-known providers. An administrator adds a name, the client and a value or two.

`presets.toml` has the data; the command line, the console and docs/federation.md read it. Nothing
here is fetched. Multi-tenant issuers (`common` of Microsoft Entra) cannot be used, because each
tenant could claim to be any user. The pages have the logos; `preset_of` says which one a provider
has.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Formatter
from typing import Any, Final

from server.idp.oidc.commands import TokenEndpointAuthMethod


@dataclass(frozen=True, slots=True)
class Value:
    """A part of an issuer that each installation has of its own: its syntax, and that in words."""

    pattern: str
    description: str


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A provider that people look for and that cannot be used."""

    name: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings of a provider, without a client. The issuer may have placeholders: `{name}`.

    `kind` tells presets of one name from each other.
    """

    preset_id: str
    name: str
    issuer: str
    source: str = ""
    note: str = ""
    kind: str = ""
    background_color: str = ""
    text_color: str = ""
    auth_method: TokenEndpointAuthMethod = TokenEndpointAuthMethod.CLIENT_SECRET_BASIC
    scopes: Sequence[str] = ("profile", "email")
    own_hosts: str = r"[^/]+"
    # Its issuers at which anybody can get an account.
    open_issuers: Sequence[str] = ()

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
            if not re.fullmatch(VALUES[name].pattern, value):
                raise ValueError(f"'{name}' must be {VALUES[name].description}.")
        return self.issuer.format_map(values)


def _preset(preset_id: str, data: dict[str, Any]) -> Preset:
    method = TokenEndpointAuthMethod[data.pop("auth_method", "CLIENT_SECRET_BASIC")]
    return Preset(preset_id=preset_id, auth_method=method, **data)


_DATA: Final = tomllib.loads(
    files("server.idp.oidc").joinpath("presets.toml").read_text(encoding="utf-8")
)
VALUES: Final = {name: Value(**data) for name, data in _DATA["values"].items()}
PRESETS: Final = {each: _preset(each, data) for each, data in _DATA["presets"].items()}
UNSUPPORTED: Final = {each: Unsupported(**data) for each, data in _DATA["unsupported"].items()}
_OPEN_ISSUERS: Final = frozenset(
    issuer for preset in PRESETS.values() for issuer in preset.open_issuers
)


def _form_of(preset: Preset) -> re.Pattern[str]:
    patterns = {name: value.pattern for name, value in VALUES.items()}
    patterns["host"] = preset.own_hosts
    return re.compile(
        "".join(
            re.escape(text) + (patterns[name] if name else "")
            for text, name, _, _ in Formatter().parse(preset.issuer)
        )
    )


_FORMS: Final = {preset_id: _form_of(preset) for preset_id, preset in PRESETS.items()}


def admits_anybody(issuer: str, *domains: Sequence[str]) -> bool:
    """Whether anybody can get an account at the provider, and no domains limit who registers."""
    return issuer in _OPEN_ISSUERS and not any(domains)


def preset_of(issuer: str) -> str:
    """The ID of the preset with this issuer; empty if the issuer does not tell.

    A self-hosted provider without a path of its own can be of any product.
    """
    return next((each for each, form in _FORMS.items() if form.fullmatch(issuer)), "")
