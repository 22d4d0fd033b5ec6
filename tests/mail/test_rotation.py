"""The secrets of mails under another key."""

import asyncio
import os

import pytest

from server.crypto.keyring import EncryptionKeyError, Keyring
from server.deliveries.smtp.destination import Destination
from server.mail import mail_secrets
from server.mail.outbox import cancel_about
from server.store import pages
from tests.mail.mail_instance import DESTINATION, LINK, MailInstance, Post
from tests.support import given


async def test_rotation_puts_the_secrets_of_mails_under_the_first_key(
    mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ROWS_OF_PAGE", 2)
    old, new = os.urandom(32), os.urandom(32)
    mail_instance.keyring = Keyring([old])
    mail_id = [await mail_instance.enqueue() for _ in range(3)][-1]
    await mail_instance.notice()

    assert await mail_secrets.rotate_secrets(mail_instance.database, Keyring([new, old])) == 3
    assert await mail_secrets.rotate_secrets(mail_instance.database, Keyring([new, old])) == 0

    mail_instance.keyring = Keyring([new])
    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(mail_id)
    assert LINK in post.texts


async def test_rotation_refuses_secrets_that_it_cannot_decrypt(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue()

    with pytest.raises(EncryptionKeyError):
        await mail_secrets.rotate_secrets(mail_instance.database, Keyring([os.urandom(32)]))


async def test_rotation_waits_for_a_process_that_ends_the_mail(mail_instance: MailInstance) -> None:
    old, new = os.urandom(32), os.urandom(32)
    mail_instance.keyring = Keyring([old])
    mail_id = await mail_instance.enqueue()
    async with mail_instance.sql.transaction():
        await mail_instance.sql.execute("update mails set state = 'sent', ended_at = now()")
        await mail_instance.sql.execute("delete from secrets where aggregate_id = $1", mail_id)
        rotation = asyncio.create_task(
            mail_secrets.rotate_secrets(mail_instance.database, Keyring([new, old]))
        )
        await given.waiting_for_a_lock(mail_instance.sql)

    assert await rotation == 0
    assert not await mail_instance.secrets()


async def test_a_mail_that_ends_while_its_secret_is_moved_has_none_afterwards(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.enqueue(reference="link")
    async with mail_instance.sql.transaction():
        await mail_instance.sql.execute("update secrets set key_id = 'another'")
        ending = asyncio.create_task(
            cancel_about(mail_instance.database, ["link"], organization_id="org")
        )
        await given.waiting_for_a_lock(mail_instance.sql)
    await ending

    assert not await mail_instance.secrets()


async def test_a_try_reads_a_secret_that_was_rotated_since_it_began(
    mail_instance: MailInstance,
) -> None:
    old, new = os.urandom(32), os.urandom(32)
    mail_instance.keyring = Keyring([old, new])
    mail_id = await mail_instance.enqueue()

    async def rotate_first(_server: str) -> Destination:
        await mail_secrets.rotate_secrets(mail_instance.database, Keyring([new, old]))
        return DESTINATION

    mail_instance.find_destination = rotate_first
    post = Post()
    await mail_instance.tried(mail_id, post)

    assert LINK in post.texts
