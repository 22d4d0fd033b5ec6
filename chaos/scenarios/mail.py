"""PostgreSQL, the mail server and Keystead killed while mails are sent."""

import asyncio
import contextlib
import operator
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

import asyncpg
import grpc
import psutil

from chaos.load import Ports
from chaos.promises import (
    promise_no_unexpected_errors,
    promise_rebuilt_is_live,
)
from chaos.report import Report
from chaos.stage import Scale, Served, Stage, free_ports
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client
from tests.support.mail_server import Connection, MailServer, Received, cut, mail_server

_WORKERS = 2
_POLL_SECONDS = 0.02

# Like RetryMail, for all mails, so that the scenario need not wait for the next attempts.
_HURRY = """
update mails set is_urgent = true, next_attempt_at = least(next_attempt_at, clock_timestamp())
where state = 'pending' and not is_leased
    and not (is_urgent and next_attempt_at <= clock_timestamp())"""
# Only while no process runs that may hold a lease.
_END_LEASES = "update mails set next_attempt_at = clock_timestamp() where is_leased"
_PENDING = "select count(*) from mails where state = 'pending'"
_FAILED_TRIES = "select count(*) from mail_attempts where reason <> ''"
# The reasons of each mail's attempts: empty on success, null if the process was killed.
_TRIES = """
select recipient_address, array_agg(case when mail_attempts.ended_at is not null
    then reason end order by number) as reasons
from mails join mail_attempts using (mail_id) group by mail_id, recipient_address"""
# After these failures the mail server may still have accepted the mail.
_UNANSWERED = (None, "CONNECTION_LOST", "NO_ANSWER", "TIMEOUT")


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """SIGKILL for all but the mail server, whose connections are cut; then all run again."""
    ports, writes = free_ports(), scale.writes // 3
    async with stage.database() as dsn, mail_server() as smtp, contextlib.AsyncExitStack() as stack:
        async with _served(stage, dsn, ports) as served:
            senders = await stack.enter_async_context(_Senders.of(served))
            await senders.configure(smtp)
            async with senders.running(scale.callers):
                for _ in range(scale.rounds):
                    await senders.more("acknowledged", writes)
                    await _without_database(stage, senders, scale)
                    await senders.more("acknowledged", writes)
                    await _without_mail_server(dsn, smtp)
                await senders.more("acknowledged", writes)
                await _killed(served)
        await _execute(dsn, _END_LEASES)
        report.did(
            f"killed PostgreSQL and cut off the mail server {scale.rounds} times, then killed"
            f" {_WORKERS} workers, under {scale.callers} callers who had links mailed"
        )
        async with _served(stage, dsn, ports) as served:
            await _until(dsn, _PENDING, lambda pending: pending == 0, hurry=True)
            await _judge(report, dsn, senders, smtp)
            promise_no_unexpected_errors(report, served)
        await promise_rebuilt_is_live(report, dsn, served.server.data_dir)


@contextlib.asynccontextmanager
async def _served(stage: Stage, dsn: str, ports: Ports) -> AsyncIterator[Served]:
    settings = {"workers": _WORKERS, "smtp_allowed_networks": "127.0.0.0/8", "smtp_timeout": 5}
    async with stage.server(dsn, ports=ports, **settings) as served:
        yield served


async def _without_database(stage: Stage, senders: "_Senders", scale: Scale) -> None:
    stage.kill()
    await senders.more("refused", scale.callers)
    await stage.start()


async def _without_mail_server(dsn: str, smtp: MailServer) -> None:
    for command, fault in (("BODY", _accept_unheard), ("CONNECT", cut)):
        smtp.faults[command] = fault
        for connection in smtp.connections:
            connection.abort()
        failed = await _execute(dsn, _FAILED_TRIES)
        await _until(dsn, _FAILED_TRIES, partial(operator.lt, failed), hurry=True)
    smtp.faults.clear()


async def _accept_unheard(connection: Connection, _argument: str) -> None:
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
            accepted_at=datetime.now(UTC),
        )
    )
    await cut(connection, "")


