"""The keys under which secrets may be stored, and the keys that each running server has.

Tables `encryption_keys`, `retired_encryption_keys` and `servers`. They contain ids of keys only.

The rule: foreign keys refer every stored secret to a row of `encryption_keys`, and only
`retire_others` deletes such a row. So no process stores a secret under a retired key (decision 14).
"""

import os
import socket
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import uuid4

import structlog

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.store.database import Database, Statements, Transaction
from server.store.schema import newest_version
from server.store.statement import statement

_log = structlog.get_logger("encryption")

HEARTBEAT_SECONDS: Final = 10

# A server that has not been seen for this long does not run, or cannot reach the database.
GONE_AFTER: Final = timedelta(minutes=1)

# Whether secrets may be stored under a key, and when it was retired.
_FIND = statement("""
select exists (select from encryption_keys where key_id = :key_id) as is_listed,
    (select retired_at from retired_encryption_keys where key_id = :key_id) as retired_at""")

# Excludes other transactions that add or retire keys. Secrets are stored meanwhile.
_LOCK = statement("lock table encryption_keys in share row exclusive mode")

# Adds a key, unless it is retired.
_ADD = statement("""
insert into encryption_keys (key_id, added_at)
select :key_id::text, clock_timestamp()
where not exists (select from retired_encryption_keys where key_id = :key_id)
on conflict do nothing""")

# Makes a retired key usable again.
_RESTORE = statement("delete from retired_encryption_keys where key_id = :key_id")

# Locks all keys but one: waits for transactions that store secrets under them, and makes later ones
# wait.
_LOCK_OTHERS = statement("select key_id from encryption_keys where key_id <> :key_id for update")

# Retires all keys but one.
_RETIRE_OTHERS = statement("""
with retired as (delete from encryption_keys where key_id <> :key_id returning key_id)
insert into retired_encryption_keys (key_id, retired_at)
select key_id, clock_timestamp() from retired
on conflict (key_id) do update set retired_at = excluded.retired_at""")

# Records that a server runs; whether it may store secrets.
_ANNOUNCE = statement("""
with announced as (
    insert into servers (server_id, host_name, process_id, key_ids, schema_version, seen_at)
    values (:server_id, :host_name, :process_id, :key_ids::text[], :schema_version,
        clock_timestamp())
    on conflict (server_id) do update set seen_at = excluded.seen_at)
select exists (select from encryption_keys where key_id = (:key_ids::text[])[1]) as is_listed""")

# Removes a server that ends.
_LEAVE = statement("delete from servers where server_id = :server_id")

# Removes servers that ended without saying so.
_FORGET_GONE = statement(
    "delete from servers where seen_at < clock_timestamp() - :gone_after::interval"
)

# The running servers, and whether they may store secrets.
_LIST = statement("""
select host_name, process_id, key_ids, seen_at,
    exists (select from encryption_keys where key_id = servers.key_ids[1]) as is_listed,
    coalesce(schema_version, 0) as schema_version
from servers where seen_at >= clock_timestamp() - :gone_after::interval
order by host_name, process_id""")

# Whether a server of a release before a schema version runs. Releases before 31 do not say theirs.
_HAS_BEFORE = statement("""
select exists (
    select from servers
    where seen_at >= clock_timestamp() - :gone_after::interval
        and coalesce(schema_version, 30) < :version) as has_before""")


class RetiredKeyError(EncryptionKeyError):
    """The first key was replaced by another one."""

    def __init__(self, key_id: str, retired_at: datetime) -> None:
        super().__init__(
            f"The first encryption key, {key_id}, was replaced by `keystead rotate-keys` on"
            f" {retired_at:%Y-%m-%d %H:%M} UTC. Put the current key first. To return to this key,"
            " stop all servers and run `keystead rotate-keys` before you start them."
        )


class OtherKeysError(EncryptionKeyError):
    """Running servers encrypt with another key; the message names them."""


class RunningServer(NamedTuple):
    """A running server process."""

    host_name: str
    process_id: int
    key_ids: Sequence[str]
    seen_at: datetime
    is_listed: bool
    schema_version: int

    def __str__(self) -> str:
        return f"process {self.process_id} on {self.host_name}"

    @property
    def writing_key_id(self) -> str:
        """The key that it encrypts with."""
        return self.key_ids[0]


