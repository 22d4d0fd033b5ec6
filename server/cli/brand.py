"""`keystead brand`."""

from typing import IO

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import print_object
from server.cli.names import organization_id_of
from server.cli.parameters import json_option, requires_one
from server.org.brand import commands
from server.validation.logos import MAX_LOGO_BYTES

_of = click.option(
    "--org",
    "organization",
    help="Organization, by ID or name.  [default: the instance]",
)


@click.group("brand", cls=CommandGroup)
def group() -> None:
    """Manage the look of pages: name, logo, colour and support address."""


@group.command("set")
@_of
@click.option("--name", help="Name; empty: that of the instance, or KEYSTEAD_RP_NAME.")
@click.option(
    "--logo",
    type=click.File("rb"),
    help="PNG, JPEG or WebP image of at most 32 KiB; an empty file: none.",
)
@click.option(
    "--color",
    help="Colour #rrggbb of buttons and links, with a contrast of 4.5 with white; empty: none.",
)
@click.option("--support", "support_address", help="Mail address of the support; empty: none.")
@requires_one(
    "Give at least one option with a new value.", "name", "logo", "color", "support_address"
)
@in_installation
async def set_(
    at: Installation, organization: str | None, *, logo: IO[bytes] | None, **given: str | None
) -> None:
    """Change the brand of the instance, or of an organization.

    Omitted options change nothing. An organization shows the brand of the instance where it has
    none of its own. Running servers show the new brand within 5 seconds.
    """
    changes: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if logo is not None:
        changes["logo"] = logo.read(MAX_LOGO_BYTES + 1)
    await commands.change(
        at.database,
        changes,
        actor=OPERATOR,
        organization_id=await _organization_id(at, organization),
    )
    whose = "the instance" if organization is None else f"'{organization}'"
    click.echo(f"The brand of {whose} was changed.")


@group.command("show")
@_of
@json_option
@in_installation
async def show(at: Installation, organization: str | None, *, as_json: bool) -> None:
    """Show the brand of the instance, or of an organization."""
    organization_id = await _organization_id(at, organization)
    brand = await (
        commands.get(at.database, organization_id)
        if organization_id
        else commands.get_of_instance(at.database)
    )
    print_object(
        {
            "name": brand.name,
            "color": brand.color,
            "support_address": brand.support_address,
            "logo_bytes": len(brand.logo),
        },
        as_json=as_json,
    )


async def _organization_id(at: Installation, organization: str | None) -> str | None:
    if organization is None:
        return None
    return await organization_id_of(at.database, organization)
