"""The description of the JSON API (OpenAPI 3.1), made from the schema and its comments.

https://spec.openapis.org/oas/v3.1.1. A new method of the schema needs no code here. The option
`listed_error` names the errors of a method; others are its `default` response.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from bridge.json.event_stream import CONTENT_TYPE, LAST_EVENT_ID, id_field
from bridge.json.routing import Route
from bridge.json.types import Schema, behavior, is_required
from keystead.options.v1 import options_pb2
from server.access.authorizer import ORGANIZATION_HEADER, user_not_found
from server.rpc.call import REQUEST_ID_HEADER
from server.rpc.status import status_of
from server.values.errors import Failure, Violation, invalid, permission_denied, unauthenticated
from tests.support.openapi.components import (
    HEADERS,
    OPT_IN_HEADER,
    OVERVIEW,
    PARAMETERS,
    REQUEST_ID,
    SECURITY_SCHEMES,
    STATUS,
    Json,
)
from tests.support.openapi.examples import IDENTIFIER, example_of, example_of_field
from tests.support.openapi.json_schema import FieldLimits, Schemas, comment, settable_fields

_VARIABLE = re.compile(r"\{[^{}]*\}")
_FIRST_SENTENCE = re.compile(r"(.+?)\.(?:\s+|$)(.*)", re.DOTALL)

# By verb: the server chooses the ID of an added object, and a patch cannot change some fields.
_IGNORED: Mapping[str, int] = {
    "POST": field_behavior_pb2.IDENTIFIER,
    "PATCH": field_behavior_pb2.IMMUTABLE,
}

_OF_ORGANIZATION = (
    options_pb2.SCOPE_SELECTED_ORGANIZATION,
    options_pb2.SCOPE_INSTANCE_OR_ORGANIZATION,
)
_OF_A_USER: Sequence[Json] = ({"token": []}, {"sessionCookie": []})


def openapi(
    routes: Sequence[Route],
    limits: Mapping[str, FieldLimits],
    *,
    title: str,
    version: str,
    headers: Mapping[str, Sequence[str]],
) -> Json:
    """The document. `limits` are those of requests, by the full names of their messages.

    `headers` are the additional headers of a method, by its full name.
    """
    schemas, paths = Schemas(), dict[str, Json]()
    for route in routes:
        method = route.method
        limited = limits.get(method.input_type.full_name, {})
        path = paths.setdefault(
            _path(route),
            {"parameters": [_parameter(REQUEST_ID_HEADER), _parameter("grpc-timeout")]},
        )
        path[route.verb.lower()] = {
            "operationId": method.name,
            **_operation(route, schemas, limited, headers.get(method.full_name, ())),
        }
    services = dict.fromkeys(route.method.containing_service for route in routes)
    return {
        "openapi": "3.1.1",
        "info": {"title": title, "version": version, "description": OVERVIEW},
        "servers": [{"url": "."}],
        "security": [*_OF_A_USER],
        "tags": [
            {"name": service.name, "description": comment(service.full_name)}
            for service in services
        ],
        "paths": paths,
        "components": {
            "schemas": {"google.rpc.Status": STATUS, **schemas.components},
            "parameters": PARAMETERS,
            "headers": HEADERS,
            "responses": _error_responses(),
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _operation(route: Route, schemas: Schemas, limits: FieldLimits, headers: Sequence[str]) -> Json:
    method = route.method
    options = method.GetOptions()
    summary, description = _described(method)
    operation: Json = {
        "tags": [method.containing_service.name],
        "summary": summary,
        "description": description,
        "parameters": [*_parameters(route, schemas, limits), *map(_parameter, headers)],
        "responses": {
            "200": _success(method, schemas),
            **{
                str(status): {"$ref": f"#/components/responses/{status}"}
                for status in options.Extensions[options_pb2.listed_error]
            },
            "default": {"$ref": "#/components/responses/default"},
        },
    }
    if route.has_body:
        operation["requestBody"] = _body(route, schemas, limits)
    if options.deprecated:
        operation["deprecated"] = True
    access = options.Extensions[options_pb2.access]
    if access.registration_token:
        operation["security"] = [*_OF_A_USER, {"registrationToken": []}]
    if access.link_code:
        operation["security"] = [*_OF_A_USER, {}]  # the code is in the request
    if access.open:
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
    if not route.has_body:
        for field in settable_fields(route.method.input_type):
            if field.name not in route.variables:
                parameter = _field_parameter(field, schemas, limits)
                yield {"name": field.json_name, "in": "query", **parameter}
    options = route.method.GetOptions()
    if options.Extensions[options_pb2.access].scope in _OF_ORGANIZATION:
        yield _parameter(ORGANIZATION_HEADER)
    if options.Extensions[options_pb2.session_cookie] == options_pb2.SESSION_COOKIE_SET:
        yield _parameter(OPT_IN_HEADER)
    if route.method.server_streaming:
        yield _parameter(LAST_EVENT_ID)


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


def _unread(route: Route) -> Iterator[str]:
    """The fields of an object in the body that the method ignores (AIP-203)."""
    ignored = _IGNORED.get(route.verb)
    for field in route.method.input_type.fields:
        for member in field.message_type.fields if field.message_type else ():
            if ignored in behavior(member):
                yield f"{field.name}.{member.name}"


def _body(route: Route, schemas: Schemas, limits: FieldLimits) -> Json:
    message, without = route.method.input_type, {*route.variables, *_unread(route)}
    fields = [field for field in settable_fields(message) if field.name not in without]
    schema = schemas.of_request(message, limits, without=without)
    example = example_of(message, in_request=True, without=without)
    return {"required": any(map(is_required, fields)), "content": _content(schema, example)}


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


def _error_responses() -> Json:
    """The responses that operations share, by status, with real messages as examples."""
    return {
        "403": _error(
            "The user does not have permission to access the resource.", permission_denied()
        ),
        "404": _error("The resource does not exist.", user_not_found(IDENTIFIER)),
        "default": _error(
            "Any unexpected error.",
            invalid(Violation("name", "must not be empty")),
            unauthenticated(),
            headers=("retry-after", "www-authenticate"),
        ),
    }


def _error(description: str, *examples: Failure, headers: Sequence[str] = ()) -> Json:
    media = {
        "schema": {"$ref": "#/components/schemas/google.rpc.Status"},
        "examples": {
            each.reason: {"value": json_format.MessageToDict(status_of(each, REQUEST_ID))}
            for each in examples
        },
    }
    return {
        "description": description,
        "headers": _headers([REQUEST_ID_HEADER, *headers]),
        "content": {"application/json": media},
    }


def _content(schema: Schema, example: Any) -> Json:
    return {"application/json": {"schema": schema, "example": example}}


def _headers(names: Sequence[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _parameter(name: str) -> Json:
    return {"$ref": f"#/components/parameters/{name}"}
