"""A mail arrives although the server process that sent it was killed."""

import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.database import connected
from tests.conftest import MakeInstance
from tests.mail.mailbox import Mailbox
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.given import Instance
from tests.support.mail_server import Connection, Fault, MailServer, hang, mail_server
from tests.support.process import Server, serve_forked

_SETTINGS = {"smtp_allowed_networks": "127.0.0.0/8"}


def kept(contents: list[bytes]) -> Fault:
    """Accepts the message without a reply."""

    async def keep(connection: Connection, _argument: str) -> None:
        contents.append(connection.envelope.content)  # type: ignore[union-attr, arg-type]
        await hang(connection, "")

    return keep


@contextlib.asynccontextmanager
async def _mailbox(process: Server, dsn: str, server: MailServer) -> AsyncIterator[Mailbox]:
    async with (
        Instance.connected(dsn, await process.port(), process.data_dir) as instance,
        connected(dsn, pool_size=1) as database,
    ):
        yield Mailbox(instance, database, server)


@pytest.mark.parametrize("moment", ["DATA", "BODY"])
async def test_a_mail_whose_server_process_is_killed_is_sent_by_another(
    tmp_path: Path, make_database: MakeDatabase, make_instance: MakeInstance, moment: str
) -> None:
    dsn = await make_database()
    contents: list[bytes] = []
    fault = kept(contents) if moment == "BODY" else hang
    async with mail_server(faults={moment: fault}) as server:
        # Given a process that is killed while it sends
        async with (
            serve_forked(tmp_path, database_url=dsn, **_SETTINGS) as process,
            _mailbox(process, dsn, server) as mailbox,
        ):
            await mailbox.configure()
            mail_id = await mailbox.enqueue_link(await given.user(mailbox.admin))
            await server.said(moment)
            await process.end(signal.SIGKILL)
        server.faults.clear()

        # When its lease has ended, and another process runs
        async with given.sql(dsn) as sql:
            assert await sql.fetchval("select is_leased and next_attempt_at > now() from mails")
            await sql.execute("update mails set next_attempt_at = now()")
        async with (
            make_instance(dsn=dsn, data_dir=process.data_dir, **_SETTINGS) as instance,
            connected(dsn, pool_size=1) as database,
        ):
            mail = await Mailbox(instance, database, server).until_tried(mail_id, 1)

    # Then the mail has arrived again, with the same Message-ID
    [received] = server.received
    assert received.message["Message-ID"] == mail.message_id
    assert all(mail.message_id.encode() in content for content in contents)
    first, second = mail.attempts
    assert not first.HasField("ended_at")
    assert second.reason == ""
