"""Rotation of the encryption key while passwords are written loses and refuses nothing.

An operator puts the new key before the old one, restarts, rotates, removes the old one and
restarts. These tests rotate many times, in both directions and in several processes at once, while
callers set, replace and remove the password.
"""

import asyncio
import contextlib
import itertools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import asyncpg
import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from server.crypto import encryption_keys
from server.crypto.keyring import EncryptionKeyError, Keyring
from server.mail import mail_secrets
from server.smtp import stored_password
from server.store.database import connected
from tests.conftest import MakeInstance
from tests.passkey import links
from tests.smtp import at_rest, calls
from tests.support import given, process
from tests.support.databases import MakeDatabase
from tests.support.given import Client, Instance, encoded_keys
from tests.support.mailed_links import mailed_link

_OLD, _NEW = os.urandom(32), os.urandom(32)
_WRITERS = 4


class _Load:
    """Callers that write until the end of a block."""

    def __init__(self, admin: Client) -> None:
        self._admin = admin
        self._stopped = False
        # The acknowledged passwords by the sequence of their events.
        self.acknowledged: dict[int, str] = {}
        self.removals = 0

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Writes during the block; afterwards a password is set."""
        async with asyncio.TaskGroup() as callers:
            for number in range(_WRITERS):
                callers.create_task(self._replace(f"of writer {number}"))
            callers.create_task(self._remove_and_add())
            yield
            self._stopped = True

    async def _replace(self, name: str) -> None:
        for password in self._passwords(name):
            with _refused_only_with(grpc.StatusCode.NOT_FOUND):  # another caller has removed it
                await self._write(calls.update_password(self._admin, password), password)

    async def _remove_and_add(self) -> None:
        for password in self._passwords("added"):
            await calls.remove(self._admin)
            self.removals += 1
            adding = calls.add(self._admin, given.smtp_config(password=password))
            await self._write(adding, password)

    def _passwords(self, name: str) -> Iterator[str]:
        numbers = itertools.takewhile(lambda _number: not self._stopped, itertools.count())
        return (f"{name}, {number}" for number in numbers)

    async def _write(self, call: Awaitable[Any], password: str) -> None:
        self.acknowledged[(await call).details.sequence] = password


@contextlib.contextmanager
def _refused_only_with(code: grpc.StatusCode) -> Iterator[None]:
    try:
        yield
    except grpc.aio.AioRpcError as error:
        if error.code() is not code:
            raise


async def test_rotation_under_load_loses_nothing(
    make_instance: MakeInstance, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    # Given a password under the old key
    async with make_instance(dsn=dsn, encryption_keys=encoded_keys(_OLD)) as instance:
        await calls.add(instance.admin)
        data_dir = instance.data_dir

    # When keys are rotated while others write
    both = make_instance(dsn=dsn, data_dir=data_dir, encryption_keys=encoded_keys(_NEW, _OLD))
    async with both as instance, given.sql(dsn) as sql:
        load = _Load(instance.admin)
        async with load.running():
            await _until_each_found_something(
                lambda: _rotate(dsn, Keyring([_OLD, _NEW])),
                lambda: _rotate(dsn, Keyring([_NEW, _OLD])),
                lambda: _can_be_read(sql),
                lambda: _removals_of(load),
            )
            await _rotate_by_command(instance)

        # And at the end by two processes at once
        await _return_to_the_old_key(dsn)
        await _rotate(dsn, Keyring([_OLD, _NEW]))
        moved = await asyncio.gather(_rotate_by_command(instance), _rotate_by_command(instance))
        assert sorted(moved) == [0, 1]

    # Then the old key is no longer needed
    alone = make_instance(dsn=dsn, data_dir=data_dir, encryption_keys=encoded_keys(_NEW))
    async with alone as instance, given.sql(dsn) as sql:
        last = load.acknowledged[max(load.acknowledged)]
        assert await at_rest.password(sql, Keyring([_NEW])) == last
        # and the server runs with the new key alone
        await calls.update(instance.admin, given.smtp_update(sender_name="Still here"))
        assert await at_rest.password(sql, Keyring([_NEW])) == last
    with pytest.raises(EncryptionKeyError, match=Keyring([_NEW]).writing_key_id):
        async with make_instance(dsn=dsn, data_dir=data_dir, encryption_keys=encoded_keys(_OLD)):
            pass


async def test_rotation_under_load_loses_no_link_that_waits_in_a_mail(
    make_instance: MakeInstance, make_database: MakeDatabase
) -> None:
    dsn = await make_database()
    # Given a mail under the old key that cannot be sent, because no SMTP server listens
    async with make_instance(dsn=dsn, encryption_keys=encoded_keys(_OLD)) as instance:
        unsent = given.smtp_config(host="127.0.0.1:1", user="", password="")
        await calls.add(instance.admin, unsent)
        mails = [await _mail(instance.admin, "first")]
        data_dir = instance.data_dir

    # When keys are rotated while others write
    both = make_instance(dsn=dsn, data_dir=data_dir, encryption_keys=encoded_keys(_NEW, _OLD))
    async with both as instance:
        numbers = itertools.count()

        async def write() -> int:
            mails.append(await _mail(instance.admin, f"user-{next(numbers)}"))
            return 1

        await _until_each_found_something(
            lambda: _rotate_mails(dsn, Keyring([_OLD, _NEW])),
            lambda: _rotate_mails(dsn, Keyring([_NEW, _OLD])),
            *[write] * _WRITERS,
        )

        # And by a command, and at the end by two processes at once
        await asyncio.gather(_rotate_by_command(instance), *(write() for _ in range(_WRITERS)))
        await _return_to_the_old_key(dsn)
        await _rotate_mails(dsn, Keyring([_OLD, _NEW]))
        moved = await asyncio.gather(_rotate_by_command(instance), _rotate_by_command(instance))
        assert sum(moved) == len(mails)

    # Then the old key is no longer needed
    async with given.sql(dsn) as sql:
        for mail_id in mails:
            assert "#user=" in await mailed_link(sql, Keyring([_NEW]), mail_id)
    with pytest.raises(EncryptionKeyError, match=Keyring([_NEW]).writing_key_id):
        async with make_instance(dsn=dsn, data_dir=data_dir, encryption_keys=encoded_keys(_OLD)):
            pass


async def _mail(admin: Client, name: str) -> str:
    """The ID of a mail with a link to a new user."""
    user = user_pb.CreateUserRequest(user_name=name, email=f"{name}@example.com")
    user_id = (await admin.call(admin.users.CreateUser, user)).user_id
    return (await links.create(admin, user_id, send=True)).mail_id


async def _until_each_found_something(*acts: Callable[[], Awaitable[int]]) -> None:
    """Repeats all functions concurrently until each has returned more than 0."""
    found = [0] * len(acts)

    async def repeat(number: int) -> None:
        while not all(found):
            found[number] += await acts[number]()

    async with asyncio.TaskGroup() as tasks:
        for number in range(len(acts)):
            tasks.create_task(repeat(number))


async def _rotate_mails(dsn: str, keyring: Keyring) -> int:
    """Like `_rotate`, for the secrets of mails."""
    async with connected(dsn, pool_size=1) as database:
        return await mail_secrets.rotate_secrets(database, keyring)


async def _rotate(dsn: str, keyring: Keyring) -> int:
    """Encrypts the password with the first key. Returns whether another key had encrypted it."""
    async with connected(dsn, pool_size=1) as database:
        return int(await stored_password.rotate(database, keyring, ""))


async def _rotate_by_command(instance: Instance) -> int:
    """Rotates once to the new key in another process. Returns the number of moved secrets."""
    finished = await process.keystead(
        "rotate-keys",
        data_dir=instance.data_dir,
        database_url=instance.dsn,
        encryption_keys=encoded_keys(_NEW, _OLD),
    )
    assert (finished.status, finished.errors) == (0, "")
    return int(finished.output.partition(" ")[0])


async def _can_be_read(sql: asyncpg.Connection) -> int:
    """Decrypts the password, if there is one. Returns whether there is."""
    async with sql.transaction(isolation="repeatable_read", readonly=True):
        found = int(await sql.fetchval("select count(*) from smtp_configs"))
        if found:
            assert await at_rest.password(sql, Keyring([_OLD, _NEW]))
    return found


async def _removals_of(load: _Load) -> int:
    """The number of removals of the password."""
    await asyncio.sleep(0)
    return load.removals


async def _return_to_the_old_key(dsn: str) -> None:
    """Allows secrets under the key that a command has retired."""
    async with connected(dsn, pool_size=1) as database:
        await encryption_keys.restore(database, Keyring([_OLD]))
