"""The checks of `keystead doctor`.

A check is a pure function of settings and facts. It returns one finding if all is well, otherwise
one per problem, and none if it does not apply.
"""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from server.mail.smtp_client.transport import Step
from server.operate.doctor.facts import File, Files, Passkeys, Stored
from server.settings.settings import PREFIX, Settings, local_origin
from server.values.host_port import split_host_port
from server.values.origins import is_local

_OLDEST_POSTGRESQL: Final = 150_000  # as in server_version_num: 15.0
_MOST_CLOCK_DIFFERENCE: Final = timedelta(seconds=5)
# Connections of each process besides its pool, see `database_pool_size` in settings.py.
_FOR_HEALTH: Final = 1
# Free space of the data directory. PostgreSQL keeps up to 1 GB of its log (max_wal_size) beside the
# data, and stops when there is no space for the next 16 MB of it.
_LITTLE_SPACE: Final = 1_000_000_000
_TOO_LITTLE_SPACE: Final = 100_000_000
_DEFAULT_PORT_OF_HTTP: Final = 80
_ANY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 -- to recognise them


class State(enum.StrEnum):
    """Severity: a problem breaks something, a warning may break something."""

    OK = enum.auto()
    WARNING = enum.auto()
    PROBLEM = enum.auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `message` describes the state and, if it is wrong, the remedy."""

    check: str
    state: State
    message: str


def unknown_variables(sentences: Sequence[str]) -> list[Finding]:
    """Unknown variables are probably misspelled settings."""
    return [Finding("settings", State.WARNING, sentence) for sentence in sentences]


def settings(unknown: Sequence[str]) -> list[Finding]:
    """The settings are valid; invalid ones end the command earlier."""
    return unknown_variables(unknown) or _ok("settings", "All are valid.")


def link_page(settings: Settings) -> list[Finding]:
    """The page of registration links must belong to the relying party."""
    page = urlsplit(settings.passkey_page)
    origin = f"{page.scheme}://{page.netloc.lower()}"
    if page.scheme == "http" and not is_local(page.hostname or ""):
        return _problem(
            "link page",
            f"{settings.passkey_page} is not served by https, so browsers offer no passkeys there."
            f" Put TLS in front and set {PREFIX}PASSKEY_PAGE_URL.",
        )
    _, port = split_host_port(settings.http_address, lowest_port=0)
    if (
        settings.passkey_page_url is None
        and page.scheme == "http"
        and port not in (0, page.port or _DEFAULT_PORT_OF_HTTP)
    ):
        return _warning(
            "link page",
            f"Registration links open {settings.passkey_page}, but {PREFIX}HTTP_ADDRESS has port"
            f" {port}. Name {local_origin(settings.http_address)} first in {PREFIX}RP_ORIGINS, or"
            f" set {PREFIX}PASSKEY_PAGE_URL.",
        )
    if origin not in settings.passkey_origins:
        return _problem(
            "link page",
            f"{settings.passkey_page} is on none of {PREFIX}RP_ORIGINS, so every registration by a"
            f" link is refused. Add {origin} there, or change {PREFIX}PASSKEY_PAGE_URL.",
        )
    return _ok("link page", f"Registration links open {settings.passkey_page}.")


def default_rp_id(settings: Settings) -> list[Finding]:
    """A server that other machines reach needs an RP ID other than localhost."""
    if _is_for_others(settings.http_address) and is_local(settings.rp_id):
        return _warning(
            "relying party",
            f"{PREFIX}RP_ID is {settings.rp_id}, while the server listens on"
            f" {settings.http_address}: passkeys work only in browsers on this machine. Set"
            f" {PREFIX}RP_ID and {PREFIX}RP_ORIGINS to the domain that users see.",
        )
    return _ok("relying party", f"{settings.rp_id}, on {', '.join(settings.rp_origins)}.")


def plaintext(settings: Settings) -> list[Finding]:
    """Both ports are plaintext. A trusted proxy may protect the web port."""
    ports = [(f"{PREFIX}GRPC_ADDRESS", settings.grpc_address)]
    if not settings.trusted_proxies:
        ports.append((f"{PREFIX}HTTP_ADDRESS", settings.http_address))
    open_ports = [f"{name} is {address}" for name, address in ports if _is_for_others(address)]
    if open_ports:
        return _warning(
            "plaintext",
            f"{' and '.join(open_ports)}: other machines reach it in plaintext, which exposes"
            " tokens. Listen on 127.0.0.1, or let only a proxy that terminates TLS reach"
            " it.",
        )
    return _ok(
        "plaintext",
        "Both ports can be reached only from this machine or through a trusted proxy.",
    )


def related_origins(settings: Settings) -> list[Finding]:
    """Whether browsers get the list can only be checked from outside of this machine."""
    if not settings.rp_related_origins:
        return []
    return _ok(
        "related origins",
        f"{', '.join(settings.rp_related_origins)}. Browsers ask"
        f" https://{settings.rp_id}/.well-known/webauthn for them: see that it leads here.",
    )


def data_dir(settings: Settings, seen: Files) -> list[Finding]:
    """Users who can write to the data directory can replace the keys."""
    folder = seen.data_dir
    if not folder.is_usable:
        return _problem(
            "data directory",
            f"This user cannot write to {folder.path} or create it. Run Keystead as its owner, or"
            f" set {PREFIX}DATA_DIR to another directory.",
        )
    if not folder.exists:
        return _warning("data directory", f"{folder.path} does not exist; the server creates it.")
    if folder.others_may_write:
        return _problem(
            "data directory",
            f"Other users can write to {folder.path}. Run: chmod go-w {folder.path}",
        )
    return _ok("data directory", f"Only its owner can change {folder.path}.")


def disk_space(_settings: Settings, seen: Files) -> list[Finding]:
    """On a full disk the embedded database refuses all writes, and then stops."""
    if seen.free_bytes is None:
        return []
    left = f"{seen.free_bytes // 1_000_000} MB are free for the embedded database"
    advice = (
        f"Make room where {seen.data_dir.path} is, or move that folder, with no server running,"
        f" and set {PREFIX}DATA_DIR."
    )
    if seen.free_bytes < _TOO_LITTLE_SPACE:
        return _problem("disk space", f"Only {left}: writes fail, or soon will. {advice}")
    if seen.free_bytes < _LITTLE_SPACE:
        return _warning("disk space", f"Only {left}, which may need 1000 MB for a while. {advice}")
    return _ok("disk space", f"{left}.")


def private_files(settings: Settings, seen: Files) -> list[Finding]:
    """Only the owner may read the keys and the first token."""
    wanted = [seen.token_file] if settings.encryption_keys else [seen.key_file, seen.token_file]
    present = [file for file in wanted if file.exists]
    wrong = [
        *(_not_usable(file) for file in present if not file.is_usable),
        *(
            f"{file.path} can be read by others than its owner. Run: chmod 600 {file.path}"
            for file in present
            if file.others_may_read or file.others_may_write
        ),
    ]
    if wrong:
        return [Finding("private files", State.PROBLEM, sentence) for sentence in wrong]
    return _ok("private files", "Nobody else can read them.")


def mail_templates(_settings: Settings, seen: Files) -> list[Finding]:
    """An invalid template prevents the start; an unreadable directory hides all templates."""
    folder = seen.mail_templates_dir
    if folder is None:
        return []
    if not folder.is_usable:
        return _problem("mail templates", f"{PREFIX}MAIL_TEMPLATES_DIR: {_not_usable(folder)}")
    if seen.mail_templates_problem:
        return _problem("mail templates", seen.mail_templates_problem)
    return _ok("mail templates", f"The templates in {folder.path} are valid.")


def server_version(_settings: Settings, seen: Stored) -> list[Finding]:
    """Older releases lack features that the statements use."""
    shown = f"PostgreSQL {seen.version // 10_000}"
    if seen.version < _OLDEST_POSTGRESQL:
        oldest = _OLDEST_POSTGRESQL // 10_000
        return _problem("database", f"{shown} is too old: use {oldest} or newer.")
    return _ok("database", f"{shown}, with the schema of this release.")


def connections(settings: Settings, seen: Stored) -> list[Finding]:
    """All workers must be able to open all of their connections."""
    wanted = settings.workers * (settings.database_pool_size + _FOR_HEALTH)
    if wanted > seen.max_connections:
        return _problem(
            "connections",
            f"{settings.workers} worker(s) open up to {wanted} connections, PostgreSQL gives"
            f" {seen.max_connections}: calls fail under load. Lower {PREFIX}DATABASE_POOL_SIZE, or"
            " raise max_connections.",
        )
    return _ok("connections", f"Up to {wanted} of {seen.max_connections} available.")


def clock(_settings: Settings, seen: Stored) -> list[Finding]:
    """Expiry uses the clock of the database, logs and clients that of this machine."""
    seconds = seen.clock_ahead.total_seconds()
    if abs(seen.clock_ahead) > _MOST_CLOCK_DIFFERENCE:
        return _warning(
            "clock",
            f"The database's clock is {abs(seconds):.0f} seconds"
            f" {'ahead of' if seconds > 0 else 'behind'} this machine's. Synchronize them by NTP.",
        )
    return _ok("clock", "The clock of the database agrees with this machine's.")


def secrets(_settings: Settings, seen: Stored) -> list[Finding]:
    """A secret that cannot be decrypted is lost."""
    wrong = [seen.keys_problem] if seen.keys_problem else seen.secrets_problems
    if wrong:
        return [Finding("stored secrets", State.PROBLEM, sentence) for sentence in wrong]
    return _ok("stored secrets", "All of them can be decrypted.")


def owners(_settings: Settings, seen: Stored) -> list[Finding]:
    """Without an administrator, only the command line can administer the instance."""
    if not seen.owners:
        return _problem(
            "administrator",
            "No user has the role INSTANCE_OWNER. Start the server once if this is a new database,"
            " otherwise run: keystead user grant USER INSTANCE_OWNER",
        )
    if not seen.owners_with_token:
        return _problem(
            "administrator",
            "No user with the role INSTANCE_OWNER has a token that is valid. Run: keystead token"
            " create USER",
        )
    return _ok("administrator", f"{seen.owners_with_token} with a valid token.")


def rp_id(settings: Settings, seen: Passkeys) -> list[Finding]:
    """A passkey works for one RP ID only (WebAuthn L3 §4, RP ID)."""
    if seen.stranded:
        return _problem(
            "passkeys",
            f"{PREFIX}RP_ID is {settings.rp_id}, but {seen.stranded} of {seen.passkeys} passkey(s),"
            f" of {seen.stranded_users} user(s), belong to {', '.join(seen.other_rp_ids)} and"
            " no longer work. Restore the setting. To move to another domain, keep it and add the"
            f" new origins to {PREFIX}RP_RELATED_ORIGINS.",
        )
    return _ok("passkeys", f"{seen.passkeys}, all of this relying party.")


def origins(_settings: Settings, seen: Passkeys) -> list[Finding]:
    """Passkeys registered on a removed origin still work on the other origins."""
    if seen.elsewhere:
        return _warning(
            "passkey origins",
            f"{seen.elsewhere} passkey(s) were registered on {', '.join(seen.other_origins)}, which"
            f" {PREFIX}RP_ORIGINS no longer contains. They still work on its origins. If users"
            " still visit the removed one, add it again.",
        )
    return _ok("passkey origins", "All were registered on configured origins.")


def user_verification(settings: Settings, seen: Passkeys) -> list[Finding]:
    """A device without PIN, fingerprint or face cannot verify its user."""
    if settings.rp_user_verification == "required" and seen.unverified:
        return _problem(
            "user verification",
            f"{PREFIX}RP_USER_VERIFICATION is required, but {seen.unverified} passkey(s), of"
            f" {seen.unverified_users} user(s), were registered without it. Users whose device"
            " cannot verify them are locked out. Set it to preferred, or ask them to register"
            " another passkey.",
        )
    return _ok("user verification", f"It is {settings.rp_user_verification}.")


def mail(_settings: Settings, seen: Stored) -> list[Finding]:
    """Nobody notices a failed mail, such as a registration link, by itself."""
    if not seen.has_smtp:
        return _warning(
            "mail", "No SMTP configuration is set, so no mail is sent. Add one with AddSMTPConfig."
        )
    if seen.failed_mails or seen.delayed_mails:
        why = (
            f"the last reason was {seen.last_failure}"
            if seen.last_failure
            else "none of them was attempted: check that a server runs"
        )
        return _warning(
            "mail",
            f"{seen.failed_mails} mail(s) failed within a day, {seen.delayed_mails} are overdue;"
            f" {why}. See: keystead mail list",
        )
    return _ok("mail", "An SMTP configuration is set, no mail is overdue or failed within a day.")


def smtp_steps(steps: Sequence[Step]) -> list[Finding]:
    """The test stops at the first failed step."""
    states = {True: State.OK, False: State.PROBLEM}
    return [Finding(f"smtp {step.name}", states[step.succeeded], step.message) for step in steps]


def _of_passkeys(
    check: Callable[[Settings, Passkeys], list[Finding]],
) -> Callable[[Settings, Stored], list[Finding]]:
    return lambda settings, seen: check(settings, seen.passkeys)


OF_SETTINGS: Final = (default_rp_id, plaintext, related_origins, link_page)
OF_FILES: Final = (data_dir, disk_space, private_files, mail_templates)
OF_DATABASE: Final = (
    *(server_version, connections, clock, secrets, owners),
    *map(_of_passkeys, (rp_id, origins, user_verification)),
    mail,
)


def _is_for_others(address: str) -> bool:
    """Whether other machines can reach a server that listens on this address."""
    host, _ = split_host_port(address, lowest_port=0)
    return host in _ANY_ADDRESS or not (is_local(host) or host.startswith("127.") or host == "::1")


def _ok(check: str, message: str) -> list[Finding]:
    return [Finding(check, State.OK, message)]


def _warning(check: str, message: str) -> list[Finding]:
    return [Finding(check, State.WARNING, message)]


def _problem(check: str, message: str) -> list[Finding]:
    return [Finding(check, State.PROBLEM, message)]


def _not_usable(file: File) -> str:
    why = "cannot be read by this user" if file.exists else "is missing"
    return f"{file.path} {why}."
