"""The facts of `keystead doctor`: files, and the results of read-only statements."""

import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from server.crypto.keyring import EncryptionKeyError, Keyring, load_keyring
from server.crypto.stored_secrets import key_ids_in_use
from server.mail import outbox
from server.mail.rendering import MailTemplateError, mail_templates
from server.mail.smtp_client.transport import Step, transport_options, try_out
from server.settings.settings import Settings
from server.settings.types import nearest_existing
from server.smtp import commands as smtp_commands
from server.smtp import store as smtp_store
from server.store.database import Statements
from server.store.statement import statement
from server.values.errors import Failure, Kind

# The version, clock and connection limit of PostgreSQL.
_SERVER = statement("""
select current_setting('server_version_num')::int as version, clock_timestamp() as now,
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max_connections""")

# How many passkeys there are, and how many do not suit the relying party and its origins.
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

# How many instance owners there are, and how many have a valid token.
_OWNERS = statement("""
select count(distinct users.id) as owners, count(distinct tokens.user_id) as owners_with_token
from users left join tokens on tokens.user_id = users.id
    and (tokens.expires_at is null or tokens.expires_at > clock_timestamp())
where 'INSTANCE_OWNER' = any(users.roles)""")

# How many mails failed within a day, and how many pending ones are late. The column `failures` does
# not tell: while the destination fails for every mail, an attempt counts against none of them, and
# most mails are not attempted at all.
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

# Why the last attempt failed: the reason, not the message, which may name the receiver.
_LAST_FAILURE = statement("""
select mail_attempts.reason from mail_attempts join mails using (mail_id)
where mail_attempts.reason <> '' and (
    mails.state = 'pending'
    or mails.state = 'failed' and mails.ended_at > clock_timestamp() - interval '1 day')
order by mail_attempts.ended_at desc limit 1""")

# The secrets of all mails.
_MAIL_SECRETS = statement("""
select mails.mail_id, mails.recipient_address, secrets.secret_id, secrets.key_id, secrets.ciphertext
from secrets join mails on mails.mail_id = secrets.aggregate_id""")


@dataclass(frozen=True, slots=True)
class File:
    """A file or directory, with the permissions of users other than its owner."""

    path: Path
    exists: bool
    is_usable: bool
    others_may_read: bool
    others_may_write: bool


@dataclass(frozen=True, slots=True)
class Files:
    """The files of the settings; None for a setting without a value.

    `free_bytes` is the free space for the embedded database; None with another database.
    """

    data_dir: File
    free_bytes: int | None
    key_file: File
    token_file: File
    mail_templates_dir: File | None
    mail_templates_problem: str


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
class Stored:
    """Facts of the database. `clock_ahead` is its clock minus this machine's."""

    version: int
    max_connections: int
    clock_ahead: timedelta
    passkeys: Passkeys
    keys_problem: str | None
    secrets_problems: Sequence[str]
    owners: int
    owners_with_token: int
    has_smtp: bool
    failed_mails: int
    delayed_mails: int
    last_failure: str


def look_at_files(settings: Settings) -> Files:
    """Inspects the files; opens only the templates."""
    data_dir, templates = settings.data_dir.absolute(), settings.mail_templates_dir
    return Files(
        data_dir=_folder_to_write(data_dir),
        free_bytes=_free_bytes(data_dir) if settings.database_url is None else None,
        key_file=_file(settings.key_file),
        token_file=_file(settings.data_dir / "admin.token"),
        mail_templates_dir=_file(templates) if templates else None,
        mail_templates_problem=_look_at_templates(settings),
    )


async def look_at_database(settings: Settings, database: Statements) -> Stored:
    """Reads the facts of the database."""
    asked_at = datetime.now(UTC)
    server = await database.fetch_one(_SERVER)
    here = asked_at + (datetime.now(UTC) - asked_at) / 2
    owners, mails = await database.fetch_one(_OWNERS), await database.fetch_one(_MAILS)
    last_failure = await database.fetch_row(_LAST_FAILURE)
    keys_problem, secrets_problems = await _look_at_secrets(settings, database)
    return Stored(
        version=server["version"],
        max_connections=server["max_connections"],
        clock_ahead=server["now"] - here,
        passkeys=await look_at_passkeys(settings, database),
        keys_problem=keys_problem,
        secrets_problems=secrets_problems,
        owners=owners["owners"],
        owners_with_token=owners["owners_with_token"],
        has_smtp=await smtp_store.get(database) is not None,
        failed_mails=mails["failed"],
        delayed_mails=mails["delayed"],
        last_failure=last_failure["reason"] if last_failure else "",
    )


async def look_at_passkeys(settings: Settings, database: Statements) -> Passkeys:
    """How they suit the settings of the relying party."""
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
    return await try_out(destination, receiver_address=None, options=transport_options(settings))


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
        return None, ()  # the server creates one at its start
    try:
        keyring = load_keyring(settings.encryption_keys, settings.key_file)
        keyring.must_have(needed)
    except EncryptionKeyError as error:
        return str(error), ()
    smtp = await _look_at_smtp_password(database, keyring)
    return None, [*smtp, *await _look_at_mails(database, keyring)]


async def _look_at_smtp_password(database: Statements, keyring: Keyring) -> list[str]:
    try:
        await smtp_commands.destination(database, keyring)
    except Failure as failure:
        if failure.kind is not Kind.FAILED_PRECONDITION:
            raise
        return [failure.message]
    return []


async def _look_at_mails(database: Statements, keyring: Keyring) -> list[str]:
    problems = []
    for row in await database.fetch(_MAIL_SECRETS):
        mail_id, address = row["mail_id"], row["recipient_address"]
        try:
            outbox.read_secrets(keyring, [row], mail_id=mail_id, recipient_address=address)
        except EncryptionKeyError as error:
            problems.append(f"A secret of the mail {mail_id}: {error}")
    return problems


def _folder_to_write(path: Path) -> File:
    """A directory; usable if this user can write to it, or create it if it is missing."""
    is_usable = os.access(nearest_existing(path), os.R_OK | os.W_OK | os.X_OK)
    return replace(_file(path), is_usable=is_usable)


def _free_bytes(path: Path) -> int | None:
    """Free bytes; None if this user cannot read them."""
    try:
        return shutil.disk_usage(nearest_existing(path)).free
    except OSError:
        return None


def _file(path: Path) -> File:
    try:
        mode = path.stat().st_mode
    except OSError as error:  # a directory that this user may not enter can contain it
        is_hidden = isinstance(error, PermissionError)
        return File(path, is_hidden, False, False, False)
    needed = os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)
    return File(
        path,
        exists=True,
        is_usable=os.access(path, needed),
        others_may_read=bool(mode & 0o044),
        others_may_write=bool(mode & 0o022),
    )
