"""The facts of `keystead doctor`: files, and the results of read-only statements."""

import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.crypto.server_certificate import (
    CertificateError,
    ClientAuthorities,
    KeyPair,
    load_client_authorities,
    load_key_pair,
)
from server.crypto.stored_secrets import key_ids_in_use
from server.mail import mail_secrets
from server.mail.rendering import MailTemplateError
from server.mail.smtp_client.transport import try_out
from server.net.trial import Step
from server.operate.unfinished_rebuild import Leftover, find_leftover
from server.options import mail_templates, smtp_options
from server.settings.settings import Settings
from server.settings.sources import variable
from server.settings.types import holds_secret, nearest_existing
from server.signing import store as signing_store
from server.signing.private_key import decrypted
from server.signing.schedule import Schedule
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.store.database import Row, Statements
from server.store.event_checkpoints import uncovered_since
from server.store.event_partitions import misplaced_events
from server.store.pages import read_all
from server.store.statement import statement
from server.values.errors import Failure, Kind

# The version and clock of PostgreSQL, and the least of its connection limits: its own, and those of
# the role and the database. `reserved_connections` exists since PostgreSQL 16.
_SERVER = statement("""
select current_setting('server_version_num')::int as version, clock_timestamp() as now,
    least(
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as max_connections""")

# Whether PostgreSQL accepts writes, its settings for replication, and whether its Patroni is older
# than 3.2: newer ones name their sessions "Patroni heartbeat" and "Patroni restapi".
_REPLICATION = statement("""
select pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only') = 'on' as is_read_only,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names,
    exists (
        select from pg_stat_activity where application_name = 'Patroni'
    ) as has_old_patroni""")

# Numbers of passkeys: all, and those that conflict with the relying party's settings.
_PASSKEYS = statement("""
select count(*) as passkeys,
    count(*) filter (where rp_id <> :rp_id) as stranded,
    count(distinct user_id) filter (where rp_id <> :rp_id) as stranded_users,
    array(select distinct rp_id from passkeys where rp_id <> :rp_id order by rp_id) as other_rp_ids,
    count(*) filter (where rp_id = :rp_id and origin <> all(:origins::text[])) as elsewhere,
    array(
        select distinct origin from passkeys
        where rp_id = :rp_id and origin <> all(:origins::text[]) order by origin
    ) as other_origins,
    count(*) filter (where rp_id = :rp_id and not user_verified) as unverified,
    count(distinct user_id) filter (where rp_id = :rp_id and not user_verified) as unverified_users
from passkeys""")

# Numbers of instance owners: all, and those with a valid token.
_OWNERS = statement("""
select count(distinct users.id) as owners, count(distinct tokens.user_id) as owners_with_token
from users left join tokens on tokens.user_id = users.id
    and (tokens.expires_at is null or tokens.expires_at > clock_timestamp())
where 'INSTANCE_OWNER' = any(users.roles)""")

# Numbers of mails that failed within a day, and of late pending mails. The column `failures` is no
# measure: while the destination fails, attempts do not increment it, and most mails are not tried.
_MAILS = statement("""
select count(*) filter (where state = 'failed') as failed,
    count(*) filter (where state = 'pending') as delayed
from mails
where state = 'failed' and ended_at > clock_timestamp() - interval '1 day'
    or state = 'pending' and (
        next_attempt_at < clock_timestamp() - interval '1 minute'
        or exists (
            select from mail_attempts
            where mail_attempts.mail_id = mails.mail_id and mail_attempts.reason <> ''))""")

# The reason of the last failed attempt, without the message, which may contain the recipient.
_LAST_FAILURE = statement("""
select mail_attempts.reason from mail_attempts join mails using (mail_id)
where mail_attempts.reason <> '' and (
    mails.state = 'pending'
    or mails.state = 'failed' and mails.ended_at > clock_timestamp() - interval '1 day')
order by mail_attempts.ended_at desc limit 1""")

# Indexes that PostgreSQL does not use, because their concurrent creation was interrupted.
_INVALID_INDEXES = statement("""
select pg_index.indexrelid::regclass::text as name
from pg_index join pg_class on pg_class.oid = pg_index.indexrelid
where not pg_index.indisvalid and pg_class.relnamespace = current_schema()::regnamespace
    and not exists (
        select from pg_stat_progress_create_index as creation
        where creation.index_relid = pg_index.indexrelid)
order by name""")

# A page of the secrets of mails.
_MAIL_SECRETS = statement("""
select mails.mail_id, mails.recipient_address, secrets.secret_id, secrets.key_id, secrets.ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id
where (secrets.aggregate_id, secrets.secret_id) > (:after_mail_id::text, :after_secret_id::text)
order by secrets.aggregate_id, secrets.secret_id limit :limit""")

_SIGN_ANEW = "To sign with a new one, run: keystead rotate-signing-key --now"


