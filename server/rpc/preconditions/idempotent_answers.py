"""The table `idempotent_answers`: the answer to the first call with each idempotency key.

A row is written in the transaction of the change itself: neither is committed without the other.
The answer may hold a token that is shown once, so it is encrypted, and erased after a day.

The rule: the row is inserted before all other statements of the call. So a second call with the
same key waits for the end of the first.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from server.access.caller import AnyCaller, Caller, LinkCaller, RegistrationCaller
from server.crypto.keyring import EncryptedSecret, EncryptionKeyError, Keyring
from server.rpc.call import Call
from server.store.database import Row, Statements
from server.store.pages import read_all
from server.store.retention import retention
from server.store.statement import statement
from server.values.errors import FixedFailure, Kind

# The maximum number of rows and of bytes per caller. Concurrent calls of a caller may exceed it,
# and so may calls whose share of the keys is not full: by a few percent of the rows, and by the
# bytes of one answer a share. A caller who chooses keys by their hashes may have twice as many.
MAX_ANSWERS: Final = 10_000
MAX_BYTES: Final = 16 * 1024 * 1024

# Shares of the keys of a caller, by the first bits of their hashes.
_SHARES: Final = 32
_FIRST_BYTES_OF_SHARE: Final = 256 // _SHARES


# Inserts the key. No row if a call had the key within a day, or if the caller has too many. Waits
# for a running call with the same key.
#
# Counts the share of the keys with similar hashes first: while no share is full, the whole is not.
# So a call reads at most 312 rows, and all those of the caller only if its share is full.
_TAKE = statement("""
insert into idempotent_answers as answer (caller, key_hash, key_id, ciphertext, created_at)
select :caller::text, :key_hash::bytea, null, '', clock_timestamp()
where case
    when (
        select count(*) < :most_answers::int / :shares::int
            and coalesce(sum(octet_length(ciphertext)), 0) < :most_bytes::bigint / :shares
        from idempotent_answers
        where caller = :caller
            and key_hash between :first_of_share::bytea and :last_of_share::bytea)
    then true
    else (
        select count(*) < :most_answers
            and coalesce(sum(octet_length(ciphertext)), 0) < :most_bytes
        from (select ciphertext from idempotent_answers
            where caller = :caller limit :most_answers) as held)
    end
on conflict (caller, key_hash) do update
    set key_id = null, ciphertext = '', created_at = excluded.created_at
    where answer.created_at <= clock_timestamp() - interval '24 hours'
returning caller""")

# The answer to the call that had the key within a day.
_GET = statement("""
select key_id, ciphertext from idempotent_answers
where caller = :caller and key_hash = :key_hash
    and created_at > clock_timestamp() - interval '24 hours'""")

# Stores the answer to a call.
_STORE = statement("""
update idempotent_answers set key_id = :key_id, ciphertext = :ciphertext
where caller = :caller and key_hash = :key_hash""")

# Deletes the key of a call that failed.
_GIVE_BACK = statement(
    "delete from idempotent_answers where caller = :caller and key_hash = :key_hash"
)

# Answers after a day.
ENDED: Final = retention(
    "idempotent_answers", until="created_at", after="now() - interval '24 hours'"
)

# A page of the answers that are not encrypted under the first encryption key.
_LIST_UNDER_OTHER_KEYS = statement("""
select caller, key_hash, key_id, ciphertext from idempotent_answers
where key_id <> :key_id and (caller, key_hash) > (:after_caller, :after_key_hash::bytea)
order by caller, key_hash limit :limit""")

# The ids of the encryption keys of the answers.
_KEY_IDS = statement("select distinct key_id from idempotent_answers where key_id is not null")

# Stores the same answer under another encryption key, unless a later call has overwritten the row.
_REPLACE = statement("""
update idempotent_answers set key_id = :key_id, ciphertext = :ciphertext
where caller = :caller and key_hash = :key_hash and ciphertext = :replaced
returning caller""")


@dataclass(frozen=True, slots=True)
class Keyed:
    """A call with a key: its caller, the hash of method and key, and the hash of its request.

    `roles` are the roles of the caller, separated by commas.
    """

    caller: str
    key_hash: bytes
    request_hash: str
    roles: str

    @property
    def row(self) -> str:
        """A text that identifies the row."""
        return f"{self.caller} {self.key_hash.hex()}"

    @property
    def share(self) -> dict[str, bytes]:
        """The first and the last hash of its share of the caller's keys."""
        first = self.key_hash[0] - self.key_hash[0] % _FIRST_BYTES_OF_SHARE
        last = bytes([first + _FIRST_BYTES_OF_SHARE - 1, *[255] * (len(self.key_hash) - 1)])
        return {"first_of_share": bytes([first]), "last_of_share": last}

    @property
    def context(self) -> bytes:
        """The context of the encryption: it binds the ciphertext to this row."""
        return _context(self.caller, self.key_hash)


class _Answer(NamedTuple):
    """The plaintext of a row: the hash of the request, the caller's roles, the answer."""

    request_hash: str
    roles: str
    message: bytes


