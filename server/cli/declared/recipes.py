"""`keystead app create`: an application with given fields, or with those of a program (--for)."""

from collections.abc import Mapping
from typing import Any, Final

import click

from server.application.recipes import (
    NAMES,
    Recipe,
    SettingsText,
    application_at,
    note_at,
    recipe,
    settings_at,
    without_path,
)
from server.cli.declared.call import OperatorCall
from server.cli.declared.form import Input, Values, set_fields
from server.cli.declared.services import handler_of
from server.cli.installation import Installation

# The options besides the fields of an application.
OPTIONS: Final = (
    Input(
        ("program",),
        click.Option(
            ["--for", "program"],
            type=click.Choice(NAMES),
            help="A program of docs/software.md.",
        ),
    ),
    Input(
        ("host",),
        click.Option(
            ["--host"],
            metavar="HOST",
            help="With --for, the host of the program, such as grafana.example.com or, on your own"
            " machine, http://localhost:3000.",
        ),
    ),
)
_OF_PROGRAMS: Final = {("program",), ("host",)}


async def create(at: Installation, call: OperatorCall, values: Values) -> Mapping[str, Any]:
    """Creates an application; with --for also its secret and the settings of the program."""
    # Imported here: help texts do without them.
    from google.protobuf.json_format import ParseDict  # noqa: PLC0415

    from keystead.application.v1 import application_service_pb2 as pb  # noqa: PLC0415

    chosen, host = _chosen(values)
    fields = {path: value for path, value in values.items() if path not in _OF_PROGRAMS}
    request = pb.CreateApplicationRequest()
    set_fields(request, fields)
    if chosen:
        of_recipe: Any = ParseDict(application_at(chosen, host), pb.Application())
        for place, *rest in fields:
            if place == "application":
                of_recipe.ClearField(rest[0])
        request.application.MergeFrom(of_recipe)
    service = "ApplicationService"
    created = await handler_of(at, service, "CreateApplication", None)(request, call)
    found = {"application_id": created.application_id, "settings": ""}
    if chosen:
        secret = request.secret
        if not secret and any("{client_secret}" in each.text for each in chosen.settings):
            asked = pb.CreateApplicationSecretRequest(application_id=created.application_id)
            answer = await handler_of(at, service, "CreateApplicationSecret", None)(asked, call)
            secret = answer.secret
        client = {"client_id": created.application_id, "client_secret": secret}
        settings = settings_at(chosen, host, issuer=at.settings.issuer, **client)
        found["settings"] = _text(settings, note_at(chosen, issuer=at.settings.issuer))
    return found


def _chosen(values: Values) -> tuple[Recipe | None, str]:
    """The program of --for, and its host. `UsageError`."""
    given = {path[-1]: value for path, value in values.items()}
    if ("program" in given) != ("host" in given):
        raise click.UsageError("Give --for and --host together.")
    if "program" in given:
        if without_path(given["host"]) != given["host"].rstrip("/"):
            raise click.UsageError(
                "--host must have no path. For a program below a path, create the application with"
                " the host alone, and correct its redirect URIs: keystead app set"
            )
        return recipe(given["program"]), given["host"]
    if "name" not in given or "kind" not in given:
        raise click.UsageError("Give a name and --kind, or a program with --for and --host.")
    return None, ""


def _text(settings: list[SettingsText], note: str) -> str:
    """The settings, each below the place where it belongs."""
    parts = [f"{each.where}:\n\n{each.text.strip()}\n" for each in settings]
    return "\n" + "\n".join([*parts, note]).rstrip()
