"""Calls to open methods are admitted a few in each turn of the event loop."""

import asyncio
from collections.abc import Sequence
from itertools import groupby

import pytest

from server.rpc import open_calls
from server.rpc.client import client_of
from server.rpc.open_calls import PER_TURN, OpenCalls
from tests.session import sessions
from tests.support.given import Client


class _Turns:
    """Counts the turns of the event loop."""

    def __init__(self) -> None:
        self.number = 0
        self._count()

    def _count(self) -> None:
        self.number += 1
        asyncio.get_running_loop().call_soon(self._count)

    def stop(self) -> None:
        self._count = lambda: None  # type: ignore[method-assign]


async def _admitted(networks: Sequence[str]) -> list[tuple[int, str]]:
    """The turn in which each call is admitted, for simultaneous calls of these networks."""
    lines, turns = OpenCalls(), _Turns()
    admitted: list[tuple[int, str]] = []

    async def call(network: str) -> None:
        await lines.admit(network)
        admitted.append((turns.number, network))

    await asyncio.gather(*map(call, networks))
    turns.stop()
    return admitted


async def test_a_flood_from_one_network_takes_one_place_of_each_turn() -> None:
    admitted = await _admitted(["outsider"] * 10)

    assert len({turn for turn, _network in admitted}) == 10


async def test_a_flood_from_many_networks_takes_a_few_places_of_each_turn() -> None:
    networks = [str(number) for number in range(10 * PER_TURN)]

    admitted = await _admitted(networks)

    assert [network for _turn, network in admitted] == networks
    by_turn = [len(list(calls)) for _turn, calls in groupby(admitted, key=lambda each: each[0])]
    assert by_turn == [PER_TURN] * 10


async def test_the_calls_of_a_network_do_not_wait_behind_those_of_another() -> None:
    admitted = await _admitted(["outsider"] * 1000 + ["person", "another"] * 2)

    first = [network for _turn, network in admitted[:6]]
    assert first == ["outsider", "person", "another"] * 2


async def test_a_call_that_has_ended_meanwhile_keeps_no_other_waiting() -> None:
    lines = OpenCalls()
    calls = [asyncio.create_task(lines.admit(str(number % 8))) for number in range(80)]
    last = asyncio.create_task(lines.admit("last"))
    await asyncio.sleep(0)  # all but the first few wait
    for call in calls:
        call.cancel()

    await last

    assert sum(call.done() and not call.cancelled() for call in calls) == PER_TURN


async def test_calls_to_one_method_do_not_wait_for_those_to_another() -> None:
    starts, completions = OpenCalls(), OpenCalls()
    calls = [asyncio.create_task(starts.admit("outsider")) for _ in range(10)]
    completion = asyncio.create_task(completions.admit("outsider"))
    await asyncio.sleep(0)

    assert completion.done()
    assert sum(call.done() for call in calls) == 1
    await asyncio.gather(*calls)


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:4711", "192.0.2.7"),
        ("unknown", ""),
    ],
)
def test_an_ipv4_address_is_a_network(peer: str, network: str) -> None:
    assert client_of(peer, []).network == network


@pytest.mark.parametrize("forwarded", ["ipv6:%5B1:2%5D:0", "ipv4:999.1.1.1:0", "ipv4:1.2:0"])
def test_what_a_proxy_forwards_is_no_address_unless_it_is_one(forwarded: str) -> None:
    client = client_of(forwarded, [])

    assert (client.ip_address, client.network) == ("", "")


def test_the_addresses_of_one_subscriber_are_one_network_of_ipv6() -> None:
    one, same, other = (
        client_of(f"ipv6:[2001:db8:0:{subnet}::{host}]:4711", []).network
        for subnet, host in ((1, "7"), (1, "ffff"), (2, "7"))
    )

    assert one == same != other


async def test_only_calls_to_open_methods_stand_in_line(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await sessions.person(admin)
    in_line: list[OpenCalls] = []
    admit = OpenCalls.admit

    networks: list[str] = []

    async def noted(line: OpenCalls, network: str) -> None:
        in_line.append(line)
        networks.append(network)
        await admit(line, network)

    monkeypatch.setattr(open_calls.OpenCalls, "admit", noted)

    await sessions.current((await person.sign_in()).client)

    start, completion = in_line
    assert start is not completion
    assert networks == ["127.0.0.1"] * 2