def keyed(call: Call, key: str, request: Any, *, demands: Sequence[Sequence[str]]) -> Keyed:
    """The keyed call. `demands` are the values of other headers that alter its effect."""
    asked = hashlib.sha256(json.dumps(demands).encode())
    # Serialized again, because gRPC and JSON send the same request as different bytes.
    asked.update(request.SerializeToString(deterministic=True))
    key_hash = hashlib.sha256(f"{call.method.path}\n{key}".encode()).digest()
    roles = call.caller.roles if isinstance(call.caller, Caller) else ()
    return Keyed(_name(call.caller), key_hash, asked.hexdigest(), ",".join(sorted(roles)))


async def take(transaction: Statements, keyring: Keyring, call: Keyed) -> bytes | None:
    """The answer to the first call. None: this is the first one.

    `Failure` FAILED_PRECONDITION IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_ANSWER_UNREADABLE;
    RESOURCE_EXHAUSTED TOO_MANY_IDEMPOTENCY_KEYS; ABORTED while the first call takes long.
    """
    row = {"caller": call.caller, "key_hash": call.key_hash}
    most = {"most_answers": MAX_ANSWERS, "most_bytes": MAX_BYTES, "shares": _SHARES}
    if await transaction.fetch_row(_TAKE, **row, **most, **call.share):
        return None
    stored = await transaction.fetch_row(_GET, **row)
    if stored is None:
        raise _too_many()
    try:
        answer = _read(keyring, stored, call)
    except EncryptionKeyError as error:
        raise _unreadable(str(error)) from None
    if answer.request_hash != call.request_hash:
        raise _reused()
    return answer.message


async def find(database: Statements, keyring: Keyring, call: Keyed) -> bytes | None:
    """The answer to the first call, for a repetition without permission.

    None: no such call, or its caller had other roles then, or the answer cannot be decrypted.
    """
    stored = await database.fetch_row(_GET, caller=call.caller, key_hash=call.key_hash)
    if stored is None:
        return None
    try:
        answer = _read(keyring, stored, call)
    except EncryptionKeyError:
        return None
    is_same = (answer.request_hash, answer.roles) == (call.request_hash, call.roles)
    return answer.message if is_same else None


async def store(transaction: Statements, keyring: Keyring, call: Keyed, answer: bytes) -> None:
    """Stores the answer in the transaction of the change."""
    text = f"{call.request_hash} {call.roles} {base64.b64encode(answer).decode()}"
    encrypted = keyring.encrypt(text, context=call.context)
    await transaction.fetch(
        _STORE,
        caller=call.caller,
        key_hash=call.key_hash,
        key_id=encrypted.key_id,
        ciphertext=encrypted.ciphertext,
    )


async def give_back(transaction: Statements, call: Keyed) -> None:
    """Deletes the key of a call that failed, so that the call can be repeated."""
    await transaction.fetch(_GIVE_BACK, caller=call.caller, key_hash=call.key_hash)


async def rotate(database: Statements, keyring: Keyring) -> int:
    """Encrypts all answers under the first key. Gives their number. EncryptionKeyError."""
    key_id, after = keyring.writing_key_id, {"caller": "", "key_hash": b""}
    rows = read_all(database, _LIST_UNDER_OTHER_KEYS, after=after, key_id=key_id)
    return sum([await _rotate(database, keyring, row) async for row in rows])


async def key_ids_in_use(database: Statements) -> frozenset[str]:
    """The keys without which an answer could not be decrypted."""
    return frozenset(row["key_id"] for row in await database.fetch(_KEY_IDS))


async def _rotate(database: Statements, keyring: Keyring, row: Row) -> bool:
    context = _context(row["caller"], row["key_hash"])
    renewed = keyring.encrypt(_decrypted(keyring, row, context), context=context)
    replaced = await database.fetch_row(
        _REPLACE,
        caller=row["caller"],
        key_hash=row["key_hash"],
        replaced=row["ciphertext"],
        key_id=renewed.key_id,
        ciphertext=renewed.ciphertext,
    )
    return replaced is not None


def _name(caller: AnyCaller) -> str:
    """The caller's name. Holders of a link or of a ceremony's token differ from the user."""
    match caller:
        case LinkCaller():
            return f"link:{caller.link_id}"
        case RegistrationCaller():
            return f"registration:{caller.passkey_id}"
        case _:
            return caller.user_id


def _context(caller: str, key_hash: bytes) -> bytes:
    return f"idempotent_answer {caller} ".encode() + key_hash


def _read(keyring: Keyring, row: Row, call: Keyed) -> _Answer:
    request_hash, roles, message = _decrypted(keyring, row, call.context).split(" ")
    return _Answer(request_hash, roles, base64.b64decode(message))


def _decrypted(keyring: Keyring, row: Row, context: bytes) -> str:
    return keyring.decrypt(EncryptedSecret(row["key_id"], row["ciphertext"]), context=context)


_reused: Final = FixedFailure(
    "IDEMPOTENCY_KEY_REUSED",
    "Another request to this method had the same x-idempotency-key. Use a new key for each"
    " change, and the same one only to repeat it.",
)

_too_many: Final = FixedFailure(
    "TOO_MANY_IDEMPOTENCY_KEYS",
    f"You have used {MAX_ANSWERS} idempotency keys within a day, or their responses have"
    f" {MAX_BYTES // 1024**2} MiB. Make the call without a key, or later.",
    kind=Kind.RESOURCE_EXHAUSTED,
)

_unreadable: Final = FixedFailure(
    "IDEMPOTENCY_ANSWER_UNREADABLE",
    "The change was made, but its response cannot be decrypted. Read the changed object.",
)
