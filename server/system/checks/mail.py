"""The senders of mails, and the mails that were not delivered."""

from server.deliveries.smtp.alignment import alignment_problem
from server.mail import store as mail_store
from server.smtp import store as smtp_store
from server.store.database import Statements
from server.system.checks.findings import Finding, warning
from server.system.checks.reasons import FindingReason, Said, found
from server.values.counted import counted


async def check(database: Statements) -> list[Finding]:
    """Reports failed and delayed mails, such as registration links, which nobody would notice."""
    if not await smtp_store.exists(database):
        return found(FindingReason.MAIL_NOT_CONFIGURED)
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
    if not (undelivered.failed or undelivered.delayed):
        return found(FindingReason.MAILS)
    values = {
        "failed": Said(counted(undelivered.failed, "mail"), undelivered.failed),
        "delayed": Said(counted(undelivered.delayed, "is", "are"), undelivered.delayed),
    }
    if undelivered.last_reason:
        return found(FindingReason.MAILS_UNDELIVERED, reason=undelivered.last_reason, **values)
    return found(FindingReason.MAILS_NOT_ATTEMPTED, **values)
