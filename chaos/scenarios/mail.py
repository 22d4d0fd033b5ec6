"""PostgreSQL, the mail server and Keystead killed while mails are sent."""

import contextlib
import operator
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import asyncpg
import grpc

from chaos.load import Ports
from chaos.outbox import UNANSWERED, WORKERS, Senders, execute, kill, until
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_rebuilt_is_live,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.mail_server import Connection, MailServer, Received, cut, mail_server

# Like RetryMail, for all mails, so that the scenario need not wait for the next attempts.
_HURRY = """
update mails set is_urgent = true, next_attempt_at = least(next_attempt_at, clock_timestamp())
where state = 'pending' and not is_leased
    and not (is_urgent and next_attempt_at <= clock_timestamp())"""
# Only while no process runs that may hold a lease.
_END_LEASES = "update mails set next_attempt_at = clock_timestamp() where is_leased"
PENDING: Final = "select count(*) from mails where state = 'pending'"
_FAILED_TRIES = "select count(*) from mail_attempts where reason <> ''"
# The reasons of each mail's attempts: empty on success, null if the process was killed.
_TRIES = """
select recipient_address, array_agg(case when mail_attempts.ended_at is not null
    then reason end order by number) as reasons
from mails join mail_attempts using (mail_id) group by mail_id, recipient_address"""


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for all but the mail server, whose connections are cut; then all run again."""
    ports, writes = free_ports(), scale.writes // 3
    async with stage.database() as dsn, mail_server() as smtp, contextlib.AsyncExitStack() as stack:
        async with sending(stage, dsn, ports) as served:
            senders = await stack.enter_async_context(LinkSenders.of(served))
            await senders.configure(smtp)
            async with senders.running(scale.callers):
                for _ in range(scale.rounds):
                    await senders.more(writes)
                    await senders.without_database(stage, scale.callers)
                    await senders.more(writes)
                    await _without_mail_server(dsn, smtp)
                await senders.more(writes)
                await kill(served)
        await execute(dsn, _END_LEASES)
        report.did(
            f"killed PostgreSQL and cut off the mail server {scale.rounds} times, then killed"
            f" {WORKERS} workers, under {scale.callers} callers who had links mailed"
        )
        async with sending(stage, dsn, ports) as served:
            await until(dsn, PENDING, lambda pending: pending == 0, hurry=_HURRY)
            await judge(report, dsn, senders, [smtp])
            promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


@contextlib.asynccontextmanager
async def sending(stage: Stage, dsn: str, ports: Ports) -> AsyncIterator[Served]:
    """A server that may mail by servers on this machine."""
    networks = dict.fromkeys(("smtp_allowed_networks", "smtp_org_allowed_networks"), "127.0.0.0/8")
    settings = {"workers": WORKERS, "smtp_timeout": 5, **networks}
    async with stage.server(dsn, ports=ports, **settings) as served:
        yield served


async def _without_mail_server(dsn: str, smtp: MailServer) -> None:
    for command, fault in (("BODY", accept_unheard), ("CONNECT", cut)):
        smtp.faults[command] = fault
        for connection in smtp.connections:
            connection.abort()
        failed = await execute(dsn, _FAILED_TRIES)
        await until(dsn, _FAILED_TRIES, partial(operator.lt, failed), hurry=_HURRY)
    smtp.faults.clear()


async def accept_unheard(connection: Connection, _argument: str) -> None:
    """Accepts the message, and cuts the connection before the answer."""
    envelope: Any = connection.envelope
    connection.server.received.append(
        Received(
            sender=envelope.mail_from,
            recipients=tuple(envelope.rcpt_tos),
            content=envelope.content,
            options=(),
            user="",
            greeting_name="",
            is_encrypted=False,
        )
    )
    await cut(connection, "")


async def judge(
    report: Report, dsn: str, senders: "LinkSenders", servers: Iterable[MailServer]
) -> None:
    """Judges the mails that arrived at the servers."""
    received = [each for server in servers for each in server.received]
    copies = Counter(each.recipients[0] for each in received)
    message_ids = {(each.recipients[0], each.message["Message-ID"]) for each in received}
    ids = Counter(address for address, _ in message_ids)
    tries = await _tries(dsn)
    twice = [address for address, number in copies.items() if number > 1]
    report.saw(
        f"{len(senders.acknowledged)} links acknowledged, {senders.refusals} refused or without"
        f" an answer; {len(twice)} mails arrived more than once, since the try before got no answer"
    )
    report.promise(
        "every acknowledged link has arrived",
        unless=[address for address in senders.acknowledged if not copies[address]],
    )
    report.promise(
        "no mail arrived once more than it had tries without an answer",
        unless=[
            f"{address}: {copies[address]} copies, {tries[address]}"
            for address in twice
            if copies[address] > 1 + sum(each in UNANSWERED for each in tries[address])
        ],
    )
    report.promise(
        "every copy of a mail has the same Message-ID",
        unless=[address for address, number in ids.items() if number > 1],
    )


class LinkSenders(Senders):
    """Callers that send registration links, each to a new user with an address of its own."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        super().__init__(channel, token)
        # The headers that select the organizations of users, in turns.
        self.places: list[dict[str, Any]] = [{}]

    async def configure(self, smtp: MailServer, **place: Any) -> None:
        """Configures the mail server, of the instance or of `x_service_orgid`."""
        config = given.smtp_config(host=f"127.0.0.1:{smtp.port}", tls=False, user="", password="")
        await self.admin.call(self.admin.smtp.AddSMTPConfig, config, **place)

    async def send(self) -> None:
        number, admin = next(self._numbers), self.admin
        address = f"reader-{number}@example.com"
        place = self.places[number % len(self.places)]
        user = user_pb.CreateUserRequest(user_name=address, email=address)
        user_id = (await admin.call(admin.users.CreateUser, user, **place)).user_id
        link = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, send_link=passkey_pb.SendLink()
        )
        await admin.call(admin.passkeys.CreatePasskeyRegistrationLink, link)
        self.acknowledged.append(address)


async def _tries(dsn: str) -> Mapping[str, Sequence[str | None]]:
    async with given.sql(dsn) as connection:
        rows: list[asyncpg.Record] = await connection.fetch(_TRIES)
    return {row["recipient_address"]: row["reasons"] for row in rows}
