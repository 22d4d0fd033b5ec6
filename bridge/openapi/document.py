"""The description of the JSON API (OpenAPI 3.1), made from the schema and its comments.

https://spec.openapis.org/oas/v3.1.1. A new method of the schema needs no code
here. The option `listed_error` names the errors of a method; others are its `default` response.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor

from bridge.cookies import ATTRIBUTES as COOKIE_ATTRIBUTES
from bridge.cookies import NAME as SESSION_COOKIE
from bridge.cookies import OPT_IN
from bridge.json.event_stream import CONTENT_TYPE, LAST_EVENT_ID, id_field
from bridge.json.routing import Route
from bridge.json.types import JsonType, type_of
from bridge.openapi.examples import IDENTIFIER, example_of, example_of_field
from bridge.openapi.json_schema import (
    FieldLimits,
    Schemas,
    below,
    comment,
    is_required,
    written,
)
from keystead.options.v1 import options_pb2
from server.access.authorizer import ORGANIZATION_HEADER
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.changes import IDEMPOTENCY_KEY, IF_MATCH, VALIDATE_ONLY
from server.rpc.requests import MAX_MESSAGE_BYTES
from server.rpc.status import status_of
from server.validation.json_schema import Schema
from server.values.errors import (
    Failure,
    Violation,
    invalid,
    not_found,
    permission_denied,
    unauthenticated,
)

Json: TypeAlias = dict[str, Any]

_VARIABLE = re.compile(r"\{[^{}]*\}")
_FIRST_SENTENCE = re.compile(r"(.+?)\.(?:\s+|$)(.*)", re.DOTALL)
_REQUEST_ID = "5c1f0e6b8a7d4c39b2e1f0a9d8c7b6a5"

_OVERVIEW = f"""\
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
| 500 | INTERNAL (13): a fault of the server, logged with the request ID |
| 501 | UNIMPLEMENTED (12) |
| 503 | UNAVAILABLE (14) |
| 504 | DEADLINE_EXCEEDED (4) |

**JSON.** Member names are lowerCamelCase; the names of the `.proto` files are accepted as well.
Unknown and duplicate members are refused, and null means absent. Enum values are names; numbers are
accepted as well. 64-bit integers are strings in responses. A field of the path can be omitted from
the body.

**Limits.** A body has at most {MAX_MESSAGE_BYTES // 2**20} MiB, or 4 KiB without a token (16 KiB of
a sign-in), and arrives within 60 seconds. All headers together have at most 16 KiB. A call that
exceeds its `grpc-timeout`, or the time limit of the server, ends as DEADLINE_EXCEEDED.

