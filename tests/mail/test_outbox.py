"""The rows that are written for a mail."""

import pytest

from server.mail import outbox
from server.mail.store import MailState
from server.values.errors import Failure
from tests.mail.mail_instance import MailInstance, Post


async def test_a_mail_is_written_with_its_transaction(mail_instance: MailInstance) -> None:
    async with mail_instance.database.transaction() as transaction:
        mail_id = await mail_instance.enqueue(transaction)

    assert (await mail_instance.mail(mail_id)).state is MailState.PENDING


async def test_a_transaction_that_is_undone_leaves_no_mail_and_no_secret(
    mail_instance: MailInstance,
) -> None:
    async def fail() -> None:
        async with mail_instance.database.transaction() as transaction:
            await mail_instance.enqueue(transaction)
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    assert await mail_instance.sql.fetchval("select count(*) from mails") == 0
    assert await mail_instance.sql.fetchval("select count(*) from mail_budgets") == 0
    assert not await mail_instance.secrets()


async def test_the_link_is_nowhere_in_clear(mail_instance: MailInstance) -> None:
    await mail_instance.enqueue()

    tables = await mail_instance.sql.fetch("select mails::text as row from mails")
    assert tables
    assert not any("ksl_secret" in row["row"] for row in tables)
    [secret] = await mail_instance.secrets()
    assert b"ksl_secret" not in secret["ciphertext"]
    assert "ksl_secret" not in repr(mail_instance.new_mail())


async def test_a_secret_that_was_copied_to_another_receiver_cannot_be_read(
    mail_instance: MailInstance,
) -> None:
    mail_id = await mail_instance.enqueue()
    await mail_instance.sql.execute("update mails set recipient_address = 'eve@example.com'")

    post = Post()
    mail = await mail_instance.tried(mail_id, post)

    assert not post.messages
    assert mail.state is MailState.PENDING
    assert mail.attempts[0].reason == "SECRET_UNREADABLE"


async def test_no_mail_is_written_while_no_configuration_is_set(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.sql.execute("delete from smtp_configs")

    with pytest.raises(Failure) as refused:
        await mail_instance.enqueue()

    assert refused.value.reason == "SMTP_CONFIG_MISSING"


async def test_a_cancelled_mail_has_no_secret_and_is_not_sent(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue(reference="link")
    other = await mail_instance.enqueue(reference="another link")

    await outbox.cancel_about(mail_instance.database, ["link"], organization_id="org")

    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(other)
    assert (await mail_instance.mail(mail_id)).state is MailState.CANCELLED
    assert len(post.messages) == 1
    assert not await mail_instance.secrets()


async def test_a_notice_is_sent_to_its_user(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.happen()

    assert mail_id is not None
    mail = await mail_instance.mail(mail_id)
    assert (mail.kind, mail.user_id) == ("passkey_added", mail_instance.user_id)
    assert mail.recipient_address == "ada@example.com"
    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(mail_id)
    assert "Ada" in post.messages[0]["To"]
    assert "Phone" in post.texts


async def test_no_notice_is_written_to_a_user_without_an_address(
    mail_instance: MailInstance,
) -> None:
    assert await mail_instance.happen(await mail_instance.user(email="")) is None


async def test_no_notice_is_written_while_no_configuration_is_set(
    mail_instance: MailInstance,
) -> None:
    await mail_instance.sql.execute("delete from smtp_configs")

    assert await mail_instance.happen() is None
