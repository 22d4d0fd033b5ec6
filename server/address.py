"""Network addresses as people write them: `host:port`, `[ipv6]:port` (RFC 3986, section 3.2.2)."""

import ipaddress
import re

from server.errors import OperatorError

# Letters, digits, hyphen and underscore in labels: what resolvers accept, not only what RFC 1123
# allows. The lengths that DNS allows are left to the resolver; other sources of names have others.
_HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
_PORT = re.compile(r"[0-9]{1,5}")
_HIGHEST_PORT = 65535


class AddressInUseError(OperatorError):
    """Something else listens at this address; the message says what to do."""

    def __init__(self, address: str, setting: str) -> None:
        super().__init__(
            f"Cannot listen on {address}: it is in use, or no address of this machine. Stop what"
            f" uses it, or set {setting} to another."
        )


def split_host_port(address: str, *, lowest_port: int = 1) -> tuple[str, int]:
    """The host (an IPv6 address without its brackets) and the port.

    ValueError says what to write instead.
    """
    if "://" in address:
        raise ValueError("must be without a scheme: write host:port")
    host, colon, port = address.rpartition(":")
    if not colon or not _PORT.fullmatch(port):
        raise ValueError("must include the port: write host:port, or [address]:port for IPv6")
    if not lowest_port <= int(port) <= _HIGHEST_PORT:
        raise ValueError(f"has the port {port}, which is not in {lowest_port}..{_HIGHEST_PORT}")
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
