"""One postfix for all these tests, and a Keystead that mails by it."""

from collections.abc import AsyncIterator

import pytest

from e2e.postfix.mailing_server import MailingServer, mailing_server
from e2e.postfix.server import Postfix, running
from tests.support.databases import MakeDatabase


@pytest.fixture(scope="package")
async def postfix() -> AsyncIterator[Postfix]:
    """A postfix that runs."""
    async with running() as postfix:
        yield postfix


@pytest.fixture(scope="package")
async def keystead(
    postfix: Postfix, make_database: MakeDatabase, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[MailingServer]:
    """A Keystead that is configured to mail by postfix."""
    dsn, data_dir = await make_database(), tmp_path_factory.mktemp("data")
    async with mailing_server(postfix, dsn, data_dir, log_name="postfix-keystead.log") as keystead:
        await keystead.configure()
        yield keystead
