"""`keystead session`."""

from datetime import timedelta
from functools import partial

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListAfter, columns, listed
from server.cli.names import Named, for_user, in_organization
from server.cli.parameters import json_option, organization_option
from server.session import commands as session_commands
from server.session import store as session_store
from server.validation.fields import read
from server.values.counted import counted
from server.wiring.dependencies import OTHER_FEATURES


@click.group("session", cls=CommandGroup)
def group() -> None:
    """List and end sessions of users."""


_ROW = columns(
    "session_id",
    "device_name",
    "ip_address",
    "last_seen_at",
    "idle_expires_at as expires_at",
    "passkey_id",
    "user_agent",
    "user_name",
)


@group.command("list")
@click.argument(
    "user",
    required=False,
    help="User, by ID, or by name in the organization of --org. Default: all its users.",
)
@organization_option
@json_option
def list_(user: str | None, organization: str, *, as_json: bool) -> None:
    """List the sessions of a user or of an organization.

    Columns: ID, device, IP address, time of the last use, expiry time, ID of the passkey, user
    agent, user name.
    """
    if user is None:
        _list_of_organization(organization=organization, as_json=as_json)
    else:
        _list_of_user(user=user, organization=organization, as_json=as_json)


@for_user
@listed(_ROW)
def _list_of_user(at: Installation, user: Named) -> ListAfter:
    return partial(
        session_store.LIST.all, at.database, user_id=user.id, idle_timeout=_idle_timeout(at)
    )


@in_organization
@listed(_ROW)
def _list_of_organization(at: Installation, organization: Named) -> ListAfter:
    place: session_store.Place | None = session_store.START

    # The place is more than the ID of the last session, and pages before the end can be short.
    async def list_after(*, after: str, limit: int) -> list[session_store.Session]:
        nonlocal place
        found: list[session_store.Session] = []
        while place is not None and len(found) < limit:
            page, place = await session_store.list_page(
                at.database,
                organization_id=organization.id,
                query="",
                method="",
                after=place,
                size=limit - len(found),
                idle_timeout=_idle_timeout(at),
            )
            found += page
        return found

    return list_after


def _idle_timeout(at: Installation) -> timedelta:
    return timedelta(seconds=at.settings.session_idle_timeout)


@group.command("end")
@click.argument(
    "session_id", required=False, help="ID of the session, see `keystead session list`."
)
@click.option(
    "--all",
    "user",
    metavar="USER",
    help="End all sessions of this user, by ID, or by name in the organization of --org.",
)
@organization_option
def end(session_id: str | None, user: str | None, organization: str) -> None:
    """End a session, or all sessions of a user.

    Running servers refuse their tokens within 5 seconds.
    """
    if (session_id is None) == (user is None):
        raise click.UsageError("Give either SESSION_ID or --all USER.")
    if session_id is not None:
        _end_one(session_id=session_id)
    else:
        _end_all(user=user, organization=organization)


@for_user
async def _end_all(at: Installation, user: Named) -> None:
    command = read(session_commands.EndSessions, {"user_id": user.id, "keep_current": False})
    _, number = await session_commands.end_all(
        at.database, command, actor=OPERATOR, end_ceremonies=OTHER_FEATURES.end_begun_by
    )
    click.echo(f"{counted(number, 'session')} of '{user}' ended.")


@in_installation
async def _end_one(at: Installation, session_id: str) -> None:
    user_id = await session_store.find_user(at.database, session_id)
    if user_id is None:
        raise click.ClickException(
            f"There is no session '{session_id}'. List those of a user: keystead session list"
        )
    command = read(session_commands.EndSession, {"user_id": user_id, "session_id": session_id})
    await session_commands.end(
        at.database, command, actor=OPERATOR, end_ceremonies=OTHER_FEATURES.end_begun_by
    )
    click.echo(f"The session ended: {session_id}")
