"""The answers of the endpoints: JSON, redirects, and OAuth's errors.

Errors are those of RFC 6749, section 5.2, RFC 6750, section 3, and RFC 7009, section 2.2.1.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from google.protobuf import json_format
from google.protobuf.message import Message

from bridge.json import codec
from bridge.json.http_answer import (
    MESSAGE_TOO_LARGE,
    STATUS_OF_KIND,
    STATUS_OF_REASON,
    UNSUPPORTED_MEDIA_TYPE,
    HttpAnswer,
    retry_after,
)
from bridge.media_types import FORM, JSON
from bridge.metadata import Headers, values
from bridge.oauth.refusals import INVALID_CLIENT
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.status import EndOfCall
from server.values.descriptions import described
from server.values.errors import Failure, Kind

INVALID_TOKEN: Final = "INVALID_TOKEN"  # noqa: S105 -- an error code
INSUFFICIENT_SCOPE: Final = "INSUFFICIENT_SCOPE"
# Reasons that are error codes in capitals.
_CODES: Final = frozenset(
    {
        "INVALID_REQUEST",
        INVALID_CLIENT,
        "INVALID_GRANT",
        "INVALID_SCOPE",
        "INVALID_TARGET",
        INVALID_TOKEN,
        INSUFFICIENT_SCOPE,
        "UNAUTHORIZED_CLIENT",
        "UNSUPPORTED_GRANT_TYPE",
        # RFC 9126, section 2.3: those of authorization requests
        "UNSUPPORTED_RESPONSE_TYPE",
        "REQUEST_NOT_SUPPORTED",
        "UNMET_AUTHENTICATION_REQUIREMENTS",
        # RFC 8628, section 3.5
        "AUTHORIZATION_PENDING",
        "SLOW_DOWN",
        "EXPIRED_TOKEN",
        "ACCESS_DENIED",
    }
)
# The error codes of all other reasons.
_ERROR_OF_REASON: Final = {
    MESSAGE_TOO_LARGE: "invalid_request",
    "CLIENT_METADATA_INVALID": "invalid_client",
}
_ERROR_OF_KIND: Final = {
    Kind.INVALID_ARGUMENT: "invalid_request",
    Kind.FAILED_PRECONDITION: "invalid_request",
    Kind.UNIMPLEMENTED: "invalid_request",
    Kind.UNAUTHENTICATED: "invalid_client",
    Kind.PERMISSION_DENIED: "access_denied",
    Kind.RESOURCE_EXHAUSTED: "temporarily_unavailable",
    Kind.ABORTED: "temporarily_unavailable",
    Kind.DEADLINE_EXCEEDED: "temporarily_unavailable",
    Kind.UNAVAILABLE: "temporarily_unavailable",
}
_SERVER_ERROR: Final = "server_error"
# Where RFC 6749 and RFC 6750 differ from the status of JSON.
_STATUS_OF_KIND: Final = {**STATUS_OF_KIND, Kind.ABORTED: 503}
_CAPITAL: Final = re.compile("[A-Z]")
# Relative, for a proxy that serves this below a path.
_SIGN_IN_PAGE: Final = "../signin/"
# Characters of a URL that stay as they are; all others are percent-encoded.
_OF_URLS: Final = ":/%?#[]@!$&'()*+,;="


def json_answer(value: Mapping[str, Any], *, status: int = 200) -> HttpAnswer:
    """An object, with whole numbers as integers."""
    return HttpAnswer(status, _json_headers(), codec.dumps(codec.whole(value)))


def fields_of(message: Message) -> dict[str, Any]:
    """The fields of a message that are not empty, by their names in the schema."""
    fields: dict[str, Any] = json_format.MessageToDict(message, preserving_proto_field_name=True)
    return fields


def empty() -> HttpAnswer:
    """An answer without content."""
    return HttpAnswer(200, [(b"cache-control", b"no-store")], b"")


def redirect(url: str) -> HttpAnswer:
    """A redirect by GET (RFC 9700, section 4.12)."""
    headers = [(b"location", quote(url, safe=_OF_URLS).encode()), (b"cache-control", b"no-store")]
    return HttpAnswer(303, headers, b"")


def to_sign_in(purpose: str, sealed_request: str) -> HttpAnswer:
    """The redirect to the sign-in page with a sealed request: `request` or `logout`."""
    return redirect(f"{_SIGN_IN_PAGE}#{purpose}={quote(sealed_request, safe='')}")


def error_page(ended: EndOfCall, _sent: Headers) -> HttpAnswer:
    """The redirect to the page that shows a failure to the user, and not to the application."""
    request_id = quote(_request_id(ended), safe="")
    return redirect(f"{_SIGN_IN_PAGE}#error={ended.failure.reason}&request_id={request_id}")


def client_error(ended: EndOfCall, sent: Headers) -> HttpAnswer:
    """The error of an endpoint to which applications authenticate. `sent` are its headers."""
    if ended.failure.reason != INVALID_CLIENT:
        return _error(ended)
    # RFC 6749, section 5.2: 401 if the application used the header.
    if values(sent, b"authorization"):
        return _error(ended, status=401, challenge=b'Basic realm="keystead"')
    return _error(ended, status=400)


def token_error(ended: EndOfCall, sent: Headers) -> HttpAnswer:
    """The error of an endpoint that takes a bearer token. `sent` are the headers of the request."""
    reason = ended.failure.reason
    if reason == INSUFFICIENT_SCOPE:
        challenge = b'Bearer error="insufficient_scope", scope="openid"'
        return _error(ended, status=403, challenge=challenge)
    if reason == INVALID_TOKEN:
        # RFC 6750, section 3.1: no error for a request without any authentication.
        has_token = bool(values(sent, b"authorization"))
        challenge = b'Bearer error="invalid_token"' if has_token else b"Bearer"
        return _error(ended, status=401, challenge=challenge)
    return _error(ended)


def _error(ended: EndOfCall, *, status: int = 0, challenge: bytes = b"") -> HttpAnswer:
    failed, reason = ended.failure, ended.failure.reason
    error = reason.lower() if reason in _CODES else _ERROR_OF_REASON.get(reason)
    error = error or _ERROR_OF_KIND.get(failed.kind, _SERVER_ERROR)
    headers = [*_json_headers(), *retry_after(failed)]
    if challenge:
        headers.append((b"www-authenticate", challenge))
    if reason == UNSUPPORTED_MEDIA_TYPE:
        headers.append((b"accept-post", FORM))
    description = f"{_description(failed)} ({reason}, request {_request_id(ended)})"
    body = {"error": error, "error_description": described(description)}
    status = status or STATUS_OF_REASON.get(reason) or _STATUS_OF_KIND[failed.kind]
    return HttpAnswer(status, headers, codec.dumps(body))


def _request_id(ended: EndOfCall) -> str:
    """The ID by which the administrator of the application finds the refusal."""
    return next(str(value) for name, value in ended.trailing_metadata if name == REQUEST_ID_HEADER)


def _description(failed: Failure) -> str:
    """The violations of fields, or the message."""
    # Parameters have the names of the schema, violations those of JSON.
    violations = (
        f"{_CAPITAL.sub(lambda letter: f'_{letter[0].lower()}', each.field)} {each.description}."
        for each in failed.violations
    )
    return " ".join(violations) or failed.message


def _json_headers() -> Headers:
    return [(b"content-type", JSON), (b"cache-control", b"no-store"), (b"pragma", b"no-cache")]
