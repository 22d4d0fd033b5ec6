"""The secrets of mails under another key."""

import asyncio
import os

import pytest

from server import outbox
from server.delivery import Destination
from server.encryption import EncryptionKeyError, Keyring
from server.outbox import MailKind
from server.secrets_store import key_ids_in_use
from tests import given
from tests.mail.desk import DESTINATION, LINK, Desk, Post


async def test_rotation_puts_the_secrets_of_mails_under_the_first_key(desk: Desk) -> None:
    old, new = os.urandom(32), os.urandom(32)
    desk.keyring = Keyring([old])
    mail_id = await desk.enqueue()
    await desk.notice()

    assert await outbox.rotate_secrets(desk.database, Keyring([new, old])) == 1
    assert await outbox.rotate_secrets(desk.database, Keyring([new, old])) == 0

    desk.keyring = Keyring([new])
    post = Post()
    async with desk.sending(post):
        await desk.sent(mail_id)
    assert LINK in post.texts


async def test_rotation_refuses_what_it_cannot_read(desk: Desk) -> None:
    await desk.enqueue()

    with pytest.raises(EncryptionKeyError):
        await outbox.rotate_secrets(desk.database, Keyring([os.urandom(32)]))


async def test_rotation_waits_for_whoever_ends_the_mail(desk: Desk) -> None:
    old, new = os.urandom(32), os.urandom(32)
    desk.keyring = Keyring([old])
    mail_id = await desk.enqueue()
    async with desk.sql.transaction():
        await desk.sql.execute("update mails set state = 'sent', ended_at = now()")
        await desk.sql.execute("delete from secrets where aggregate_id = $1", mail_id)
        rotation = asyncio.create_task(outbox.rotate_secrets(desk.database, Keyring([new, old])))
        await given.waiting_for_a_lock(desk.sql)

    assert await rotation == 0
    assert not await desk.secrets()


async def test_a_mail_that_ends_while_its_secret_is_moved_has_none_afterwards(desk: Desk) -> None:
    await desk.enqueue(reference="link")
    async with desk.sql.transaction():
        await desk.sql.execute("update secrets set key_id = 'another'")
        ending = asyncio.create_task(
            outbox.cancel(desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link")
        )
        await given.waiting_for_a_lock(desk.sql)
    await ending

    assert not await desk.secrets()


async def test_of_two_rotations_at_once_each_counts_what_it_moved_itself(desk: Desk) -> None:
    old, new = os.urandom(32), os.urandom(32)
    desk.keyring = Keyring([old])
    for _ in range(3):
        await desk.enqueue()
    # Both have found all three before either can move the first
    async with desk.sql.transaction():
        await desk.sql.fetch("select from mails for update")
        await desk.sql.fetch("select from secrets for update")
        rotations = [
            asyncio.create_task(outbox.rotate_secrets(desk.database, Keyring([new, old])))
            for _ in range(2)
        ]
        await given.waiting_for_a_lock(desk.sql, statements=2)

    assert sum(await asyncio.gather(*rotations)) == 3
    assert await key_ids_in_use(desk.database) == {Keyring([new]).writing_key_id}


async def test_a_try_reads_a_secret_that_was_rotated_since_it_began(desk: Desk) -> None:
    old, new = os.urandom(32), os.urandom(32)
    desk.keyring = Keyring([old, new])
    mail_id = await desk.enqueue()

    async def rotate_first() -> Destination:
        await outbox.rotate_secrets(desk.database, Keyring([new, old]))
        return DESTINATION

    desk.find_destination = rotate_first
    post = Post()
    await desk.tried(mail_id, post)

    assert LINK in post.texts


async def test_the_keys_of_mails_are_in_use(desk: Desk) -> None:
    assert await key_ids_in_use(desk.database) == frozenset()

    await desk.enqueue()

    assert await key_ids_in_use(desk.database) == {desk.keyring.writing_key_id}
