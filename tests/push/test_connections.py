"""Connections to targets are kept for the next push, each for one host."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest

from server.deliveries.http import client as http_client
from server.deliveries.http import connections
from server.deliveries.http.client import (
    PushClient,
    PushFailedError,
    PushOptions,
    PushRequest,
    PushSteps,
)
from server.deliveries.http.connections import AT_ONCE
from tests.push.conftest import ALLOWED_NETWORKS
from tests.support import given
from tests.support.certificates import Authority
from tests.support.push_target import NO_CONTENT, PushTarget, cut, push_target, status


@pytest.fixture
async def client(push_authority: Authority) -> AsyncIterator[PushClient]:
    networks = [ip_network(each) for each in ALLOWED_NETWORKS]
    async with contextlib.AsyncExitStack() as stack:
        client = PushClient(PushOptions(networks, push_authority.ca_file))
        stack.push_async_callback(client.close)
        yield client


def _request(target: PushTarget) -> PushRequest:
    return PushRequest(target.url, {"webhook-id": "id"}, b"{}")


async def test_pushes_to_a_target_share_a_connection(
    client: PushClient, target: PushTarget
) -> None:
    for _ in range(3):
        assert (await client.post(_request(target))).status == 204

    assert (len(target.received), target.connections) == (3, 1)


async def test_a_connection_carries_one_push_at_a_time_and_few_are_kept(
    client: PushClient, target: PushTarget
) -> None:
    await asyncio.gather(*(client.post(_request(target)) for _ in range(AT_ONCE + 4)))

    assert target.connections == AT_ONCE + 4
    await _until_open(target, AT_ONCE)


async def test_another_host_has_a_connection_of_its_own(
    client: PushClient, push_authority: Authority
) -> None:
    """Its certificate was not verified on that of the first one, which has the same address."""
    async with push_target(push_authority, names=["localhost"]) as target:
        await client.post(_request(target))
        other = PushRequest(target.url.replace("localhost", "127.0.0.1"), {}, b"")

        with pytest.raises(PushFailedError) as failed:
            await client.post(other)

        assert failed.value.reason == "CERTIFICATE_NOT_ACCEPTED"
        assert len(target.received) == 1


async def test_a_push_on_a_connection_that_the_target_closed_is_sent_on_a_new_one(
    client: PushClient, target: PushTarget
) -> None:
    await client.post(_request(target))
    cuts = [True]

    async def cut_once(writer: asyncio.StreamWriter) -> None:
        await (cut if cuts else NO_CONTENT)(writer)
        cuts.clear()

    target.answer = cut_once

    assert (await client.post(_request(target))).status == 204

    assert target.connections == 2
    assert [each.headers["webhook-id"] for each in target.received] == ["id"] * 3


async def test_a_new_connection_that_the_target_closes_is_a_failure(
    client: PushClient, target: PushTarget
) -> None:
    await client.post(_request(target))
    target.answer = cut

    with pytest.raises(PushFailedError) as failed:
        await client.post(_request(target))

    assert failed.value.reason == "NOT_HTTP"
    assert target.connections == 2


async def test_a_connection_whose_answer_was_not_read_to_the_end_is_closed(
    client: PushClient, target: PushTarget
) -> None:
    target.answer = status("200 OK", b"x" * 100_000)

    for _ in range(2):
        assert (await client.post(_request(target))).content == "x" * http_client.MAX_ANSWER

    assert (len(target.received), target.connections) == (2, 2)
    await _until_open(target, 0)


async def test_an_idle_connection_is_closed(
    client: PushClient, target: PushTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections.KeptConnections, "idle_seconds", 0.05)
    await client.post(_request(target))

    await _until_open(target, 0)
    await client.post(_request(target))

    assert target.connections == 2


async def test_a_host_is_resolved_again_after_a_while(
    client: PushClient, target: PushTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address may not be allowed any more."""
    await client.post(_request(target))
    monkeypatch.setattr(connections, "_MOST_SECONDS", 0)
    kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(*kind, ("10.0.0.1", target.port))]
    )

    with pytest.raises(PushFailedError) as failed:
        await client.post(_request(target))

    assert failed.value.reason == "ADDRESS_NOT_ALLOWED"
    assert len(target.received) == 1
    await _until_open(target, 0)


async def test_a_test_of_a_target_shows_a_connection_of_its_own(
    client: PushClient, target: PushTarget
) -> None:
    await client.post(_request(target))
    steps = PushSteps()

    steps.answered(await client.post(_request(target), steps=steps))

    assert [each.name for each in steps.steps] == ["resolve", "connect", "tls", "answer"]
    assert target.connections == 2
    await _until_open(target, 1)


async def _until_open(target: PushTarget, number: int) -> None:
    async def is_number() -> bool:
        return target.open_connections == number

    await given.eventually(is_number)


async def test_a_host_that_closes_its_connections_leaves_nothing(
    client: PushClient, target: PushTarget
) -> None:
    target.answer = status("204 No Content", headers="connection: close\r\n")
    await client.post(_request(target))

    assert client._kept._idle == {}  # noqa: SLF001
