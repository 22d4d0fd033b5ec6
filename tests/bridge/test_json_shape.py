"""Mistakes in the JSON of a message, each with its path."""

from typing import Any

import pytest
from google.protobuf.message import Message

from bridge.json import codec
from bridge.json.shape import parse, shape_of
from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.common.v1 import details_pb2
from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.idp.v1 import oidc_config_service_pb2 as oidc_pb
from keystead.org.v1 import brand_service_pb2 as brand_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.idp.commands import CreateIDP
from server.idp.oidc.commands import SetOIDCConfig
from server.user.roles import ChangeRole
from server.validation.fields import Command, read
from server.values.errors import Failure

_STRING = "must be a string"
_BOOL = "must be true or false"
_OBJECT = "must be an object"
_INT32 = "must be a whole number from -2147483648 to 2147483647"
_UINT64 = "must be a whole number from 0 to 18446744073709551615"
_ROUNDED = "must be written in digits only; otherwise it would be rounded"
_FLOAT = "must be a number that is not too large"
_BASE64 = "must be a string in base64"
_INSTANT = "must be an instant like 2026-11-21T10:30:00Z"
_DURATION = "must be a duration like 1.5s"
_MASK = (
    "must be names of fields in lowerCamelCase with commas between them, of at most 10000"
    " characters"
)
_STYLING = "must be one of STYLING_TYPE_UNSPECIFIED, STYLING_TYPE_PROVIDER"
_ROLE = (
    "must be one of ROLE_INSTANCE_OWNER, ROLE_ORG_OWNER, ROLE_ORG_USER_MANAGER,"
    " ROLE_SESSION_VERIFIER, ROLE_ORG_APPLICATION_MANAGER, ROLE_GATE,"
    " ROLE_ORG_AUDITOR, ROLE_ORG_HELP_DESK"
)
_TWICE = "must not be given twice"
_NULL = "must not be null"

_Update = idp_pb.UpdateIDPRequest
_Patch = idp_pb.PatchIDPRequest
_Verify = passkey_pb.VerifyPasskeyRegistrationRequest
_Link = passkey_pb.CreatePasskeyRegistrationLinkRequest
_Token = user_pb.CreateTokenRequest
_Users = user_pb.ListUsersRequest
_Grant = user_pb.GrantRoleRequest
_Test = smtp_pb.TestSMTPConfigResponse
_Application = application_pb.Application
_Brand = brand_pb.SetBrandRequest
_Issuer = application_pb.WorkloadIssuer
_Details = details_pb2.Details


def _violations(message: type[Message], text: str) -> dict[str, str]:
    found = shape_of(message.DESCRIPTOR).violations(codec.loads(text.encode(), 20_000))
    return {violation.field: violation.description for violation in found}


