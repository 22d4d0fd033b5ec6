"""A destination that fails for every mail: few attempts while it fails, then all mails at once."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from typing import Any

import pytest

from server.deliveries.loop import Pace
from server.deliveries.results import DeliveryState
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import DeliveryError, Destination
from server.mail import leases, store
from server.mail.breaker import Breaker
from server.mail.store import Mail
from server.smtp.oauth.client import MailboxClient
from server.smtp.oauth.credential import TokenMethod
from server.smtp.oauth.tokens import MailboxTokens
from server.values.errors import Failure, Kind
from tests.mail.mail_instance import DESTINATION, LINK, MailInstance, Post, refusing
from tests.mail.test_breaker import Clock
from tests.support import first_calls
from tests.support.certificates import Authority
from tests.support.delivering import deliver
from tests.support.mail_server import mail_server, reply
from tests.support.token_endpoint import CLIENT_ID, MAILBOX, SCOPE_OF_MICROSOFT, token_endpoint

_LOOPBACK = ip_network("127.0.0.0/8")
_DELIVER = partial(deliver, options=TransportOptions(allowed_networks=[_LOOPBACK]))
_LONGEST_SECONDS = 600
_AT_ONCE = 4


class Loop:
    """A mail loop without pauses, with its own clock."""

    def __init__(self, mail_instance: MailInstance) -> None:
        self.mail_instance = mail_instance
        self.clock = Clock()
        self.breaker = Breaker(clock=self.clock)
        self.options = {"pace": Pace(poll=0.01), "make_breaker": lambda: self.breaker}
        self.looks = 0
        # Raised in place of the destination.
        self.error: Failure | None = None
        mail_instance.find_destination = self._find_destination

    async def _find_destination(self, _server: str) -> Destination | None:
        self.looks += 1
        if self.error:
            raise self.error
        return self.mail_instance.destination

    async def rests(self) -> int:
        """The number of attempts, after none has begun for several looks."""
        while True:
            tries, looks = await self._tries(), self.looks
            while self.looks < looks + 5:  # noqa: ASYNC110 -- nothing signals it
                await asyncio.sleep(0.001)
            if tries and not await self._leased() and tries == await self._tries():
                return tries

    async def _tries(self) -> int:
        return await self.mail_instance.sql.fetchval("select count(ended_at) from mail_attempts")

    async def _leased(self) -> int:
        return await self.mail_instance.sql.fetchval("select count(*) from mails where is_leased")


@pytest.fixture
def loop(mail_instance: MailInstance, monkeypatch: pytest.MonkeyPatch) -> Loop:
    """A loop whose breaker opens at the first failure, and which remembers no destination."""
    monkeypatch.setattr("server.mail.loop._SETTINGS_SECONDS", 0.0)
    return Loop(mail_instance)


def unreachable() -> Post:
    """A destination where no server listens."""
    return refusing("CONNECTION_REFUSED", is_permanent=False, step="connect")


async def test_a_wrong_password_is_tried_a_few_times_however_many_mails_wait(
    mail_instance: MailInstance, loop: Loop
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(50)]
    async with mail_server(users={"mailer": "right"}) as server:
        right = replace(DESTINATION, port=server.port, user="mailer", password="right")
        mail_instance.destination = replace(right, password="wrong")
        async with mail_instance.sending(_DELIVER, **loop.options):
            # As many as are sent at once, then one at a time
            begun = await loop.rests()
            assert 1 <= begun <= _AT_ONCE
            assert server.commands.count("AUTH") == begun
            for trials in range(1, 4):
                loop.clock.now += _LONGEST_SECONDS
                assert await loop.rests() == begun + trials
                assert server.commands.count("AUTH") == begun + trials
            tried = [mail for each in mails if (mail := await mail_instance.mail(each)).attempts]
            assert len(tried) == begun + 3
            assert {mail.attempts[0].reason for mail in tried} == {"AUTH_FAILED"}

            # After the correction, all are sent at once
            mail_instance.destination = right
            await mail_instance.sent(*mails)
            assert not loop.breaker.has_failed

    assert len(server.received) == len(mails)


@pytest.mark.parametrize("outage_seconds", [2, _LONGEST_SECONDS])
async def test_all_mails_are_sent_at_the_first_trial_after_an_outage(
    mail_instance: MailInstance, loop: Loop, outage_seconds: int
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(10)]
    async with mail_server(faults={"CONNECT": reply("421 4.3.2 Not now")}) as server:
        mail_instance.destination = replace(DESTINATION, port=server.port)
        async with mail_instance.sending(_DELIVER, **loop.options):
            await loop.rests()
            server.faults.clear()
            mails.append(await mail_instance.enqueue())
            loop.clock.now += outage_seconds
            await mail_instance.sent(*mails)


async def test_a_throttled_token_endpoint_is_asked_once_a_trial_and_loses_no_mail(
    mail_instance: MailInstance, loop: Loop, authority: Authority
) -> None:
    # https://learn.microsoft.com/entra/identity-platform/reference-error-codes: 429
    mails = [await mail_instance.enqueue() for _ in range(20)]
    options = TransportOptions(ca_file=authority.ca_file, allowed_networks=[_LOOPBACK])
    tokens = MailboxTokens(mail_instance.database, mail_instance.keyring, options)
    async with (
        token_endpoint(authority) as endpoint,
        mail_server(
            tls=authority.certificate().context(), mechanisms=["XOAUTH2"], accepts=endpoint.accepts
        ) as server,
    ):
        endpoint.answers = [("429 Too Many Requests", {})] * 100
        client = MailboxClient(
            organization_id="",
            config_id="config",
            secret_id="secret",
            token_endpoint=endpoint.url,
            client_id=CLIENT_ID,
            scope=SCOPE_OF_MICROSOFT,
            mailbox=MAILBOX,
            method=TokenMethod.CLIENT_SECRET,
            context=b"",
            credential={"client_secret": endpoint.client_secret},
        )
        mail_instance.destination = replace(
            DESTINATION,
            host="localhost",
            port=server.port,
            user=MAILBOX,
            tokens=tokens.source(client),
        )
        async with mail_instance.sending(partial(deliver, options=options), **loop.options):
            await loop.rests()
            begun = len(endpoint.requests)
            assert begun <= _AT_ONCE
            loop.clock.now += _LONGEST_SECONDS
            await loop.rests()
            assert len(endpoint.requests) == begun + 1

            endpoint.answers = []
            server.faults["AUTH"] = reply("421 4.7.0 Try again later, closing connection")
            loop.clock.now += _LONGEST_SECONDS
            await loop.rests()
            assert server.commands.count("AUTH") == 1
            server.faults.clear()
            loop.clock.now += _LONGEST_SECONDS
            await mail_instance.sent(*mails)

    assert len(server.received) == len(mails)
    assert len(endpoint.valid) == 1


async def test_a_trial_whose_mail_is_refused_has_reached_the_server(
    mail_instance: MailInstance, loop: Loop
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(10)]
    post = unreachable()

    async with mail_instance.sending(post, **loop.options):
        await loop.rests()
        post.before = refusing("RECIPIENT_REFUSED", is_permanent=True).before
        loop.clock.now += _LONGEST_SECONDS
        for each in mails:
            await mail_instance.until(each, _has_failed)


async def test_a_trial_that_is_not_sent_at_all_is_followed_by_another(
    mail_instance: MailInstance, loop: Loop
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(10)]
    post = unreachable()
    async with mail_instance.sending(post, **loop.options):
        begun = await loop.rests()
        await mail_instance.sql.execute(
            "update mails set holds_until = now() where mail_id <> $1", mails[-1]
        )
        loop.clock.now += _LONGEST_SECONDS
        await loop.rests()

    assert begun <= _AT_ONCE
    states = [(await mail_instance.mail(each)).state for each in mails]
    assert states.count(DeliveryState.CANCELLED) >= len(mails) - begun - 1
    assert (await mail_instance.mail(mails[-1])).attempts[-1].reason == "CONNECTION_REFUSED"


async def test_a_mail_that_is_retried_is_tried_although_the_others_wait(
    mail_instance: MailInstance, loop: Loop
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(10)]
    post = unreachable()
    async with mail_instance.sending(post, **loop.options):
        begun = await loop.rests()
        await store.retry(mail_instance.database, mails[-1])
        assert await loop.rests() == begun + 1
        [attempt] = (await mail_instance.mail(mails[-1])).attempts
        assert attempt.reason == "CONNECTION_REFUSED"

        post.before = None
        assert await loop.rests() == begun + 1
        await store.retry(mail_instance.database, mails[0])
        await mail_instance.sent(*mails)


async def test_a_mail_that_failed_for_its_destination_waits_no_longer_than_that(
    mail_instance: MailInstance, loop: Loop
) -> None:
    mail_id = await mail_instance.enqueue()

    async with mail_instance.sending(unreachable(), **loop.options):
        for _ in range(3):
            loop.clock.now += _LONGEST_SECONDS
            await loop.rests()
        mail = await mail_instance.mail(mail_id)

    assert mail.state is DeliveryState.PENDING
    assert mail.next_attempt_at - (mail.attempts[-1].started_at) < timedelta(seconds=10)
    assert await mail_instance.sql.fetchval("select failures from mails") == 0


async def test_a_login_that_was_refused_is_not_tried_again_within_moments(
    mail_instance: MailInstance, loop: Loop
) -> None:
    await mail_instance.enqueue()
    async with mail_server(users={"mailer": "right"}) as server:
        mail_instance.destination = replace(
            DESTINATION, port=server.port, user="mailer", password="wrong"
        )
        async with mail_instance.sending(_DELIVER, **loop.options):
            assert await loop.rests() == 1
            loop.clock.now += 29
            assert await loop.rests() == 1
            loop.clock.now += 31
            assert await loop.rests() == 2


async def test_a_look_that_began_before_a_failure_does_not_try_the_mail_again(
    mail_instance: MailInstance, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire, looks = leases.acquire, 0

    async def acquire_late(*args: Any, **kwargs: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks == 2:
            while not loop.breaker.has_failed:  # noqa: ASYNC110 -- nothing signals it
                await asyncio.sleep(0)
            await asyncio.sleep(0.05)  # meanwhile the failure could be recorded
        return await acquire(*args, **kwargs)

    async def refuse_late() -> None:
        while looks < 2:  # noqa: ASYNC110 -- nothing signals it
            await asyncio.sleep(0)
        raise DeliveryError("auth", "AUTH_FAILED", "It said no.", is_permanent=False)

    monkeypatch.setattr(leases, "acquire", acquire_late)
    await mail_instance.enqueue()

    async with mail_instance.sending(Post(before=refuse_late), **loop.options):
        assert await loop.rests() == 1


async def test_a_mail_is_overdue_for_as_long_as_its_destination_fails(
    mail_instance: MailInstance, loop: Loop
) -> None:
    await mail_instance.enqueue()
    async with mail_instance.sending(unreachable(), **loop.options):
        await loop.rests()
        await mail_instance.sql.execute("update mails set due_at = due_at - interval '1 hour'")
        for _ in range(3):
            loop.clock.now += _LONGEST_SECONDS
            await loop.rests()
            assert (await leases.look(mail_instance.database)).overdue_seconds >= 3600


@pytest.mark.parametrize("is_unreadable", [False, True], ids=["none is set", "unreadable"])
async def test_mails_wait_untried_for_a_usable_configuration(
    mail_instance: MailInstance, loop: Loop, is_unreadable: bool
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(10)]
    loop.error = Failure(Kind.FAILED_PRECONDITION, "SMTP_PASSWORD_UNREADABLE", "Set it again.")
    if not is_unreadable:
        loop.error, mail_instance.destination = None, None
    async with mail_instance.sending(Post(), **loop.options):
        assert await loop.rests() <= _AT_ONCE

        loop.error, mail_instance.destination = None, DESTINATION
        await mail_instance.sent(*mails)


async def test_a_server_that_is_never_done_is_tried_with_one_mail_at_a_time(
    mail_instance: MailInstance, loop: Loop
) -> None:
    for _ in range(10):
        await mail_instance.enqueue()

    hanging = Post(before=asyncio.Event().wait)
    async with mail_instance.sending(hanging, step_seconds=0.01, **loop.options):
        begun = await loop.rests()
        loop.clock.now += _LONGEST_SECONDS
        assert await loop.rests() == begun + 1

    assert begun <= _AT_ONCE


async def test_an_outage_of_the_database_is_not_the_fault_of_a_destination(
    mail_instance: MailInstance, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [await mail_instance.enqueue() for _ in range(2)]
    outage = Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "")
    first_calls.fail(monkeypatch, leases, "get_content", outage)

    async with mail_instance.sending(Post(), **loop.options):
        await mail_instance.tried_once(*mails)
        later = await mail_instance.enqueue(secrets={"link": LINK})
        await mail_instance.sent(later)


def _has_failed(mail: Mail) -> bool:
    return mail.state is DeliveryState.FAILED
