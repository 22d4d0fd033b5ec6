"""By what name SMTP servers are greeted (RFC 5321, section 4.1.1.1) unless a setting says it.

The rule: never by a name that says nothing elsewhere, like localhost; servers refuse it.
"""

import functools
import ipaddress
import socket

from server.mail.smtp_client.resolve import embedded


@functools.cache
def machine_name() -> str | None:
    """The full name of this machine, if it has one that means something elsewhere.

    It may ask DNS, so it is for a thread.
    """
    name = socket.gethostname()
    if "." not in name:
        name = socket.getfqdn(name)
    is_local = name.startswith("localhost") or name.endswith((".localdomain", ".local", ".arpa"))
    return name if "." in name and name.isascii() and not is_local else None


def address_literal(address: str) -> str:
    """What greets where there is no name: an address of this side (section 4.1.3)."""
    ip = embedded(ipaddress.ip_address(address.partition("%")[0]))
    return f"[{ip}]" if ip.version == 4 else f"[IPv6:{ip}]"
