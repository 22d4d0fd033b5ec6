"""The message that a request gives, from its path, query and body."""

import itertools
import json
from typing import Any

import pytest
from google.api import distribution_pb2, http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, wrappers_pb2
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import status_pb2

from bridge.json.binding import Binding
from bridge.json.routing import Match, Route, RouteError, Router, routes_of
from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.rpc.requests import OF_CALLERS
from server.values.errors import Failure, Kind
from tests.support import given

_PATCH_IDP = given.METHOD["PatchIDP"]
# The routes of the schema, and bindings that the schema allows and no method has.
_ROUTER = Router(
    [
        *routes_of(dict.fromkeys(each.containing_service.full_name for each in given.METHODS)),
        Route("PATCH", "/field/{idp.idp_id}", _PATCH_IDP, "idp", ("idp.idp_id",)),
        Route("PATCH", "/none/{idp.idp_id}", _PATCH_IDP, "", ("idp.idp_id",)),
        Route("GET", "/token", given.METHOD["CreateToken"], "", ()),
        Route("GET", "/passkey", given.METHOD["VerifyPasskeyRegistration"], "", ()),
        Route(
            "POST",
            "/test/{unsaved_config.host}",
            given.METHOD["TestSMTPConfig"],
            "*",
            ("unsaved_config.host",),
        ),
    ]
)
_numbers = itertools.count()

_SAME = "must be the same in the path and in the body"
_ELSEWHERE = "must not be in the query, because it is elsewhere"
_ESCAPED = "must be percent-encoded: write % as %25"
_INT32 = "must be a whole number from -2147483648 to 2147483647"
_IDP_FIELDS = ", ".join(field.json_name for field in idp_pb.IDP.DESCRIPTOR.fields)


def _request(request: str, body: str = "") -> Message:
    """The message of a request like `GET /v1/users?pageSize=1`."""
    verb, target = request.split(" ", 1)
    path, _, query = target.partition("?")
    match = _ROUTER.match(verb, path.encode())
    assert isinstance(match, Match)
    binding = Binding(match.route)
    return binding.request(match.values, query.encode("latin-1"), body.encode(), OF_CALLERS)


def _refused(request: str, body: str = "") -> Failure:
    with pytest.raises(Failure) as failure:
        _request(request, body)
    assert failure.value.kind is Kind.INVALID_ARGUMENT
    return failure.value


def _violations(request: str, body: str = "") -> dict[str, str]:
    return {each.field: each.description for each in _refused(request, body).violations}


def _update(**fields: Any) -> idp_pb.UpdateIDPRequest:
    return idp_pb.UpdateIDPRequest(**{"idp_id": "1", "name": "b"} | fields)


def _patch(*paths: str, **fields: Any) -> idp_pb.PatchIDPRequest:
    mask = FieldMask(paths=paths) if paths else None
    return idp_pb.PatchIDPRequest(idp=idp_pb.IDP(**{"idp_id": "1"} | fields), update_mask=mask)


_IDPS = idp_pb.ListIDPsRequest
_REVOKE = user_pb.RevokeRoleRequest
_OWNER = _REVOKE(user_id="1", role=user_pb.ROLE_ORG_OWNER)


@pytest.mark.parametrize(
    ("request_", "body", "message"),
    [
        ("POST /v1/idps", "", idp_pb.AddIDPRequest()),
        ("POST /v1/idps", "{}", idp_pb.AddIDPRequest()),
        *(
            ("PUT /v1/idps/1", f'{{"name": "b", "{name}": {value}}}', _update())
            for name in ("idpId", "idp_id")
            for value in ('"1"', '""', "null")
        ),
        *(
            ("PATCH /v1/idps/1", f'{{"updateMask": "autoRegister"{more}}}', _patch("auto_register"))
            for more in ("", ', "idp": null', ', "idp": {}', ', "idp": {"idpId": null}')
        ),
        ("DELETE /v1/users/1/roles/ROLE_ORG_OWNER", "", _OWNER),
        ("DELETE /v1/users/1/roles/2", "", _OWNER),
        ("DELETE /v1/users/1/roles/7", "", _REVOKE(user_id="1", role=7)),  # type: ignore[arg-type]
        ("GET /v1/idps?", "", _IDPS()),
        ("GET /v1/idps?pageSize=1&", "", _IDPS(page_size=1)),
        ("GET /v1/idps?page_size=1&pageToken=a", "", _IDPS(page_size=1, page_token="a")),
        ("GET /v1/idps?&&", "", _IDPS()),
        ("GET /v1/idps?page%53ize=1", "", _IDPS(page_size=1)),
        ("GET /v1/idps?pageToken=", "", _IDPS()),
        ("GET /v1/idps?pageToken=a%20b+c", "", _IDPS(page_token="a b c")),
        ("PATCH /field/1", "", _patch()),
        (
            "PATCH /field/1?update_mask=name,autoRegister",
            '{"name": "a"}',
            _patch("name", "auto_register", name="a"),
        ),
        (
            "PATCH /none/1?idp.auto_register=true&idp.stylingType=1&idp.details.sequence=7",
            "",
            _patch(
                auto_register=True,
                styling_type=idp_pb.STYLING_TYPE_PROVIDER,
                details=details_pb2.Details(sequence=7),
            ),
        ),
        *(
            (
                "POST /test/host:25",
                f'{{"{name}": {{"user": "a"}}}}',
                smtp_pb.TestSMTPConfigRequest(
                    unsaved_config=smtp_pb.UpdateSMTPConfigRequest(user="a", host="host:25")
                ),
            )
            for name in ("unsavedConfig", "unsaved_config")
        ),
        (
            "GET /token?expiresAt=2026-11-21T10:30:00%2B01:00",
            "",
            user_pb.CreateTokenRequest(expires_at=Timestamp(seconds=1795253400)),
        ),
    ],
)
def test_a_message_is_read(request_: str, body: str, message: Message) -> None:
    assert _request(request_, body) == message


