"""Instances whose due mails are those of one test, because a mail loop takes every due mail."""

from collections.abc import AsyncIterator

import pytest

from server.deliveries.loop import Pace
from server.store.database import connected
from tests.conftest import MakeInstance
from tests.mail.mail_instance import MailInstance
from tests.mail.mailbox import Mailbox
from tests.support import given
from tests.support.certificates import Authority
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.mail_server import mail_server


@pytest.fixture(scope="session")
async def mail_dsn(make_database: MakeDatabase) -> str:
    """The DSN of a database for mails without a server."""
    dsn = await make_database()
    await given.accept_every_key(dsn)
    return dsn


@pytest.fixture
async def mail_instance(mail_dsn: str) -> AsyncIterator[MailInstance]:
    """An instance without a server, and without the mails of earlier tests."""
    async with MailInstance.open(mail_dsn) as mail_instance:
        yield mail_instance


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority of SMTP servers and token endpoints."""
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
async def sending_instance(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server for the file. It looks for mails often, because nothing wakes its loop."""
    pace = Pace(poll=0.05)
    networks = ("127.0.0.0/8",)
    async with make_instance(
        mail_pace=pace, smtp_allowed_networks=networks, smtp_org_allowed_networks=networks
    ) as server:
        yield server


@pytest.fixture
async def mailbox(sending_instance: Instance) -> AsyncIterator[Mailbox]:
    """This server without earlier mails. Its SMTP server accepts mails, unless a test adds faults.

    Each test has another SMTP server, so attempts of an earlier test cannot reach it.
    """
    async with (
        mail_server() as server,
        connected(sending_instance.dsn, pool_size=2) as database,
    ):
        mailbox = Mailbox(sending_instance, database, server)
        await mailbox.configure()
        yield mailbox
        await mailbox.clear()
