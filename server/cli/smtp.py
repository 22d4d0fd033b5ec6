"""`keystead smtp`."""

import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import keyring_of_servers, run
from server.cli.lists import ListRow, print_list, print_object, step_row
from server.cli.parameters import json_option
from server.cli.secret_files import secret_of
from server.mail.smtp_client.transport import try_out
from server.net.trial import Step
from server.options import smtp_options
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.smtp.commands import AddSMTPConfig, TestSMTPConfig
from server.smtp.store import SMTPConfig
from server.store.database import Database
from server.validation.fields import read

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_OPTIONS: Final = (
    click.option("--host", help="Host and port of the SMTP server, as smtp.example.com:587."),
    click.option("--sender-address", help="Mail address that mails come from."),
    click.option("--sender-name", help="Name that mails come from."),
    click.option(
        "--tls/--no-tls",
        default=None,
        help="Whether the connection must be encrypted: implicit TLS on port 465, else STARTTLS.",
    ),
    click.option("--user", help="User at the SMTP server; empty: no authentication."),
    click.option(
        "--password-file",
        "password_file",
        type=click.File(),
        help="File with the password; -: standard input, or a hidden prompt at a terminal.",
    ),
)


def _smtp_options(decorated: Decorated) -> Decorated:
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The fields of the given options. Prompts for the password."""
    file = options.pop("password_file")
    password = secret_of(file, prompt="Password", option="--password-file")
    if options["user"] == "" and password is None:
        password = ""
    given = {**options, "password": password}
    return {name: value for name, value in given.items() if value is not None}


@click.group("smtp", cls=CommandGroup)
def group() -> None:
    """Manage the SMTP configuration, by which mails are sent."""


@group.command("add")
@_smtp_options
def add(**options: Any) -> None:
    """Add the SMTP configuration. Without --tls the connection may be unencrypted."""
    defaults = {"sender_address": "", "sender_name": "", "host": "", "tls": False, "user": ""}
    command = read(AddSMTPConfig, {**defaults, "password": "", **_given(options)})

    async def add_config(settings: Settings, database: Database) -> None:
        keyring = await keyring_of_servers(settings, database)
        await smtp_commands.add(database, keyring, command, actor=OPERATOR)

    run(add_config)
    click.echo("The SMTP configuration was added. To try it, run: keystead smtp test")


@group.command("show")
@json_option
def show(*, as_json: bool) -> None:
    """Show the SMTP configuration without the password."""
    config = run(lambda _settings, database: smtp_commands.get(database))
    print_object(_row(config), as_json=as_json)


def _row(config: SMTPConfig) -> ListRow:
    return {
        "host": config.host,
        "tls": config.tls,
        "sender_address": config.sender_address,
        "sender_name": config.sender_name,
        "user": config.user,
        "password_set": config.password_secret_id is not None,
        "change_date": config.details.change_date,
    }


@group.command("update")
@_smtp_options
def update(**options: Any) -> None:
    """Change the SMTP configuration. Omitted options change nothing.

    The password must be given again when the host, --tls or the user changes.
    """
    fields = _given(options)
    if not fields:
        raise click.UsageError("Give at least one option. See: keystead smtp update --help")

    async def change(settings: Settings, database: Database) -> None:
        keyring = await keyring_of_servers(settings, database)
        await smtp_commands.patch(database, keyring, fields, actor=OPERATOR)

    run(change)
    click.echo("The SMTP configuration was changed. To try it, run: keystead smtp test")


@group.command("test")
@click.option("--to", "receiver_address", default="", help="Address to send a test mail to.")
@json_option
def test(receiver_address: str, *, as_json: bool) -> None:
    """Test the SMTP configuration step by step. Exits with status 1 if a step fails.

    Without --to, no mail is sent. Columns: step, success, duration in milliseconds, reason and
    message of a failure, and facts.
    """
    command = read(TestSMTPConfig, {"unsaved_config": None, "receiver_address": receiver_address})

    async def try_config(settings: Settings, database: Database) -> list[Step]:
        keyring = await keyring_of_servers(settings, database)
        destination = await smtp_commands.destination_to_test(database, keyring, command)
        return await try_out(
            destination,
            receiver_address=command.receiver_address or None,
            options=smtp_options(settings),
        )

    steps = run(try_config)
    print_list(map(step_row, steps), as_json=as_json)
    if not steps[-1].succeeded:
        sys.exit(1)


@group.command("remove")
def remove() -> None:
    """Remove the SMTP configuration, and erase its password. No mail is sent afterwards."""
    run(lambda _settings, database: smtp_commands.remove(database, actor=OPERATOR))
    click.echo("The SMTP configuration and its password were removed.")
