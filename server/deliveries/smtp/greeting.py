"""The default host name for EHLO (RFC 5321, section 4.1.1.1).

The rule: never a local name such as localhost, which servers refuse.
"""

import functools
import ipaddress
import socket

from server.net.resolve import embedded


@functools.cache
def machine_name() -> str | None:
    """The fully qualified name of this machine, if it has one.

    Blocks on DNS, so run it in a thread.
    """
    name = socket.gethostname()
    if "." not in name:
        name = socket.getfqdn(name)
    is_local = name.startswith("localhost") or name.endswith((".localdomain", ".local", ".arpa"))
    return name if "." in name and name.isascii() and not is_local else None


def address_literal(address: str) -> str:
    """The address literal of this machine, for machines without a name (section 4.1.3)."""
    ip = embedded(ipaddress.ip_address(address.partition("%")[0]))
    return f"[{ip}]" if ip.version == 4 else f"[IPv6:{ip}]"