@pytest.mark.parametrize(
    ("request_", "body", "violations"),
    [
        (
            "PUT /v1/idps/%ff?force=1",
            '{"nme": "a", "autoRegister": "yes"}',
            {
                "nme": "is unknown; known are idpId, name, stylingType, autoRegister",
                "autoRegister": "must be true or false",
                "force": "must be in the body, not in the query",
                "idpId": "must be UTF-8",
            },
        ),
        ("PUT /v1/idps/1", '{"idpId": "x"}', {"idpId": _SAME}),
        ("PUT /v1/idps/1", '{"idp_id": "x"}', {"idpId": _SAME}),
        ("PATCH /v1/idps/1", '{"idp": {"idp_id": "x"}}', {"idp.idpId": _SAME}),
        ("PATCH /v1/idps/1", '{"idp": {"idpId": 5}}', {"idp.idpId": "must be a string"}),
        ("PATCH /v1/idps/1", '{"idp": "x"}', {"idp": "must be an object"}),
        *(
            (f"GET /v1/users/{value}", "", {"userId": _ESCAPED})
            for value in ("%zz", "100%", "%2", "%%32", "%c3%2x")
        ),
        ("GET /v1/users/1/tokens?userId=x", "", {"userId": _ELSEWHERE}),
        ("GET /v1/users/1/tokens?user_id=x", "", {"userId": _ELSEWHERE}),
        *(
            (f"GET /v1/idps?pageSize{value}", "", {"pageSize": _INT32})
            for value in ("=", "", "=x", "=1.5", "=+1", "=1_0", "=%D9%A1", "=2147483648")
        ),
        ("GET /v1/idps?pageSize=1&pageSize=1", "", {"pageSize": "must not be given twice"}),
        ("GET /v1/idps?pageSize=1&page_size=1", "", {"pageSize": "must not be given twice"}),
        *(
            (
                f"GET /v1/idps?{query}",
                "",
                dict.fromkeys(
                    names, "is unknown as a query parameter; known are pageSize, pageToken"
                ),
            )
            for query, names in (
                ("pagesize=1", ["pagesize"]),
                ("pageSize.x=1", ["pageSize.x"]),
                ("x=1&y=2&x=3", ["x", "y"]),
                ("=1", ['""']),
                ("x" * 200 + "=1", ["x" * 100 + "..."]),
            )
        ),
        ("GET /v1/users/me?x=1", "", {"x": "is unknown as a query parameter; there are none"}),
        ("PATCH /field/1", "[]", {"idp": "must be an object"}),
        ("PATCH /field/1", '{"nme": 1}', {"idp.nme": f"is unknown; known are {_IDP_FIELDS}"}),
        ("PATCH /field/1", '{"idpId": "2"}', {"idp.idpId": _SAME}),
        ("PATCH /field/1?idp.name=a", "{}", {"idp.name": _ELSEWHERE}),
        ("PATCH /field/1?idp.idpId=1", "{}", {"idp.idpId": _ELSEWHERE}),
        *(
            (
                f"PATCH /field/1?{name}=1",
                "{}",
                {name: "is unknown as a query parameter; known are updateMask"},
            )
            for name in ("idp", "updateMask.paths")
        ),
        *(
            (
                f"PATCH /none/1?idp.autoRegister={value}",
                "",
                {"idp.autoRegister": "must be true or false"},
            )
            for value in ("True", "1", "yes", "", "TRUE")
        ),
    ],
)
def test_every_mistake_is_named(request_: str, body: str, violations: dict[str, str]) -> None:
    assert _violations(request_, body) == violations


def test_an_object_in_a_query_is_unknown() -> None:
    found = _violations("GET /passkey?publicKeyCredential={}&publicKeyCredential.a=1")

    assert found.keys() == {"publicKeyCredential", "publicKeyCredential.a"}


def test_at_most_fifty_mistakes_are_named() -> None:
    assert len(_violations("POST /v1/idps", json.dumps({f"x{n}": 1 for n in range(1000)}))) == 50


@pytest.mark.parametrize(
    ("request_", "body", "reason"),
    [
        *(
            ("POST /v1/idps", body, "MALFORMED_JSON")
            for body in ("[]", "1", '"a"', "null", "true", '[{"name":"a"}]')
        ),
        *(
            (f"GET /v1/idps?{query}", "", "MALFORMED_QUERY")
            for query in (
                *("pageSize=%ff", "%ff=1", "pageToken=\xff", "&".join(["x=1"] * 101)),
                *("pageToken=%zz", "pageToken=%", "pageToken=%2", "page%Token="),
            )
        ),
        ("GET /v1/idps/1", "{}", "UNEXPECTED_BODY"),
        ("DELETE /v1/idps/1", "{}", "UNEXPECTED_BODY"),
    ],
)
def test_an_unreadable_body_or_query_is_refused(request_: str, body: str, reason: str) -> None:
    assert _refused(request_, body).reason == reason


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
def test_a_request_of_an_unsupported_type_stops_the_start(
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
