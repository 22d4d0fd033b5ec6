"""A database of its own for every test, since a loop takes whatever mail is due."""

from collections.abc import AsyncIterator

import pytest

from server.database import connected
from server.mail.delivery import Pace
from tests.conftest import MakeDatabase, MakeInstance
from tests.mail.desk import Desk
from tests.mail.mailbox import Mailbox
from tests.smtp.mail_server import mail_server


@pytest.fixture
async def desk(make_database: MakeDatabase) -> AsyncIterator[Desk]:
    """An instance without a server."""
    async with Desk.open(await make_database()) as desk:
        yield desk


@pytest.fixture
async def mailbox(make_instance: MakeInstance) -> AsyncIterator[Mailbox]:
    """An instance whose mails arrive, unless its SMTP server is told to refuse them."""
    pace = Pace(poll=0.05)  # nobody wakes it here
    async with (
        mail_server() as server,
        make_instance(mail_pace=pace, smtp_allowed_networks=("127.0.0.0/8",)) as instance,
        connected(instance.dsn, pool_size=2) as database,
    ):
        mailbox = Mailbox(instance, database, server)
        await mailbox.configure()
        yield mailbox
