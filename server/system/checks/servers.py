"""The running servers, and the keys that they encrypt with."""

from server.crypto import encryption_keys
from server.crypto.encryption_keys import RunningServer, described
from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.settings.settings import Settings
from server.store.database import Statements
from server.system.checks.findings import Finding
from server.system.checks.reasons import FindingReason, Said, found
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
        return found(FindingReason.SERVERS_NONE)
    findings = []
    if refused := [each for each in servers if not each.is_listed]:
        findings += found(FindingReason.SERVERS_WITHOUT_KEY, servers=_said(refused))
    key_id = keyring.writing_key_id if keyring else None
    others = [each for each in servers if each.is_listed and each.writing_key_id != key_id]
    if key_id and others:
        findings += found(
            FindingReason.SERVERS_WITH_OTHER_KEYS, key_id=key_id, servers=_said(others)
        )
    number = Said(counted(len(servers), "server runs", "servers run"), len(servers))
    return findings or found(FindingReason.SERVERS, number=number, servers=_said(servers))


def _said(servers: list[RunningServer]) -> Said:
    named = (f"{each.host_name} {each.process_id} ({', '.join(each.key_ids)})" for each in servers)
    return Said(described(servers), ", ".join(named))
