"""The findings that `GetSystem` names: their checks, states and sentences.

The rule: a reason never changes its meaning. `{name}` is a value of the finding. The console has
these sentences in other languages (`web/words/*/findings.ts`).
"""

import enum
from dataclasses import dataclass
from typing import NamedTuple

from server.settings.sources import PREFIX
from server.system.checks.findings import Finding, State

_OK = State.OK
_WARNING = State.WARNING
_PROBLEM = State.PROBLEM

_CLOSE_FILE = "Run: chmod o-r {path}"
_SPACE = (
    "Free space on the disk of {folder}, or stop all servers, move that directory and set"
    f" {PREFIX}DATA_DIR."
)
_CERTIFICATE = "Renew it; running servers take over new files."
_PUSHES = (
    "{failed} failed within a day, {tried_again} tried again after a failed attempt, {targets} no"
    " answer"
)
_PUSHES_LISTED = "See, with --org: keystead push deliveries"
_ON = "Set it to on."


@dataclass(frozen=True, slots=True)
class Text:
    """The texts of a finding and its state. The name of the check may have a value, too."""

    check: str
    state: State
    fact: str
    remedy: str = ""


class FindingReason(enum.Enum):
    """A result of a check."""

    READY = Text("readiness", _OK, "The server takes calls.")

    SETTINGS_VALID = Text("settings", _OK, "All are valid.")
    RP_ID_LOCAL = Text(
        "relying party",
        _WARNING,
        f"{PREFIX}RP_ID is {{rp_id}}, while the server listens on {{address}}: passkeys work only"
        " in browsers on this machine.",
        f"Set {PREFIX}RP_ID and {PREFIX}RP_ORIGINS to the domain that users see.",
    )
    RP_ID = Text("relying party", _OK, "{rp_id}, on {origins}.")
    LINK_PAGE_PLAINTEXT = Text(
        "link page",
        _PROBLEM,
        "{page} is not served over https, so browsers offer no passkeys there.",
        f"Serve it over TLS and set {PREFIX}PASSKEY_PAGE_URL.",
    )
    LINK_PAGE_ELSEWHERE = Text(
        "link page",
        _WARNING,
        "Registration links open {page}, but the web port is {here} on this machine.",
        f"Name {{here}} first in {PREFIX}RP_ORIGINS, or set {PREFIX}PASSKEY_PAGE_URL.",
    )
    LINK_PAGE_FOREIGN = Text(
        "link page",
        _PROBLEM,
        f"{{page}} is on none of {PREFIX}RP_ORIGINS, so every registration by a link is refused.",
        f"Add {{origin}} there, or change {PREFIX}PASSKEY_PAGE_URL.",
    )
    LINK_PAGE = Text("link page", _OK, "Registration links open {page}.")

    PORTS_TLS = Text("plaintext", _OK, "Both ports use TLS.")
    PORTS_OPEN = Text(
        "plaintext",
        _WARNING,
        "{ports}: other machines reach it in plaintext, which exposes tokens.",
        f"Set {PREFIX}TLS_CERTIFICATE_FILE and {PREFIX}TLS_KEY_FILE, listen on 127.0.0.1, or let"
        " only a proxy that terminates TLS reach it.",
    )
    PORTS_LOCAL = Text(
        "plaintext",
        _OK,
        "Both ports can be reached only from this machine or through a trusted proxy.",
    )
    PROXIES_EVERYWHERE = Text(
        "trusted proxies",
        _WARNING,
        f"{PREFIX}TRUSTED_PROXIES has {{networks}}: every client that reaches the web port chooses"
        " the address that rate limits and logs use.",
        "Name only the networks of your proxies.",
    )
    CERTIFICATE_FUTURE = Text(
        "certificate",
        _PROBLEM,
        "{file} is valid only from {time} UTC on, so clients refuse it.",
        "Check the clock of this machine, or use another certificate.",
    )
    CERTIFICATE_EXPIRED = Text(
        "certificate",
        _PROBLEM,
        "{file} expired on {time} UTC, so clients refuse it.",
        _CERTIFICATE,
    )
    CERTIFICATE_EXPIRES = Text(
        "certificate", _WARNING, "{file} expires on {time} UTC.", _CERTIFICATE
    )
    CERTIFICATE_VALID = Text("certificate", _OK, "{file} is valid until {date}.")
    CLIENT_CA_EXPIRED = Text(
        "client CA",
        _PROBLEM,
        "A certificate in {file} expired on {time} UTC, so clients with certificates of this"
        " authority cannot connect.",
        _CERTIFICATE,
    )
    CLIENT_CA_EXPIRES = Text(
        "client CA",
        _WARNING,
        "A certificate in {file} expires on {time} UTC.",
        _CERTIFICATE,
    )
    CLIENT_CA_VALID = Text("client CA", _OK, "A certificate in {file} is valid until {date}.")
    EXTENSIONS_MISSING = Text(
        "extensions of the certificate",
        _WARNING,
        "RFC 5280 requires {extension} of {subject} in {file}. Without it strict clients, such as"
        " Python 3.13, refuse the certificate.",
        "Have it issued again, as docs/operating-tls.md shows.",
    )
    EXTENSIONS = Text(
        "extensions of the certificate",
        _OK,
        "{file} has the extensions that RFC 5280 requires.",
    )

    FOLDER_CLOSED = Text(
        "data directory",
        _PROBLEM,
        "This user cannot write to {folder} or create it.",
        f"Run Keystead as its owner, or set {PREFIX}DATA_DIR to another directory.",
    )
    FOLDER_MISSING = Text(
        "data directory",
        _WARNING,
        "{folder} does not exist; the server creates it.",
    )
    FOLDER_OPEN = Text(
        "data directory",
        _PROBLEM,
        "Other users can write to {folder}.",
        "Run: chmod go-w {folder}",
    )
    FOLDER = Text("data directory", _OK, "Only its owner can change {folder}.")
    SPACE_TOO_LITTLE = Text(
        "disk space",
        _PROBLEM,
        "Only {megabytes} MB are free for the embedded database: writes fail, or soon will.",
        _SPACE,
    )
    SPACE_LITTLE = Text(
        "disk space",
        _WARNING,
        "Only {megabytes} MB are free for the embedded database, which may need 1000 MB for a"
        " while.",
        _SPACE,
    )
    SPACE = Text("disk space", _OK, "{megabytes} MB are free for the embedded database.")
    SECRET_READABLE = Text(
        "secret files",
        _WARNING,
        "{name} is in {path}, which every user can read.",
        _CLOSE_FILE,
    )
    ADMIN_TOKEN_READABLE = Text(
        "secret files",
        _WARNING,
        "The token of the first administrator is in {path}, which every user can read.",
        _CLOSE_FILE,
    )
    SECRETS_CLOSED = Text("secret files", _OK, "No secret is in a file that everybody can read.")

    DATABASE_OLD = Text(
        "database",
        _PROBLEM,
        "PostgreSQL {version} is too old.",
        "Use {oldest} or newer.",
    )
    DATABASE = Text("database", _OK, "PostgreSQL {version}, with the schema of this release.")
    CONNECTIONS_TOO_FEW = Text(
        "connections",
        _PROBLEM,
        "{workers} up to {wanted} connections, PostgreSQL allows {allowed}: calls fail under load.",
        f"Lower {PREFIX}DATABASE_POOL_SIZE, or raise max_connections, or the connection limit of"
        " the role or database.",
    )
    CONNECTIONS = Text("connections", _OK, "Up to {wanted} of {allowed} available.")
    CLOCK_AHEAD = Text(
        "clock",
        _WARNING,
        "The database's clock is {seconds} seconds ahead of this machine's. Session JWTs have the"
        " database's time: services whose clock differs refuse them.",
        "Synchronize them by NTP.",
    )
    CLOCK_BEHIND = Text(
        "clock",
        _WARNING,
        "The database's clock is {seconds} seconds behind this machine's. Session JWTs have the"
        " database's time: services whose clock differs refuse them.",
        "Synchronize them by NTP.",
    )
    CLOCK = Text("clock", _OK, "The clock of the database agrees with this machine's.")
    INDEX_INCOMPLETE = Text(
        "indexes",
        _PROBLEM,
        "The index {name} is incomplete and not used: its creation was interrupted.",
        "Create it again by this SQL: reindex index concurrently {name}",
    )
    COMMIT_OFF = Text(
        "writes",
        _PROBLEM,
        "synchronous_commit is off: a crash loses writes that were acknowledged.",
        _ON,
    )
    COMMIT_LOCAL = Text(
        "writes",
        _PROBLEM,
        "synchronous_commit is local: it waits for no standby, so a failover loses writes that were"
        " acknowledged.",
        _ON,
    )
    NO_SYNCHRONOUS_STANDBY = Text(
        "writes",
        _WARNING,
        f"{PREFIX}DATABASE_URL names several hosts, but synchronous_standby_names is empty: a"
        " failover loses writes that were acknowledged.",
        "With Patroni, set synchronous_mode and synchronous_mode_strict.",
    )
    WRITES_ON_DISK = Text("writes", _OK, "They are on disk when they are acknowledged.")
    WRITES_ON_STANDBY = Text(
        "writes",
        _OK,
        "A synchronous standby has them when they are acknowledged.",
    )
    PATRONI_OLD = Text(
        "Patroni",
        _WARNING,
        "The Patroni of this PostgreSQL is older than 3.2; `patronictl version` shows its version."
        " Up to 3.0.2 with etcd's API v3, a leader that was frozen takes its lock back, and writes"
        " that its successor has acknowledged are lost.",
        "Upgrade Patroni to 3.2 or newer.",
    )

    SERVERS_NONE = Text("servers", _OK, "None is running.")
    SERVERS_WITHOUT_KEY = Text(
        "servers",
        _PROBLEM,
        "These cannot store secrets, because `keystead rotate-keys` replaced their first key:"
        " {servers}.",
        "Restart them with the current keys.",
    )
    SERVERS_WITH_OTHER_KEYS = Text(
        "servers",
        _WARNING,
        "These do not encrypt with the first key of these settings, {key_id}: {servers}.",
        "Restart them with the same keys; until then `keystead rotate-keys` refuses.",
    )
    SERVERS = Text("servers", _OK, "{number}: {servers}.")
    SIGNING_KEY_NONE = Text(
        "{algorithm} signing keys",
        _WARNING,
        "There is none to sign JWTs.",
        "Start the server, which adds one as soon as no server of an earlier release runs.",
    )
    SIGNING_KEY_FUTURE = Text(
        "{algorithm} signing keys",
        _WARNING,
        "The only due key signs from {time} UTC, which is in the future: the clock of the database"
        " is or was wrong.",
        "Synchronize it by NTP.",
    )
    SIGNING_KEY_OVERDUE = Text(
        "{algorithm} signing keys",
        _WARNING,
        "The next one is overdue since {time} UTC.",
        "Check that a server runs and read its log, or run: keystead rotate-signing-key",
    )
    SIGNING_KEY_NEXT = Text("{algorithm} signing keys", _OK, "The next one signs from {time} UTC.")
    SIGNING_KEY = Text("{algorithm} signing keys", _OK, "The next one is published on {date}.")
    OWNER_NONE = Text(
        "administrator",
        _PROBLEM,
        "No user has the role INSTANCE_OWNER.",
        "Start the server once if this is a new database, otherwise run: keystead user grant USER"
        " INSTANCE_OWNER",
    )
    OWNER_WITHOUT_TOKEN = Text(
        "administrator",
        _PROBLEM,
        "No user with the role INSTANCE_OWNER has a token that is valid.",
        "Run: keystead token create USER",
    )
    OWNERS = Text("administrator", _OK, "{number} with a valid token.")

    MAIL_NOT_CONFIGURED = Text(
        "mail",
        _WARNING,
        "No SMTP configuration is set, so no mail is sent.",
        "Add one: keystead smtp add",
    )
    MAILS_UNDELIVERED = Text(
        "mail",
        _WARNING,
        "{failed} failed within a day, {delayed} overdue; the last reason was {reason}.",
        "See: keystead mail list",
    )
    MAILS_NOT_ATTEMPTED = Text(
        "mail",
        _WARNING,
        "{failed} failed within a day, {delayed} overdue; none of them was attempted.",
        "Check that a server runs. See: keystead mail list",
    )
    MAILS = Text(
        "mail", _OK, "An SMTP configuration is set, no mail is overdue or failed within a day."
    )
    PUSHES_UNDELIVERED = Text(
        "pushes",
        _WARNING,
        f"{_PUSHES}; the last reason was {{reason}}.",
        _PUSHES_LISTED,
    )
    PUSHES_TRIED_AGAIN = Text("pushes", _WARNING, f"{_PUSHES}.", _PUSHES_LISTED)
    PUSHES = Text(
        "pushes", _OK, "No webhook or logout token failed within a day or is tried again."
    )

    EVENTS_UNCOVERED = Text(
        "event log",
        _WARNING,
        "Events of {hours} ago are in no checkpoint.",
        "Check that a server runs and whether its log names failures of housekeeping, or run:"
        " keystead audit checkpoint",
    )
    EVENTS_COVERED = Text(
        "event log",
        _OK,
        "Each event older than an hour is in a checkpoint. To compare them: keystead audit verify",
    )
    CHECKPOINT_LOST = Text(
        "checkpoint file",
        _PROBLEM,
        "Checkpoint {number}, which {path} has, is not in the database any more: somebody removed"
        " it, or an older backup was restored.",
        "Run: keystead audit verify. After a restore, stop the servers, run: keystead restored."
        " Then move the file away, keep it, and start the servers.",
    )
    CHECKPOINT_NOT_IN_FILE = Text(
        "checkpoint file",
        _WARNING,
        "Checkpoint {number} is not in {path}.",
        "Check that a server of this machine runs with the setting and can write to the file.",
    )
    CHECKPOINT_FILE = Text(
        "checkpoint file", _OK, "The database has the last checkpoint of {path}."
    )
    EVENTS_MISPLACED = Text(
        "event partitions",
        _WARNING,
        "{events}, from {date} on: there is no partition for the month. Such events are read as"
        " usual and cannot be archived.",
        "Check the clock of the database, and whether the log names failures of housekeeping.",
    )


class Said(NamedTuple):
    """A value as the English sentence says it, and as other languages get it."""

    english: str
    value: object


def found(reason: FindingReason, /, **values: object) -> list[Finding]:
    """The finding of this reason with these values."""
    english = {
        name: each.english if isinstance(each, Said) else each for name, each in values.items()
    }
    metadata = {
        name: str(each.value if isinstance(each, Said) else each) for name, each in values.items()
    }
    of = reason.value
    check, fact, remedy = (text.format_map(english) for text in (of.check, of.fact, of.remedy))
    return [Finding(check, of.state, fact, remedy, reason.name, metadata)]
