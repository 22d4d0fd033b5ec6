"""The addresses to which a server may connect."""

import asyncio
import socket
import threading
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from server.net.resolve import UnresolvedError, embedded, is_public, resolve
from server.values.mail_address import ascii_domain

pytestmark = pytest.mark.python_differs("ipaddress knows other special addresses since 3.12.4")


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104 -- no socket is bound to it
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.168.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
async def test_what_is_not_public_is_refused_unless_it_is_allowed(address: str) -> None:
    with pytest.raises(UnresolvedError) as raised:
        await resolve(address, 25, allowed=())

    assert raised.value.reason == "ADDRESS_NOT_ALLOWED"
    allowed = await resolve(address, 25, allowed=[ip_network(address)])
    assert [found.ip for found in allowed] == [ip_address(address)]


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2a00:1450::1"],
)
def test_what_is_public_is_connected_to(address: str) -> None:
    assert is_public(embedded(ip_address(address)))


async def test_a_network_allows_the_ipv4_addresses_inside_of_ipv6_ones() -> None:
    [found] = await resolve("::ffff:10.0.0.1", 25, allowed=[ip_network("10.0.0.0/8")])

    assert found.sockaddr[:2] == ("::ffff:10.0.0.1", 25)


@pytest.mark.parametrize("address", ["127.1", "2130706433", "0x7f.1"])
async def test_an_address_in_disguise_is_what_it_really_is(address: str) -> None:
    with pytest.raises(UnresolvedError, match=r"127\.0\.0\.1, which is not public"):
        await resolve(address, 25, allowed=())


async def test_a_public_address_of_this_machine_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OfThisMachine(socket.socket):
        def connect(self, _address: object) -> None:
            pass

        def getsockname(self) -> tuple[str, int]:
            return "8.8.8.8", 1

    monkeypatch.setattr("server.net.resolve.socket.socket", OfThisMachine)

    with pytest.raises(UnresolvedError, match="this machine"):
        await resolve("8.8.8.8", 25, allowed=())


def test_names_are_looked_up_as_browsers_do() -> None:
    assert ascii_domain("mail_relay.internal") == "mail_relay.internal"
    assert ascii_domain("Bücher.example") == "xn--bcher-kva.example"
    assert ascii_domain("straße.example") == "xn--strae-oqa.example"


async def test_names_whose_dns_servers_are_silent_delay_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also after the callers have given up: a look-up cannot be cancelled."""
    look_up, released = socket.getaddrinfo, threading.Event()

    def getaddrinfo(host: str, *arguments: Any, **options: Any) -> Any:
        if host.startswith("silent"):
            released.wait(30)
        return look_up("127.0.0.1", *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    try:
        silent = [
            asyncio.wait_for(resolve(f"silent{number}.example", 443, allowed=()), 0.1)
            for number in range(100)
        ]
        assert set(map(type, await asyncio.gather(*silent, return_exceptions=True))) == {
            TimeoutError
        }

        async with asyncio.timeout(5):
            assert await resolve("localhost", 443, allowed=[ip_network("127.0.0.1")])
            assert await asyncio.to_thread(int) == 0
    finally:
        released.set()
