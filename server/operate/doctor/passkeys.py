"""The passkeys that do not suit the settings of the relying party."""

from ipaddress import ip_network
from typing import Final

from server.passkey import former_store
from server.passkey.counts import Counts, count
from server.relying_party.http_client import ClientOptions, Connections
from server.relying_party.reasons import ProviderError
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.store.database import Statements
from server.system.checks.findings import Finding, ok, problem, warning
from server.values.counted import counted
from server.values.origins import is_web
from server.wiring.options import rp_ids

# The operator chose the names, so their addresses may be of any network.
_EVERYWHERE: Final = (ip_network("0.0.0.0/0"), ip_network("::/0"))


async def check(settings: Settings, database: Statements) -> list[Finding]:
    """The passkeys that conflict with the settings."""
    counts = await _count(settings, database)
    return [
        *_stranded(settings, counts),
        *await _former(settings, database),
        *_origins(counts),
        *_user_verification(settings, counts),
    ]


async def check_usability(settings: Settings, database: Statements) -> list[Finding]:
    """The passkeys that no longer work."""
    counts = await _count(settings, database)
    return [*_stranded(settings, counts), *_user_verification(settings, counts)]


async def check_former(settings: Settings) -> list[Finding]:
    """The documents by which browsers learn that these pages may use passkeys of former RP IDs."""
    options = ClientOptions(_EVERYWHERE, settings.idp_ca_file)
    async with Connections(options) as connections:
        return [
            finding
            for rp_id in settings.former_rp_ids
            for finding in await _document(settings, rp_id, connections)
        ]


async def _document(settings: Settings, rp_id: str, connections: Connections) -> list[Finding]:
    address = f"https://{rp_id}/.well-known/webauthn"
    try:
        listed = (await connections.get(address)).json().get("origins")
        why = ""
    except ProviderError as error:
        listed, why = None, f" {error}"
    known = listed if isinstance(listed, list) else []
    missing = [each for each in settings.passkey_origins if is_web(each) and each not in known]
    if missing:
        return warning(
            "former domain",
            f"{address} does not list {', '.join(missing)}, so browsers use passkeys of {rp_id}"
            f" only at {settings.origins_of_former(rp_id)[0]}.{why}",
            "Let this address lead to the web port, which serves the document.",
        )
    return ok("former domain", f"{address} lists the origins of today.")


async def _count(settings: Settings, database: Statements) -> Counts:
    return await count(database, rp_ids(settings), origins=settings.passkey_origins)


def _stranded(settings: Settings, counts: Counts) -> list[Finding]:
    """A passkey works for one RP ID only (WebAuthn L3 §4, RP ID)."""
    if counts.stranded:
        return problem(
            "passkeys",
            f"{PREFIX}RP_ID is {settings.rp_id}, so {counts.stranded} of"
            f" {counted(counts.passkeys, 'passkey')}, of {counted(counts.stranded_users, 'user')},"
            f" can no longer be used (registered for {', '.join(counts.other_rp_ids)}).",
            f"Add the former ID to {PREFIX}FORMER_RP_IDS, if you have its domain.",
        )
    return ok("passkeys", f"{counts.passkeys}, all of known RP IDs.")


async def _former(settings: Settings, database: Statements) -> list[Finding]:
    """The people who have moved to the RP ID of today, and who would be locked out otherwise."""
    if not settings.former_rp_ids:
        return []
    everyone = await rp_ids(settings).removal("").count(database)
    finding = ok(
        "move",
        f"{everyone.moved_count} of {counted(everyone.user_count, 'user')} with passkeys of"
        f" {', '.join(settings.former_rp_ids)} have one of {settings.rp_id}.",
    )
    for rp_id in settings.former_rp_ids:
        removed = await rp_ids(settings).removal(rp_id).count(database)
        finding += ok("move", _removal_of(rp_id, removed))
    return finding


def _removal_of(rp_id: str, removed: former_store.MoveCounts) -> str:
    """What the removal of this ID would change."""
    if not removed.unmoved_count:
        return f"{rp_id} can be removed from {PREFIX}FORMER_RP_IDS: it locks out nobody."
    return (
        f"Without {rp_id} in {PREFIX}FORMER_RP_IDS, {counted(removed.unmoved_count, 'user')} would"
        f" have no passkey to sign in with; `keystead passkey unmoved --rp-id {rp_id}` lists them."
    )


def _origins(counts: Counts) -> list[Finding]:
    """Passkeys registered on a removed origin still work on the other origins."""
    if counts.elsewhere:
        return warning(
            "passkey origins",
            f"{counted(counts.elsewhere, 'passkey was', 'passkeys were')} registered on"
            f" {', '.join(counts.other_origins)}, which {PREFIX}RP_ORIGINS no longer contains."
            " They still work on its origins.",
            "If users still visit the removed one, add it again.",
        )
    return ok("passkey origins", "All were registered on configured origins.")


def _user_verification(settings: Settings, counts: Counts) -> list[Finding]:
    """A device without PIN, fingerprint or face cannot verify its user."""
    if settings.rp_user_verification == "required" and counts.unverified:
        return problem(
            "user verification",
            f"{PREFIX}RP_USER_VERIFICATION is required, but"
            f" {counted(counts.unverified_users, 'user')} registered"
            f" {counted(counts.unverified, 'passkey')} without it. Users whose device"
            " cannot verify them are locked out.",
            "Set it to preferred, or ask them to register another passkey.",
        )
    return ok("user verification", f"It is {settings.rp_user_verification}.")
