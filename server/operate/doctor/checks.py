"""The checks of `keystead doctor`.

A check is a pure function of settings and facts. It returns one finding per problem, one finding if
there is no problem, and none if it does not apply.
"""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from server.net.trial import Step
from server.operate.doctor.facts import File, Files, Passkeys, Replication, Stored
from server.settings.ports import local_origin
from server.settings.settings import Settings
from server.settings.sources import PREFIX
from server.signing.schedule import Schedule
from server.values.host_port import split_host_port
from server.values.origins import is_local

_OLDEST_POSTGRESQL: Final = 150_000  # as in server_version_num: 15.0
_MOST_CLOCK_DIFFERENCE: Final = timedelta(seconds=5)
# Connections of each process besides its pool, see `database_pool_size` in settings.py.
_FOR_HEALTH: Final = 1
# Free space of the data directory. Besides the data, PostgreSQL keeps up to 1 GB of write-ahead log
# (max_wal_size), and stops without space for the next segment of 16 MB.
_LITTLE_SPACE: Final = 1_000_000_000
_TOO_LITTLE_SPACE: Final = 100_000_000
# Maximum delay of the publication of the next signing key.
_OVERDUE: Final = timedelta(hours=1)
_DEFAULT_PORT_OF_HTTP: Final = 80
# A certificate that expires within this time should have been renewed.
_SOON: Final = timedelta(days=14)
_OLDEST_UNCOVERED: Final = timedelta(hours=1)
_ANY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 -- to recognise them


