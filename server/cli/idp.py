"""`keystead idp`."""

import sys
from collections.abc import AsyncIterable
from functools import partial
from typing import Any

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import keyring_of_servers
from server.cli.lists import ListRow, all_rows, print_list, print_object, step_row
from server.cli.names import list_in_organization, run_for_idp, run_in_organization
from server.cli.oidc_options import fields_of, oidc_options, preset_of
from server.cli.parameters import idp_argument, json_option, organization_option
from server.command_wiring import end_sessions_of_idp
from server.idp import commands as idp_commands
from server.idp import store as idp_store
from server.idp.commands import PATCHABLE, AddIDP, OneIDP, PatchIDP, StylingType
from server.idp.oidc import commands as oidc_commands
from server.idp.oidc import store as oidc_store
from server.idp.oidc.commands import SetOIDCConfig
from server.idp.oidc.presets import PRESETS
from server.idp.relying_party.provider import Providers
from server.idp.relying_party.trial import try_out
from server.idp.store import IDP
from server.net.trial import Step
from server.options import provider_options
from server.settings.settings import Settings
from server.store.database import Database, Statements
from server.validation.fields import read

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
@oidc_options
@organization_option
def add(name: str | None, organization: str, *, auto_register: bool, **options: Any) -> None:
    """Add an identity provider with its OpenID Connect settings, and print its ID.

    The button has the colours of the provider if there are any, otherwise the look of the page.
    """
    preset = preset_of(options)
    colored = options["background_color"] or options["logo"] or preset.background_color
    fields = {
        "name": preset.name if name is None else name,
        "styling_type": StylingType(bool(colored)),
        "auto_register": auto_register,
    }
    command, oidc_fields = read(AddIDP, fields), fields_of(options)

    async def add_whole(settings: Settings, database: Database, organization_id: str) -> str:
        keyring = await keyring_of_servers(settings, database)
        async with database.transaction() as transaction:
            idp_id, _ = await idp_commands.add(
                transaction, command, actor=OPERATOR, organization_id=organization_id
            )
            await oidc_commands.set_config(
                transaction,
                keyring,
                read(SetOIDCConfig, {"idp_id": idp_id, **oidc_fields}),
                actor=OPERATOR,
                organization_id=organization_id,
                end_sessions=end_sessions_of_idp,
            )
        return idp_id

    click.echo(run_in_organization(organization, add_whole))


@group.command("list")
@list_in_organization
def list_(_settings: Settings, database: Database, organization_id: str) -> AsyncIterable[ListRow]:
    """List identity providers: ID, name and whether unknown people get a user."""
    list_after = partial(idp_store.list_after, database, organization_id=organization_id)
    return all_rows(list_after, _row)


def _row(idp: IDP) -> ListRow:
    return {"idp_id": idp.idp_id, "name": idp.name, "auto_register": idp.auto_register}


@group.command("show")
@idp_argument
@organization_option
@json_option
def show(idp: str, organization: str, *, as_json: bool) -> None:
    """Show an identity provider and its OpenID Connect settings, without the client secret."""

    async def read(
        _settings: Settings, database: Database, idp_id: str, organization_id: str
    ) -> ListRow:
        command = OneIDP(idp_id=idp_id)
        found = await idp_commands.get(database, command, organization_id=organization_id)
        return {
            **_row(found),
            "styling_type": StylingType(found.styling_type).name,
            **await _oidc_row(database, idp_id),
        }

    print_object(run_for_idp(idp, organization, read), as_json=as_json)


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
    }


@group.command("set")
@idp_argument
@click.option("--name", help="Name on the button.")
@click.option("--auto-register/--no-auto-register", default=None, help=_auto_register_help)
@organization_option
def set_(idp: str, name: str | None, organization: str, *, auto_register: bool | None) -> None:
    """Change an identity provider. Omitted options change nothing."""
    fields = {**dict.fromkeys(PATCHABLE), "name": name, "auto_register": auto_register}
    mask = tuple(field for field, value in fields.items() if value is not None)
    if not mask:
        raise click.UsageError("Give --name, --auto-register or --no-auto-register.")
    run_for_idp(
        idp,
        organization,
        lambda _settings, database, idp_id, organization_id: idp_commands.change(
            database,
            read(PatchIDP, {"idp": {"idp_id": idp_id, **fields}, "update_mask": mask}).idp,
            actor=OPERATOR,
            organization_id=organization_id,
        ),
    )
    click.echo(f"The identity provider '{idp}' was changed.")


@group.command("set-oidc")
@idp_argument
@oidc_options
@organization_option
def set_oidc(idp: str, organization: str, **options: Any) -> None:
    """Set or replace all OpenID Connect settings of an identity provider.

    The stored client secret is kept if none is given, unless issuer or client ID change.
    """
    oidc_fields = fields_of(options)

    async def set_whole(
        settings: Settings, database: Database, idp_id: str, organization_id: str
    ) -> None:
        await oidc_commands.set_config(
            database,
            await keyring_of_servers(settings, database),
            read(SetOIDCConfig, {"idp_id": idp_id, **oidc_fields}),
            actor=OPERATOR,
            organization_id=organization_id,
            end_sessions=end_sessions_of_idp,
        )

    run_for_idp(idp, organization, set_whole)
    click.echo(
        f"The OpenID Connect settings of '{idp}' were set. To try them, run: keystead idp test"
    )


@group.command("test")
@idp_argument
@organization_option
@json_option
def test(idp: str, organization: str, *, as_json: bool) -> None:
    """Test the OpenID Connect settings step by step. Exits with status 1 if a step fails.

    Columns: step, success, duration in milliseconds, reason and message of a failure, and facts.
    """

    async def try_settings(
        settings: Settings, database: Database, idp_id: str, organization_id: str
    ) -> list[Step]:
        command = OneIDP(idp_id=idp_id)
        config = await oidc_commands.get(database, command, organization_id=organization_id)
        party = oidc_commands.relying_party(await keyring_of_servers(settings, database), config)
        return await try_out(Providers(provider_options(settings)), party)

    steps = run_for_idp(idp, organization, try_settings)
    print_list(map(step_row, steps), as_json=as_json)
    if not steps[-1].succeeded:
        sys.exit(1)


@group.command("remove-oidc")
@idp_argument
@organization_option
def remove_oidc(idp: str, organization: str) -> None:
    """Remove the OpenID Connect settings of an identity provider, and end its sessions.

    The client secret is erased.
    """
    run_for_idp(
        idp,
        organization,
        lambda _settings, database, idp_id, organization_id: oidc_commands.remove(
            database,
            OneIDP(idp_id=idp_id),
            actor=OPERATOR,
            organization_id=organization_id,
            end_sessions=end_sessions_of_idp,
        ),
    )
    click.echo(f"The OpenID Connect settings of '{idp}' were removed, and its sessions ended.")


@group.command("remove")
@idp_argument
@organization_option
def remove(idp: str, organization: str) -> None:
    """Remove an identity provider with its settings and links, and end its sessions."""
    run_for_idp(
        idp,
        organization,
        lambda _settings, database, idp_id, organization_id: idp_commands.remove(
            database,
            OneIDP(idp_id=idp_id),
            actor=OPERATOR,
            organization_id=organization_id,
            end_sessions=end_sessions_of_idp,
        ),
    )
    click.echo(f"The identity provider '{idp}' was removed, and its sessions ended.")
