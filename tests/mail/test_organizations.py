"""Mails of organizations with a server of their own, and the fallback to that of the instance."""

import asyncio
import email
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from ipaddress import ip_network
from typing import Any

import pytest

from server.deliveries.loop import Pace
from server.deliveries.results import DeliveryState
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import DeliveryError
from server.mail import loop
from server.mail.breaker import PATIENCE_SECONDS, Breaker
from server.mail.store import Mail
from server.org.brand.shown import ShownBrand
from server.values.errors import Failure, Kind
from tests.mail.mail_instance import DESTINATION, MailInstance, Post, refusing
from tests.mail.test_breaker import Clock
from tests.support import given
from tests.support.delivering import deliver
from tests.support.mail_server import (
    Connection,
    Fault,
    MailServer,
    Received,
    cut,
    hang,
    mail_server,
    reply,
)

OWN = replace(DESTINATION, sender_address="mail@own.example", sender_name="Own")
_LOOPBACK = ip_network("127.0.0.0/8")
# The answers after which a server may have accepted a mail (RFC 5321, section 4.2.5).
_UNANSWERED = {"CONNECTION_LOST", "NO_ANSWER", "TIMEOUT", None}
_MAILS = 40
# Between the trials of the failing server.
_PAUSE = 0.1
_HURRY = """
update mails set next_attempt_at = clock_timestamp()
where state = 'pending' and not is_leased and next_attempt_at > clock_timestamp()"""
_LEASED = "select count(*) from mails where is_leased"
_RESULTS = """
select mail_id, mails.state, array_agg(reason order by number) as reasons,
    array_agg(route order by number) as routes
from mails join mail_attempts using (mail_id) group by mail_id"""


class Servers:
    """The server of the instance, which works, and that of the organization `own`."""

    def __init__(self, mail_instance: MailInstance) -> None:
        self.mail_instance = mail_instance
        self.clock = Clock()
        self.options: dict[str, Any] = {
            "pace": Pace(poll=0.01),
            "make_breaker": lambda: Breaker(clock=self.clock),
        }
        self.of_instance, self.own = Post(), Post()

    async def deliver(self, destination: Any, message: Any, *, recipient: str) -> None:
        post = self.own if destination.organization_id else self.of_instance
        await post(destination, message, recipient=recipient)


@pytest.fixture
async def servers(mail_instance: MailInstance) -> Servers:
    """Both servers."""
    await mail_instance.own_server(OWN)
    mail_instance.brands["own"] = ShownBrand("Own Ltd", support_address="help@own.example")
    return Servers(mail_instance)


def unreachable(step: str = "connect") -> Post:
    async def refuse() -> None:
        raise DeliveryError(step, "CONNECTION_REFUSED", "It said no.", is_permanent=False)

    return Post(before=refuse)


def routes(mail: Mail) -> list[str]:
    return [attempt.route for attempt in mail.attempts]


async def test_mails_go_by_the_server_of_their_organization(
    mail_instance: MailInstance, servers: Servers
) -> None:
    own = await mail_instance.enqueue(organization_id="own")
    other = await mail_instance.enqueue()

    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.sent(own, other)

    [message], [of_instance] = servers.own.messages, servers.of_instance.messages
    assert str(message["From"]) == "Own <mail@own.example>"
    assert str(message["Reply-To"]) == "help@own.example"
    assert message["Message-ID"] == f"<{own}@own.example>"
    assert "Own Ltd" in servers.own.texts
    assert (of_instance["From"], of_instance["Reply-To"]) == ("Example <noreply@example.com>", None)
    assert routes(await mail_instance.mail(own)) == ["organization"]
    assert routes(await mail_instance.mail(other)) == ["instance"]


async def test_mails_have_the_texts_of_the_organization_whose_server_delivers_them(
    mail_instance: MailInstance, servers: Servers
) -> None:
    key = "passkey_registration_link.text"
    mail_instance.own_words |= {"own": {key: "By our desk."}, "": {key: "By the instance."}}
    mails = [await mail_instance.enqueue(organization_id=each) for each in ("own", "org")]

    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.sent(*mails)

    assert "By our desk." in servers.own.texts
    assert "By the instance." in servers.of_instance.texts


async def test_the_server_of_the_instance_sends_no_text_of_an_organization(
    mail_instance: MailInstance, servers: Servers
) -> None:
    mail_instance.own_words["own"] = {"passkey_registration_link.text": "By our desk."}
    mail_id = await mail_instance.enqueue(organization_id="own")
    mail_instance.destinations.clear()

    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.sent(mail_id)

    assert "With this link you can register a passkey" in servers.of_instance.texts


