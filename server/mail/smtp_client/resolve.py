"""Resolves the host of an SMTP server to its allowed addresses.

The rule: a name is resolved once, and the connection goes to the address that was checked here. A
second resolution could return another address (DNS rebinding).
"""

import asyncio
import ipaddress
import socket
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from server.mail.delivery import DeliveryError
from server.mail.smtp_client.failures import Reason, failure
from server.values.mail_address import ascii_domain

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

# A server has a few addresses; thousands of them would be an attack.
_MAX_ADDRESSES = 16
# The registries of IANA, written out because `ipaddress` differs between releases.
# iana-ipv4-special-registry, iana-ipv6-special-registry, multicast; IPv6: all but global unicast.
_SPECIAL_V4 = [
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is a cloud metadata service
        "127.0.0.0/8",
        "168.63.129.16",  # a cloud metadata service on a public address
        "169.254.0.0/16",  # link-local; 169.254.169.254 is a cloud metadata service
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
]
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_SPECIAL_V6 = [
    ipaddress.IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "3fff::/20")
]
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Address:
    """An address as `socket.connect` takes it."""

    family: socket.AddressFamily
    sockaddr: tuple[Any, ...]

    @property
    def ip(self) -> IPAddress:
        """The address alone."""
        return ipaddress.ip_address(self.sockaddr[0])

    @property
    def is_loopback(self) -> bool:
        """Whether it is a loopback address."""
        ip = self.ip
        mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
        return (mapped or ip).is_loopback

    def __str__(self) -> str:
        return str(self.sockaddr[0])


async def resolve(host: str, port: int, *, allowed: Collection[Network]) -> Sequence[Address]:
    """The allowed addresses of a host, in the order of the resolver.

    Raises DeliveryError NAME_NOT_FOUND, NAME_LOOKUP_FAILED, ADDRESS_NOT_ALLOWED.
    """
    found = await _looked_up(host, port)
    usable = [address for address in found if _may_connect(address, allowed)]
    if not usable:
        addresses = ", ".join(map(str, found))
        raise failure(
            "resolve",
            Reason.ADDRESS_NOT_ALLOWED,
            f"{host} is at {addresses}, which is not public: it belongs to this machine, a private"
            " network or a reserved range.",
        )
    return usable


async def _looked_up(host: str, port: int) -> Sequence[Address]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(ascii_domain(host), port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise failure(
                "resolve", Reason.NAME_LOOKUP_FAILED, f"DNS gave no answer for {host}."
            ) from None
        raise _not_found(f"DNS knows no address of {host}.") from None
    except ValueError:  # not a domain name: too long, or with invalid characters
        raise _not_found(f"{host} cannot be a name in DNS.") from None
    addresses = [Address(family, sockaddr) for family, _, _, _, sockaddr in found]
    return list(dict.fromkeys(addresses))[:_MAX_ADDRESSES]


def _not_found(observed: str) -> DeliveryError:
    return failure("resolve", Reason.NAME_NOT_FOUND, observed)


def _may_connect(address: Address, allowed: Collection[Network]) -> bool:
    ip = embedded(address.ip)
    if any(ip in network or address.ip in network for network in allowed):
        return True
    return is_public(ip) and not _is_this_machine(address)


def embedded(ip: IPAddress) -> IPAddress:
    """The IPv4 address embedded in an IPv6 address (mapped, NAT64, 6to4), or itself."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip


def is_public(ip: IPAddress) -> bool:
    """Whether it is an address of the public Internet."""
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _SPECIAL_V4)
    return ip in _GLOBAL_V6 and not any(ip in network for network in _SPECIAL_V6)


def _is_this_machine(address: Address) -> bool:
    """Whether a public address belongs to this machine, whose firewall admits itself."""
    with socket.socket(address.family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(address.sockaddr)  # selects a route; sends nothing
        except OSError:
            return False  # no route
        return bool(probe.getsockname()[0] == address.sockaddr[0])
