"""Bindings that the schema allows and no method has yet."""

import itertools
from typing import Any

import pytest
from google.api import distribution_pb2, http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, wrappers_pb2
from google.protobuf.message import Message
from google.rpc import status_pb2

from bridge.json.binding import Binding
from bridge.json.routing import Route, RouteError
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.requests import OF_CALLERS
from server.values.errors import Failure

_SERVICE = idp_pb.DESCRIPTOR.services_by_name["IdentityProviderService"]
_IDP_FIELDS = [field.json_name for field in idp_pb.IDP.DESCRIPTOR.fields]
_USERS = user_pb.DESCRIPTOR.services_by_name["UserService"]
_SMTP = smtp_pb.DESCRIPTOR.services_by_name["SMTPService"]
_PASSKEYS = passkey_pb.DESCRIPTOR.services_by_name["PasskeyService"]
_ELSEWHERE = "must not be in the query, because it is elsewhere"
_UNKNOWN = "is unknown as a query parameter; known are updateMask"
_numbers = itertools.count()


def _patch(*, query: bytes = b"", body: bytes = b"", field: str = "idp") -> Message:
    """PATCH /v1/idps/{idp.idp_id} for the ID `1`, with a field as its body or with none."""
    route = Route(
        "PATCH", "/{idp.idp_id}", _SERVICE.methods_by_name["PatchIDP"], field, ("idp.idp_id",)
    )
    return Binding(route).request((b"1",), query, body, OF_CALLERS)


def _get(service: Any, method: str, query: bytes) -> Message:
    route = Route("GET", "/", service.methods_by_name[method], "", ())
    return Binding(route).request((), query, b"", OF_CALLERS)


def test_a_body_may_be_one_field_and_the_query_gives_the_others() -> None:
    request = _patch(query=b"update_mask=name,autoRegister", body=b'{"name":"a"}')

    expected = idp_pb.PatchIDPRequest(idp=idp_pb.IDP(idp_id="1", name="a"))
    expected.update_mask.paths.extend(["name", "auto_register"])
    assert request == expected


@pytest.mark.parametrize(
    ("service", "method", "known"),
    [
        (_USERS, "ListUsers", "known are pageSize, pageToken"),
        (_USERS, "GetCurrentUser", "there are none"),
    ],
)
def test_an_unknown_query_parameter_is_refused_with_the_known_ones(
    service: Any, method: str, known: str
) -> None:
    with pytest.raises(Failure) as failure:
        _get(service, method, b"pagesize=1")

    [violation] = failure.value.violations
    assert violation.field == "pagesize"
    assert violation.description == f"is unknown as a query parameter; {known}"


def test_such_a_body_may_be_empty() -> None:
    assert _patch() == idp_pb.PatchIDPRequest(idp=idp_pb.IDP(idp_id="1"))


@pytest.mark.parametrize(
    ("query", "body", "violations"),
    [
        (b"", b"[]", {"idp": "must be an object"}),
        (b"", b'{"nme":1}', {"idp.nme": f"is unknown; known are {', '.join(_IDP_FIELDS)}"}),
        (b"", b'{"idpId":"2"}', {"idp.idpId": "must be the same in the path and in the body"}),
        (b"idp.name=a", b"{}", {"idp.name": _ELSEWHERE}),
        (b"idp.idpId=1", b"{}", {"idp.idpId": _ELSEWHERE}),
        (b"idp=1", b"{}", {"idp": _UNKNOWN}),
        (b"updateMask.paths=a", b"{}", {"updateMask.paths": _UNKNOWN}),
    ],
)  # fmt: skip
def test_mistakes_around_such_a_body_are_named(
    query: bytes, body: bytes, violations: dict[str, str]
) -> None:
    with pytest.raises(Failure) as failure:
        _patch(query=query, body=body)

    assert {each.field: each.description for each in failure.value.violations} == violations


