"""Checks the head of a request before an application gets it (RFC 9112, sections 2 to 6).

A head that a proxy reads differently from this server can smuggle a second request past the proxy
(RFC 9112, section 11.2). llhttp, in its strict mode, refuses most such heads; this module refuses
the others.
"""

import re
from itertools import chain
from typing import NamedTuple

from bridge.http.errors import malformed, too_large
from bridge.http.limits import Limits
from bridge.metadata import Headers, values

# The forms of a target with its authority (RFC 9112, section 3.2.2).
_ABSOLUTE = re.compile(rb"https?://([^/?]*)", re.IGNORECASE)
# `uri-host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2), without user information.
_HOST = re.compile(
    rb"(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?"
)
_WHITESPACE = b" \t"
_FIELD_LINE_OVERHEAD = len(": \r\n")


class RequestHead(NamedTuple):
    """A request line and field lines, as the parser found them but with names in lower case."""

    method: bytes
    target: bytes
    version: str
    fields: Headers

    def without(self, name: bytes) -> bytes:
        """The serialized head without this field."""
        lines = [b"%b %b HTTP/%b" % (self.method, self.target, self.version.encode())]
        lines += [b"%b: %b" % field for field in self.fields if field[0] != name]
        return b"\r\n".join((*lines, b"", b""))


def checked(head: RequestHead, limits: Limits) -> RequestHead:
    """The normalized head, with the target of `_of_this_server`. HttpError for an invalid one."""
    check_size(head.target, head.fields, limits)
    if head.version not in ("1.0", "1.1"):
        raise malformed("neither HTTP/1.0 nor HTTP/1.1")
    # The parser takes CONNECT for another protocol, whatever its target.
    if head.method == b"CONNECT":
        raise malformed("CONNECT, which only proxies answer")
    # Proxies differ on whether a fragment is a part of the path.
    if b"#" in head.target:
        raise malformed("a fragment")
    hosts = values(head.fields, b"host")
    if len(hosts) > 1 or (head.version == "1.1" and not hosts):
        raise malformed("not exactly one Host")
    # Whitespace after a value is no part of it (RFC 9112, section 5.1); the parser leaves it.
    head = head._replace(fields=[(name, value.rstrip(_WHITESPACE)) for name, value in head.fields])
    if not all(map(_HOST.fullmatch, values(head.fields, b"host"))):
        raise malformed("a Host that is no host with a port")
    if not head.target.startswith(b"/"):
        head = _of_this_server(head)
    codings = [value.lower() for value in values(head.fields, b"transfer-encoding")]
    if codings and (codings != [b"chunked"] or head.version == "1.0"):
        raise malformed("another transfer coding than chunked")
    return head


def _of_this_server(head: RequestHead) -> RequestHead:
    """The head with a path and a query as its target, or `*`, in place of a URL.

    The authority of a URL replaces the Host, which must be ignored (RFC 9112, section 3.2.2).
    """
    if (head.method, head.target) == (b"OPTIONS", b"*"):
        return head
    absolute = _ABSOLUTE.match(head.target)
    if absolute is None:
        raise malformed("neither a path nor an http URL")
    authority, rest = absolute[1], head.target[absolute.end() :]
    if not _HOST.fullmatch(authority) or not authority.partition(b":")[0]:
        raise malformed("a URL without a valid host")
    if not rest.startswith(b"/"):  # section 3.2.4: a URL without a path is `*` in OPTIONS
        rest = b"*" if head.method == b"OPTIONS" and not rest else b"/" + rest
    fields = [field for field in head.fields if field[0] != b"host"]
    return head._replace(target=rest, fields=[(b"host", authority), *fields])


def check_size(target: bytes, fields: Headers, limits: Limits) -> None:
    """HttpError when a head, or a trailer section, which has no target, has too many bytes.

    The protocol counts the lines as it parses them.
    """
    size = len(target) + sum(map(len, chain.from_iterable(fields)))
    size += len(fields) * _FIELD_LINE_OVERHEAD
    if size > limits.head_bytes:
        raise too_large(limits.head_bytes, limits.field_lines)
