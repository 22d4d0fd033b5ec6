"""The rows that are written for a mail."""

import contextlib

import pytest

from server.deliveries.results import DeliveryState
from server.mail import outbox
from server.values.errors import Failure
from tests.mail.mail_instance import MailInstance, Post


@pytest.mark.parametrize("is_undone", [False, True])
async def test_a_mail_is_written_with_its_transaction_or_not_at_all(
    mail_instance: MailInstance, is_undone: bool
) -> None:
    with contextlib.suppress(LookupError):
        async with mail_instance.database.transaction() as transaction:
            await mail_instance.enqueue(transaction)
            if is_undone:
                raise LookupError

    for table in ("mails", "mail_budgets", "secrets"):
        count = await mail_instance.sql.fetchval(f"select count(*) from {table}")  # noqa: S608
        assert count == (not is_undone)


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
    assert mail.state is DeliveryState.PENDING
    assert mail.attempts[0].reason == "SECRET_UNREADABLE"


async def test_a_cancelled_mail_has_no_secret_and_is_not_sent(mail_instance: MailInstance) -> None:
    mail_id = await mail_instance.enqueue(reference="link")
    other = await mail_instance.enqueue(reference="another link")

    await outbox.cancel_about(mail_instance.database, ["link"], organization_id="org")

    post = Post()
    async with mail_instance.sending(post):
        await mail_instance.sent(other)
    assert (await mail_instance.mail(mail_id)).state is DeliveryState.CANCELLED
    assert len(post.messages) == 1
    assert not await mail_instance.secrets()


async def test_nothing_is_written_without_an_address_or_a_configuration(
    mail_instance: MailInstance,
) -> None:
    assert await mail_instance.happen(await mail_instance.user(email="")) is None

    await mail_instance.sql.execute("delete from smtp_configs")

    assert await mail_instance.happen() is None
    with pytest.raises(Failure, match="SMTP_CONFIG_MISSING"):
        await mail_instance.enqueue()
