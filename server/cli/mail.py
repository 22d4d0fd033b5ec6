"""`keystead mail`."""

import click

from server.cli.installation import run
from server.cli.lists import Row, json_option, limit_option, print_list
from server.mail import commands as mail_commands
from server.mail import store as mail_store
from server.mail.store import Mail, MailState
from server.validation.fields import read_fields
from server.values.errors import Failure


@click.group("mail")
def group() -> None:
    """Mails to users, and what became of them."""


@group.command("list")
@click.option(
    "--state", type=click.Choice(MailState, case_sensitive=False), help="Only in this state."
)
@limit_option(50)
@json_option
def list_(state: MailState | None, limit: int, *, as_json: bool) -> None:
    """List mails, newest first.

    The columns: id, kind, state, address, when it was written, of the last try the reason why it
    failed and what was said, and while it is pending when it is tried again at the earliest.
    """
    found = run(
        lambda _settings, database: mail_store.list_before(
            database,
            before=mail_store.NEWEST,
            state=state,
            user_id="",
            limit=limit,
        )
    )
    print_list(map(_row, found), as_json=as_json)


def _row(mail: Mail) -> Row:
    last = mail.attempts[-1] if mail.attempts else None
    return {
        "mail_id": mail.mail_id,
        "kind": mail.kind,
        "state": mail.state,
        "recipient_address": mail.recipient_address,
        "created_at": mail.created_at,
        "reason": last.reason if last else "",
        "message": last.message if last else "",
        "next_attempt_at": mail.next_attempt_at if mail.state is MailState.PENDING else None,
    }


@group.command("retry")
@click.argument("mail_id", help="As `keystead mail list` shows it.")
def retry(mail_id: str) -> None:
    """Have a mail that failed or waits tried at once.

    By the servers that run: without one it waits.
    """
    command = read_fields(mail_commands.RetryMail, {"mail_id": mail_id})
    try:
        run(lambda _settings, database: mail_commands.retry(database, command))
    except Failure as failure:
        raise click.ClickException(f"{mail_id}: {failure.message}") from None