@dataclass(frozen=True, slots=True)
class File:
    """A file or directory, with the permissions of users other than its owner."""

    path: Path
    exists: bool
    is_usable: bool
    others_may_read: bool
    others_may_write: bool
    everybody_may_read: bool


@dataclass(frozen=True, slots=True)
class Files:
    """The files of the settings; None for a setting without a value.

    `free_bytes` is the free space for the embedded database; None with another database.
    `now` is this machine's time.
    `open_secrets` are the files of secrets, by variable, that every user of the machine may read.
    """

    data_dir: File
    free_bytes: int | None
    key_file: File
    token_file: File
    mail_templates_dir: File | None
    mail_templates_problem: str
    open_secrets: Mapping[str, Path]
    certificate: KeyPair | None
    certificate_problem: str
    client_authorities: ClientAuthorities | None
    client_authorities_problem: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Passkeys:
    """Numbers of passkeys: all, those that conflict with the settings, and their users."""

    passkeys: int
    stranded: int
    stranded_users: int
    other_rp_ids: Sequence[str]
    elsewhere: int
    other_origins: Sequence[str]
    unverified: int
    unverified_users: int


@dataclass(frozen=True, slots=True)
class Replication:
    """Facts about the durability of acknowledged writes."""

    is_standby: bool
    is_read_only: bool
    synchronous_commit: str
    synchronous_standby_names: str
    has_old_patroni: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """Facts of the database. `clock_ahead` is its clock minus this machine's.

    `uncovered_for` is the age of the oldest event that no checkpoint covers, if any. No month has a
    partition for the `misplaced_events`, the first of which is of `misplaced_since`. `rebuild` is
    an unfinished one.
    """

    version: int
    max_connections: int
    clock_ahead: timedelta
    replication: Replication
    passkeys: Passkeys
    signing_keys: Schedule
    keys_problem: str | None
    secrets_problems: Sequence[str]
    owners: int
    owners_with_token: int
    has_smtp: bool
    failed_mails: int
    delayed_mails: int
    last_failure: str
    uncovered_for: timedelta | None
    misplaced_events: int
    misplaced_since: datetime | None
    rebuild: Leftover | None
    invalid_indexes: Sequence[str]


def look_at_files(settings: Settings) -> Files:
    """Inspects the files; opens only the templates, the certificates and the key."""
    certificate, certificate_problem = _look_at_certificate(settings)
    client_authorities, client_authorities_problem = _look_at_client_authorities(settings)
    data_dir, templates = settings.data_dir.absolute(), settings.mail_templates_dir
    return Files(
        data_dir=_folder_to_write(data_dir),
        free_bytes=_free_bytes(data_dir) if settings.database_url is None else None,
        key_file=_file(settings.key_file),
        token_file=_file(settings.data_dir / "admin.token"),
        mail_templates_dir=_file(templates) if templates else None,
        mail_templates_problem=_look_at_templates(settings),
        open_secrets=_open_secrets(settings),
        certificate=certificate,
        certificate_problem=certificate_problem,
        client_authorities=client_authorities,
        client_authorities_problem=client_authorities_problem,
        now=datetime.now(UTC),
    )


async def look_at_database(settings: Settings, database: Statements) -> Stored:
    """Reads the facts of the database."""
    asked_at = datetime.now(UTC)
    server = await database.fetch_one(_SERVER)
    here = asked_at + (datetime.now(UTC) - asked_at) / 2
    owners, mails = await database.fetch_one(_OWNERS), await database.fetch_one(_MAILS)
    uncovered = await uncovered_since(database)
    misplaced, misplaced_since = await misplaced_events(database)
    last_failure = await database.fetch_row(_LAST_FAILURE)
    keys_problem, secrets_problems = await _look_at_secrets(settings, database)
    return Stored(
        version=server["version"],
        max_connections=server["max_connections"],
        clock_ahead=server["now"] - here,
        replication=await _look_at_replication(database),
        passkeys=await look_at_passkeys(settings, database),
        signing_keys=(await signing_store.get(database))[0],
        keys_problem=keys_problem,
        secrets_problems=secrets_problems,
        owners=owners["owners"],
        owners_with_token=owners["owners_with_token"],
        has_smtp=await smtp_store.get(database) is not None,
        failed_mails=mails["failed"],
        delayed_mails=mails["delayed"],
        last_failure=last_failure["reason"] if last_failure else "",
        uncovered_for=server["now"] - uncovered if uncovered else None,
        misplaced_events=misplaced,
        misplaced_since=misplaced_since,
        rebuild=await find_leftover(database),
        invalid_indexes=[row["name"] for row in await database.fetch(_INVALID_INDEXES)],
    )


async def _look_at_replication(database: Statements) -> Replication:
    row: Any = await database.fetch_one(_REPLICATION)
    return Replication(**row)