@pytest.mark.parametrize(
    ("message", "text", "expected"),
    [
        (_Update, '{"name":1}', {"name": _STRING}),
        (_Update, '{"name":["a"]}', {"name": _STRING}),
        (_Update, '{"name":{}}', {"name": _STRING}),
        (_Update, '{"name":true}', {"name": _STRING}),
        (_Update, '{"autoRegister":1}', {"autoRegister": _BOOL}),
        (_Update, '{"autoRegister":"true"}', {"autoRegister": _BOOL}),
        (_Update, '{"auto_register":0}', {"autoRegister": _BOOL}),
        (_Update, '{"stylingType":"PROVIDER"}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":"styling_type_provider"}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":"1"}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":1.5}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":true}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":[]}', {"stylingType": _STYLING}),
        (_Update, '{"stylingType":2147483648}', {"stylingType": _STYLING}),
        (_Grant, '{"role":"OWNER"}', {"role": _ROLE}),
        (_Users, '{"pageSize":"1_0"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"\\u0661"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":" 1"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"+1"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"1\\n"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":""}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"0x1"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":1.5}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":1e999}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":true}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":2147483648}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"-2147483649"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":' + "9" * 4000 + "}", {"pageSize": _INT32}),
        (_Details, '{"sequence":18446744073709551616}', {"sequence": _UINT64}),
        (_Details, '{"sequence":9007199254740993.0}', {"sequence": _ROUNDED}),
        (_Details, '{"sequence":"9007199254740993.0"}', {"sequence": _ROUNDED}),
        (_Details, '{"sequence":9.223372036854775807e18}', {"sequence": _ROUNDED}),
        (_Details, '{"sequence":9007199254740992.5}', {"sequence": _UINT64}),
        (_Details, '{"sequence":"18446744073709551616.0"}', {"sequence": _UINT64}),
        (_Users, '{"pageSize":1.00000000000000000001}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"1.5"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"1e9999"}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":1e-99999999}', {"pageSize": _INT32}),
        (_Users, '{"pageSize":"1.e1"}', {"pageSize": _INT32}),
        (_Application, '{"redirectUris":["1",null,2]}', {
            "redirectUris[1]": _NULL, "redirectUris[2]": _STRING
        }),
        (_Application, '{"redirectUris":{}}', {"redirectUris": "must be a list"}),
        (_Brand, '{"logo":"!!"}', {"logo": _BASE64}),
        (_Brand, '{"logo":"YQ=a"}', {"logo": _BASE64}),
        (_Brand, '{"logo":"YQ==="}', {"logo": _BASE64}),
        (_Brand, '{"logo":"YWFhY"}', {"logo": _BASE64}),
        (_Brand, '{"logo":"YQ==\\n"}', {"logo": _BASE64}),
        (_Brand, '{"logo":[]}', {"logo": _BASE64}),
        (_Application, '{"workloadIssuers":[{"issuer":1}]}', {
            "workloadIssuers[0].issuer": _STRING
        }),
        (_Token, '{"expiresAt":"2026-11-21"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":"2026-02-30T00:00:00Z"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":"2026-1-1T0:0:0Z"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":"2026-11-21T00:00:00.1_0Z"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":"2026-11-21T00:00:00"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":"0000-01-01T00:00:00Z"}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":1}', {"expiresAt": _INSTANT}),
        (_Token, '{"expiresAt":{}}', {"expiresAt": _INSTANT}),
        (_Test, '{"steps":[{},{"duration":"1_0s"}]}', {"steps[1].duration": _DURATION}),
        (_Test, '{"steps":[{"duration":"315576000001s"}]}', {"steps[0].duration": _DURATION}),
        (_Test, '{"steps":[{"duration":1}]}', {"steps[0].duration": _DURATION}),
        (_Test, '{"steps":[null]}', {"steps[0]": _NULL}),
        (_Patch, '{"updateMask":"auto_register"}', {"updateMask": _MASK}),
        (_Patch, '{"updateMask":{"paths":["name"]}}', {"updateMask": _MASK}),
        (_Patch, '{"idp":"x"}', {"idp": _OBJECT}),
        (_Patch, '{"idp":{"name":1,"details":[]}}', {"idp.name": _STRING, "idp.details": _OBJECT}),
        (_Update, '{"nme":"a","x":1}', {
            "nme": "is unknown; known are idpId, name, stylingType, autoRegister",
            "x": "is unknown; known are idpId, name, stylingType, autoRegister",
        }),
        (_Update, '{"[a.b]":1}', {
            "[a.b]": "is unknown; known are idpId, name, stylingType, autoRegister"
        }),
        (_Update, '{"' + "x" * 5000 + '":1}', {
            "x" * 100 + "...": "is unknown; known are idpId, name, stylingType, autoRegister"
        }),
        (_Link, '{"sendLink":{"x":1}}', {"sendLink.x": "is unknown; there are no fields"}),
        (_Link, '{"sendLink":{},"return_code":{}}', {
            "returnCode": "must not be given together with sendLink"
        }),
        (_Update, '{"name":"a","name":"a"}', {"name": _TWICE}),
        (_Update, '{"idp_id":"a","idpId":"a"}', {"idpId": _TWICE}),
        (_Update, '{"idpId":null,"idp_id":"a"}', {"idpId": _TWICE}),
        (_Patch, '{"idp":{"name":"a","name":"b"}}', {"idp.name": _TWICE}),
        (_Verify, '{"publicKeyCredential":{"a":[{"b":1,"b":2}]}}', {
            "publicKeyCredential.a[0].b": _TWICE
        }),
        (_Verify, '{"publicKeyCredential":[]}', {"publicKeyCredential": _OBJECT}),
        (_Verify, '{"publicKeyCredential":"{}"}', {"publicKeyCredential": _OBJECT}),
        (_Verify, '{"publicKeyCredential":{"a":1e400}}', {"publicKeyCredential.a": _FLOAT}),
        (_Verify, '{"publicKeyCredential":{"a":[-1' + "0" * 309 + "]}}", {
            "publicKeyCredential.a[0]": _FLOAT
        }),
        (_Issuer, '{"claims":{"a":"b","c":1,"d":null}}', {
            "claims.c": _STRING, "claims.d": _NULL
        }),
        (_Issuer, '{"claims":[]}', {"claims": _OBJECT}),
        (_Issuer, '{"claims":{"a":"b","a":"b"}}', {"claims.a": _TWICE}),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
def test_every_mistake_is_named_by_its_path(
    message: type[Message], text: str, expected: dict[str, str]
) -> None:
    assert _violations(message, text) == expected


@pytest.mark.parametrize(
    ("message", "text", "expected"),
    [
        (_Update, "{}", _Update()),
        (_Update, '{"name":null,"stylingType":null}', _Update()),
        (_Update, '{"name":"a","styling_type":"STYLING_TYPE_PROVIDER","auto_register":true}',
         _Update(name="a", styling_type=idp_pb.STYLING_TYPE_PROVIDER, auto_register=True)),
        (_Update, '{"stylingType":1}', _Update(styling_type=idp_pb.STYLING_TYPE_PROVIDER)),
        (_Update, '{"stylingType":-5}', _Update(styling_type=-5)),  # type: ignore[arg-type]
        (_Users, '{"pageSize":"10"}', _Users(page_size=10)),
        (_Users, '{"pageSize":1.0e1}', _Users(page_size=10)),
        (_Users, '{"pageSize":"1e3"}', _Users(page_size=1000)),
        (_Users, '{"pageSize":"1.0"}', _Users(page_size=1)),
        (_Users, '{"pageSize":"-150E-1"}', _Users(page_size=-15)),
        (_Users, '{"pageSize":-2147483648}', _Users(page_size=-(2**31))),
        (_Details, '{"sequence":9007199254740993}', _Details(sequence=2**53 + 1)),
        (_Details, '{"sequence":"9007199254740993"}', _Details(sequence=2**53 + 1)),
        (_Details, '{"sequence":9007199254740992.0}', _Details(sequence=2**53)),
        (_Details, '{"sequence":"9e18"}', _Details(sequence=9 * 10**18)),
        (_Details, '{"sequence":"18446744073709551615"}', _Details(sequence=2**64 - 1)),
        (_Link, '{"sendLink":null,"returnCode":{}}', _Link(return_code=passkey_pb.ReturnCode())),
        (smtp_pb.UpdateSMTPConfigRequest, '{"password":""}',
         smtp_pb.UpdateSMTPConfigRequest(password="")),
        (_Brand, '{"logo":"-_+/"}', _Brand(logo=b"\xfb\xff\xbf")),
        (_Brand, '{"logo":"YQ"}', _Brand(logo=b"a")),
        (_Brand, '{"logo":"YQ=="}', _Brand(logo=b"a")),
        (_Issuer, '{"claims":{"a":""}}', _Issuer(claims={"a": ""})),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
def test_valid_json_is_read(message: type[Message], text: str, expected: Message) -> None:
    value = codec.loads(text.encode(), 20_000)
    assert _violations(message, text) == {}
    assert parse(value, message) == expected


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_a_wrong_instant_has_a_reason() -> None:
    (violation,) = shape_of(_Details.DESCRIPTOR).violations({"creationDate": "tomorrow"})

    assert (violation.description, violation.reason) == (_INSTANT, "INVALID_TIME")


@pytest.mark.parametrize("wrap", [_nested, lambda levels: {"a": [_nested(levels - 2)]}])
def test_an_object_too_deep_for_the_binary_format_is_refused(wrap: Any) -> None:
    fits, too_deep = ({"publicKeyCredential": wrap(levels)} for levels in (31, 32))
    shape = shape_of(_Verify.DESCRIPTOR)

    assert not list(shape.violations(fits))
    assert _Verify.FromString(parse(fits, _Verify).SerializeToString())
    (violation,) = shape.violations(too_deep)
    assert violation.description == "must not be deeper than 32 levels"


def test_lists_in_lists_are_too_deep_too() -> None:
    value: Any = 1
    for _ in range(900):
        value = [value]

    (violation,) = shape_of(_Verify.DESCRIPTOR).violations({"publicKeyCredential": {"a": value}})

    assert violation.description == "must not be deeper than 32 levels"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("idp", ["idp"]),
        ("idp.idp_id", ["idp", "idpId"]),
        ("idp.idpId", ["idp", "idpId"]),
        ("update_mask", ["updateMask"]),
    ],
)
def test_a_field_is_found_by_its_path(path: str, names: list[str]) -> None:
    assert [member.name for member in shape_of(_Patch.DESCRIPTOR).find(path)] == names


def test_a_mask_is_not_read_before_its_length_is_known() -> None:
    longest, too_long = "a" * 10_000, "a" * 10_001

    assert _violations(_Patch, f'{{"updateMask":"{longest}"}}') == {}
    assert _violations(_Patch, f'{{"updateMask":"{too_long}"}}') == {"updateMask": _MASK}


@pytest.mark.parametrize(
    ("message", "field", "command", "number"),
    [
        (user_pb.GrantRoleRequest, "role", ChangeRole, "99"),
        (user_pb.RevokeRoleRequest, "role", ChangeRole, "99"),
        (idp_pb.CreateIDPRequest, "styling_type", CreateIDP, 99),
        (oidc_pb.SetOIDCConfigRequest, "token_endpoint_auth_method", SetOIDCConfig, 99),
    ],
)
def test_an_enum_is_refused_by_its_name_as_by_its_number(
    message: type[Message], field: str, command: type[Command], number: object
) -> None:
    [by_name] = shape_of(message.DESCRIPTOR).violations({field: "UNKNOWN"})
    with pytest.raises(Failure) as refused:
        read(command, {field: number})

    assert by_name in refused.value.violations
