"""The templates of mails, the mails that were not delivered, and the SMTP server."""

import asyncio
from itertools import chain
from typing import Final

from server.crypto.keyring import load_keyring
from server.deliveries.smtp.alignment import alignment_problem
from server.deliveries.smtp.transport import try_out
from server.mail import store as mail_store
from server.mail.rendering import MailTemplateError
from server.net.trial import Step
from server.operate.doctor.findings import Finding, State, ok, problem, warning
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Statements
from server.values.counted import counted
from server.wiring.options import mail_templates, smtp_options

# Servers that are asked at once.
_AT_ONCE: Final = 16


def check_templates(settings: Settings) -> list[Finding]:
    """An invalid template prevents the start."""
    try:
        mail_templates(settings)
    except MailTemplateError as error:
        return problem("mail templates", str(error))
    return []


async def check_outbox(database: Statements) -> list[Finding]:
    """Reports failed and delayed mails, such as registration links, which nobody would notice."""
    if not await smtp_store.list_organizations(database):
        return warning(
            "mail", "No SMTP configuration is set, so no mail is sent. Add one: keystead smtp add"
        )
    return await _unaligned(database) + await _undelivered(database)


async def _unaligned(database: Statements) -> list[Finding]:
    """The configurations whose mails may fail by DMARC."""
    findings = []
    for organization_id in await smtp_store.list_organizations(database):
        config = await smtp_store.GET.one_or_none(database, organization_id=organization_id)
        problem = config and alignment_problem(config.sender_address, config.mailbox)
        if problem:
            of = f"Organization {organization_id}: " if organization_id else ""
            findings += warning("mail sender", f"{of}{problem}")
    return findings


async def _undelivered(database: Statements) -> list[Finding]:
    undelivered = await mail_store.undelivered(database)
    if undelivered.failed or undelivered.delayed:
        why = (
            f"the last reason was {undelivered.last_reason}"
            if undelivered.last_reason
            else "none of them was attempted: check that a server runs"
        )
        return warning(
            "mail",
            f"{counted(undelivered.failed, 'mail')} failed within a day,"
            f" {counted(undelivered.delayed, 'is', 'are')} overdue; {why}. See: keystead mail list",
        )
    return ok("mail", "An SMTP configuration is set, no mail is overdue or failed within a day.")


async def try_smtp(settings: Settings, database: Statements) -> list[Finding]:
    """The steps of a delivery by each configuration, up to the first failed one.

    No message is sent. Empty without a configuration.
    """
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    options = smtp_options(settings)
    tokens = MailboxTokens(database, keyring, options)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def tried(organization_id: str) -> list[Finding]:
        async with turns:
            to = await smtp_commands.destination(database, keyring, tokens, organization_id)
            steps = await try_out(to, receiver_address=None, options=options) if to else []
            return [_tried(step, organization_id) for step in steps]

    organizations = await smtp_store.list_organizations(database)
    return list(chain(*await asyncio.gather(*map(tried, organizations))))


def _tried(step: Step, organization_id: str) -> Finding:
    """Owners of organizations are responsible for their servers, so a failure breaks no other."""
    of = f" of organization {organization_id}" if organization_id else ""
    failed = State.WARNING if organization_id else State.PROBLEM
    return Finding(f"smtp {step.name}{of}", State.OK if step.succeeded else failed, step.message)
