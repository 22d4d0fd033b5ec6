"""Keystead killed while postfix has a mail in its hands."""

import signal
from pathlib import Path

import pytest

from e2e.postfix.mailing_server import is_sent, mailing_server, reader
from e2e.postfix.policy import Moment
from e2e.postfix.server import Postfix
from tests.support import given
from tests.support.databases import MakeDatabase

pytestmark = pytest.mark.xdist_group("postfix")


@pytest.mark.parametrize(
    ("moment", "copies"),
    [
        ("RCPT", 1),
        # Postfix has all of the mail, and nobody is there to hear that it was accepted: a sender
        # that is not told may only send again (RFC 5321, section 4.2.5; RFC 1047).
        ("END-OF-MESSAGE", 2),
    ],
)
async def test_a_mail_survives_the_process_that_was_sending_it(
    postfix: Postfix, make_database: MakeDatabase, tmp_path: Path, moment: Moment, copies: int
) -> None:
    dsn, receiver = await make_database(), reader()

    async with mailing_server(postfix, dsn, tmp_path, log_name="postfix-killed.log") as killed:
        await killed.configure()
        async with postfix.policy.holding(receiver, moment) as held:
            mail_id = await killed.link_for(receiver)
            await held.wait()
            await killed.server.end(signal.SIGKILL)
    async with mailing_server(postfix, dsn, tmp_path, log_name="postfix-again.log") as restarted:
        await _end_lease(dsn, mail_id)
        sent = await restarted.mail(mail_id, is_sent)
        mails = await postfix.received(receiver, copies)

    assert [mail["Message-ID"] for mail in mails] == [sent.message_id] * copies
    interrupted, _ = sent.attempts
    assert not interrupted.HasField("ended_at")


async def _end_lease(dsn: str, mail_id: str) -> None:
    """Moves the time until which the mail is left to the process that was killed into the past."""
    async with given.sql(dsn) as connection:
        await connection.execute(
            "update mails set next_attempt_at = clock_timestamp() where mail_id = $1", mail_id
        )
