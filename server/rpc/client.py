"""The client of a call: its address and user agent, as people recognise them."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

MAX_USER_AGENT = 500

# `ipv4:192.0.2.7:4711` or `ipv6:[2001:db8::7]:4711`, the latter maybe percent-encoded.
_PEER = re.compile(r"ipv[46]:\[?(?P<address>[0-9A-Fa-f.:]+?)\]?:[0-9]+")


class Client(NamedTuple):
    """Both are empty where they are not known. The user agent is a claim of the client."""

    ip_address: str
    user_agent: str


def client_of(peer: str, user_agents: Sequence[str]) -> Client:
    """Reads the peer of a transport and the values of the header `user-agent`."""
    address = _PEER.fullmatch(unquote(peer))
    user_agent = "".join(filter(str.isprintable, " ".join(user_agents)))
    return Client(address["address"] if address else "", user_agent[:MAX_USER_AGENT].strip())
