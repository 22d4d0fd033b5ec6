"""A connection is kept for the next message while a batch lasts."""

import asyncio
from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Any

import pytest

from server.deliveries.smtp import transport
from server.deliveries.smtp.connection import TransportOptions
from server.deliveries.smtp.destination import DeliveryError
from server.deliveries.smtp.transport import Deliveries
from tests.smtp.test_transport import destination, message
from tests.support.mail_server import Fault, MailServer, cut, mail_server, reply

_OPTIONS = TransportOptions(allowed_networks=[ip_network("127.0.0.0/8")], timeout=5)


@pytest.fixture
async def deliveries() -> AsyncIterator[Deliveries]:
    deliveries = Deliveries(_OPTIONS)
    yield deliveries
    deliveries.close()


async def sent(deliveries: Deliveries, server: MailServer, **fields: Any) -> None:
    to = destination(server.port, **fields)
    await deliveries.deliver(to, message(), recipient="ada@example.com")


async def test_a_batch_uses_one_connection(deliveries: Deliveries) -> None:
    async with mail_server() as server:
        for _ in range(5):
            await sent(deliveries, server)

        assert len(server.received) == 5
        assert len(server.connections) == 1
        deliveries.close()
        await server.said("QUIT")


async def test_messages_at_once_have_connections_of_their_own(deliveries: Deliveries) -> None:
    async with mail_server() as server:
        await asyncio.gather(*(sent(deliveries, server) for _ in range(3)))
        await asyncio.gather(*(sent(deliveries, server) for _ in range(3)))

        assert len(server.received) == 6
        assert len(server.connections) == 3


async def test_another_configuration_uses_another_connection(deliveries: Deliveries) -> None:
    async with mail_server() as server:
        await sent(deliveries, server)
        await sent(deliveries, server, sender_name="Other")

        assert len(server.connections) == 2


async def test_of_too_many_connections_the_oldest_ends(
    deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "_OF_ALL", 2)
    async with mail_server() as server:
        for sender in ("Old", "New", "Newest", "New"):
            await sent(deliveries, server, sender_name=sender)
        assert len(server.connections) == 3
        await server.said("QUIT")

        await sent(deliveries, server, sender_name="Old")
        assert len(server.connections) == 4


@pytest.mark.parametrize("fault", [cut, reply("421 4.4.2 Idle for too long")])
async def test_a_kept_connection_that_ended_gives_way_to_a_new_one(
    deliveries: Deliveries, fault: Fault
) -> None:
    async with mail_server() as server:
        await sent(deliveries, server)

        async def once(connection: Any, argument: str) -> None:
            server.faults.clear()
            await fault(connection, argument)

        server.faults["MAIL"] = once
        await sent(deliveries, server)

        assert len(server.received) == 2
        assert len(server.connections) == 2


async def test_a_connection_with_a_refused_message_is_not_kept(deliveries: Deliveries) -> None:
    async with mail_server(faults={"RCPT": reply("450 4.2.0 Later")}) as server:
        with pytest.raises(DeliveryError):
            await sent(deliveries, server)
        server.faults.clear()
        await sent(deliveries, server)

        assert len(server.connections) == 2


# RFC 9422, section 3.
async def test_a_connection_has_no_more_messages_than_the_server_takes(
    deliveries: Deliveries,
) -> None:
    limited = reply("250-mail.example.com", "250-SIZE 1000000", "250 LIMITS MAILMAX=2 RCPTMAX=1")
    async with mail_server(faults={"EHLO": limited}) as server:

        async def greet(connection: Any, argument: str) -> None:
            connection.session.host_name = argument
            connection.session.extended_smtp = True
            await limited(connection, argument)

        server.faults["EHLO"] = greet
        for _ in range(5):
            await sent(deliveries, server)

        assert len(server.received) == 5
        assert len(server.connections) == 3


async def test_an_unused_connection_ends(
    deliveries: Deliveries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "_KEPT_SECONDS", 0.01)
    async with mail_server() as server:
        await asyncio.gather(*(sent(deliveries, server) for _ in range(2)))
        await server.said("QUIT", times=2)
