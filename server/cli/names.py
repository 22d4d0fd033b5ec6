"""How a command names organizations and users, and who is meant."""

import click

from server.database import Database
from server.org import store as org_store
from server.user import store as user_store
from server.validation import case_folded, is_id

organization_option = click.option(
    "--org",
    "organization",
    default="default",
    show_default=True,
    help="Organization, by id or name.",
)


async def organization_id_of(database: Database, organization: str) -> str:
    if is_id(organization) and await org_store.exists(database, organization):
        return organization
    found = await org_store.find_by_name(database, case_folded(organization))
    if found is None:
        raise click.ClickException(
            f"There is no organization '{organization}'. List them: keystead org list"
        )
    return found


async def user_id_of(database: Database, user: str, organization: str) -> str:
    if is_id(user):
        return user
    organization_id = await organization_id_of(database, organization)
    found = await user_store.find_by_name(
        database, organization_id=organization_id, name_claim=case_folded(user)
    )
    if found is None:
        raise click.ClickException(
            f"There is no user '{user}' in '{organization}'. List them: keystead user list"
        )
    return found
