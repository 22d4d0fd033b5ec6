"""The senders of mails, and the mails that were not delivered."""

from server.deliveries.smtp.alignment import alignment_problem
from server.mail import store as mail_store
from server.smtp import store as smtp_store
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, warning
from server.values.counted import counted


async def check(database: Statements) -> list[Finding]:
    """Reports failed and delayed mails, such as registration links, which nobody would notice."""
    if not await smtp_store.exists(database):
        return warning(
            "mail",
            "No SMTP configuration is set, so no mail is sent.",
            "Add one: keystead smtp add",
        )
    return await check_sender(database, "") + await _undelivered(database)


async def check_sender(database: Statements, organization_id: str) -> list[Finding]:
    """Whether mails of a configuration may fail by DMARC; the empty one is that of the instance."""
    config = await smtp_store.GET.one_or_none(database, organization_id=organization_id)
    problem = config and alignment_problem(config.sender_address, config.mailbox)
    if not problem:
        return []
    of = f"Organization {organization_id}: " if organization_id else ""
    return warning("mail sender", f"{of}{problem}")


async def _undelivered(database: Statements) -> list[Finding]:
    undelivered = await mail_store.undelivered(database)
    if undelivered.failed or undelivered.delayed:
        why = (
            f"the last reason was {undelivered.last_reason}"
            if undelivered.last_reason
            else "none of them was attempted"
        )
        check_that_one_runs = "" if undelivered.last_reason else "Check that a server runs. "
        return warning(
            "mail",
            f"{counted(undelivered.failed, 'mail')} failed within a day,"
            f" {counted(undelivered.delayed, 'is', 'are')} overdue; {why}.",
            f"{check_that_one_runs}See: keystead mail list",
        )
    return ok("mail", "An SMTP configuration is set, no mail is overdue or failed within a day.")