async def _killed(served: Served) -> None:
    """Kills the server and its workers, which are in process groups of their own."""
    processes = [served.process, *served.process.children(recursive=True)]
    for each in processes:
        each.kill()
    await served.server.status()
    while any(_is_running(each) for each in processes):  # noqa: ASYNC110 -- not child processes
        await asyncio.sleep(_POLL_SECONDS)


def _is_running(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


async def _judge(report: Report, dsn: str, senders: "_Senders", smtp: MailServer) -> None:
    copies = Counter(received.recipients[0] for received in smtp.received)
    message_ids = {(each.recipients[0], each.message["Message-ID"]) for each in smtp.received}
    ids = Counter(address for address, _ in message_ids)
    tries = await _tries(dsn)
    twice = [address for address, number in copies.items() if number > 1]
    report.saw(
        f"{len(senders.acknowledged)} links acknowledged, {len(senders.refused)} refused or without"
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
            if copies[address] > 1 + sum(each in _UNANSWERED for each in tries[address])
        ],
    )
    report.promise(
        "every copy of a mail has the same Message-ID",
        unless=[address for address, number in ids.items() if number > 1],
    )


class _Senders:
    """Callers that send registration links, each to a new user with an address of its own."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self._admin = Client(channel, token)
        self._numbers = count()
        self.acknowledged: list[str] = []
        self.refused: list[str] = []

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, served: Served) -> AsyncIterator["_Senders"]:
        """Until the end of the block."""
        async with grpc.aio.insecure_channel(f"127.0.0.1:{served.ports.grpc}") as channel:
            yield cls(channel, served.token)

    async def configure(self, smtp: MailServer) -> None:
        """Configures the mail server."""
        config = given.smtp_config(host=f"127.0.0.1:{smtp.port}", tls=False, user="", password="")
        await self._admin.call(self._admin.smtp.AddSMTPConfig, config)

    @contextlib.asynccontextmanager
    async def running(self, number: int) -> AsyncIterator[None]:
        """Runs this number of callers during the block."""
        tasks = [asyncio.create_task(self._send()) for _ in range(number)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def more(self, kind: str, number: int) -> None:
        """Waits until this number more are `acknowledged` or `refused`."""
        outcomes = getattr(self, kind)
        wanted = len(outcomes) + number
        while len(outcomes) < wanted:  # noqa: ASYNC110 -- there is no event
            await asyncio.sleep(_POLL_SECONDS)

    async def _send(self) -> None:
        while True:
            address = f"reader-{next(self._numbers)}@example.com"
            try:
                await self._send_link(address)
            except grpc.aio.AioRpcError:
                self.refused.append(address)
                await asyncio.sleep(_POLL_SECONDS)
            else:
                self.acknowledged.append(address)

    async def _send_link(self, address: str) -> None:
        admin = self._admin
        user = user_pb.CreateUserRequest(user_name=address, email=address)
        user_id = (await admin.call(admin.users.CreateUser, user)).user_id
        link = passkey_pb.CreatePasskeyRegistrationLinkRequest(
            user_id=user_id, send_link=passkey_pb.SendLink()
        )
        await admin.call(admin.passkeys.CreatePasskeyRegistrationLink, link)


async def _until(
    dsn: str, statement: str, fits: Callable[[int], bool], *, hurry: bool = False
) -> None:
    """Waits until the statement gives the expected number."""
    async with given.sql(dsn) as connection:
        while not fits(await connection.fetchval(statement)):
            if hurry:
                await connection.execute(_HURRY)
            await asyncio.sleep(_POLL_SECONDS)


async def _execute(dsn: str, statement: str) -> int:
    async with given.sql(dsn) as connection:
        number: int = await connection.fetchval(statement)
    return number


async def _tries(dsn: str) -> Mapping[str, Sequence[str | None]]:
    async with given.sql(dsn) as connection:
        rows: list[asyncpg.Record] = await connection.fetch(_TRIES)
    return {row["recipient_address"]: row["reasons"] for row in rows}
