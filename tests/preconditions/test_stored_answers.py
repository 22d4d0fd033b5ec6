"""Stored answers of calls with a key: number, duration, caller and encryption."""

import asyncio
import base64
import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from uuid import uuid4

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto.keyring import Keyring, read_key_file
from server.operate.housekeeping import forget_ended
from server.rpc.preconditions import idempotent_answers
from server.rpc.preconditions.idempotent_answers import MAX_ANSWERS, MAX_BYTES
from server.store import pages
from server.store.database import Database, connected
from tests.conftest import MakeInstance
from tests.hostile.target import Target
from tests.support import given
from tests.support.given import Client, Instance

_PATH = "/keystead.user.v1.UserService/CreateToken"
_AGE = "update idempotent_answers set created_at = now() - $2::interval where caller = $1"
_DAY = timedelta(days=1)
_COUNT = "select count(*) from idempotent_answers where caller = $1"


@pytest.fixture
async def user(target: Target) -> Client:
    """A caller without stored answers."""
    return await given.user(target.admin)


@pytest.fixture
async def store(target: Target) -> AsyncIterator[Database]:
    """The database, as commands of an operator use it."""
    async with connected(target.instance.dsn, pool_size=1) as database:
        yield database


def _create(
    caller: Client, key: str, *, of: Client | None = None
) -> Awaitable[user_pb.CreateTokenResponse]:
    request = user_pb.CreateTokenRequest(user_id=(of or caller).user_id)
    return caller.call(caller.users.CreateToken, request, timeout=30, x_idempotency_key=key)


# Hashes that are spread evenly over the shares of the caller.
_MANY_ROWS = """
insert into idempotent_answers
select $1, set_byte(sha256(number::text::bytea), 0, number % 256), null, '', now()
from generate_series(2, $2) as number"""
_MANY_BYTES = """
insert into idempotent_answers
select $1, set_byte(sha256(number::text::bytea), 0, number), null, $2, now()
from generate_series(0, 255) as number"""
# $2 is the first byte of all hashes.
_SIMILAR_HASHES = """
insert into idempotent_answers
select $1, set_byte(sha256(number::text::bytea), 0, $2), null, '', now()
from generate_series(1, 5000) as number"""


async def test_similar_hashes_of_keys_do_not_fill_the_limit(
    database: asyncpg.Connection, user: Client
) -> None:
    similar = hashlib.sha256(f"{_PATH}\nanother".encode()).digest()[0]
    await database.execute(_SIMILAR_HASHES, user.user_id, similar)

    created = await _create(user, "another")
    await database.execute("delete from idempotent_answers where caller = $1", user.user_id)

    assert created.token


