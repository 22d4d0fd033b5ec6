"""`keystead idp presets`, and the commands that fill OpenID Connect settings from a preset."""

from collections.abc import Mapping
from typing import Any, Final

import click

from server.cli.declared.call import OperatorCall
from server.cli.declared.form import Input, Values
from server.cli.installation import Installation
from server.cli.lists import ListRow, print_list
from server.cli.parameters import json_option
from server.idp import commands as idp_commands
from server.idp import store as idp_store
from server.idp.commands import CreateIDP, StylingType
from server.idp.oidc import commands as oidc_commands
from server.idp.oidc import store as oidc_store
from server.idp.oidc.commands import SetOIDCConfig
from server.idp.oidc.presets import PRESETS, Preset, admits_anybody
from server.validation.fields import read
from server.wiring.dependencies import GROUPS, end_sessions_of_idp

_NO_PRESET: Final = Preset(preset_id="", name="", issuer="", background_color="", text_color="")

# The options that give settings besides the fields of SetOIDCConfig.
OPTIONS: Final = (
    Input(
        ("preset",),
        click.Option(
            ["--preset"],
            type=click.Choice([*PRESETS]),
            help="A provider of `keystead idp presets`. Other options replace its values.",
        ),
    ),
    Input(
        ("values",),
        click.Option(
            ["--value", "values"],
            metavar="NAME=VALUE",
            multiple=True,
            help="A value that the issuer of the preset contains. Repeatable.",
        ),
    ),
)
ADD_OPTIONS: Final = (
    *OPTIONS,
    Input(
        ("anybody",),
        click.Option(
            ["--anybody"],
            is_flag=True,
            default=None,
            help="Let --auto-register admit anybody, of a provider where anybody can get an"
            " account.",
        ),
    ),
)


@click.command("presets")
@json_option
def presets(*, as_json: bool) -> None:
    """List the providers that --preset knows: ID, issuer, and the values that it contains."""
    rows: list[ListRow] = [
        {"preset": each.preset_id, "issuer": each.issuer, "values": each.placeholders}
        for each in PRESETS.values()
    ]
    print_list(rows, as_json=as_json)


async def add(at: Installation, call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Adds a provider with its settings. The button has the colours of the provider if any."""
    given = {path[-1]: value for path, value in values.items()}
    preset, settings = _settings(given)
    button, auto_register = settings["button"], given.get("auto_register", False)
    domains = settings["auto_register_mail_domains"], settings["auto_register_hosted_domains"]
    if auto_register and "anybody" not in given and admits_anybody(settings["issuer"], *domains):
        raise click.UsageError(
            "Anybody can get an account at this provider, and would get a user. Give --mail-domain"
            " or --hosted-domain, or --anybody if that is intended."
        )
    fields = {
        "name": given.get("name", preset.name),
        "styling_type": StylingType(bool(button["background_color"] or button["logo"])),
        "auto_register": auto_register,
        "is_disabled": given.get("is_disabled", False),
        "mappings": given.get("mappings", ()),
    }
    command, keyring = read(CreateIDP, fields), await at.keyring_of_servers()
    async with at.database.transaction() as transaction:
        idp_id, _ = await idp_commands.add(
            transaction, command, **call.by_caller, lock_groups=GROUPS.lock_named
        )
        await oidc_commands.set_config(
            transaction,
            keyring,
            read(SetOIDCConfig, {**settings, "idp_id": idp_id}),
            **call.by_caller,
            end_sessions=end_sessions_of_idp,
        )
    return {"idp_id": idp_id}


async def set_oidc(at: Installation, call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Sets or replaces the settings of a provider."""
    given = {path[-1]: value for path, value in values.items()}
    _, settings = _settings(given)
    await oidc_commands.set_config(
        at.database,
        await at.keyring_of_servers(),
        read(SetOIDCConfig, {**settings, "idp_id": given["idp_id"]}),
        **call.by_caller,
        end_sessions=end_sessions_of_idp,
    )
    return {}


async def warn_if_anybody_registers(at: Installation, call: OperatorCall, values: Values) -> None:
    """Warns if a changed provider registers anybody."""
    idp_id = next(value for path, value in values.items() if path[-1] == "idp_id")
    stored = await idp_store.GET.one(
        at.database, idp_id=idp_id, organization_id=call.organization_id
    )
    config = await oidc_store.get(at.database, idp_id)
    if config is None or not stored.auto_register:
        return
    domains = config.auto_register_mail_domains, config.auto_register_hosted_domains
    if admits_anybody(config.issuer, *domains):
        click.echo(
            "Anybody can get an account at this provider, and gets a user. To limit that, give"
            " --mail-domain or --hosted-domain to: keystead idp set-oidc",
            err=True,
        )


def _settings(given: Mapping[str, Any]) -> tuple[Preset, Mapping[str, Any]]:
    """The preset, an empty one with --issuer, and the fields of SetOIDCConfig. `UsageError`."""
    if ("preset" in given) == ("issuer" in given):
        raise click.UsageError("Give either --preset or --issuer.")
    if "values" in given and "preset" not in given:
        raise click.UsageError("--value is for the issuer of a --preset.")
    preset = PRESETS[given["preset"]] if "preset" in given else _NO_PRESET
    return preset, {
        "issuer": given.get("issuer") or _issuer(preset, given.get("values", ())),
        "client_id": given.get("client_id", ""),
        "client_secret": given.get("client_secret"),
        "scopes": tuple(given.get("scopes") or preset.scopes),
        "token_endpoint_auth_method": given.get("token_endpoint_auth_method", preset.auth_method),
        "button": {
            "logo": given.get("logo", b""),
            "background_color": given.get("background_color", preset.background_color),
            "text_color": given.get("text_color", preset.text_color),
        },
        "auto_register_mail_domains": given.get("auto_register_mail_domains", ()),
        "auto_register_hosted_domains": given.get("auto_register_hosted_domains", ()),
        "update_name_at_sign_in": given.get("update_name_at_sign_in", True),
        "update_email_at_sign_in": given.get("update_email_at_sign_in", False),
    }


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
