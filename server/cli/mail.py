"""`keystead mail`."""

import click

from server.access.caller import OPERATOR
from server.cli.groups import CommandGroup
from server.cli.installation import Installation, in_installation
from server.cli.lists import ListRow, print_list
from server.cli.parameters import json_option, limit_option
from server.deliveries.results import DeliveryState
from server.mail import commands as mail_commands
from server.mail import store as mail_store
from server.mail.store import Mail
from server.validation.fields import read
from server.validation.paging import NEWEST


@click.group("mail", cls=CommandGroup)
def group() -> None:
    """List and retry mails to users."""


@group.command("list")
@click.option(
    "--state",
    type=click.Choice(DeliveryState, case_sensitive=False),
    help="Only mails in this state.",
)
@limit_option(50)
@json_option
@in_installation
async def list_(
    at: Installation, *, state: DeliveryState | None, limit: int, as_json: bool
) -> None:
    """List mails, newest first.

    Columns: ID, kind, state, address, creation time, reason and message of the last delivery
    attempt, and the time of the next attempt while the mail is pending.
    """
    found = await mail_store.list_before(
        at.database, before=NEWEST, state=state, user_id="", limit=limit
    )
    print_list(map(_row, found), as_json=as_json)


def _row(mail: Mail) -> ListRow:
    last = mail.attempts[-1] if mail.attempts else None
    return {
        "mail_id": mail.mail_id,
        "kind": mail.kind,
        "state": mail.state,
        "recipient_address": mail.recipient_address,
        "created_at": mail.created_at,
        "reason": last.reason if last else "",
        "message": last.message if last else "",
        "next_attempt_at": mail.next_attempt_at if mail.state is DeliveryState.PENDING else None,
    }


@group.command("retry")
@click.argument("mail_id", help="ID of the mail, see `keystead mail list`.")
@in_installation
async def retry(at: Installation, mail_id: str) -> None:
    """Retry a failed or pending mail immediately.

    A running server delivers it; without one the mail stays pending.
    """
    command = read(mail_commands.RetryMail, {"mail_id": mail_id})
    await mail_commands.retry(at.database, command, actor=OPERATOR)
    click.echo("The mail is due now. To see whether it is sent, run: keystead mail list")
