"""The templates of mails, the senders of organizations, and the SMTP servers."""

import asyncio
from itertools import chain
from typing import Final

from server.crypto.keyring import load_keyring
from server.deliveries.smtp.transport import try_out
from server.mail.rendering import MailTemplateError
from server.net.trial import Step
from server.settings.settings import Settings
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Statements
from server.system.checks.findings import Finding, State, problem
from server.system.checks.mail import check_sender
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


async def check_senders(database: Statements) -> list[Finding]:
    """The configurations of organizations, of which there may be thousands."""
    return [
        finding
        for organization_id in filter(None, await smtp_store.list_organizations(database))
        for finding in await check_sender(database, organization_id)
    ]


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
