"""`keystead mail`."""

import click

from server.cli.installation import run
from server.mail import commands as mail_commands
from server.mail import store as mail_store
from server.validation import read_fields


@click.group("mail")
def group() -> None:
    """Mails to users, and what became of them."""


@group.command("list")
@click.option(
    "--state",
    type=click.Choice([state.value for state in mail_store.MailState]),
    help="Only in this state.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="The latest so many.",
)
def mail_list(state: str | None, limit: int) -> None:
    """List mails, newest first: id, kind, state, address and what the last try said."""
    states = [mail_store.MailState(state)] if state else [*mail_store.MailState]
    for each in run(
        lambda _settings, database: mail_store.list_before(
            database, before=mail_store.NEWEST, states=states, user_id="", limit=limit
        )
    ):
        last = each.attempts[-1] if each.attempts else None
        said = f"{last.reason} {last.message}".strip() if last else ""
        address = each.recipient_address
        click.echo(f"{each.mail_id}\t{each.kind}\t{each.state}\t{address}\t{said}".rstrip())


@group.command("retry")
@click.argument("mail_id")
def mail_retry(mail_id: str) -> None:
    """Have a mail that failed or waits tried at once, by the server that runs."""
    command = read_fields(mail_commands.RetryMail, {"mail_id": mail_id})
    run(lambda _settings, database: mail_commands.retry(database, command))
