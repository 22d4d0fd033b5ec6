"""A database for each test, because a mail loop takes every due mail."""

from collections.abc import AsyncIterator

import pytest

from server.mail.loop import Pace
from server.store.database import connected
from tests.conftest import MakeInstance
from tests.mail.mail_instance import MailInstance
from tests.mail.mailbox import Mailbox
from tests.support.databases import MakeDatabase
from tests.support.mail_server import mail_server


@pytest.fixture
async def mail_instance(make_database: MakeDatabase) -> AsyncIterator[MailInstance]:
    """An instance without a server."""
    async with MailInstance.open(await make_database()) as mail_instance:
        yield mail_instance


@pytest.fixture
async def mailbox(make_instance: MakeInstance) -> AsyncIterator[Mailbox]:
    """An instance whose SMTP server accepts mails, unless a test gives it faults."""
    pace = Pace(poll=0.05)  # nothing wakes the loop here
    async with (
        mail_server() as server,
        make_instance(mail_pace=pace, smtp_allowed_networks=("127.0.0.0/8",)) as instance,
        connected(instance.dsn, pool_size=2) as database,
    ):
        mailbox = Mailbox(instance, database, server)
        await mailbox.configure()
        yield mailbox
