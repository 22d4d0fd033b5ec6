"""The running servers, and the keys that they encrypt with."""

from server.crypto import encryption_keys
from server.crypto.encryption_keys import RunningServer, described
from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.settings.settings import Settings
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, problem, warning
from server.values.counted import counted


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """Every server encrypts with the first key of these settings."""
    servers = await encryption_keys.list_servers(database)
    try:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
    except EncryptionKeyError:
        keyring = None  # reported with the stored secrets, if there are any
    return judged(servers, keyring)


def judged(servers: list[RunningServer], keyring: Keyring | None) -> list[Finding]:
    """The findings about these servers."""
    if not servers:
        return ok("servers", "None is running.")
    findings = []
    if refused := [each for each in servers if not each.is_listed]:
        findings += problem(
            "servers",
            "These cannot store secrets, because `keystead rotate-keys` replaced their first key:"
            f" {described(refused)}.",
            "Restart them with the current keys.",
        )
    key_id = keyring.writing_key_id if keyring else None
    others = [each for each in servers if each.is_listed and each.writing_key_id != key_id]
    if key_id and others:
        findings += warning(
            "servers",
            f"These do not encrypt with the first key of these settings, {key_id}:"
            f" {described(others)}.",
            "Restart them with the same keys; until then `keystead rotate-keys` refuses.",
        )
    running = counted(len(servers), "server runs", "servers run")
    return findings or ok("servers", f"{running}: {described(servers)}.")