@pytest.mark.parametrize("name", ["unsavedConfig", "unsaved_config"])
def test_a_path_adds_to_a_field_of_the_body_by_whichever_name(name: str) -> None:
    method = _SMTP.methods_by_name["TestSMTPConfig"]
    route = Route("POST", "/{unsaved_config.host}", method, "*", ("unsaved_config.host",))
    body = f'{{"{name}":{{"user":"a"}}}}'.encode()

    request = Binding(route).request((b"host:25",), b"", body, OF_CALLERS)

    config = smtp_pb.UpdateSMTPConfigRequest(user="a", host="host:25")
    assert request == smtp_pb.TestSMTPConfigRequest(unsaved_config=config)


def test_a_query_reaches_fields_of_fields() -> None:
    query = b"idp.name=a&idp.auto_register=true&idp.stylingType=1&idp.details.sequence=7"

    request = _patch(query=query, field="")

    assert isinstance(request, idp_pb.PatchIDPRequest)
    assert request.idp.idp_id == "1"
    assert (request.idp.name, request.idp.auto_register) == ("a", True)
    assert request.idp.styling_type == idp_pb.STYLING_TYPE_PROVIDER
    assert request.idp.details.sequence == 7


@pytest.mark.parametrize("value", [b"True", b"1", b"yes", b"", b"TRUE"])
def test_a_truth_in_a_query_is_true_or_false(value: bytes) -> None:
    with pytest.raises(Failure) as failure:
        _patch(query=b"idp.autoRegister=" + value, field="")

    (violation,) = failure.value.violations
    assert (violation.field, violation.description) == (
        "idp.autoRegister",
        "must be true or false",
    )


def test_an_instant_in_a_query_is_read() -> None:
    request = _get(_USERS, "CreateToken", b"expiresAt=2026-11-21T10:30:00%2B01:00")

    assert isinstance(request, user_pb.CreateTokenRequest)
    assert request.expires_at.ToJsonString() == "2026-11-21T09:30:00Z"


def test_an_object_in_a_query_is_unknown() -> None:
    query = b"publicKeyCredential={}&publicKeyCredential.a=1"

    with pytest.raises(Failure) as failure:
        _get(_PASSKEYS, "VerifyPasskeyRegistration", query)

    assert [each.field for each in failure.value.violations] == [
        "publicKeyCredential",
        "publicKeyCredential.a",
    ]


@pytest.mark.parametrize(
    ("template", "query", "body"),
    [
        ("/", b"get=/a&put=/b", ""),
        ("/{get}", b"put=/b", ""),
        ("/{get}", b"", "*"),
        ("/{custom.kind}", b"put=/b", ""),
    ],
)
def test_two_members_of_a_oneof_are_refused_wherever_they_come_from(
    template: str, query: bytes, body: str
) -> None:
    variable = template.strip("/{}")
    route = Route(
        "POST", template, _taking(http_pb2.HttpRule), body, (variable,) if variable else ()
    )
    first = variable.partition(".")[0] or "get"

    with pytest.raises(Failure) as failure:
        Binding(route).request(
            (b"/a",) if variable else (), query, b'{"put":"/b"}' * bool(body), OF_CALLERS
        )

    (violation,) = failure.value.violations
    assert {violation.field, violation.description.rpartition(" ")[2]} == {first, "put"}
    assert "must not be given together with" in violation.description


@pytest.mark.parametrize(
    ("message", "unsupported"),
    [
        (status_pb2.Status, "google.protobuf.Any"),  # in its details
        (distribution_pb2.Distribution, "google.protobuf.Any"),  # in the details of its exemplars
        (wrappers_pb2.Int64Value, "google.protobuf.Int64Value"),
    ],
)
def test_a_request_whose_json_is_not_read_stops_the_start(
    message: type[Message], unsupported: str
) -> None:
    route = Route("POST", "/", _taking(message), "*", ())

    with pytest.raises(RouteError, match=rf"Method takes {unsupported}, which cannot be read"):
        Binding(route)


def _taking(message: type[Message]) -> Any:
    """A method with requests of this type."""
    package, request = f"tests.binding{next(_numbers)}", message.DESCRIPTOR
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package}.proto", package=package, dependency=[request.file.name]
    )
    file.service.add(name="Service").method.add(
        name="Method", input_type=f".{request.full_name}", output_type=f".{request.full_name}"
    )
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindMethodByName(f"{package}.Service.Method")