**Deprecation.** Responses of deprecated operations carry the headers `deprecation` (RFC 9745),
`link` with the successor, and `sunset` (RFC 8594) if a date is configured.
"""

_OPT_IN_HEADER, _OPT_IN_VALUE = (part.decode() for part in OPT_IN)

_HEADERS: Mapping[str, Json] = {
    REQUEST_ID_HEADER: {
        "description": "The ID of the request: its `x-request-id`, or a generated one.",
        "required": True,
        "schema": {"type": "string", "maxLength": 128},
        "example": _REQUEST_ID,
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
        f" requests it by `{_OPT_IN_HEADER}`. `sessionToken` is then empty.",
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
_PARAMETERS: Mapping[str, Json] = {
    ORGANIZATION_HEADER: {
        "name": ORGANIZATION_HEADER,
        "in": "header",
        "description": "The organization whose data is read or set. Default: that of the caller."
        " The caller needs the permission in it.",
        "schema": {"type": "string", "minLength": 1},
    },
    _OPT_IN_HEADER: {
        "name": _OPT_IN_HEADER,
        "in": "header",
        "description": "Requests the session cookie in place of `sessionToken`, for pages of the"
        " server's origin or of a listed origin.",
        "schema": {"type": "string", "enum": [_OPT_IN_VALUE]},
    },
    REQUEST_ID_HEADER: {
        "name": REQUEST_ID_HEADER,
        "in": "header",
        "description": "An ID for the request, at most 128 printable ASCII characters. Default: a"
        " generated one.",
        "schema": {"type": "string"},
    },
    LAST_EVENT_ID: {
        "name": LAST_EVENT_ID,
        "in": "header",
        "description": "The `id` of the last received event. The stream resumes after it; this"
        " overrides the query parameter. Browsers send it when they reconnect.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,20}$"},
    },
    IF_MATCH: {
        "name": IF_MATCH,
        "in": "header",
        "description": "ETags, separated by commas. The change is made only if the object has one"
        " of them; `*`: if the object exists. Otherwise 412.",
        "schema": {"type": "string"},
        "example": '"1763800000000000"',
    },
    VALIDATE_ONLY: {
        "name": VALIDATE_ONLY,
        "in": "header",
        "description": "`true`: the server makes all checks and changes nothing. The response is"
        " empty.",
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    IDEMPOTENCY_KEY: {
        "name": IDEMPOTENCY_KEY,
        "in": "header",
        "description": "Within 24 hours, the same request with the same key is executed once, and"
        " gets the first response again.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]*$"},
    },
    "grpc-timeout": {
        "name": "grpc-timeout",
        "in": "header",
        "description": "The deadline of the call, from its start: `10S`, `500m` (milliseconds).",
        "schema": {"type": "string", "pattern": "^[0-9]{1,8}[HMSmun]$"},
    },
}
_STATUS: Schema = {
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
_SECURITY_SCHEMES: Mapping[str, Json] = {
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

_OF_A_USER: Sequence[Json] = ({"token": []}, {"sessionCookie": []})


def openapi(
    routes: Sequence[Route],
    limits: Mapping[str, FieldLimits],
    *,
    title: str,
    version: str,
    headers: Mapping[str, Sequence[str]] | None = None,
) -> Json:
    """The document. `limits` are those of requests, by the full names of their messages.

    `headers` are the additional headers of a method, by its full name.
    """
    schemas, paths, named = Schemas(), dict[str, Json](), Counter[str]()
    for route in routes:
        method = route.method
        named[method.name] += 1
        number = named[method.name]
        operation_id = method.name if number == 1 else f"{method.name}{number}"
        limited = limits.get(method.input_type.full_name, {})
        path = paths.setdefault(
            _path(route),
            {"parameters": [_parameter(REQUEST_ID_HEADER), _parameter("grpc-timeout")]},
        )
        path[route.verb.lower()] = {
            "operationId": operation_id,
            **_operation(route, schemas, limited),
        }
        path[route.verb.lower()]["parameters"] += [
            _parameter(name) for name in (headers or {}).get(method.full_name, ())
        ]
    services = dict.fromkeys(route.method.containing_service for route in routes)
    return {
        "openapi": "3.1.1",
        "info": {"title": title, "version": version, "description": _OVERVIEW},
        "servers": [{"url": "."}],
        "security": [*_OF_A_USER],
        "tags": [
            {"name": service.name, "description": comment(service.full_name)}
            for service in services
        ],
        "paths": paths,
        "components": {
            "schemas": {"google.rpc.Status": _STATUS, **schemas.components},
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "responses": dict(_error_responses()),
            "securitySchemes": _SECURITY_SCHEMES,
        },
    }


def _operation(route: Route, schemas: Schemas, limits: FieldLimits) -> Json:
    method = route.method
    options = method.GetOptions()
    summary, description = _described(method)
    operation: Json = {
        "tags": [method.containing_service.name],
        "summary": summary,
        "description": description,
        "parameters": list(_parameters(route, schemas, limits)),
        "responses": {
            "200": _success(method, schemas),
            **{
                str(status): {"$ref": f"#/components/responses/{status}"}
                for status in options.Extensions[options_pb2.listed_error]
            },
            "default": {"$ref": "#/components/responses/default"},
        },
    }
    if route.body:
        operation["requestBody"] = _body(route, schemas, limits)
    if options.deprecated:
        operation["deprecated"] = True
    if options.Extensions[options_pb2.access].registration_token:
        operation["security"] = [*_OF_A_USER, {"registrationToken": []}]
    if options.Extensions[options_pb2.access].link_code:
        operation["security"] = [*_OF_A_USER, {}]  # the code is in the request
    if options.Extensions[options_pb2.access].open:
        operation["security"] = []
    return operation


def _described(method: MethodDescriptor) -> tuple[str, str]:
    """The first sentence of the comment; the rest, with the path of the method for gRPC."""
    text = comment(method.full_name)
    found = _FIRST_SENTENCE.fullmatch(text)
    summary, rest = found.groups() if found else (text, "")
    elsewhere = f"gRPC and grpc-web: `/{method.containing_service.full_name}/{method.name}`."
    return summary, f"{rest}\n\n{elsewhere}".strip()


def _parameters(route: Route, schemas: Schemas, limits: FieldLimits) -> Iterator[Json]:
    for variable in route.variables:
        field, limited = _bound(route, variable, limits)
        yield {
            "name": field.json_name,
            "in": "path",
            **_field_parameter(field, schemas, limited),
            "required": True,
        }
    if route.body != "*":
        elsewhere = {*route.variables, route.body}
        for name, field, limited in _in_query(route.method.input_type, limits, elsewhere, ()):
            yield {"name": name, "in": "query", **_field_parameter(field, schemas, limited)}
    options = route.method.GetOptions()
    if options.Extensions[options_pb2.access].scope == options_pb2.SCOPE_SELECTED_ORGANIZATION:
        yield _parameter(ORGANIZATION_HEADER)
    if options.Extensions[options_pb2.session_cookie] == options_pb2.SESSION_COOKIE_SET:
        yield _parameter(_OPT_IN_HEADER)
    if route.method.server_streaming:
        yield _parameter(LAST_EVENT_ID)


def _in_query(
    message: Descriptor,
    limits: FieldLimits,
    without: Collection[str],
    inside: tuple[FieldDescriptor, ...],
) -> Iterator[tuple[str, FieldDescriptor, FieldLimits]]:
    """The fields that a query may set, by their names in the query: `filter.name`."""
    for field in written(message):
        if field.name in without or field in inside:
            continue
        kind = type_of(field)
        if isinstance(kind, JsonType):
            if kind.from_url:
                yield ".".join(each.json_name for each in (*inside, field)), field, limits
        elif not field.is_repeated:
            limited = limits.get(field.name, {}).get("properties", {})
            yield from _in_query(kind, limited, below(field, without), (*inside, field))


def _field_parameter(field: FieldDescriptor, schemas: Schemas, limits: FieldLimits) -> Json:
    text, example = comment(field.full_name), example_of_field(field)
    return {
        **({"required": True} if is_required(field) else {}),
        **({"description": text} if text else {}),
        "schema": schemas.of_parameter(field, limits),
        **({"example": example} if example is not None else {}),
    }


def _bound(route: Route, variable: str, limits: FieldLimits) -> tuple[FieldDescriptor, FieldLimits]:
    """The field of a variable like `idp.idp_id`, and the limits of its message."""
    *parents, name = variable.split(".")
    message: Any = route.method.input_type
    for parent in parents:
        message = message.fields_by_name[parent].message_type
        limits = limits.get(parent, {}).get("properties", {})
    return message.fields_by_name[name], limits


def _path(route: Route) -> str:
    """The path for OpenAPI: `/v1/idps/{idpId}` for `/v1/idps/{idp.idp_id}`."""
    names = (_bound(route, variable, {})[0].json_name for variable in route.variables)
    return _VARIABLE.sub(lambda _: f"{{{next(names)}}}", route.template)


def _body(route: Route, schemas: Schemas, limits: FieldLimits) -> Json:
    message, without = route.method.input_type, route.variables
    if route.body == "*":
        required = any(
            is_required(field) for field in written(message) if field.name not in without
        )
        schema = schemas.of_request(message, limits, without=without)
        example = example_of(message, in_request=True, without=without)
    else:
        field = message.fields_by_name[route.body]
        required = is_required(field)
        schema = schemas.of_parameter(field, limits)
        example = example_of_field(field, in_request=True)
    return {"required": required, "content": _content(schema, example)}


def _success(method: MethodDescriptor, schemas: Schemas) -> Json:
    message = method.output_type
    options = method.GetOptions()
    headers = [REQUEST_ID_HEADER]
    if options.Extensions[options_pb2.session_cookie]:
        headers.append("set-cookie")
    if options.deprecated:
        headers += ["deprecation", "link", "sunset"]
    schema, example = schemas.of_response(message), example_of(message)
    return {
        "description": comment(message.full_name) or "Success.",
        "headers": _headers(headers),
        "content": _events(method, example)
        if method.server_streaming
        else _content(schema, example),
    }


def _events(method: MethodDescriptor, example: Any) -> Json:
    """The content of a stream. OpenAPI 3.1 cannot describe its items; the text names the schema."""
    message = method.output_type.full_name
    schema = {
        "type": "string",
        "description": "Server-sent events without end. The `data` of each is the JSON of"
        f" `#/components/schemas/{message}`, and its `id` the `{id_field(method)}`. A stream that"
        " fails ends with an event `error`, whose `data` is a `google.rpc.Status`.",
    }
    text = f"id: 42\ndata: {json.dumps(example)}\n\n"
    return {CONTENT_TYPE: {"schema": schema, "example": text}}


def _error_responses() -> Iterator[tuple[str, Json]]:
    """The responses that operations share, by status, with real messages as examples."""
    yield (
        "403",
        _error("The user does not have permission to access the resource.", permission_denied()),
    )
    yield (
        "404",
        _error(
            "The resource does not exist.",
            not_found("user", IDENTIFIER, "The user does not exist. List the users to find it."),
        ),
    )
    yield (
        "default",
        _error(
            "Any unexpected error.",
            invalid(Violation("name", "must not be empty")),
            unauthenticated(),
            headers=("retry-after", "www-authenticate"),
        ),
    )


def _error(description: str, *examples: Failure, headers: Sequence[str] = ()) -> Json:
    media = {
        "schema": {"$ref": "#/components/schemas/google.rpc.Status"},
        "examples": {each.reason: {"value": _status(each)} for each in examples},
    }
    return {
        "description": description,
        "headers": _headers([REQUEST_ID_HEADER, *headers]),
        "content": {"application/json": media},
    }


def _status(failure: Failure) -> Json:
    return json_format.MessageToDict(status_of(failure, _REQUEST_ID))


def _content(schema: Schema, example: Any) -> Json:
    return {"application/json": {"schema": schema, "example": example}}


def _headers(names: Sequence[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _parameter(name: str) -> Json:
    return {"$ref": f"#/components/parameters/{name}"}
