"""`keystead idp`."""

from functools import partial

import click

from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import (
    ListAfter,
    ListRow,
    columns,
    listed,
    print_list,
    print_object,
    print_value,
    step_row,
)
from server.cli.names import Named, for_idp, in_organization
from server.cli.oidc_options import OIDCFields, oidc_options
from server.cli.parameters import idp_argument, json_option, requires_one
from server.idp import commands as idp_commands
from server.idp import store as idp_store
from server.idp.commands import PATCHABLE, AddIDP, OneIDP, PatchIDP, StylingType
from server.idp.oidc import commands as oidc_commands
from server.idp.oidc import store as oidc_store
from server.idp.oidc.commands import SetOIDCConfig
from server.idp.oidc.presets import PRESETS, admits_anybody
from server.idp.relying_party.provider import Providers
from server.idp.relying_party.trial import try_out
from server.store.database import Statements
from server.validation.fields import read
from server.wiring.dependencies import end_sessions_of_idp
from server.wiring.options import provider_options

_row = columns("idp_id", "name", "auto_register")
_auto_register_help = "Whether an unknown person who signs in gets a user."


@click.group("idp", cls=CommandGroup)
def group() -> None:
    """Manage identity providers and their OpenID Connect settings."""


@group.command("presets")
@json_option
def presets(*, as_json: bool) -> None:
    """List the providers that --preset knows: ID, issuer, and the values that it contains."""
    rows: list[ListRow] = [
        {"preset": each.preset_id, "issuer": each.issuer, "values": each.placeholders}
        for each in PRESETS.values()
    ]
    print_list(rows, as_json=as_json)


@group.command("add")
@click.option("--name", help="Name on the button.  [default: that of the preset]")
@click.option("--auto-register", is_flag=True, help=_auto_register_help)
@click.option(
    "--anybody",
    is_flag=True,
    help="Let --auto-register admit anybody, of a provider where anybody can get an account.",
)
@oidc_options
@in_organization
@json_option
async def add(
    at: Installation,
    organization: Named,
    *,
    name: str | None,
    auto_register: bool,
    anybody: bool,
    oidc: OIDCFields,
    as_json: bool,
) -> None:
    """Add an identity provider with its OpenID Connect settings, and print its ID.

    The button has the colours of the provider if there are any, otherwise the look of the page.
    """
    settings, button = oidc.fields, oidc.fields["button"]
    domains = settings["auto_register_mail_domains"], settings["auto_register_hosted_domains"]
    if auto_register and not anybody and admits_anybody(settings["issuer"], *domains):
        raise click.UsageError(
            "Anybody can get an account at this provider, and would get a user. Give --mail-domain"
            " or --hosted-domain, or --anybody if that is intended."
        )
    fields = {
        "name": oidc.preset_name if name is None else name,
        "styling_type": StylingType(bool(button["background_color"] or button["logo"])),
        "auto_register": auto_register,
    }
    command, keyring = read(AddIDP, fields), await at.keyring_of_servers()
    async with at.database.transaction() as transaction:
        idp_id, _ = await idp_commands.add(transaction, command, **organization.by_operator)
        await oidc_commands.set_config(
            transaction,
            keyring,
            read(SetOIDCConfig, {"idp_id": idp_id, **settings}),
            **organization.by_operator,
            end_sessions=end_sessions_of_idp,
        )
    print_value("idp_id", idp_id, as_json=as_json)


@group.command("list")
@in_organization
@listed(_row)
def list_(at: Installation, organization: Named) -> ListAfter:
    """List identity providers: ID, name and whether unknown people get a user."""
    return partial(idp_store.LIST.all, at.database, organization_id=organization.id)


@group.command("show")
@idp_argument
@for_idp
@json_option
async def show(at: Installation, idp: Named, *, as_json: bool) -> None:
    """Show an identity provider and its OpenID Connect settings, without the client secret."""
    found = await idp_store.GET.one(at.database, idp_id=idp.id, organization_id=idp.organization_id)
    styling_type = StylingType(found.styling_type).name
    oidc = await _oidc_row(at.database, idp.id)
    print_object({**_row(found), "styling_type": styling_type, **oidc}, as_json=as_json)