@pytest.mark.parametrize(
    ("statement", "most"), [(_MANY_ROWS, MAX_ANSWERS), (_MANY_BYTES, bytes(MAX_BYTES // 256))]
)
async def test_a_caller_with_too_many_is_refused_new_keys_and_others_are_not(
    target: Target, database: asyncpg.Connection, user: Client, statement: str, most: object
) -> None:
    first = await _create(user, "first")
    await database.execute(statement, user.user_id, most)

    refused = await given.refusal(_create(user, "another"))
    of_another = await _create(target.admin, uuid4().hex, of=user)
    again = await _create(user, "first")
    await database.execute("delete from idempotent_answers where caller = $1", user.user_id)

    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "TOO_MANY_IDEMPOTENCY_KEYS"
    assert again == first
    assert of_another.token


async def test_after_a_day_a_key_makes_the_call_anew(
    database: asyncpg.Connection, user: Client
) -> None:
    first = await _create(user, "key")
    await database.execute(_AGE, user.user_id, _DAY - timedelta(minutes=1))
    within = await _create(user, "key")
    await database.execute(_AGE, user.user_id, _DAY)

    anew = await _create(user, "key")

    assert within == first
    assert anew.token_id != first.token_id
    assert await _create(user, "key") == anew
    assert await database.fetchval(_COUNT, user.user_id) == 1


async def test_housekeeping_erases_stored_answers_after_a_day(
    database: asyncpg.Connection, store: Database, user: Client
) -> None:
    await _create(user, "key")
    await database.execute(_AGE, user.user_id, _DAY - timedelta(minutes=1))
    await forget_ended(store)
    assert await database.fetchval(_COUNT, user.user_id) == 1
    await database.execute(_AGE, user.user_id, _DAY)

    await forget_ended(store)

    assert await database.fetchval(_COUNT, user.user_id) == 0


@contextlib.asynccontextmanager
async def _running_elsewhere(
    target: Target, caller: Client, path: str, key: str
) -> AsyncIterator[None]:
    """The same call at another server, which fails at the end of the block."""
    async with given.sql(target.instance.dsn) as first:
        transaction = first.transaction()
        await transaction.start()
        await first.execute(
            "insert into idempotent_answers values ($1, $2, null, '', clock_timestamp())",
            caller.user_id,
            hashlib.sha256(f"{path}\n{key}".encode()).digest(),
        )
        yield
        await transaction.rollback()


async def test_a_repetition_waits_for_the_first_call_for_as_long_as_for_any_lock(
    target: Target, database: asyncpg.Connection, user: Client
) -> None:
    async with _running_elsewhere(target, user, _PATH, "key"):
        repetition = asyncio.ensure_future(_create(user, "key"))
        await given.waiting_for_a_lock(database)
        refused = await given.refusal(repetition)
        again = asyncio.ensure_future(_create(user, "key"))
        await given.waiting_for_a_lock(database)

    assert (await again).token
    assert refused.code is grpc.StatusCode.ABORTED
    assert refused.reason == "CONCURRENT_CHANGE"
    assert refused.retry_seconds


async def test_a_caller_does_not_wait_for_the_same_key_of_another(
    target: Target, database: asyncpg.Connection, user: Client
) -> None:
    admin, key = target.admin, uuid4().hex
    another = await given.user(admin)
    async with _running_elsewhere(target, admin, _PATH, key):
        waiting = asyncio.ensure_future(_create(admin, key, of=user))
        await given.waiting_for_a_lock(database)

        assert (await _create(another, key)).token
        assert not waiting.done()

    assert (await waiting).token


async def test_a_removed_caller_gets_no_stored_answer(
    target: Target, database: asyncpg.Connection, store: Database, user: Client
) -> None:
    await _create(user, "key")
    admin = target.admin
    await admin.call(admin.users.RemoveUser, user_pb.RemoveUserRequest(user_id=user.user_id))

    refused = await given.refusal(_create(user, "key"))

    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
    await database.execute(_AGE, user.user_id, _DAY)
    await forget_ended(store)
    assert await database.fetchval(_COUNT, user.user_id) == 0


async def test_an_answer_is_of_no_use_in_the_row_of_another_caller(
    target: Target, database: asyncpg.Connection, user: Client
) -> None:
    key = uuid4().hex
    await _create(target.admin, key, of=user)
    await _create(user, key)
    await database.execute(
        """
        update idempotent_answers as stolen set ciphertext = answer.ciphertext
        from idempotent_answers as answer
        where stolen.caller = $1 and answer.caller = $2 and answer.key_hash = stolen.key_hash""",
        user.user_id,
        target.admin.user_id,
    )

    refused = await given.refusal(_create(user, key))

    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.reason == "IDEMPOTENCY_ANSWER_UNREADABLE"


async def test_rotation_puts_stored_answers_under_the_first_key(
    make_instance: MakeInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ROWS_OF_PAGE", 2)
    async with make_instance() as instance:
        user = await given.user(instance.admin)
        created = [await _create(user, key) for key in ("first", "second", "third")][-1]
    key_file = instance.data_dir / "encryption.keys"
    new, [old] = os.urandom(32), read_key_file(key_file)
    key_file.write_text(base64.b64encode(new).decode())

    await given.accept_every_key(instance.dsn)
    async with connected(instance.dsn, pool_size=1) as store:
        assert await idempotent_answers.rotate(store, Keyring([new, old])) == 3
        assert await idempotent_answers.rotate(store, Keyring([new, old])) == 0
    async with given.sql(instance.dsn) as rows:  # of the signing keys, under the old key
        await rows.execute("delete from secrets")

    async with make_instance(dsn=instance.dsn, data_dir=instance.data_dir) as again:
        assert await _create(again.admin.with_token(user.token, user.user_id), "third") == created


async def test_rotation_leaves_an_answer_that_is_replaced_meanwhile(
    own_instance: Instance,
) -> None:
    await _create(await given.user(own_instance.admin), "key")
    [old] = read_key_file(own_instance.data_dir / "encryption.keys")
    async with (
        connected(own_instance.dsn, pool_size=1) as store,
        given.sql(own_instance.dsn) as replacing,
    ):
        async with replacing.transaction():
            await replacing.execute("update idempotent_answers set ciphertext = 'replaced'")
            rotation = asyncio.ensure_future(
                idempotent_answers.rotate(store, Keyring([os.urandom(32), old]))
            )
            await given.waiting_for_a_lock(replacing)

        assert await rotation == 0
        ciphertext = "select ciphertext from idempotent_answers"
        assert await replacing.fetchval(ciphertext) == b"replaced"
