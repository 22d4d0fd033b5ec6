"""`keystead app`."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from server.application import commands, secrets, store
from server.application.configuration import ApplicationKind
from server.application.fields import (
    PATCHABLE,
    AddApplication,
    OneApplication,
    OneApplicationSecret,
    PatchApplication,
)
from server.cli.app_options import application_options, enum_option
from server.cli.groups import CommandGroup
from server.cli.installation import Installation
from server.cli.lists import ListAfter, ListRow, columns, listed, print_object, print_value
from server.cli.names import Named, for_application, in_organization
from server.cli.parameters import application_argument, json_option, requires_one
from server.validation.fields import read
from server.wiring.dependencies import GROUPS

_NOTHING = dict.fromkeys(PATCHABLE)
_row = columns("application_id", "configuration.name as name", "kind")


@click.group("app", cls=CommandGroup)
def group() -> None:
    """Manage applications: the clients of OAuth 2.0 and OpenID Connect."""


@group.command("add")
@click.argument("name", help="Name that people see.")
@enum_option(
    "--kind",
    values=ApplicationKind,
    required=True,
    help="web: with a server, which keeps a secret or key; browser and native: public; service:"
    " without people; gate: behind a proxy. It cannot be changed.",
)
@application_options
@in_organization
@json_option
async def add(
    at: Installation,
    organization: Named,
    *,
    fields: Mapping[str, Any] | None,
    as_json: bool,
    **given: str,
) -> None:
    """Add an application and print its ID, which is its client ID."""
    application_id, _ = await commands.add(
        at.database,
        read(AddApplication, {"application": {**_NOTHING, **(fields or {}), **given}}).application,
        **organization.by_operator,
        groups=GROUPS,
        own_origins=at.settings.own_origins,
    )
    print_value("application_id", application_id, as_json=as_json)


@group.command("list")
@in_organization
@listed(_row)
def list_(at: Installation, organization: Named) -> ListAfter:
    """List applications: ID, name and kind."""
    return partial(store.LIST.all, at.database, organization_id=organization.id)


@group.command("show")
@application_argument
@for_application
@json_option
async def show(at: Installation, app: Named, *, as_json: bool) -> None:
    """Show an application, with the IDs of its groups and the IDs and dates of its secrets."""
    found = await commands.get(
        at.database,
        OneApplication(application_id=app.id),
        organization_id=app.organization_id,
        groups=GROUPS,
    )
    print_object({**_row(found), **_configuration_row(found)}, as_json=as_json)


def _configuration_row(application: store.Application) -> ListRow:
    configuration = application.configuration
    fields = {name: getattr(configuration, name) for name in PATCHABLE if name != "logo"}
    created = {
        each.secret_id: each.creation_date.isoformat(timespec="seconds")
        for each in application.secrets
    }
    fields["workload_issuers"] = [asdict(each) for each in configuration.workload_issuers]
    return {**fields, "logo_bytes": len(configuration.logo), "secrets": created}


@group.command("set")
@application_argument
@click.option("--name", help="Name that people see.")
@application_options
@requires_one("Give at least one option with a new value.", "name", "fields")
@for_application
async def set_(
    at: Installation, app: Named, *, fields: Mapping[str, Any] | None, name: str | None
) -> None:
    """Change an application. Omitted options change nothing.

    An authentication method without secrets removes the secrets.
    """
    given = {**_NOTHING, **(fields or {}), "name": name}
    mask = tuple(field for field, value in given.items() if value is not None)
    patch = {"application": {"application_id": app.id, **given}, "update_mask": mask}
    await commands.patch(
        at.database,
        read(PatchApplication, patch).application,
        **app.by_operator,
        groups=GROUPS,
        own_origins=at.settings.own_origins,
    )
    click.echo(f"The application '{app}' was changed.")


@group.command("remove")
@application_argument
@for_application
async def remove(at: Installation, app: Named) -> None:
    """Remove an application with its secrets."""
    await commands.remove(at.database, OneApplication(application_id=app.id), **app.by_operator)
    click.echo(f"The application '{app}' was removed.")


@group.command("create-secret")
@application_argument
@for_application
@json_option
async def create_secret(at: Installation, app: Named, *, as_json: bool) -> None:
    """Create a secret of an application and print it. It cannot be read again.

    Two secrets can be valid, so that one can replace the other without an interruption.
    """
    created = await secrets.create(
        at.database, OneApplication(application_id=app.id), **app.by_operator
    )
    print_value("secret", created.secret, as_json=as_json)


@group.command("remove-secret")
@application_argument
@click.argument("secret_id", help="ID of the secret, see `keystead app show`.")
@for_application
async def remove_secret(at: Installation, app: Named, secret_id: str) -> None:
    """Remove a secret of an application."""
    await secrets.remove(
        at.database,
        read(OneApplicationSecret, {"application_id": app.id, "secret_id": secret_id}),
        **app.by_operator,
    )
    click.echo(f"The secret was removed: {secret_id}")
