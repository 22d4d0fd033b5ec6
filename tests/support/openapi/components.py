"""The parts of the OpenAPI document that do not depend on the schema.

`OVERVIEW` is the description of the API in Markdown. The others are components, by name.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from bridge.cookies import ATTRIBUTES as COOKIE_ATTRIBUTES
from bridge.cookies import NAME as SESSION_COOKIE
from bridge.cookies import OPT_IN
from bridge.json.event_stream import LAST_EVENT_ID
from bridge.json.types import Schema
from server.access.authorizer import ORGANIZATION_HEADER
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.preconditions.changes import IDEMPOTENCY_KEY, IF_MATCH, VALIDATE_ONLY
from server.rpc.requests import MAX_MESSAGE_BYTES, OF_ANONYMOUS, OF_CALLERS

Json: TypeAlias = dict[str, Any]

# A request ID for examples.
REQUEST_ID = "5c1f0e6b8a7d4c39b2e1f0a9d8c7b6a5"

OVERVIEW = f"""\
Every operation is a gRPC method. Its description names the path of the method, which is the same
for gRPC (`application/grpc`, on the gRPC port) and grpc-web (`application/grpc-web+proto`, on this
port).

**Authentication.** Send a token: `authorization: Bearer kst_...`. The first start writes a token of
the administrator to `admin.token` in the data directory; CreateToken and `keystead token` create
others. Pages of the server's origin and of listed origins can use the session cookie
`{SESSION_COOKIE}` instead.

**Errors.** Every error is a `google.rpc.Status`: `code` is a `google.rpc.Code`, `message` names the
error and the correction, and `details` contains a `google.rpc.ErrorInfo` with a stable `reason`, a
`google.rpc.RequestInfo` with the request ID, and for invalid fields a `google.rpc.BadRequest` that
lists all of them. The HTTP status depends on `code`, and for some errors on `reason`:

| HTTP | code |
|---|---|
| 400 | INVALID_ARGUMENT (3), FAILED_PRECONDITION (9) |
| 401 | UNAUTHENTICATED (16) |
| 403 | PERMISSION_DENIED (7) |
| 404 | NOT_FOUND (5) |
| 405 | UNIMPLEMENTED (12): the path exists, but not for this HTTP method; see `allow` |
| 408 | DEADLINE_EXCEEDED (4): the headers or the body did not arrive in time |
| 409 | ALREADY_EXISTS (6), ABORTED (10) |
| 412 | ABORTED (10): the object does not have the ETag of `if-match` |
| 413 | RESOURCE_EXHAUSTED (8): the body is too large |
| 415 | INVALID_ARGUMENT (3): the body is not `application/json` |
| 422 | FAILED_PRECONDITION (9): another request had the same `x-idempotency-key` |
| 429 | RESOURCE_EXHAUSTED (8): a limit or a rate limit is exceeded |
| 431 | RESOURCE_EXHAUSTED (8): the URL and the headers are too large |
| 500 | INTERNAL (13): a fault of the server, logged with the request ID |
| 501 | UNIMPLEMENTED (12) |
| 503 | UNAVAILABLE (14) |
| 504 | DEADLINE_EXCEEDED (4) |

**JSON.** Member names are lowerCamelCase; the names of the `.proto` files are accepted as well.
Unknown and duplicate members are refused, and null means absent. Enum values are names; numbers are
accepted as well. 64-bit integers are strings in responses. A field of the path can be omitted from
the body.

**Limits.** A body has at most {MAX_MESSAGE_BYTES // 2**20} MiB, or 4 KiB without a token (16 KiB of
a sign-in), and arrives within 60 seconds. It has at most {OF_CALLERS.values} values, or
{OF_ANONYMOUS.values} without a token, and the query {OF_CALLERS.parameters} parameters, or
{OF_ANONYMOUS.parameters} without a token. All headers together have at most 16 KiB. A call that
exceeds its `grpc-timeout`, or the time limit of the server, ends as DEADLINE_EXCEEDED.

