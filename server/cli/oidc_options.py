"""The options of `keystead idp` for OpenID Connect settings, and the fields that they stand for."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import click

from server.cli.parameters import gathered
from server.cli.secret_files import secret_of
from server.idp.oidc.commands import TokenEndpointAuthMethod
from server.idp.oidc.presets import PRESETS, Preset
from server.validation.logos import MAX_LOGO_BYTES

_METHODS = [each for each in TokenEndpointAuthMethod if each]
_NO_PRESET = Preset(preset_id="", name="", issuer="", background_color="", text_color="")

_OPTIONS: Final = (
    click.option(
        "--preset", type=click.Choice([*PRESETS]), help="A provider of `keystead idp presets`."
    ),
    click.option(
        "--value",
        "values",
        metavar="NAME=VALUE",
        multiple=True,
        help="A value that the issuer of the preset contains. Repeatable.",
    ),
    click.option("--issuer", help="Issuer, an https URL exactly as the provider writes it."),
    click.option("--client-id", required=True, help="ID that the provider gave this server."),
    click.option(
        "--client-secret-file",
        "secret_file",
        type=click.File(),
        help="File with the client secret; -: standard input, or a hidden prompt at a terminal.",
    ),
    click.option(
        "--auth-method",
        type=click.Choice([each.name.lower() for each in _METHODS], case_sensitive=False),
        help="How to authenticate to the token endpoint; none: a public client.  [default: that of"
        " the preset, or client_secret_basic]",
    ),
    click.option(
        "--scope",
        "scopes",
        multiple=True,
        help="Scope to ask for besides openid. Repeatable.  [default: profile, email]",
    ),
    click.option("--background-color", help="Colour #rrggbb of the button."),
    click.option("--text-color", help="Colour #rrggbb of the text of the button."),
    click.option(
        "--logo", type=click.File("rb"), help="PNG, JPEG or WebP image of at most 32 KiB."
    ),
    click.option(
        "--mail-domain",
        "mail_domains",
        metavar="DOMAIN",
        multiple=True,
        help="Register only people with a verified address of this domain. Repeatable.",
    ),
    click.option(
        "--hosted-domain",
        "hosted_domains",
        metavar="DOMAIN",
        multiple=True,
        help="Register only people of a Google organization with this domain. Repeatable.",
    ),
    click.option(
        "--update-name/--no-update-name",
        default=True,
        show_default=True,
        help="Set the display name of users at each sign-in.",
    ),
    click.option(
        "--update-email/--no-update-email",
        default=False,
        show_default=True,
        help="Set the mail address of users at each sign-in.",
    ),
)


class OIDCFields(NamedTuple):
    """The name of the preset, or "", and the fields of SetOIDCConfig without `idp_id`."""

    preset_name: str
    fields: Mapping[str, Any]


def _oidc_fields(options: Mapping[str, Any]) -> OIDCFields:
    """The fields of the options. Prompts for the client secret. `UsageError`."""
    preset = _preset(options)
    method, logo, issuer = options["auth_method"], options["logo"], options["issuer"]
    fields = {
        "issuer": _issuer(preset, options["values"]) if issuer is None else issuer,
        "client_id": options["client_id"],
        "client_secret": secret_of(
            options["secret_file"], prompt="Client secret", option="--client-secret-file"
        ),
        "scopes": options["scopes"] or preset.scopes,
        "token_endpoint_auth_method": (
            TokenEndpointAuthMethod[method.upper()] if method else preset.auth_method
        ),
        "button": {
            "logo": logo.read(MAX_LOGO_BYTES + 1) if logo else b"",
            "background_color": options["background_color"] or preset.background_color,
            "text_color": options["text_color"] or preset.text_color,
        },
        "auto_register_mail_domains": options["mail_domains"],
        "auto_register_hosted_domains": options["hosted_domains"],
        "update_name_at_sign_in": options["update_name"],
        "update_email_at_sign_in": options["update_email"],
    }
    return OIDCFields(preset.name, fields)


def _preset(options: Mapping[str, Any]) -> Preset:
    """The preset; an empty one with --issuer. `UsageError`: not exactly one of them is given."""
    preset, issuer = options["preset"], options["issuer"]
    if (preset is None) == (issuer is None):
        raise click.UsageError("Give either --preset or --issuer.")
    if options["values"] and preset is None:
        raise click.UsageError("--value is for the issuer of a --preset.")
    return PRESETS[preset] if preset else _NO_PRESET


def _issuer(preset: Preset, values: tuple[str, ...]) -> str:
    try:
        return preset.issuer_of(dict(_pair(value) for value in values))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--value") from None


def _pair(value: str) -> tuple[str, str]:
    name, equals, rest = value.partition("=")
    if not equals:
        raise ValueError(f"'{value}' is not NAME=VALUE.")
    return name, rest


# The options, whose fields the command gets as `oidc`.
oidc_options: Final = gathered(_OPTIONS, _oidc_fields, into="oidc")
