"""`keystead smtp`."""

from collections.abc import Mapping
from typing import Any, Final

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListRow, print_list, print_object, step_row
from server.cli.parameters import gathered, json_option
from server.cli.secret_files import secret_of
from server.deliveries.smtp.transport import try_out
from server.smtp import commands as smtp_commands
from server.smtp.commands import AddSMTPConfig, TestSMTPConfig
from server.validation.fields import read
from server.wiring.options import smtp_options

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
        "password",
        type=click.File(),
        help="File with the password; -: standard input, or a hidden prompt at a terminal.",
    ),
)


def _fields(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of the options that are given. Prompts for a password."""
    password = secret_of(given["password"], prompt="Password", option="--password-file")
    if given["user"] == "" and password is None:
        password = ""
    fields = {**given, "password": password}
    return {name: value for name, value in fields.items() if value is not None}


_smtp_options: Final = gathered(_OPTIONS, _fields, into="fields")


@click.group("smtp", cls=CommandGroup)
def group() -> None:
    """Manage the SMTP configuration, by which mails are sent."""


@group.command("add")
@_smtp_options
@in_installation
async def add(at: Installation, fields: Mapping[str, Any]) -> None:
    """Add the SMTP configuration. Without --tls the connection may be unencrypted."""
    empty = dict.fromkeys(("sender_address", "sender_name", "host", "user", "password"), "")
    command = read(AddSMTPConfig, {**empty, "tls": False, **fields})
    keyring = await at.keyring_of_servers()
    await smtp_commands.add(at.database, keyring, command, actor=OPERATOR)
    click.echo("The SMTP configuration was added. To try it, run: keystead smtp test")


@group.command("show")
@json_option
@in_installation
async def show(at: Installation, *, as_json: bool) -> None:
    """Show the SMTP configuration without the password."""
    config = await smtp_commands.get(at.database)
    row: ListRow = {
        "host": config.host,
        "tls": config.tls,
        "sender_address": config.sender_address,
        "sender_name": config.sender_name,
        "user": config.user,
        "password_set": config.password_secret_id is not None,
        "change_date": config.details.change_date,
    }
    print_object(row, as_json=as_json)


@group.command("update")
@_smtp_options
@in_installation
async def update(at: Installation, fields: Mapping[str, Any]) -> None:
    """Change the SMTP configuration. Omitted options change nothing.

    The password must be given again when the host, --tls or the user changes.
    """
    if not fields:
        raise click.UsageError("Give at least one option. See: keystead smtp update --help")
    keyring = await at.keyring_of_servers()
    await smtp_commands.patch(at.database, keyring, fields, actor=OPERATOR)
    click.echo("The SMTP configuration was changed. To try it, run: keystead smtp test")


@group.command("test")
@click.option("--to", "receiver_address", default="", help="Address to send a test mail to.")
@json_option
@in_installation
async def test(at: Installation, receiver_address: str, *, as_json: bool) -> bool:
    """Test the SMTP configuration step by step. Exits with status 1 if a step fails.

    Without --to, no mail is sent. Columns: step, success, duration in milliseconds, reason and
    message of a failure, and facts.
    """
    command = read(TestSMTPConfig, {"unsaved_config": None, "receiver_address": receiver_address})
    keyring = await at.keyring_of_servers()
    steps = await try_out(
        await smtp_commands.destination_to_test(at.database, keyring, command),
        receiver_address=command.receiver_address or None,
        options=smtp_options(at.settings),
    )
    print_list(map(step_row, steps), as_json=as_json)
    return steps[-1].succeeded


@group.command("remove")
@in_installation
async def remove(at: Installation) -> None:
    """Remove the SMTP configuration, and erase its password. No mail is sent afterwards."""
    await smtp_commands.remove(at.database, actor=OPERATOR)
    click.echo("The SMTP configuration and its password were removed.")
