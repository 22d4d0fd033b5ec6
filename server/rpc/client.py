"""The client of a call: its address and user agent, as people recognise them."""

import ipaddress
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

MAX_USER_AGENT = 500

# `ipv4:192.0.2.7:4711` or `ipv6:[2001:db8::7]:4711`, the latter maybe percent-encoded.
_PEER = re.compile(r"ipv[46]:\[?(?P<address>[0-9A-Fa-f.:]+?)\]?:[0-9]+")


class Client(NamedTuple):
    """The address and the user agent, empty if unknown. The client can forge its user agent."""

    ip_address: str
    user_agent: str

    @property
    def network(self) -> str:
        """The IPv4 address, or the first 64 bits of the IPv6 address, as the key of rate limits.

        An IPv6 subscriber has at least all addresses with the same 64 bits (RFC 6177).
        """
        if ":" not in self.ip_address:
            return self.ip_address
        address = ipaddress.IPv6Address(self.ip_address)
        return str(address.ipv4_mapped or int(address) >> 64)


def client_of(peer: str, user_agents: Sequence[str]) -> Client:
    """Reads the peer of a transport and the values of the header `user-agent`."""
    found = _PEER.fullmatch(unquote(peer))
    sent = " ".join(user_agents)[:MAX_USER_AGENT]
    user_agent = "".join(filter(str.isprintable, sent)).strip()
    return Client(_address(found["address"] if found else ""), user_agent)


def _address(text: str) -> str:
    """The address; empty if it is malformed: a proxy may forward any text that a client sent."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return ""
    return text
