"""The OpenAPI document: valid, complete, and equal to the schema and the limits."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from google.protobuf.descriptor import MethodDescriptor
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from pydantic.alias_generators import to_camel

from bridge import cookies
from bridge.http.errors import malformed, too_large, too_many_pipelined, too_slow
from bridge.json.http_answer import STATUS_OF_KIND, STATUS_OF_REASON
from bridge.json.routing import Route, routes_of
from keystead.options.v1 import options_pb2
from server.application import fields as application_fields
from server.idp.commands import PATCHABLE
from server.rpc.preconditions.changes import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    VALIDATE_ONLY,
    change_of,
)
from server.user import commands as user_commands
from server.values.errors import Kind
from server.wiring.services import OBJECTS
from tests.support import given
from tests.support.given import Instance
from tests.support.openapi.document import openapi
from tests.support.protos import pool_of
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("limits follow from type hints, which releases read anew")

Json = dict[str, Any]

ROUTES = routes_of(dict.fromkeys(method.containing_service.full_name for method in given.METHODS))


@pytest.fixture(scope="module")
async def document(instance: Instance) -> Json:
    """The served document, with its references resolved."""
    async with web_client(instance.web_port) as client:
        served: Json = (await client.get("/openapi.json")).json()
    return served


@pytest.fixture(scope="module")
def operations(document: Json) -> Mapping[str, Json]:
    """The operations by their IDs; `path` and `verb` are added to each."""
    return {
        operation["operationId"]: {**operation, "path": path, "verb": verb.upper()}
        for path, item in document["paths"].items()
        for verb, operation in item.items()
        if verb != "parameters"
    }


def test_the_document_is_valid(document: Json) -> None:
    assert document["openapi"].startswith("3.1.")
    validate(document, cls=OpenAPIV31SpecValidator)


def test_the_overview_lists_the_http_status_of_every_error(document: Json) -> None:
    rows = re.findall(r"^\| (\d{3}) \|", document["info"]["description"], re.MULTILINE)
    refused_before_the_call = (malformed(""), too_large(1, 1), too_slow(1), too_many_pipelined())

    assert rows == sorted(rows)
    assert set(map(int, rows)) == {
        *(STATUS_OF_KIND[kind] for kind in Kind),
        *STATUS_OF_REASON.values(),
        *(error.status for error in refused_before_the_call),
    }


def test_every_reference_of_the_document_leads_somewhere(document: Json) -> None:
    references = set(_references(document))

    assert references
    for reference in references:
        _followed(document, {"$ref": reference})


def test_every_route_is_described_and_nothing_else(operations: Mapping[str, Json]) -> None:
    described = {
        (name, operation["verb"], operation["path"]) for name, operation in operations.items()
    }

    assert described == {(route.method.name, route.verb, _path(route.template)) for route in ROUTES}


def test_every_operation_says_what_it_does(operations: Mapping[str, Json]) -> None:
    for method in given.UNARY_METHODS:
        operation = operations[method.name]
        assert operation["summary"], method.name
        assert f"/{method.containing_service.full_name}/{method.name}" in operation["description"]
        assert operation["tags"] == [method.containing_service.name]


def test_descriptions_use_the_names_of_json(document: Json) -> None:
    assert not re.findall(r"`[a-z]+_[a-z_]+`", json.dumps(document))


@pytest.mark.parametrize(
    ("operation_id", "responses"),
    [
        ("AddSMTPConfig", ["200", "403", "404", "default"]),
        ("VerifyPasskeyRegistration", ["200", "403", "404", "default"]),
        ("UpdateIDP", ["200", "default"]),
    ],
)
def test_the_three_operations_list_the_errors_of_the_specification(
    operations: Mapping[str, Json], operation_id: str, responses: list[str]
) -> None:
    assert list(operations[operation_id]["responses"]) == responses


@pytest.mark.parametrize(
    ("operation_id", "required", "optional"),
    [
        ("AddSMTPConfig", {"senderAddress", "senderName", "host"}, {"tls", "user", "password"}),
        ("VerifyPasskeyRegistration", {"publicKeyCredential", "passkeyName"}, set()),
        ("UpdateIDP", {"name"}, {"stylingType", "autoRegister"}),
    ],
)
def test_the_three_operations_take_the_fields_of_the_specification(
    document: Json,
    operations: Mapping[str, Json],
    operation_id: str,
    required: set[str],
    optional: set[str],
) -> None:
    body = operations[operation_id]["requestBody"]
    schema = _followed(document, body["content"]["application/json"]["schema"])

    assert body["required"] is True
    assert set(schema["required"]) == required
    assert set(schema["properties"]) == required | optional
    assert schema["additionalProperties"] is False


_TEXT = {"minLength": 1, "maxLength": 200}
_ROLES = [
    *("INSTANCE_OWNER", "ORG_OWNER", "ORG_USER_MANAGER", "SESSION_VERIFIER"),
    *("ORG_APPLICATION_MANAGER", "GATE", "ORG_AUDITOR", "ORG_HELP_DESK"),
]
_CREDENTIAL = "passkey.v1.VerifyPasskeyRegistrationRequest.publicKeyCredential"
_STYLES = "idp.v1.StylingType"


@pytest.mark.parametrize(
    ("path", "described"),
    [
        ("smtp.v1.AddSMTPConfigRequest.senderAddress", {**_TEXT, "format": "idn-email"}),
        ("smtp.v1.AddSMTPConfigRequest.senderName", _TEXT),
        ("smtp.v1.AddSMTPConfigRequest.host", {"minLength": 1, "maxLength": 500}),
        ("smtp.v1.UpdateSMTPConfigPasswordRequest.password", {"minLength": 1}),
        *(
            (f"smtp.v1.{message}Request.password", {"writeOnly": True, "format": "password"})
            for message in ("AddSMTPConfig", "UpdateSMTPConfig", "UpdateSMTPConfigPassword")
        ),
        ("idp.v1.UpdateIDPRequest.name", _TEXT),
        ("idp.v1.PatchIDPRequest.idp.name", _TEXT),
        (_CREDENTIAL, {"type": "object", "minLength": 55, "maxLength": 1048576}),
        ("passkey.v1.VerifyPasskeyRegistrationRequest.passkeyName", _TEXT),
        ("user.v1.GrantRoleRequest.role", {"enum": [f"ROLE_{role}" for role in _ROLES]}),
        ("user.v1.PatchUserRequest.user.displayName", {"maxLength": 200}),
        (  # it may be empty
            "user.v1.CreateUserRequest.email",
            {"if": {"minLength": 1}, "then": {"format": "idn-email"}},
        ),
        (_STYLES, {"enum": ["STYLING_TYPE_UNSPECIFIED", "STYLING_TYPE_PROVIDER"]}),
    ],
)
def test_requests_have_the_limits_of_their_commands(
    document: Json, path: str, described: Json
) -> None:
    assert _schema(document, path).items() >= described.items()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        # JSON Schema defines lengths only for strings.
        (_CREDENTIAL, "55 to 1048576 characters as compact JSON"),
        (_STYLES, "- `STYLING_TYPE_PROVIDER`: The style that"),
    ],
)
def test_descriptions_contain_limits_that_a_schema_cannot_express(
    document: Json, path: str, text: str
) -> None:
    assert text in _schema(document, path)["description"]


_LINK = "passkey.v1.CreatePasskeyRegistrationLinkRequest"


@pytest.mark.parametrize(
    ("path", "value", "fits"),
    [
        ("user.v1.PatchUserRequest.updateMask", "displayName,email", True),
        ("user.v1.PatchUserRequest.updateMask", "userName", False),
        ("user.v1.CreateUserRequest.email", "", True),
        (_LINK, {"sendLink": {}}, True),
        (_LINK, {"returnCode": {}}, True),
        (_LINK, {"sendLink": {}, "returnCode": {}}, False),
    ],
)
def test_a_schema_takes_what_the_method_takes(
    document: Json, path: str, value: object, fits: bool
) -> None:
    assert _fits(document, _schema(document, path), value) == fits


_APPLICATION = set(map(to_camel, application_fields.PATCHABLE))


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("idp.v1.PatchIDPRequest.idp", set(map(to_camel, PATCHABLE))),
        ("user.v1.PatchUserRequest.user", set(map(to_camel, user_commands.PATCHABLE))),
        ("application.v1.PatchApplicationRequest.application", _APPLICATION),
        ("application.v1.CreateApplicationRequest.application", {*_APPLICATION, "kind"}),
    ],
)
def test_an_object_in_a_request_has_only_the_fields_that_the_method_reads(
    document: Json, path: str, fields: set[str]
) -> None:
    assert _schema(document, path)["properties"].keys() == fields


def test_parameters_in_paths_and_queries_have_the_limits_of_their_fields(
    operations: Mapping[str, Json],
) -> None:
    listed = {each.get("name"): each for each in operations["ListTokens"]["parameters"]}

    assert (listed["userId"]["in"], listed["userId"]["schema"]["maxLength"]) == ("path", 200)
    assert (listed["pageSize"]["in"], listed["pageSize"]["schema"]["minimum"]) == ("query", 0)


def test_requests_use_only_keywords_that_client_generators_understand_or_ignore(
    document: Json,
) -> None:
    requests = {
        name: schema
        for name, schema in document["components"]["schemas"].items()
        if name.endswith("Request")
    }

    assert len(requests) > 10
    for name, schema in _schemas(requests):
        # With these keywords, openapi-generator makes Java that does not compile;
        assert schema.keys().isdisjoint({"anyOf", "oneOf", "allOf", "not"}), name
        # with a list of types, a type `JsonNullable<T>`;
        assert isinstance(schema.get("type", ""), str), name
        # and openapi-typescript makes a member with a default a required one.
        assert "default" not in schema, name


def test_a_body_is_required_where_one_of_its_fields_is(
    operations: Mapping[str, Json],
) -> None:
    assert operations["CreateIDP"]["requestBody"]["required"] is True
    assert operations["CreateToken"]["requestBody"]["required"] is False


def test_every_error_of_the_document_is_a_status(
    document: Json, operations: Mapping[str, Json]
) -> None:
    for operation in operations.values():
        for status, response in operation["responses"].items():
            if status != "200":
                error = _followed(document, response)
                content = error["content"]["application/json"]
                assert content["schema"]["$ref"].endswith("/google.rpc.Status")
                assert set(error["headers"]) >= {"x-request-id"}
    status = document["components"]["schemas"]["google.rpc.Status"]
    assert set(status["properties"]) == {"code", "message", "details"}
    assert status["properties"]["details"]["items"]["required"] == ["@type"]


def test_deprecated_operations_are_marked(operations: Mapping[str, Json]) -> None:
    deprecated = {name for name, each in operations.items() if each.get("deprecated")}

    assert deprecated == {"UpdateIDP"}
    headers = operations["UpdateIDP"]["responses"]["200"]["headers"]
    assert {"deprecation", "link", "sunset"} <= set(headers)


def test_the_headers_are_those_that_the_schema_declares(operations: Mapping[str, Json]) -> None:
    for method in given.UNARY_METHODS:
        options, operation = method.GetOptions(), operations[method.name]
        scope = options.Extensions[options_pb2.access].scope
        cookie = options.Extensions[options_pb2.session_cookie]
        references = {each.get("$ref", "").rpartition("/")[2] for each in operation["parameters"]}

        assert ("x-service-orgid" in references) == (
            scope
            in (
                options_pb2.SCOPE_SELECTED_ORGANIZATION,
                options_pb2.SCOPE_INSTANCE_OR_ORGANIZATION,
            )
        ), method.name
        assert ("x-keystead-session" in references) == (cookie == options_pb2.SESSION_COOKIE_SET), (
            method.name
        )
        assert ("set-cookie" in operation["responses"]["200"]["headers"]) == bool(cookie), (
            method.name
        )
        change = change_of(method, OBJECTS)
        is_retried = change is not None and not change.refuses
        for header in (VALIDATE_ONLY, IDEMPOTENCY_KEY):
            assert (header in references) == is_retried, (method.name, header)
        assert (IF_MATCH in references) == (change is not None and bool(change.lock)), method.name


def test_a_registration_token_verifies_and_the_code_of_a_link_registers_or_asks_and_nothing_else(
    document: Json, operations: Mapping[str, Json]
) -> None:
    user: list[Json] = [{"token": []}, {"sessionCookie": []}]
    assert document["security"] == user
    assert {name: each["security"] for name, each in operations.items() if "security" in each} == {
        "VerifyPasskeyRegistration": [*user, {"registrationToken": []}],
        "RegisterPasskey": [*user, {}],
        "CheckPasskeyRegistration": [*user, {}],
        "RequestPasskeyRecovery": [],
        "StartPasskeySignIn": [],
        "CompletePasskeySignIn": [],
        "SignInAfterRegistration": [],
        "CheckReturn": [],
        "ListSignInOptions": [],
        "GetSignInDomain": [],
        "StartIDPSignIn": [],
        "CompleteIDPSignIn": [],
        "RequestSignUp": [],
        "ConfirmSignUp": [],
        "PushAuthorizationRequest": [],
        "StartAuthorization": [],
        "DescribeAuthorization": [],
        "DenyAuthorization": [],
        "OpenAuthorizationResponse": [],
        "StartLogout": [],
        "DescribeLogout": [],
        "ExchangeToken": [],
        "GetUserInfo": [],
        "IntrospectToken": [],
        "RevokeOAuthToken": [],
        "StartDeviceAuthorization": [],
        "GetShownBrand": [],
    }


def test_the_cookie_of_a_session_is_the_one_that_the_bridge_reads(document: Json) -> None:
    scheme = document["components"]["securitySchemes"]["sessionCookie"]

    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "cookie", cookies.NAME)


def test_examples_fit_their_schemas(document: Json, operations: Mapping[str, Json]) -> None:
    for method in given.UNARY_METHODS:
        operation = operations[method.name]
        bodies = [operation["responses"]["200"], operation.get("requestBody")]

        for content in (body["content"]["application/json"] for body in bodies if body):
            assert _fits(document, content["schema"], content["example"]), content["example"]


def test_a_verified_passkey_has_no_creation_date_in_its_example(
    operations: Mapping[str, Json],
) -> None:
    response = operations["VerifyPasskeyRegistration"]["responses"]["200"]
    details = response["content"]["application/json"]["example"]["details"]

    assert set(details) == {"sequence", "changeDate", "resourceOwner"}


def test_a_method_that_the_schema_gains_is_described_by_itself() -> None:
    route = Route("POST", "/v1/things/{thing_id}", _new_method(), True, ["thing_id"])

    described = openapi([route], {}, title="Things", version="1", headers={})

    operation = described["paths"]["/v1/things/{thingId}"]["post"]
    assert operation["operationId"] == "PaintThing"
    body = described["components"]["schemas"]["things.v1.PaintThingRequest"]
    assert {name: field["type"] for name, field in body["properties"].items()} == {
        "colorName": "string",
        "coats": "integer",
    }
    validate(described, cls=OpenAPIV31SpecValidator)


_THINGS = """
name: "things.proto" package: "things.v1"
message_type {
    name: "PaintThingRequest"
    field { name: "thing_id" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "color_name" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "coats" number: 3 type: TYPE_INT32 label: LABEL_OPTIONAL }
}
message_type { name: "PaintThingResponse" }
service {
    name: "ThingService"
    method {
        name: "PaintThing"
        input_type: "things.v1.PaintThingRequest" output_type: "things.v1.PaintThingResponse"
    }
}"""


def _new_method() -> MethodDescriptor:
    return pool_of(_THINGS).FindMethodByName("things.v1.ThingService.PaintThing")


def _path(template: str) -> str:
    """A path template as in the document: `/v1/idps/{idp.idp_id}` is `/v1/idps/{idpId}`."""

    def named(found: re.Match[str]) -> str:
        first, *others = found[1].rpartition(".")[2].split("_")
        return f"{{{first}{''.join(each.capitalize() for each in others)}}}"

    return re.sub(r"\{([\w.]+)\}", named, template)


def _schema(document: Json, path: str) -> Json:
    """The schema of a type, or of a field, like `idp.v1.PatchIDPRequest.idp.name`."""
    package, version, message, *fields = path.split(".")
    schema: Json = document["components"]["schemas"][f"keystead.{package}.{version}.{message}"]
    for name in fields:
        schema = schema["properties"][name]
    return schema


def _schemas(named: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The schemas, and those of their members at any depth."""
    for name, schema in named.items():
        yield name, schema
        members = dict(schema.get("properties", {}))
        for keyword in ("items", "additionalProperties"):
            if isinstance(schema.get(keyword), dict):
                members[keyword] = schema[keyword]
        yield from _schemas({f"{name}.{member}": each for member, each in members.items()})


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _references(each)


def _followed(document: Json, value: Json) -> Json:
    while "$ref" in value:
        value, path = document, value["$ref"].removeprefix("#/").split("/")
        for name in path:
            value = value[name]
    return value


def _fits(document: Json, schema: Json, value: Any) -> bool:
    whole = {**schema, "components": document["components"]}
    return bool(OAS31Validator(whole).is_valid(value))