async def test_after_the_removal_of_a_configuration_mails_go_by_that_of_the_instance(
    mail_instance: MailInstance, servers: Servers
) -> None:
    mail_id = await mail_instance.enqueue(organization_id="own")
    mail_instance.destinations.clear()

    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.sent(mail_id)

    assert routes(await mail_instance.mail(mail_id)) == ["instance"]


async def test_a_failing_server_delays_no_mail_of_another(
    mail_instance: MailInstance, servers: Servers
) -> None:
    mail_instance.with_fallback.clear()
    await mail_instance.own_server(OWN, org_id="second")
    waiting = [await mail_instance.enqueue(organization_id="own") for _ in range(40)]
    servers.own = Post(before=asyncio.Event().wait)

    async def deliver(destination: Any, message: Any, *, recipient: str) -> None:
        if destination.organization_id == "second":
            return
        await servers.deliver(destination, message, recipient=recipient)

    async with mail_instance.sending(deliver, **servers.options):
        others = [await mail_instance.enqueue() for _ in range(10)]
        others += [await mail_instance.enqueue(organization_id="second") for _ in range(10)]
        await mail_instance.sent(*others)

    tried = [mail for each in waiting if (mail := await mail_instance.mail(each)).attempts]
    assert len(tried) == 1  # of a server that has not yet worked