async def look_at_passkeys(settings: Settings, database: Statements) -> Passkeys:
    """Counts passkeys, and those that conflict with the settings of the relying party."""
    row: Any = await database.fetch_one(
        _PASSKEYS, rp_id=settings.rp_id, origins=list(settings.passkey_origins)
    )
    return Passkeys(**row)


async def try_smtp(settings: Settings, database: Statements) -> Sequence[Step]:
    """The steps of an SMTP test without a message; none without a configuration."""
    keyring = load_keyring(settings.encryption_keys, settings.key_file)
    destination = await smtp_commands.destination(database, keyring)
    if destination is None:
        return ()
    return await try_out(destination, receiver_address=None, options=smtp_options(settings))


def _look_at_certificate(settings: Settings) -> tuple[KeyPair | None, str]:
    """The certificate of both ports, or the reason why it cannot be used."""
    if settings.tls_files is None:
        return None, ""
    certificate_file, key_file, _ = settings.tls_files
    try:
        return load_key_pair(certificate_file, key_file), ""
    except CertificateError as error:
        return None, str(error)


def _look_at_client_authorities(settings: Settings) -> tuple[ClientAuthorities | None, str]:
    """The authorities of client certificates, or the reason why they cannot be used."""
    if settings.tls_client_ca_file is None:
        return None, ""
    try:
        return load_client_authorities(settings.tls_client_ca_file), ""
    except CertificateError as error:
        return None, str(error)


def _look_at_templates(settings: Settings) -> str:
    try:
        mail_templates(settings)
    except MailTemplateError as error:
        return str(error)
    return ""


async def _look_at_secrets(
    settings: Settings, database: Statements
) -> tuple[str | None, Sequence[str]]:
    """The reasons why stored secrets cannot be decrypted."""
    needed = await key_ids_in_use(database)
    if not needed and not settings.encryption_keys and not settings.key_file.exists():
        return None, ()  # the server creates the key at its start
    try:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        keyring.must_have(needed)
    except EncryptionKeyError as error:
        return str(error), ()
    smtp = await _look_at_smtp_password(database, keyring)
    mails = await _look_at_mails(database, keyring)
    return None, [*smtp, *mails, *await _look_at_signing_keys(database, keyring)]


async def _look_at_smtp_password(database: Statements, keyring: Keyring) -> list[str]:
    try:
        await smtp_commands.destination(database, keyring)
    except Failure as failure:
        if failure.kind is not Kind.FAILED_PRECONDITION:
            raise
        return [failure.message]
    return []


async def _look_at_mails(database: Statements, keyring: Keyring) -> list[str]:
    rows = read_all(database, _MAIL_SECRETS, after={"mail_id": "", "secret_id": ""})
    return [problem async for row in rows if (problem := _problem_of_mail(keyring, row))]


def _problem_of_mail(keyring: Keyring, row: Row) -> str:
    mail_id, address = row["mail_id"], row["recipient_address"]
    try:
        mail_secrets.read_secrets(keyring, [row], mail_id=mail_id, recipient_address=address)
    except EncryptionKeyError as error:
        return f"A secret of the mail {mail_id}: {error}"
    return ""


async def _look_at_signing_keys(database: Statements, keyring: Keyring) -> list[str]:
    problems = []
    schedule, secrets = await signing_store.get(database)
    for key in schedule.keys:
        try:
            decrypted(keyring, key.kid, secrets.get(key.kid))
        except EncryptionKeyError as error:
            problems.append(f"The signing key {key.kid}: {error} {_SIGN_ANEW}")
    return problems


def _open_secrets(settings: Settings) -> dict[str, Path]:
    files = {
        variable(name): origin.path
        for name, origin in settings.origins().items()
        if origin.path and holds_secret(getattr(settings, name))
    }
    if settings.tls_key_file:
        files[variable("tls_key_file")] = settings.tls_key_file
    return {name: path for name, path in files.items() if _file(path).everybody_may_read}


def _folder_to_write(path: Path) -> File:
    """A directory; usable if this user can write to it, or create it if it is missing."""
    is_usable = os.access(nearest_existing(path), os.R_OK | os.W_OK | os.X_OK)
    return replace(_file(path), is_usable=is_usable)


def _free_bytes(path: Path) -> int | None:
    """Free bytes of the file system; None if this user cannot query them."""
    try:
        return shutil.disk_usage(nearest_existing(path)).free
    except OSError:
        return None


def _file(path: Path) -> File:
    try:
        mode = path.stat().st_mode
    except OSError as error:  # a directory may deny access
        is_hidden = isinstance(error, PermissionError)
        return File(path, is_hidden, False, False, False, False)
    needed = os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)
    return File(
        path,
        exists=True,
        is_usable=os.access(path, needed),
        others_may_read=bool(mode & 0o044),
        others_may_write=bool(mode & 0o022),
        everybody_may_read=bool(mode & stat.S_IROTH),
    )
