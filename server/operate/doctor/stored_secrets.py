"""Stored secrets: whether the configured keys decrypt them."""

from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.deliveries.smtp.connection import TransportOptions
from server.mail import mail_secrets
from server.push import signing_secrets
from server.settings.settings import Settings
from server.signing import store as signing_store
from server.signing.private_key import decrypted
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.smtp.oauth.tokens import MailboxTokens
from server.store.database import Statements
from server.system.checks.findings import Finding, State, ok
from server.values.errors import Failure, Kind


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """A secret that cannot be decrypted is lost."""
    return [
        Finding("stored secrets", State.PROBLEM, sentence)
        for sentence in await _problems(settings, database)
    ] or ok("stored secrets", "All of them can be decrypted.")


async def _problems(settings: Settings, database: Statements) -> list[str]:
    needed = await key_ids_in_use(database)
    if not needed and not settings.encryption_keys and not settings.key_file.exists():
        return []  # the server creates the key at its start
    try:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        keyring.must_have(needed)
    except EncryptionKeyError as error:
        return [str(error)]
    return [
        *await _of_smtp(database, keyring),
        *await _of_mails(database, keyring),
        *await _of_subscriptions(database, keyring),
        *await _of_signing_keys(database, keyring),
    ]


async def _of_smtp(database: Statements, keyring: Keyring) -> list[str]:
    tokens = MailboxTokens(database, keyring, TransportOptions())
    problems = []
    for organization_id in await smtp_store.list_organizations(database):
        try:
            await smtp_commands.destination(database, keyring, tokens, organization_id)
        except Failure as failure:
            if failure.kind is not Kind.FAILED_PRECONDITION:
                raise
            of = f"Organization {organization_id}: " if organization_id else ""
            problems.append(f"{of}{failure.message}")
    return problems


async def _of_mails(database: Statements, keyring: Keyring) -> list[str]:
    return [
        f"A secret of the mail {mail_id}: {error}"
        async for mail_id, error in mail_secrets.unreadable(database, keyring)
    ]


async def _of_subscriptions(database: Statements, keyring: Keyring) -> list[str]:
    return [
        f"A secret of the subscription {subscription_id}: {error}"
        async for subscription_id, error in signing_secrets.unreadable(database, keyring)
    ]


async def _of_signing_keys(database: Statements, keyring: Keyring) -> list[str]:
    problems = []
    schedules, secrets = await signing_store.get(database)
    for algorithm, schedule in schedules.items():
        for key in schedule.keys:
            try:
                decrypted(keyring, key.kid, secrets.get(key.kid))
            except EncryptionKeyError as error:
                problems.append(
                    f"The signing key {key.kid}: {error} To sign with a new one, run: keystead"
                    f" rotate-signing-key --now --algorithm {algorithm}"
                )
    return problems
