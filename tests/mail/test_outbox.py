"""What is written of a mail, and when."""

import pytest

from server import outbox
from server.errors import Failure
from server.mail.store import MailState
from server.outbox import MailKind
from tests.mail.desk import Desk, Post


async def test_a_mail_is_written_with_its_transaction(desk: Desk) -> None:
    async with desk.database.transaction() as transaction:
        mail_id = await desk.enqueue(transaction)

    assert (await desk.mail(mail_id)).state is MailState.PENDING


async def test_a_transaction_that_is_undone_leaves_no_mail_and_no_secret(desk: Desk) -> None:
    async def fail() -> None:
        async with desk.database.transaction() as transaction:
            await desk.enqueue(transaction)
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    assert await desk.sql.fetchval("select count(*) from mails") == 0
    assert await desk.sql.fetchval("select count(*) from mail_budgets") == 0
    assert not await desk.secrets()


async def test_the_link_is_nowhere_in_clear(desk: Desk) -> None:
    await desk.enqueue()

    tables = await desk.sql.fetch("select mails::text as row from mails")
    assert tables
    assert not any("ksl_secret" in row["row"] for row in tables)
    [secret] = await desk.secrets()
    assert b"ksl_secret" not in secret["ciphertext"]
    assert "ksl_secret" not in repr(desk.new_mail())


async def test_a_secret_that_was_copied_to_another_receiver_cannot_be_read(desk: Desk) -> None:
    mail_id = await desk.enqueue()
    await desk.sql.execute("update mails set recipient_address = 'eve@example.com'")

    post = Post()
    mail = await desk.tried(mail_id, post)

    assert not post.messages
    assert mail.state is MailState.PENDING
    assert mail.attempts[0].reason == "SECRET_UNREADABLE"


async def test_no_mail_is_written_while_no_configuration_is_set(desk: Desk) -> None:
    await desk.sql.execute("delete from smtp_configs")

    with pytest.raises(Failure) as refused:
        await desk.enqueue()

    assert refused.value.reason == "SMTP_CONFIG_MISSING"


async def test_a_cancelled_mail_has_no_secret_and_is_not_sent(desk: Desk) -> None:
    mail_id = await desk.enqueue(reference="link")
    other = await desk.enqueue(reference="another link")

    await outbox.cancel(desk.database, kind=MailKind.PASSKEY_REGISTRATION_LINK, reference="link")

    post = Post()
    async with desk.sending(post):
        await desk.sent(other)
    assert (await desk.mail(mail_id)).state is MailState.CANCELLED
    assert len(post.messages) == 1
    assert not await desk.secrets()


async def test_who_is_told_of_an_event_gets_a_notice(desk: Desk) -> None:
    mail_id = await desk.happen()

    assert mail_id is not None
    mail = await desk.mail(mail_id)
    assert (mail.kind, mail.user_id) == ("passkey_added", desk.user_id)
    assert mail.recipient_address == "ada@example.com"
    post = Post()
    async with desk.sending(post):
        await desk.sent(mail_id)
    assert "Ada" in post.texts
    assert "Phone" in post.texts


async def test_no_notice_is_written_to_a_user_without_an_address(desk: Desk) -> None:
    assert await desk.happen(await desk.user(email="")) is None


async def test_no_notice_is_written_while_no_configuration_is_set(desk: Desk) -> None:
    await desk.sql.execute("delete from smtp_configs")

    assert await desk.happen() is None