async def admit(database: Statements, keyring: Keyring) -> None:
    """Allows secrets under the keyring's first key. RetiredKeyError: it was replaced."""
    key_id = keyring.writing_key_id
    if (await database.fetch_one(_FIND, key_id=key_id))["is_listed"]:
        return  # a standby can be read only
    async with database.transaction() as transaction:
        await transaction.fetch(_LOCK)
        await transaction.fetch(_ADD, key_id=key_id)
        found = await transaction.fetch_one(_FIND, key_id=key_id)
    if not found["is_listed"]:
        raise RetiredKeyError(key_id, found["retired_at"])


async def require_admitted(database: Statements, keyring: Keyring) -> None:
    """EncryptionKeyError unless servers have made the keyring's first key usable."""
    key_id = keyring.writing_key_id
    found = await database.fetch_one(_FIND, key_id=key_id)
    if found["is_listed"]:
        return
    if found["retired_at"]:
        raise RetiredKeyError(key_id, found["retired_at"])
    raise EncryptionKeyError(
        f"No server of this database has used the first encryption key, {key_id}. Run the command"
        " with the settings of the servers, or restart the servers with this key first."
    )


async def restore(database: Statements, keyring: Keyring) -> None:
    """Allows secrets under the keyring's first key, also if it was retired."""
    async with database.transaction() as transaction:
        await transaction.fetch(_LOCK)
        await transaction.fetch(_RESTORE, key_id=keyring.writing_key_id)
        await transaction.fetch(_ADD, key_id=keyring.writing_key_id)


async def lock_others(transaction: Transaction, keyring: Keyring) -> None:
    """Stops every process from storing secrets under other keys than the keyring's first.

    Begins with the end of transactions that do so, and lasts until the end of the transaction.
    """
    await transaction.fetch(_LOCK)
    await transaction.fetch(_LOCK_OTHERS, key_id=keyring.writing_key_id)


async def retire_others(transaction: Transaction, keyring: Keyring) -> None:
    """Retires all keys but the keyring's first. The caller has called `lock_others`."""
    await transaction.fetch(_RETIRE_OTHERS, key_id=keyring.writing_key_id)


async def list_servers(database: Statements) -> list[RunningServer]:
    """The running servers."""
    return [RunningServer(*row) for row in await database.fetch(_LIST, gone_after=GONE_AFTER)]


async def has_server_before(database: Statements, version: int) -> bool:
    """Whether a server runs whose release has an older schema than this version."""
    row = await database.fetch_one(_HAS_BEFORE, gone_after=GONE_AFTER, version=version)
    return bool(row["has_before"])


async def require_servers(database: Statements, keyring: Keyring) -> None:
    """OtherKeysError unless all running servers encrypt with the keyring's first key."""
    key_id = keyring.writing_key_id
    if others := [each for each in await list_servers(database) if each.writing_key_id != key_id]:
        raise OtherKeysError(
            f"Running servers do not encrypt with the first key, {key_id}: {described(others)}."
            " Restart them with this key in the first place and try again. A server that ended"
            f" without a shutdown counts for {GONE_AFTER.seconds} seconds."
        )


def described(servers: Collection[RunningServer]) -> str:
    """The servers and their keys, for people."""
    return "; ".join(f"{each} has {', '.join(each.key_ids)}" for each in servers)


async def forget_gone(database: Database) -> None:
    """Removes servers that ended without a shutdown."""
    await database.fetch(_FORGET_GONE, gone_after=GONE_AFTER)


@dataclass(slots=True)
class Presence:
    """This server process, as the others see it."""

    database: Statements
    keyring: Keyring
    server_id: str = field(default_factory=lambda: str(uuid4()))
    is_listed: bool = True

    async def announce(self) -> None:
        """Records that the process runs, and with which keys."""
        row = await self.database.fetch_one(
            _ANNOUNCE,
            server_id=self.server_id,
            host_name=socket.gethostname(),
            process_id=os.getpid(),
            key_ids=self.keyring.key_ids,
            schema_version=newest_version(),
        )
        if self.is_listed and not row["is_listed"]:
            _log.error(
                "this server cannot store secrets, because its encryption key was replaced;"
                " restart it with the current keys",
                key_id=self.keyring.writing_key_id,
            )
        self.is_listed = row["is_listed"]

    async def leave(self) -> None:
        """Records that the process ends."""
        await self.database.fetch(_LEAVE, server_id=self.server_id)
