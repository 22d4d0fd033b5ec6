"""Network addresses as people write them: `host:port`, `[ipv6]:port` (RFC 3986, section 3.2.2)."""

import errno
import ipaddress
import re
import socket
from typing import Any

from server.values.errors import OperatorError

# Letters, digits, hyphens and underscores in labels: resolvers accept more than RFC 1123 allows.
# The resolver checks lengths, since names from other sources than DNS have other limits.
_HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
_PORT = re.compile(r"[0-9]{1,5}")
HIGHEST_PORT = 65535


class CannotListenError(OperatorError):
    """This process cannot listen at this address."""

    def __init__(self, address: str, setting: str, error: OSError) -> None:
        match error.errno:
            case errno.EADDRINUSE:
                why = (
                    "it is in use. Stop the process that uses it, or set"
                    f" {setting} to another address."
                )
            case errno.EACCES:
                why = (
                    "this user may not use the port. Most systems reserve ports below 1024 for"
                    f" root: set {setting} to a higher port, and have a proxy listen there."
                )
            case _:
                why = (
                    f"it is not an address of this machine ({error.strerror}). Set {setting} to"
                    " such an address, or to 127.0.0.1 or 0.0.0.0, with the port."
                )
        super().__init__(f"Cannot listen on {address}: {why}")


def check_listening(host: str, port: int) -> None:
    """OSError if no process can listen there now, for libraries that do not report the reason."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    errors = [error for family, *_, place in found if (error := _refusal(family, place))]
    if len(errors) == len(found):
        raise errors[0]


def _refusal(family: int, place: Any) -> OSError | None:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # Closed connections of a server that has just ended still hold the address.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(place)
        except OSError as error:
            return error
    return None


def split_host_port(address: str, *, lowest_port: int = 1) -> tuple[str, int]:
    """The host (an IPv6 address without its brackets) and the port.

    ValueError with the correction.
    """
    if "://" in address:
        raise ValueError("must be without a scheme: write host:port")
    host, colon, port = address.rpartition(":")
    if not colon or not _PORT.fullmatch(port):
        raise ValueError("must include the port: write host:port, or [address]:port for IPv6")
    if not lowest_port <= int(port) <= HIGHEST_PORT:
        raise ValueError(f"has the port {port}, which is not in {lowest_port}..{HIGHEST_PORT}")
    if host.startswith("[") and host.endswith("]"):
        try:
            return str(ipaddress.IPv6Address(host[1:-1])), int(port)
        except ValueError:
            raise ValueError("has no IPv6 address between the brackets") from None
    if ":" in host:
        raise ValueError("has an IPv6 address without brackets: write [address]:port")
    if not _HOST_NAME.fullmatch(host):
        raise ValueError("has no valid host name before the port")
    return host, int(port)
