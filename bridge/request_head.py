"""What the head of a request must be before an application gets it (RFC 9112, sections 2 to 6).

Parsers differ in what they forgive, and a head that a proxy reads in another way than this server
smuggles a second request past the proxy (RFC 9112, section 11.2). So only what all read alike is
let in.
"""

import re
from itertools import chain
from typing import NamedTuple

from bridge.http_errors import (
    HttpError,
    fields_too_large,
    malformed,
    unsupported_asterisk,
    unsupported_transfer_coding,
    unsupported_version,
    uri_too_long,
)
from bridge.limits import Limits
from bridge.metadata import Headers

_VERSIONS = ("1.0", "1.1")
# RFC 3986, section 3.2.2, with a port, and without the user that RFC 9110, section 4.2.4, tells to
# take for an error.
_HOST = re.compile(rb"[\w.~%!$&'()*+,;=:\[\]-]*")
# The beginning of a target in the absolute form (RFC 9112, section 3.2.2).
_AUTHORITY = re.compile(rb"(?i:https?)://" + _HOST.pattern + rb"(?=[/?]|\Z)")
_WHITESPACE = b" \t"
_FIELD_LINE_OVERHEAD = len(": \r\n")


class RequestHead(NamedTuple):
    """A request line and field lines, as the parser found them but with names in lower case."""

    method: bytes
    target: bytes
    version: str
    fields: Headers

    @property
    def size(self) -> int:
        """In bytes, without the method and the version."""
        names_and_values = sum(map(len, chain.from_iterable(self.fields)))
        return len(self.target) + names_and_values + len(self.fields) * _FIELD_LINE_OVERHEAD

    def values(self, name: bytes) -> list[bytes]:
        """One for each line of this field."""
        return [value for key, value in self.fields if key == name]

    def without(self, name: bytes) -> bytes:
        """All of it, as it could have been sent without this field."""
        lines = [b"%b %b HTTP/%b" % (self.method, self.target, self.version.encode())]
        lines += [b"%b: %b" % field for field in self.fields if field[0] != name]
        return b"\r\n".join((*lines, b"", b""))


def checked(head: RequestHead, limits: Limits) -> RequestHead:
    """The head as an application reads it. HttpError for one that is not let in."""
    if head.version not in _VERSIONS:
        raise unsupported_version()
    _check_size(head, limits)
    head = _normalized(head)
    _check_target(head)
    _check_host(head)
    _check_transfer_codings(head)
    return head


def too_large(target: bytes, limits: Limits) -> HttpError:
    """For a head, perhaps not yet complete, with this target."""
    if len(target) > limits.target_bytes:
        return uri_too_long(limits.target_bytes)
    return fields_too_large(limits.head_bytes, limits.field_lines)


def _check_size(head: RequestHead, limits: Limits) -> None:
    if (
        head.size > limits.head_bytes
        or len(head.target) > limits.target_bytes
        or len(head.fields) > limits.field_lines
    ):
        raise too_large(head.target, limits)


def _normalized(head: RequestHead) -> RequestHead:
    target = head.target
    authority = _AUTHORITY.match(target)
    if authority and not target.startswith(b"/", authority.end()):
        # An empty path is "/" (RFC 9110, section 4.2.3).
        target = authority[0] + b"/" + target[authority.end() :]
    # Whitespace after a value is no part of it (RFC 9112, section 5.1); the parser leaves it.
    fields = [(name, value.rstrip(_WHITESPACE)) for name, value in head.fields]
    return RequestHead(head.method, target, head.version, fields)


def _check_target(head: RequestHead) -> None:
    if head.target == b"*" and head.method == b"OPTIONS":
        raise unsupported_asterisk()
    in_known_form = head.target.startswith(b"/") or _AUTHORITY.match(head.target)
    if not in_known_form or head.method == b"CONNECT":
        raise malformed("neither a path nor an http URL")
    # Proxies take it for a part of the path, or for none (RFC 9112, section 3.2, has none).
    if b"#" in head.target:
        raise malformed("a fragment")


def _check_host(head: RequestHead) -> None:
    """RFC 9112, section 3.2."""
    hosts = head.values(b"host")
    if len(hosts) > 1 or (head.version == "1.1" and not hosts):
        raise malformed("not exactly one Host")
    if hosts and not _HOST.fullmatch(hosts[0]):
        raise malformed("not a host in Host")


def _check_transfer_codings(head: RequestHead) -> None:
    """RFC 9112, section 6.1."""
    codings = [value.lower() for value in head.values(b"transfer-encoding")]
    if codings and (codings != [b"chunked"] or head.version == "1.0"):
        raise unsupported_transfer_coding()