**Deprecation.** Responses of deprecated operations carry the headers `deprecation` (RFC 9745),
`link` with the successor, and `sunset` (RFC 8594) if a date is configured.
"""

OPT_IN_HEADER, _OPT_IN_VALUE = (part.decode() for part in OPT_IN)

HEADERS: Mapping[str, Json] = {
    REQUEST_ID_HEADER: {
        "description": "The ID of the request: its `x-request-id`, or a generated one.",
        "required": True,
        "schema": {"type": "string", "maxLength": 128},
        "example": REQUEST_ID,
    },
    "retry-after": {
        "description": "Seconds to wait before a retry, if a retry can succeed.",
        "schema": {"type": "integer", "minimum": 0},
        "example": 1,
    },
    "www-authenticate": {
        "description": "With 401: the authentication scheme.",
        "schema": {"type": "string"},
        "example": "Bearer",
    },
    "set-cookie": {
        "description": "Sets or clears the session cookie, for a page that has the cookie or"
        f" requests it by `{OPT_IN_HEADER}`. `sessionToken` is then empty.",
        "schema": {"type": "string"},
        "example": f"{SESSION_COOKIE}=kss_...; Max-Age=86400; {COOKIE_ATTRIBUTES}",
    },
    "deprecation": {
        "description": "When the operation was deprecated, in seconds since the Unix epoch.",
        "required": True,
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    "link": {
        "description": "The method to use instead, with the relation `successor-version`.",
        "required": True,
        "schema": {"type": "string"},
    },
    "sunset": {
        "description": "When the operation will be removed, if a date is configured.",
        "schema": {"type": "string"},
    },
}
_HEADERS_OF_REQUESTS: Mapping[str, Json] = {
    ORGANIZATION_HEADER: {
        "description": "The organization whose data is read or set. Default: that of the caller,"
        " and of SMTP configurations and previews of mails the instance. The caller needs the"
        " permission in it.",
        "schema": {"type": "string", "minLength": 1},
    },
    OPT_IN_HEADER: {
        "description": "Requests the session cookie in place of `sessionToken`, for pages of the"
        " server's origin or of a listed origin.",
        "schema": {"type": "string", "enum": [_OPT_IN_VALUE]},
    },
    REQUEST_ID_HEADER: {
        "description": "An ID for the request, at most 128 printable ASCII characters. Default: a"
        " generated one.",
        "schema": {"type": "string"},
    },
    LAST_EVENT_ID: {
        "description": "The `id` of the last received event. The stream resumes after it; this"
        " overrides the query parameter. Browsers send it when they reconnect.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,20}$"},
    },
    IF_MATCH: {
        "description": "ETags, separated by commas. The change is made only if the object has one"
        " of them; `*`: if the object exists. Otherwise 412.",
        "schema": {"type": "string"},
        "example": '"1763800000000000"',
    },
    VALIDATE_ONLY: {
        "description": "`true`: the server makes all checks and changes nothing. The response is"
        " empty; it has the `etag` of the object if the change would leave it as it is.",
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    IDEMPOTENCY_KEY: {
        "description": "Within 24 hours, the same request with the same key is executed once, and"
        " gets the first response again.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]*$"},
    },
    "grpc-timeout": {
        "description": "The deadline of the call, from its start: `10S`, `500m` (milliseconds).",
        "schema": {"type": "string", "pattern": "^[0-9]{1,8}[HMSmun]$"},
    },
}
PARAMETERS: Mapping[str, Json] = {
    name: {"name": name, "in": "header", **described}
    for name, described in _HEADERS_OF_REQUESTS.items()
}
STATUS: Schema = {
    "title": "Status",
    "type": "object",
    "description": "`google.rpc.Status`, the form of every error.",
    "properties": {
        "code": {"type": "integer", "format": "int32", "description": "A `google.rpc.Code`."},
        "message": {"type": "string", "description": "The error and the correction, for people."},
        "details": {
            "type": "array",
            "description": "For programs: `google.rpc.ErrorInfo`, `RequestInfo`, `BadRequest`,"
            " `ResourceInfo`, `RetryInfo`.",
            "items": {
                "type": "object",
                "properties": {"@type": {"type": "string"}},
                "required": ["@type"],
            },
        },
    },
    "required": ["code", "message", "details"],
}
SECURITY_SCHEMES: Mapping[str, Json] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "kst_...",
        "description": "The token of a user, or of a session (`kss_...`).",
    },
    "sessionCookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session of a browser, used without `authorization` by pages of the"
        " server's origin or of a listed origin: with `content-type: application/json`, or by"
        " GET and DELETE without a body.",
    },
    "registrationToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "ksr_...",
        "description": "The `registrationToken` that RegisterPasskey returned. It can only verify"
        " that registration.",
    },
}