class State(enum.StrEnum):
    """Severity: a problem breaks something, a warning may break something."""

    OK = enum.auto()
    WARNING = enum.auto()
    PROBLEM = enum.auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `message` describes the state and, unless it is ok, the remedy."""

    check: str
    state: State
    message: str


def unknown_variables(sentences: Sequence[str]) -> list[Finding]:
    """Warns of unknown variables, which are probably misspelled settings."""
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
            f" Serve it by TLS and set {PREFIX}PASSKEY_PAGE_URL.",
        )
    _, port = split_host_port(settings.http_address, lowest_port=0)
    tls = settings.tls_files is not None
    if (
        settings.passkey_page_url is None
        and page.scheme == "http"
        and (tls or port not in (0, page.port or _DEFAULT_PORT_OF_HTTP))
    ):
        here = local_origin(settings.http_address, tls=tls)
        return _warning(
            "link page",
            f"Registration links open {settings.passkey_page}, but the web port is {here} on this"
            f" machine. Name {here} first in {PREFIX}RP_ORIGINS, or set {PREFIX}PASSKEY_PAGE_URL.",
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
    """Without a certificate both ports use plaintext. A trusted proxy may protect the web port."""
    if settings.tls_files:
        return _ok("plaintext", "Both ports use TLS.")
    ports = [(f"{PREFIX}GRPC_ADDRESS", settings.grpc_address)]
    if not settings.trusted_proxies:
        ports.append((f"{PREFIX}HTTP_ADDRESS", settings.http_address))
    open_ports = [f"{name} is {address}" for name, address in ports if _is_for_others(address)]
    if open_ports:
        return _warning(
            "plaintext",
            f"{' and '.join(open_ports)}: other machines reach it in plaintext, which exposes"
            f" tokens. Set {PREFIX}TLS_CERTIFICATE_FILE and {PREFIX}TLS_KEY_FILE, listen on"
            " 127.0.0.1, or let only a proxy that terminates TLS reach it.",
        )
    return _ok(
        "plaintext",
        "Both ports can be reached only from this machine or through a trusted proxy.",
    )


def related_origins(settings: Settings) -> list[Finding]:
    """Only a browser on another machine can check that the list is published."""
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


def secret_files(_settings: Settings, seen: Files) -> list[Finding]:
    """A group may read secret files, as in Kubernetes, but not everybody."""
    return [
        Finding(
            "secret files",
            State.WARNING,
            f"{name} is in {path}, which every user can read. Run: chmod o-r {path}",
        )
        for name, path in seen.open_secrets.items()
    ] or _ok("secret files", "No setting has a secret in a file that everybody can read.")


def certificate(settings: Settings, seen: Files) -> list[Finding]:
    """An expired certificate does not prevent the start: clients may ignore the expiry."""
    if settings.tls_files is None:
        return []
    if seen.certificate is None:
        return _problem("certificate", seen.certificate_problem)
    expires_at, file = seen.certificate.expires_at, settings.tls_certificate_file
    if expires_at <= seen.now:
        return _problem(
            "certificate",
            f"{file} expired on {expires_at:%Y-%m-%d %H:%M} UTC, so clients refuse it. Renew it;"
            " running servers take over the new files.",
        )
    if seen.certificate.begins_at > seen.now:
        return _problem(
            "certificate",
            f"{file} is valid only from {seen.certificate.begins_at:%Y-%m-%d %H:%M} UTC on, so"
            " clients refuse it. Check the clock of this machine, or use another certificate.",
        )
    if expires_at - seen.now < _SOON:
        return _warning(
            "certificate",
            f"{file} expires on {expires_at:%Y-%m-%d %H:%M} UTC. Renew it; running servers take"
            " over the new files.",
        )
    return _ok("certificate", f"{file} is valid until {expires_at:%Y-%m-%d}.")


def client_authorities(settings: Settings, seen: Files) -> list[Finding]:
    """An expired authority prevents no start, but every handshake with its certificates fails."""
    if settings.tls_client_ca_file is None:
        return []
    if seen.client_authorities is None:
        return _problem("client CA", seen.client_authorities_problem)
    expires_at, file = seen.client_authorities.expires_at, settings.tls_client_ca_file
    if expires_at <= seen.now:
        return _problem(
            "client CA",
            f"A certificate in {file} expired on {expires_at:%Y-%m-%d %H:%M} UTC, so clients with"
            " certificates of this authority cannot connect. Replace it; running servers take over"
            " the new file.",
        )
    if expires_at - seen.now < _SOON:
        return _warning(
            "client CA",
            f"A certificate in {file} expires on {expires_at:%Y-%m-%d %H:%M} UTC. Replace it;"
            " running servers take over the new file.",
        )
    return _ok("client CA", f"The authorities in {file} are valid until {expires_at:%Y-%m-%d}.")


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
            " raise max_connections, or the connection limit of the role or database.",
        )
    return _ok("connections", f"Up to {wanted} of {seen.max_connections} available.")


def clock(_settings: Settings, seen: Stored) -> list[Finding]:
    """Expiry uses the clock of the database; logs and clients use the clock of this machine."""
    seconds = seen.clock_ahead.total_seconds()
    if abs(seen.clock_ahead) > _MOST_CLOCK_DIFFERENCE:
        return _warning(
            "clock",
            f"The database's clock is {abs(seconds):.0f} seconds"
            f" {'ahead of' if seconds > 0 else 'behind'} this machine's. Synchronize them by NTP."
            " Session JWTs have the database's time: services whose clock differs refuse them.",
        )
    return _ok("clock", "The clock of the database agrees with this machine's.")


def writes(settings: Settings, how: Replication) -> list[Finding]:
    """Whether PostgreSQL accepts writes, and keeps acknowledged writes after a failover."""
    if how.is_standby or how.is_read_only:
        return _problem(
            "writes",
            f"{'This is a standby' if how.is_standby else 'The database is read-only'}: every write"
            f" is refused. Name the leader in {PREFIX}DATABASE_URL, or all hosts, of which Keystead"
            " takes the one that takes writes.",
        )
    if how.synchronous_commit == "off":
        return _problem(
            "writes",
            "synchronous_commit is off: a crash loses writes that were acknowledged. Set it to on.",
        )
    return _several_machines(settings, how)


def _several_machines(settings: Settings, how: Replication) -> list[Finding]:
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    has_hosts = "," in urlsplit(url).netloc.rpartition("@")[2]
    if not how.synchronous_standby_names:
        if has_hosts:
            return _warning(
                "writes",
                f"{PREFIX}DATABASE_URL names several hosts, but synchronous_standby_names is empty:"
                " a failover loses writes that were acknowledged. With Patroni, set"
                " synchronous_mode and synchronous_mode_strict.",
            )
        return _ok("writes", "They are on disk when they are acknowledged.")
    if how.synchronous_commit == "local":
        return _problem(
            "writes",
            "synchronous_commit is local: it waits for no standby, so a failover loses writes that"
            " were acknowledged. Set it to on.",
        )
    return _ok("writes", "A synchronous standby has them when they are acknowledged.")


def patroni(_settings: Settings, how: Replication) -> list[Finding]:
    """Up to Patroni 3.0.2, synchronous replication does not keep acknowledged writes."""
    if not how.has_old_patroni:
        return []
    return _warning(
        "Patroni",
        "The Patroni of this PostgreSQL is older than 3.2; `patronictl version` shows its version."
        " Up to 3.0.2 with etcd's API v3, a leader that was frozen takes its lock back, and writes"
        " that its successor has acknowledged are lost. Upgrade Patroni to 3.2 or newer.",
    )


def secrets(_settings: Settings, seen: Stored) -> list[Finding]:
    """A secret that cannot be decrypted is lost."""
    wrong = [seen.keys_problem] if seen.keys_problem else seen.secrets_problems
    if wrong:
        return [Finding("stored secrets", State.PROBLEM, sentence) for sentence in wrong]
    return _ok("stored secrets", "All of them can be decrypted.")


def signing_keys(settings: Settings, seen: Stored) -> list[Finding]:
    """A server makes the first key at its start, and publishes the next key in time."""
    schedule, current = seen.signing_keys, seen.signing_keys.current
    if not settings.jwt_audiences and current is None:
        return []
    if current is None:
        return _warning(
            "signing keys", "There is none to sign session JWTs. Start the server, which makes one."
        )
    if current.signs_at > schedule.now:
        return _warning(
            "signing keys",
            f"The only due key was made for {current.signs_at:%Y-%m-%d %H:%M} UTC, which is in the"
            " future: the database's clock was wrong or is. Synchronize it by NTP.",
        )
    if settings.jwt_audiences and _is_overdue(schedule):
        return _warning(
            "signing keys",
            f"The next one is overdue since {schedule.rotates_at:%Y-%m-%d %H:%M} UTC. See that a"
            " server runs and read its log, or run: keystead rotate-signing-key",
        )
    if schedule.next is not None:
        return _ok(
            "signing keys", f"The next one signs from {schedule.next.signs_at:%Y-%m-%d %H:%M} UTC."
        )
    return _ok("signing keys", f"The next one is published on {schedule.rotates_at:%Y-%m-%d}.")


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
    """Reports failed and delayed mails, such as registration links, which nobody would notice."""
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


def checkpoints(_settings: Settings, seen: Stored) -> list[Finding]:
    """A server takes a checkpoint every ten minutes."""
    age = seen.uncovered_for
    if age is not None and age > _OLDEST_UNCOVERED:
        return _warning(
            "event log",
            f"Events of {age // timedelta(hours=1)} hour(s) ago are in no checkpoint. Check that a"
            " server runs and whether its log names failures of housekeeping, or run: keystead"
            " audit checkpoint",
        )
    return _ok("event log", "Its checkpoints are up to date. To check them: keystead audit verify")


def partitions(_settings: Settings, seen: Stored) -> list[Finding]:
    """Events get into the default partition if the clock was wrong, or no partition was added."""
    if seen.misplaced_events:
        return _warning(
            "event partitions",
            f"{seen.misplaced_events} event(s), from {seen.misplaced_since:%Y-%m-%d} on, have no"
            " partition for their month. They are read as usual and cannot be archived. Check the"
            " clock of the database, and whether the log names failures of housekeeping.",
        )
    return []


def rebuild(_settings: Settings, seen: Stored) -> list[Finding]:
    """A rebuild that was interrupted leaves its tables, so that the next one continues."""
    if seen.rebuild is None:
        return []
    events, replayed, is_running = seen.rebuild
    done = f"{replayed} of {events} events are replayed"
    if is_running:
        return _ok("rebuild", f"`keystead rebuild` is running: {done}.")
    return _warning(
        "rebuild",
        f"`keystead rebuild` was interrupted: {done}. Run it again to continue. To discard it, run"
        " this SQL: drop schema keystead_rebuild cascade",
    )


def indexes(_settings: Settings, seen: Stored) -> list[Finding]:
    """A migration takes an index that an operator made before, even if it is not complete."""
    return [
        finding
        for name in seen.invalid_indexes
        for finding in _problem(
            "indexes",
            f"The index {name} is incomplete and not used: its creation was interrupted. Create it"
            f" again by this SQL: reindex index concurrently {name}",
        )
    ]


def smtp_steps(steps: Sequence[Step]) -> list[Finding]:
    """The test stops at the first failed step."""
    states = {True: State.OK, False: State.PROBLEM}
    return [Finding(f"smtp {step.name}", states[step.succeeded], step.message) for step in steps]


def _of_passkeys(
    check: Callable[[Settings, Passkeys], list[Finding]],
) -> Callable[[Settings, Stored], list[Finding]]:
    return lambda settings, seen: check(settings, seen.passkeys)


def _of_replication(
    check: Callable[[Settings, Replication], list[Finding]],
) -> Callable[[Settings, Stored], list[Finding]]:
    return lambda settings, seen: check(settings, seen.replication)


OF_SETTINGS: Final = (default_rp_id, plaintext, related_origins, link_page)
OF_FILES: Final = (
    *(data_dir, disk_space, private_files, secret_files),
    *(certificate, client_authorities, mail_templates),
)
OF_DATABASE: Final = (
    *(server_version, connections, clock),
    *map(_of_replication, (writes, patroni)),
    *(secrets, signing_keys, owners),
    *map(_of_passkeys, (rp_id, origins, user_verification)),
    mail,
    checkpoints,
    partitions,
    rebuild,
    indexes,
)


def _is_overdue(schedule: Schedule) -> bool:
    """Whether the next key is overdue. A server publishes a due key within ten minutes."""
    return schedule.rotates_at is not None and schedule.rotates_at + _OVERDUE < schedule.now


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
