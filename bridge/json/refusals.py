"""Refusals of JSON requests that reach no method, decided by the head of the request.

Each refusal is a failure and the header that names the valid value.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bridge.json.http_answer import METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE
from bridge.json.routing import Route
from bridge.media_types import GRPC_WEB, JSON, essence
from bridge.metadata import Headers, values
from server.values.errors import Failure, Kind, NotFound

_GRPC_WEB = b", ".join(GRPC_WEB).decode()
# The header in which an answer names the valid content types of a request (RFC 9110, section
# 15.5.16; W3C Linked Data Platform, 7.1; RFC 5789, 3.1).
_ACCEPT = {"POST": "accept-post", "PATCH": "accept-patch"}


path_not_found: Final = NotFound(
    "path",
    "There is nothing at this path."
    " Find the paths of the API in /openapi.json, and the pages at /.",
)


class Refusal(NamedTuple):
    """The failure, and a header that names the valid value."""

    failure: Failure
    header: tuple[str, str] | None = None


def wrong_verb(verb: str, allowed: str) -> Refusal:
    """The path exists, but only for the verbs `allowed`."""
    failure = Failure(
        Kind.UNIMPLEMENTED,
        METHOD_NOT_ALLOWED,
        f"{verb} is not possible at this path. Use one of {allowed}.",
    )
    return Refusal(failure, ("allow", allowed))


def not_for_json(routes: Sequence[Route]) -> Refusal:
    """The path of a method that only gRPC-Web can call."""
    instead = "".join(f" For JSON, use {route.verb} {route.template}." for route in routes)
    failure = _unsupported(f"This path takes only gRPC-Web: {_GRPC_WEB}.{instead}")
    return Refusal(failure, ("accept-post", _GRPC_WEB))


def unreadable(route: Route, headers: Headers) -> Refusal | None:
    """The refusal of a body that the headers announce as unreadable, if the route has a body."""
    if not route.has_body:
        return None
    if any(value.lower() != b"identity" for value in values(headers, b"content-encoding")):
        return Refusal(
            _unsupported("Encoded bodies are not supported. Send it without content-encoding."),
            ("accept-encoding", "identity"),
        )
    content_types = values(headers, b"content-type")
    # Parameters have no effect, a charset neither: JSON is UTF-8 (RFC 8259, sections 8.1 and 11).
    if [essence(each) for each in content_types] == [JSON]:
        return None
    if not content_types and not _announces_body(headers):
        return None  # an empty body is an empty object
    return Refusal(
        _unsupported("The body must be JSON in UTF-8. Send it as content-type: application/json."),
        (_ACCEPT.get(route.verb, "accept"), "application/json"),
    )


def _announces_body(headers: Headers) -> bool:
    """Whether a body follows (RFC 9112, section 6.3)."""
    lengths = values(headers, b"content-length")
    return any(int(length) for length in lengths) or bool(values(headers, b"transfer-encoding"))


def _unsupported(message: str) -> Failure:
    return Failure(Kind.INVALID_ARGUMENT, UNSUPPORTED_MEDIA_TYPE, message)