async def _oidc_row(database: Statements, idp_id: str) -> ListRow:
    config = await oidc_store.get(database, idp_id)
    if config is None:
        return {}
    return {
        "issuer": config.issuer,
        "client_id": config.client_id,
        "client_secret_set": config.client_secret_id is not None,
        "scopes": config.scopes,
        "token_endpoint_auth_method": config.token_endpoint_auth_method,
        "background_color": config.background_color,
        "text_color": config.text_color,
        "logo_bytes": len(config.logo),
        "auto_register_mail_domains": config.auto_register_mail_domains,
        "auto_register_hosted_domains": config.auto_register_hosted_domains,
        "update_name_at_sign_in": config.update_name_at_sign_in,
        "update_email_at_sign_in": config.update_email_at_sign_in,
    }


@group.command("set")
@idp_argument
@click.option("--name", help="Name on the button.")
@click.option("--auto-register/--no-auto-register", default=None, help=_auto_register_help)
@requires_one("Give --name, --auto-register or --no-auto-register.", "name", "auto_register")
@for_idp
async def set_(at: Installation, idp: Named, **given: object) -> None:
    """Change an identity provider. Omitted options change nothing."""
    mask = tuple(field for field, value in given.items() if value is not None)
    fields = {"idp_id": idp.id, **dict.fromkeys(PATCHABLE), **given}
    await idp_commands.change(
        at.database, read(PatchIDP, {"idp": fields, "update_mask": mask}).idp, **idp.by_operator
    )
    click.echo(f"The identity provider '{idp}' was changed.")
    await _warn_if_anybody_registers(at.database, idp)


async def _warn_if_anybody_registers(database: Statements, idp: Named) -> None:
    stored = await idp_store.GET.one(database, idp_id=idp.id, organization_id=idp.organization_id)
    config = await oidc_store.get(database, idp.id)
    if config is None or not stored.auto_register:
        return
    domains = config.auto_register_mail_domains, config.auto_register_hosted_domains
    if admits_anybody(config.issuer, *domains):
        click.echo(
            "Anybody can get an account at this provider, and gets a user. To limit that, give"
            " --mail-domain or --hosted-domain to: keystead idp set-oidc",
            err=True,
        )


@group.command("set-oidc")
@idp_argument
@oidc_options
@for_idp
async def set_oidc(at: Installation, idp: Named, *, oidc: OIDCFields) -> None:
    """Set or replace all OpenID Connect settings of an identity provider.

    The stored client secret is kept if none is given, unless issuer or client ID change.
    """
    await oidc_commands.set_config(
        at.database,
        await at.keyring_of_servers(),
        read(SetOIDCConfig, {"idp_id": idp.id, **oidc.fields}),
        **idp.by_operator,
        end_sessions=end_sessions_of_idp,
    )
    click.echo(
        f"The OpenID Connect settings of '{idp}' were set. To try them, run: keystead idp test"
    )
    await _warn_if_anybody_registers(at.database, idp)


@group.command("test")
@idp_argument
@for_idp
@json_option
async def test(at: Installation, idp: Named, *, as_json: bool) -> bool:
    """Test the OpenID Connect settings step by step. Exits with status 1 if a step fails.

    Columns: step, success, duration in milliseconds, reason and message of a failure, and facts.
    """
    config = await oidc_commands.get(
        at.database, OneIDP(idp_id=idp.id), organization_id=idp.organization_id
    )
    party = oidc_commands.relying_party(await at.keyring_of_servers(), config)
    steps = await try_out(Providers(provider_options(at.settings)), party)
    print_list(map(step_row, steps), as_json=as_json)
    return steps[-1].succeeded


@group.command("remove-oidc")
@idp_argument
@for_idp
async def remove_oidc(at: Installation, idp: Named) -> None:
    """Remove the OpenID Connect settings of an identity provider, and end its sessions.

    The client secret is erased.
    """
    await oidc_commands.remove(
        at.database, OneIDP(idp_id=idp.id), **idp.by_operator, end_sessions=end_sessions_of_idp
    )
    click.echo(f"The OpenID Connect settings of '{idp}' were removed, and its sessions ended.")


@group.command("remove")
@idp_argument
@for_idp
async def remove(at: Installation, idp: Named) -> None:
    """Remove an identity provider with its settings and links, and end its sessions."""
    await idp_commands.remove(
        at.database, OneIDP(idp_id=idp.id), **idp.by_operator, end_sessions=end_sessions_of_idp
    )
    click.echo(f"The identity provider '{idp}' was removed, and its sessions ended.")
