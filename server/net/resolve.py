"""Resolves the host of a server to its allowed addresses.

The rule: a name is resolved once, and the connection goes to the checked address. A second
resolution could return another address (DNS rebinding).
"""

import asyncio
import ipaddress
import socket
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from server.values.mail_address import ascii_domain

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

# A look-up cannot be cancelled, and lasts ten seconds or more if the DNS server of the name is
# silent. The event loop has two threads for look-ups (libuv), so two such names would stop all.
_LOOK_UPS: Final = ThreadPoolExecutor(256, thread_name_prefix="dns")
# Limits the work for an attacker's name with thousands of addresses.
_MAX_ADDRESSES = 16
# iana-ipv4-special-registry, iana-ipv6-special-registry and multicast; of IPv6 all but global
# unicast. Written out, because `ipaddress` differs between Python releases.
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


class UnresolvedError(Exception):
    """A host has no allowed address.

    `reason` is NAME_NOT_FOUND, NAME_LOOKUP_FAILED or ADDRESS_NOT_ALLOWED; `observed` is a sentence.
    """

    def __init__(self, reason: str, observed: str) -> None:
        super().__init__(observed)
        self.reason = reason
        self.observed = observed


@dataclass(frozen=True, slots=True)
class Address:
    """An address in the form of `socket.connect`."""

    family: socket.AddressFamily
    sockaddr: tuple[Any, ...]

    @property
    def ip(self) -> IPAddress:
        """The IP address without the port."""
        return ipaddress.ip_address(self.sockaddr[0])

    @property
    def is_loopback(self) -> bool:
        """Whether the address is a loopback address, also mapped to IPv6."""
        ip = self.ip
        mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
        return (mapped or ip).is_loopback

    def __str__(self) -> str:
        return str(self.sockaddr[0])


async def resolve(host: str, port: int, *, allowed: Collection[Network]) -> Sequence[Address]:
    """The allowed addresses of a host, in the order of the resolver.

    Raises UnresolvedError.
    """
    found = await _looked_up(host, port)
    usable = [address for address in found if _may_connect(address, allowed)]
    if not usable:
        addresses = ", ".join(map(str, found))
        raise UnresolvedError(
            "ADDRESS_NOT_ALLOWED",
            f"{host} is at {addresses}, which is not public: it belongs to this machine, a private"
            " network or a reserved range.",
        )
    return usable


async def _looked_up(host: str, port: int) -> Sequence[Address]:
    try:
        look_up = partial(socket.getaddrinfo, ascii_domain(host), port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(_LOOK_UPS, look_up)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise UnresolvedError("NAME_LOOKUP_FAILED", f"DNS gave no answer for {host}.") from None
        raise _not_found(f"DNS knows no address of {host}.") from None
    except ValueError:  # not a domain name: too long, or with invalid characters
        raise _not_found(f"{host} cannot be a name in DNS.") from None
    addresses = [Address(family, sockaddr) for family, _, _, _, sockaddr in found]
    return list(dict.fromkeys(addresses))[:_MAX_ADDRESSES]


def _not_found(observed: str) -> UnresolvedError:
    return UnresolvedError("NAME_NOT_FOUND", observed)


def _may_connect(address: Address, allowed: Collection[Network]) -> bool:
    ip = embedded(address.ip)
    if any(ip in network or address.ip in network for network in allowed):
        return True
    return is_public(ip) and not _is_this_machine(address)


def embedded(ip: IPAddress) -> IPAddress:
    """The IPv4 address embedded in an IPv6 address (mapped, NAT64, 6to4), otherwise `ip`."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip


def is_public(ip: IPAddress) -> bool:
    """Whether the address belongs to the public Internet."""
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _SPECIAL_V4)
    return ip in _GLOBAL_V6 and not any(ip in network for network in _SPECIAL_V6)


def _is_this_machine(address: Address) -> bool:
    """Whether a public address is this machine's, to which its own firewall allows connections."""
    with socket.socket(address.family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(address.sockaddr)  # selects a route; sends nothing
        except OSError:
            return False  # no route
        return bool(probe.getsockname()[0] == address.sockaddr[0])