async def test_servers_that_have_worked_have_attempts_of_their_own(
    mail_instance: MailInstance, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_OF_UNPROVEN", 12)
    mail_instance.with_fallback.clear()

    async def deliver(destination: Any, message: Any, *, recipient: str) -> None:
        if destination.organization_id != "own":
            await asyncio.Event().wait()

    async with mail_instance.sending(deliver, **servers.options) as sending:
        await mail_instance.sent(await mail_instance.enqueue(organization_id="own"))
        for number in range(20):
            await mail_instance.own_server(OWN, org_id=f"dead-{number}")
            for _ in range(2):
                await mail_instance.enqueue(organization_id=f"dead-{number}")

        async def are_tried() -> bool:
            return await mail_instance.sql.fetchval(_LEASED) >= 12

        sending.wake()
        await given.eventually(are_tried)
        await mail_instance.sent(await mail_instance.enqueue(organization_id="own"))
        assert await mail_instance.sql.fetchval(_LEASED) == 12


@pytest.mark.parametrize("have_worked", [False, True])
async def test_two_hundred_servers_that_hang_delay_no_mail_of_another(
    mail_instance: MailInstance, servers: Servers, have_worked: bool
) -> None:
    dead = [f"dead-{number}" for number in range(200)]
    mail_instance.with_fallback.clear()
    for org_id in dead:
        await mail_instance.own_server(OWN, org_id=org_id)
    do_hang, hung = not have_worked, 0

    async def deliver(destination: Any, message: Any, *, recipient: str) -> None:
        nonlocal hung
        if do_hang and destination.organization_id in dead:
            hung += 1
            await asyncio.Event().wait()

    async def mails_to_all() -> list[str]:
        return [
            await mail_instance.enqueue(organization_id=org_id, hourly_limit=10**6)
            for org_id in dead
        ]

    async with mail_instance.sending(deliver, **servers.options) as sending:
        if have_worked:
            await mail_instance.sent(*await mails_to_all())
            do_hang = True
            await mails_to_all()
        await mails_to_all()
        sending.wake()

        async def all_hang() -> bool:
            return hung >= len(dead)

        await given.eventually(all_hang)
        others = [await mail_instance.enqueue(organization_id=each) for each in ("own", "")]
        await mail_instance.sent(*others)


async def test_the_settings_of_many_failing_servers_are_read_in_turns(
    mail_instance: MailInstance, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_READS", 1)
    for number in range(5):
        await mail_instance.own_server(OWN, org_id=f"dead-{number}")
    mails = [
        await mail_instance.enqueue(organization_id=f"dead-{number % 5}") for number in range(10)
    ]
    servers.own = unreachable()
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(*mails[:5])
        servers.clock.now += PATIENCE_SECONDS
        await mail_instance.sent(*mails)


async def test_substituted_mails_take_at_most_half_of_the_attempts_of_the_instance(
    mail_instance: MailInstance, servers: Servers
) -> None:
    """Nor is the destination of a failing server read in every round."""
    for number in range(4):
        await mail_instance.own_server(OWN, org_id=f"dead-{number}")
    mails = [
        await mail_instance.enqueue(organization_id=f"dead-{number % 4}") for number in range(8)
    ]
    at_once, most, reads = 0, 0, Counter[str]()

    async def find_destination(server: str) -> Any:
        reads[server] += 1
        return mail_instance.destinations.get(server, DESTINATION)

    async def deliver(destination: Any, message: Any, *, recipient: str) -> None:
        nonlocal at_once, most
        if destination.organization_id:
            raise DeliveryError("connect", "TIMEOUT", "No answer.", is_permanent=False)
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.02)
        at_once -= 1

    mail_instance.find_destination = find_destination
    async with mail_instance.sending(deliver, **servers.options):

        async def have_failed() -> bool:
            return len(reads) == 4

        await given.eventually(have_failed)
        await mail_instance.tried_once(*mails[:4])
        before = sum(reads.values())
        await asyncio.sleep(0.2)
        assert sum(reads.values()) <= before + 4
        servers.clock.now += PATIENCE_SECONDS
        await mail_instance.sent(*mails)

    assert most == 2


async def test_mails_of_others_try_a_failing_server_of_the_instance(
    mail_instance: MailInstance, servers: Servers
) -> None:
    servers.own = unreachable()
    servers.of_instance = unreachable()
    mail_id = await mail_instance.enqueue(organization_id="own")
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(mail_id)
        servers.clock.now += PATIENCE_SECONDS
        await mail_instance.until(mail_id, partial(_is_tried, 3))
        servers.of_instance = Post()
        servers.clock.now += 600
        await mail_instance.sent(mail_id)

    assert routes(await mail_instance.mail(mail_id))[-1] == "fallback"


async def test_failing_servers_take_a_part_of_the_attempts(
    mail_instance: MailInstance, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_OF_FAILING", 8)
    failing = [f"failing-{number}" for number in range(20)]
    for org_id in failing:
        await mail_instance.own_server(OWN, org_id=org_id)
        await mail_instance.enqueue(organization_id=org_id)
    mail_instance.with_fallback.clear()
    hung = 0

    async def deliver(destination: Any, message: Any, *, recipient: str) -> None:
        nonlocal hung
        if destination.organization_id == "own":
            return
        if hung < len(failing):
            hung += 1
            raise DeliveryError("connect", "TIMEOUT", "No answer.", is_permanent=False)
        await asyncio.Event().wait()

    async with mail_instance.sending(deliver, **servers.options):

        async def have_failed() -> bool:
            return hung == len(failing)

        await given.eventually(have_failed)
        servers.clock.now += 600

        async def are_tried() -> bool:
            return await mail_instance.sql.fetchval(_LEASED) >= 8

        await given.eventually(are_tried)
        own = [await mail_instance.enqueue(organization_id="own") for _ in range(5)]
        await mail_instance.sent(*own)
        assert await mail_instance.sql.fetchval(_LEASED) == 8


async def test_the_server_of_the_instance_stands_in_for_one_that_has_failed_for_a_minute(
    mail_instance: MailInstance, servers: Servers
) -> None:
    first = await mail_instance.enqueue(organization_id="own")
    servers.own = unreachable()
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(first)
        assert (await mail_instance.mail(first)).state is DeliveryState.PENDING

        servers.clock.now += PATIENCE_SECONDS
        await mail_instance.sent(first)
        later = await mail_instance.enqueue(organization_id="own")
        await mail_instance.sent(later)

        # One mail at a time still tries the server of the organization.
        servers.own = Post()
        servers.clock.now += 600
        last = await mail_instance.enqueue(organization_id="own")
        await mail_instance.sent(last)

    message = servers.of_instance.messages[0]
    assert str(message["From"]) == "Example <noreply@example.com>"
    assert str(message["Reply-To"]) == "help@own.example"
    assert "Own Ltd" not in servers.of_instance.texts
    assert routes(await mail_instance.mail(first))[-1] == "fallback"
    assert set(routes(await mail_instance.mail(first))[:-1]) == {"organization"}
    assert routes(await mail_instance.mail(later)) == ["fallback"]
    assert routes(await mail_instance.mail(last)) == ["organization"]


@pytest.mark.parametrize("answer", ["refuses", "hangs"])
async def test_a_server_that_takes_no_message_for_a_minute_fails_too(
    mail_instance: MailInstance, servers: Servers, answer: str
) -> None:
    reason = "TEMPORARILY_REFUSED" if answer == "refuses" else "NO_ANSWER"
    servers.own = refusing(reason, is_permanent=False)
    mails = [await mail_instance.enqueue(organization_id="own") for _ in range(4)]
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(*mails)
        servers.clock.now += PATIENCE_SECONDS
        # The first one is the trial.
        later = [await mail_instance.enqueue(organization_id="own") for _ in range(2)]
        await mail_instance.tried_once(later[0])
        await mail_instance.sent(later[1])

        servers.own = Post()
        servers.clock.now += 600
        trial, *last = [await mail_instance.enqueue(organization_id="own") for _ in range(3)]
        await mail_instance.sent(trial, *last)

    assert routes(await mail_instance.mail(later[0])) == ["organization"]
    assert routes(await mail_instance.mail(later[1])) == ["fallback"]
    assert routes(await mail_instance.mail(trial)) == ["organization"]


async def test_refusals_of_one_mail_let_no_other_fall_back(
    mail_instance: MailInstance, servers: Servers
) -> None:
    servers.own = refusing("TEMPORARILY_REFUSED", is_permanent=False)
    mail_id = await mail_instance.enqueue(organization_id="own")
    async with mail_instance.sending(servers.deliver, **servers.options):
        for times in (1, 2, 3):
            await mail_instance.until(mail_id, partial(_is_tried, times))
            await mail_instance.make_due(mail_id)
        servers.clock.now += PATIENCE_SECONDS
        servers.own = Post()
        other = await mail_instance.enqueue(organization_id="own")
        await mail_instance.sent(other)

    assert routes(await mail_instance.mail(other)) == ["organization"]


async def test_a_changed_configuration_is_not_blamed_for_refusals_of_the_former_server(
    mail_instance: MailInstance, servers: Servers
) -> None:
    servers.own = refusing("TEMPORARILY_REFUSED", is_permanent=False)
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(
            *[await mail_instance.enqueue(organization_id="own") for _ in range(3)]
        )
        mail_instance.destinations["own"] = replace(OWN, port=2525, organization_id="own")
        await mail_instance.tried_once(await mail_instance.enqueue(organization_id="own"))
        servers.own = Post()
        servers.clock.now += PATIENCE_SECONDS
        mails = [await mail_instance.enqueue(organization_id="own") for _ in range(2)]
        await mail_instance.sent(*mails)

    for mail_id in mails:
        assert routes(await mail_instance.mail(mail_id)) == ["organization"]


async def test_a_failed_round_takes_no_place_of_the_mails_that_fall_back(
    mail_instance: MailInstance, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers.own = unreachable()
    mails = [await mail_instance.enqueue(organization_id="own") for _ in range(2)]
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(mails[0])
        with monkeypatch.context() as patched:

            async def fail(*_args: Any, **_lease: Any) -> Any:
                raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "")

            patched.setattr("server.mail.leases.acquire_urgent", fail)
            servers.clock.now += PATIENCE_SECONDS

            async def are_leased() -> bool:
                return await mail_instance.sql.fetchval(_LEASED) == len(mails)

            await given.eventually(are_leased)
        for mail_id in mails:
            await mail_instance.make_due(mail_id)  # the leases end
        await mail_instance.sent(*mails)

    for mail_id in mails:
        assert routes(await mail_instance.mail(mail_id))[-1] == "fallback"


@pytest.mark.parametrize("fails", ["own", "both", "database"])
async def test_without_a_working_substitute_mails_wait(
    mail_instance: MailInstance, servers: Servers, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers.own = unreachable()
    if fails == "own":
        mail_instance.with_fallback.clear()
    elif fails == "both":
        servers.of_instance = unreachable()
    else:

        async def fail(_server: str) -> bool:
            raise Failure(Kind.UNAVAILABLE, "DATABASE_UNAVAILABLE", "")

        monkeypatch.setattr(mail_instance, "_allows_fallback", fail)
    mail_id = await mail_instance.enqueue(organization_id="own")
    other = await mail_instance.enqueue()
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(mail_id, other)
        for tried in range(2, 4):
            servers.clock.now += 600
            if fails == "database":
                break
            await mail_instance.until(mail_id, partial(_is_tried, tried))

    assert (await mail_instance.mail(mail_id)).state is DeliveryState.PENDING


def _is_tried(times: int, mail: Mail) -> bool:
    return sum(attempt.ended_at is not None for attempt in mail.attempts) >= times


async def test_a_permanent_refusal_of_the_recipient_is_final(
    mail_instance: MailInstance, servers: Servers
) -> None:
    async def refuse() -> None:
        raise DeliveryError("message", "RECIPIENT_REFUSED", "No such user.", is_permanent=True)

    servers.own = Post(before=refuse)
    mail_id = await mail_instance.enqueue(organization_id="own")
    async with mail_instance.sending(servers.deliver, **servers.options):
        servers.clock.now += PATIENCE_SECONDS
        await mail_instance.until(mail_id, lambda mail: mail.state is DeliveryState.FAILED)

    assert servers.of_instance.messages == []


async def test_a_retried_mail_is_tried_by_a_failing_server_between_its_trials(
    mail_instance: MailInstance, servers: Servers
) -> None:
    mail_instance.with_fallback.clear()
    servers.own = unreachable()
    mail_id = await mail_instance.enqueue(organization_id="own")
    async with mail_instance.sending(servers.deliver, **servers.options):
        await mail_instance.tried_once(mail_id)
        servers.own = Post()
        await mail_instance.sql.execute("update mails set is_urgent = true")
        await mail_instance.sent(mail_id)


async def _accept_unheard(connection: Connection, _argument: str) -> None:
    """Accepts the message, and cuts the connection before the answer."""
    envelope: Any = connection.envelope
    received = Received(
        sender=envelope.mail_from,
        recipients=tuple(envelope.rcpt_tos),
        content=envelope.content,
        options=(),
        user="",
        greeting_name="",
        is_encrypted=False,
    )
    connection.server.received.append(received)
    await cut(connection, "")


async def _die_after_some(connection: Connection, argument: str) -> None:
    """Accepts five messages without an answer, and then no more connections."""
    server = connection.server
    if len(server.received) >= 4:
        server.faults["CONNECT"] = cut
    await _accept_unheard(connection, argument)


async def test_deliveries_reach_no_network_of_the_operator(mail_instance: MailInstance) -> None:
    options = TransportOptions(allowed_networks=[_LOOPBACK])
    async with mail_server() as internal:
        await mail_instance.own_server(replace(OWN, port=internal.port))
        mail_id = await mail_instance.enqueue(organization_id="own")
        async with mail_instance.sending(partial(deliver, options=options)):
            await mail_instance.tried_once(mail_id)

    assert (await mail_instance.mail(mail_id)).attempts[0].reason == "ADDRESS_NOT_ALLOWED"
    assert internal.commands == []


_LATER = reply("451 4.3.0 Later")
# How the server of the organization fails, by commands.
FAULTS: dict[str, Callable[[], dict[str, Fault]]] = {
    "killed": lambda: {"CONNECT": cut},
    "killed after messages without an answer": lambda: {"BODY": _die_after_some},
    "hangs": lambda: {"CONNECT": hang},
    "hangs in messages": lambda: {"BODY": hang},
    "refuses senders for a time": lambda: {"MAIL": _LATER},
    "refuses recipients for a time": lambda: {"RCPT": _LATER},
    "refuses messages for a time": lambda: {"BODY": _LATER},
    "refuses connections for a time": lambda: {"CONNECT": reply("421 4.3.2 Not now")},
}


def _ids(server: MailServer) -> list[str]:
    messages = (email.message_from_bytes(each.content) for each in server.received)
    return [message["Message-ID"].strip("<>").partition("@")[0] for message in messages]


@pytest.mark.parametrize("fault", FAULTS)
async def test_no_mail_is_lost_and_none_arrives_twice_but_for_lost_answers(
    mail_instance: MailInstance, fault: str
) -> None:
    options = TransportOptions(
        allowed_networks=[_LOOPBACK], org_allowed_networks=[_LOOPBACK], timeout=0.1
    )
    clock = Clock()
    async with mail_server(faults=FAULTS[fault]()) as failing, mail_server() as working:
        await mail_instance.own_server(replace(OWN, port=failing.port))
        mail_instance.destination = replace(DESTINATION, port=working.port)
        mails = {await mail_instance.enqueue(organization_id="own") for _ in range(_MAILS)}

        async def are_sent() -> bool:
            clock.now += PATIENCE_SECONDS
            await mail_instance.sql.execute(_HURRY)
            await asyncio.sleep(_PAUSE)
            return not await mail_instance.sql.fetchval(
                "select count(*) from mails where state = 'pending'"
            )

        running = mail_instance.sending(
            partial(deliver, options=options),
            pace=Pace(poll=0.01),
            make_breaker=lambda: Breaker(clock=clock),
        )
        async with running:
            await given.eventually(are_sent)

        copies = Counter(_ids(failing) + _ids(working))
    results = {row["mail_id"]: row for row in await mail_instance.sql.fetch(_RESULTS)}
    assert copies.keys() == mails
    for mail_id, row in results.items():
        assert row["state"] == "sent"
        lost = sum(reason in _UNANSWERED for reason in row["reasons"])
        assert copies[mail_id] <= 1 + lost, row
    assert "fallback" in {row["routes"][-1] for row in results.values()}
