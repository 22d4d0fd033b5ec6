"""Each cause has one answer over gRPC, grpc-web and JSON: the same code, message and details.

These are refusals, and calls without changes. Each row has the expected reason; the test compares
the answers of all transports byte by byte. More cases: `test_transports_agree_on_*.py`.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import cycle
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from pydantic.alias_generators import to_camel

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.bridge.callers import CLOSED, Callers, Fields
from tests.conftest import MakeInstance
from tests.support.transports import Headers

SMILE = "\N{GRINNING FACE}"  # one code point, four bytes in UTF-8, two units in UTF-16
GOTHIC = "\N{GOTHIC LETTER AHSA}"  # the same, and a letter
ACCENTED = "e\N{COMBINING ACUTE ACCENT}"  # two code points

# The code of each reason.
CODES = {
    "CREDENTIAL_MALFORMED": grpc.StatusCode.INVALID_ARGUMENT,
    "IDP_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "INVALID_FIELDS": grpc.StatusCode.INVALID_ARGUMENT,
    "LAST_INSTANCE_OWNER": grpc.StatusCode.FAILED_PRECONDITION,
    "ORGANIZATION_ALREADY_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "ORGANIZATION_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "PASSKEY_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "PERMISSION_DENIED": grpc.StatusCode.PERMISSION_DENIED,
    "SMTP_CONFIG_ALREADY_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "SMTP_PASSWORD_REQUIRED": grpc.StatusCode.FAILED_PRECONDITION,
    "TOKEN_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "TOO_MANY_CEREMONIES": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_PASSKEYS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_TOKENS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "UNAUTHENTICATED": grpc.StatusCode.UNAUTHENTICATED,
    "USER_ALREADY_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "USER_HAS_NO_EMAIL": grpc.StatusCode.FAILED_PRECONDITION,
    "USER_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
}


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


# By reason: method, caller, and the changed fields of a valid request.
REFUSED: Mapping[str, Sequence[tuple[str, str, Fields]]] = {
    "SMTP_CONFIG_ALREADY_EXISTS": [
        ("AddSMTPConfig", "admin", {}),
        ("AddSMTPConfig", "admin", {"user": "", "password": ""}),
    ],
    "SMTP_PASSWORD_REQUIRED": [
        ("UpdateSMTPConfig", "admin", {"host": "other.example.com:25"}),
        (
            "TestSMTPConfig",
            "admin",
            {"unsaved_config": {"sender_address": "a@b.co", "sender_name": "é", "host": "h:1"}},
        ),
    ],
    "PASSKEY_NOT_FOUND": [
        ("VerifyPasskeyRegistration", "admin", {"passkey_id": "nope"}),
        ("VerifyPasskeyRegistration", "admin", {"passkey_id": "<owner's ceremony>"}),
        ("RemovePasskey", "plain", {"passkey_id": "é"}),
        ("RenamePasskey", "plain", {"passkey_id": "é"}),
    ],
    "CREDENTIAL_MALFORMED": [("VerifyPasskeyRegistration", "token holder", {})],
    "TOO_MANY_CEREMONIES": [("RegisterPasskey", "admin", {"user_id": "<full>"})],
    "TOO_MANY_PASSKEYS": [
        ("RegisterPasskey", "admin", {"user_id": "<enrolled>"}),
        ("CreatePasskeyRegistrationLink", "admin", {"user_id": "<enrolled>"}),
    ],
    "USER_HAS_NO_EMAIL": [("CreatePasskeyRegistrationLink", "admin", {"send_link": {}})],
    "IDP_NOT_FOUND": [
        ("UpdateIDP", "admin", {"idp_id": "<unknown>"}),
        ("UpdateIDP", "admin", {"idp_id": "<away idp>"}),
        ("GetIDP", "owner", {}),
        ("RemoveIDP", "admin", {"idp_id": SMILE}),
        ("PatchIDP", "admin", {"idp": {"idp_id": "a/b", "name": "Provider"}}),
    ],
    "ORGANIZATION_NOT_FOUND": [("GetOrganization", "admin", {"org_id": "nope"})],
    "ORGANIZATION_ALREADY_EXISTS": [("CreateOrganization", "admin", {"name": "AWAY"})],
    "USER_ALREADY_EXISTS": [("CreateUser", "admin", {"user_name": "Admin"})],
    "USER_NOT_FOUND": [
        ("GetUser", "admin", {"user_id": "<unknown>"}),
        ("PatchUser", "admin", {"user": {"user_id": "a/b"}}),
        ("VerifyPasskeyRegistration", "admin", {"user_id": "<unknown>"}),
    ],
    "LAST_INSTANCE_OWNER": [
        ("RemoveUser", "admin", {"user_id": "<admin>"}),
        ("RevokeRole", "admin", {"user_id": "<admin>", "role": user_pb.ROLE_INSTANCE_OWNER}),
    ],
    "TOO_MANY_TOKENS": [("CreateToken", "admin", {"user_id": "<full>"})],
    "TOKEN_NOT_FOUND": [("RevokeToken", "plain", {"token_id": "a%b"})],
    "PERMISSION_DENIED": [
        ("AddSMTPConfig", "owner", {}),
        ("AddSMTPConfig", "plain", {"sender_address": "", "host": ""}),
        ("UpdateSMTPConfigPassword", "plain", {}),
        ("VerifyPasskeyRegistration", "plain", {"user_id": "<unknown>"}),
        *(
            (
                "VerifyPasskeyRegistration",
                by,
                {"user_id": "<owner>", "passkey_id": "<owner's ceremony>"},
            )
            for by in ("manager", "token holder")
        ),
        ("CreatePasskeyRegistrationLink", "plain", {}),
        ("UpdateIDP", "plain", {"idp_id": "<away idp>"}),
        ("UpdateIDP", "manager", {"name": ""}),
        ("GetOrganization", "plain", {}),
        (
            "PatchUser",
            "plain",
            {"user": {"user_id": "<user>"}, "update_mask": {"paths": ["email"]}},
        ),
        ("PatchUser", "manager", {"user": {"user_id": "<owner>"}}),
        ("GrantRole", "manager", {"role": user_pb.ROLE_ORG_OWNER}),
        *(
            (method, "token holder", {})
            for method in sorted({*CLOSED} - {"VerifyPasskeyRegistration"})
        ),
    ],
    "UNAUTHENTICATED": [
        (method, by, {}) for method, by in zip(CLOSED, cycle(["nobody", "removed"]))
    ],
}


@pytest.mark.parametrize(
    ("reason", "method", "by", "fields"),
    [(reason, *row) for reason, rows in REFUSED.items() for row in rows],
)
async def test_a_call_is_refused_alike(
    callers: Callers, reason: str, method: str, by: str, fields: Fields
) -> None:
    refused = (await callers.one_answer(method, fields, by=by)).refusal

    assert (refused.code, refused.reason) == (CODES[reason], reason)


@pytest.mark.parametrize(
    ("method", "by", "fields"),
    [
        ("GetSMTPConfig", "admin", {}),
        ("UpdateIDP", "admin", {}),
        ("PatchIDP", "owner", {"idp": {"idp_id": "<away idp>", "name": "Provider"}}),
        ("GetIDP", "admin", {}),
        ("ListIDPs", "owner", {}),
        ("ListIDPs", "owner", {"page_size": 2**31 - 1}),
        ("GetOrganization", "admin", {}),
        ("ListOrganizations", "admin", {"page_size": 1}),
        ("GetCurrentUser", "plain", {}),
        ("GetUser", "manager", {"user_id": "<owner>"}),
        ("ListUsers", "owner", {"page_size": 2}),
        ("ListTokens", "plain", {}),
        ("ListPasskeys", "admin", {"user_id": "<enrolled>"}),
        ("ListPasskeys", "plain", {}),
    ],
)
async def test_what_there_is_is_answered_alike(
    callers: Callers, method: str, by: str, fields: Fields
) -> None:
    answer = await callers.one_answer(method, fields, by=by)

    assert answer.code is grpc.StatusCode.OK
    assert answer.request_id == "one answer"


async def test_pages_are_turned_alike(callers: Callers) -> None:
    token = ""
    names: list[str] = []
    while not names or token:
        page: Any = (
            await callers.one_answer("ListUsers", {"page_size": 2, "page_token": token}, by="owner")
        ).response
        token, names = page.next_page_token, [*names, *(user.user_id for user in page.users)]

    assert len(set(names)) == len(names) == 5


# Headers


@pytest.mark.parametrize("request_id", ["a", "x" * 128, 'order 66: ~!@#$%^&*()"\\'])
async def test_a_request_id_is_returned_alike(callers: Callers, request_id: str) -> None:
    headers = [("x-request-id", request_id)]

    refused = await callers.one_answer("GetIDP", {"idp_id": "nope"}, headers=headers)
    answered = await callers.one_answer("GetIDP", headers=headers)

    assert refused.refusal.request_id == refused.request_id == request_id
    assert answered.request_id == request_id


# The values of `authorization`, of which `<token>` is that of the administrator, and the reason.
AUTHORIZATIONS: Mapping[str, tuple[Sequence[str], str]] = {
    "empty": ([""], "UNAUTHENTICATED"),
    "scheme alone": (["Bearer"], "UNAUTHENTICATED"),
    "malformed": (["Bearer nope"], "UNAUTHENTICATED"),
    "unknown": ([f"Bearer kst_{'0' * 72}"], "UNAUTHENTICATED"),
    "another scheme": (["Basic YWRtaW46YWRtaW4="], "UNAUTHENTICATED"),
    "two": (["Bearer a", "Bearer b"], "UNAUTHENTICATED"),
    "long": ([f"Bearer {'x' * 8000}"], "UNAUTHENTICATED"),
    "twice": (["Bearer <token>", "Bearer <token>"], "UNAUTHENTICATED"),
    "lower case": (["bearer <token>"], ""),
    "upper case": (["BEARER <token>"], ""),
    "two spaces": (["Bearer  <token>"], ""),
}
# The caller of UpdateIDP, the identity provider, the values of x-service-orgid, and the reason.
ORGANIZATIONS: Mapping[str, tuple[str, str, Sequence[str], str]] = {
    "absent": ("owner", "<away idp>", [], ""),
    "one's own": ("owner", "<away idp>", ["<away>"], ""),
    "twice the same": ("owner", "<away idp>", ["<away>", "<away>"], ""),
    "another one, for an administrator": ("admin", "<away idp>", ["<away>"], ""),
    "another one": ("owner", "<idp>", ["<home>"], "PERMISSION_DENIED"),
    "an unknown one": ("owner", "<idp>", ["<unknown>"], "PERMISSION_DENIED"),
    "a malformed one": ("owner", "<idp>", ["nope"], "PERMISSION_DENIED"),
    "unknown, for an administrator": ("admin", "<idp>", ["<unknown>"], "ORGANIZATION_NOT_FOUND"),
    "malformed, for an administrator": ("admin", "<idp>", ["x" * 3000], "ORGANIZATION_NOT_FOUND"),
    "that of another IDP": ("admin", "<idp>", ["<away>"], "IDP_NOT_FOUND"),
    "empty": ("admin", "<idp>", [""], "INVALID_FIELDS"),
    "twice empty": ("admin", "<idp>", ["", ""], "INVALID_FIELDS"),
    "one and empty": ("admin", "<idp>", ["<home>", ""], "INVALID_FIELDS"),
    "two": ("admin", "<idp>", ["<home>", "<away>"], "INVALID_FIELDS"),
    "two in one": ("admin", "<idp>", ["a, b"], "ORGANIZATION_NOT_FOUND"),
    "one, without the permission": ("plain", "<idp>", ["<away>"], "PERMISSION_DENIED"),
    "two, without the permission": ("plain", "<idp>", ["<home>", "<away>"], "INVALID_FIELDS"),
}


# UpdateIDP changes nothing here, so that every transport has the same conditions.


@pytest.mark.parametrize(("values", "reason"), AUTHORIZATIONS.values(), ids=AUTHORIZATIONS.keys())
async def test_an_authorization_is_read_alike(
    callers: Callers, values: Sequence[str], reason: str
) -> None:
    token = callers.tokens["admin"]
    headers = [("authorization", value.replace("<token>", token)) for value in values]

    await _updates_alike(callers, "nobody", "<idp>", headers, reason)


@pytest.mark.parametrize(
    ("by", "idp_id", "values", "reason"), ORGANIZATIONS.values(), ids=ORGANIZATIONS.keys()
)
async def test_the_organization_is_selected_alike(
    callers: Callers, by: str, idp_id: str, values: Sequence[str], reason: str
) -> None:
    headers = [("x-service-orgid", value) for value in values]

    await _updates_alike(callers, by, idp_id, headers, reason)


async def _updates_alike(
    callers: Callers, by: str, idp_id: str, headers: Headers, reason: str
) -> None:
    answer = await callers.one_answer("UpdateIDP", {"idp_id": idp_id}, by=by, headers=headers)

    assert answer.announcements.keys() == {"deprecation", "link"}
    if reason:
        assert (answer.code, answer.refusal.reason) == (CODES[reason], reason)
    else:
        assert answer.code is grpc.StatusCode.OK


# Limits: both edges, in code points

_VERIFY = "VerifyPasskeyRegistration"

# By method and field: values of which each is refused, and the refusal names only the field.
WRONG: Mapping[str, Sequence[Any]] = {
    "AddSMTPConfig.sender_address": [
        *("", "a" * 189 + "@example.com", "Ödön", "a@b.co\r\nBcc: x@y.zz"),
    ],
    "AddSMTPConfig.sender_name": ["", "N" * 201, SMILE * 201, "a\0b"],
    "AddSMTPConfig.host": [
        *("", "h" * 497 + ":587", GOTHIC * 497 + ":587", "smtp.example.com", "h:0", "h:65536"),
        "2001:db8::1:25",
    ],
    "AddSMTPConfig.user": ["\x85"],
    "AddSMTPConfig.password": [""],  # with a user
    "UpdateSMTPConfig.password": [""],
    "UpdateSMTPConfigPassword.password": [""],
    "UpdateIDP.name": [
        *("", "x" * 201, SMILE * 201, ACCENTED * 100 + "e", " \u200b", "\u202eabc", "a\nb"),
    ],
    "UpdateIDP.styling_type": [2, -1, 2**31 - 1],
    "UpdateIDP.idp_id": ["x" * 201, SMILE * 201, "\0"],
    "GetIDP.idp_id": ["a\n"],
    "PatchIDP.update_mask": [
        *(None, {"paths": []}, {"paths": ["nope"]}, {"paths": ["name"] + ["no_such"] * 1000}),
    ],
    "PatchUser.update_mask": [{"paths": ["user_name"]}],
    "RequestPasskeyRecovery.email": ["ada"],
    f"{_VERIFY}.passkey_name": ["", "x" * 201, SMILE * 201, "\u3164"],
    f"{_VERIFY}.public_key_credential": [
        *(None, {}, {"p": "x" * 46}, {"p": SMILE * 46}, {"p": "x" * 1_048_569}),
        *({"p": "€" * 1_048_569}, {"many": [None] * 1_100}),
    ],
    "CreateOrganization.name": ["a\u200bb"],
    "CreateUser.user_name": ["admin\ufe0f", "admin\u3164"],
    "GrantRole.role": [user_pb.ROLE_UNSPECIFIED, 99],
    "RevokeRole.role": [user_pb.ROLE_UNSPECIFIED, 99, -1],
    "CreateToken.expires_at": [Timestamp(seconds=1_000_000_000, nanos=5)],
    "ListIDPs.page_size": [-1],
    "ListIDPs.page_token": ["é&a=b#?+/%"],
}
# Method, changed fields, and the fields that the refusal names.
SEVERAL_WRONG: Sequence[tuple[str, Fields, set[str]]] = [
    ("AddSMTPConfig", {"user": ""}, {"password"}),
    (
        "AddSMTPConfig",
        {"sender_address": "", "sender_name": "", "host": "", "user": "\n", "password": "\0"},
        {"senderAddress", "senderName", "host", "user", "password"},
    ),
    ("UpdateSMTPConfig", {"sender_name": "", "host": "h"}, {"senderName", "host"}),
    (
        "UpdateIDP",
        {"idp_id": "\x7f", "name": "", "styling_type": 7},
        {"name", "stylingType", "idpId"},
    ),
    ("AddIDP", {"name": "", "styling_type": 3}, {"name", "stylingType"}),
    ("PatchIDP", {"idp": {"idp_id": "<idp>", "name": ""}}, {"idp.name"}),
    (
        "PatchUser",
        {
            "user": {"user_id": "<user>", "display_name": SMILE * 201, "email": "@"},
            "update_mask": {"paths": ["*"]},
        },
        {"user.displayName", "user.email"},
    ),
    (
        "PatchOrganization",
        {"organization": {"org_id": "x" * 201}, "update_mask": {"paths": ["name"]}},
        {"organization.orgId", "updateMask"},
    ),
    (
        _VERIFY,
        {"passkey_id": "\t", "public_key_credential": {}, "passkey_name": ""},
        {"passkeyId", "publicKeyCredential", "passkeyName"},
    ),
    (
        "CreateUser",
        {"user_name": " a", "display_name": "\n", "email": "nobody"},
        {"userName", "displayName", "email"},
    ),
    ("ListPasskeys", {"page_size": -(2**31), "page_token": "x"}, {"pageSize"}),
]
# By method and field: values within the limits.
RIGHT: Mapping[str, Sequence[Any]] = {
    "AddSMTPConfig.sender_address": [
        *("a" * 188 + "@example.com", GOTHIC * 10 + "a" * 178 + "@example.com"),
    ],
    "AddSMTPConfig.sender_name": ["N", "N" * 200, SMILE * 200],
    "AddSMTPConfig.host": [
        *("h:1", "h:65535", "h" * 496 + ":587", GOTHIC * 496 + ":587", "[2001:db8::1]:587"),
    ],
    "AddSMTPConfig.tls": [False],
    "AddSMTPConfig.user": ["u" * 100_000],
    "AddSMTPConfig.password": [SMILE * 100_000],
    "UpdateIDP.name": [
        *("x", "x" * 200, SMILE * 200, ACCENTED * 100, "\u200fabc\ufeff\u2028"),
        '"\\/</script>\u2029',
    ],
    "UpdateIDP.styling_type": [idp_pb.STYLING_TYPE_PROVIDER],
    "UpdateIDP.auto_register": [True],
    # Each is one segment of a path.
    "UpdateIDP.idp_id": [
        *("x" * 200, SMILE * 200, "a/b", "/", "a%2Fb", "%", "..", ".", "../../etc/passwd"),
        *("a?b=c&d#e", "a b+c", "a:b", "a;b=c", "{idp_id}", "*", "é", "\ufffe", "' or true --"),
        "\\",
    ],
    f"{_VERIFY}.passkey_name": ["x", "x" * 200, SMILE * 200],
    f"{_VERIFY}.public_key_credential": [
        *({"p": "x" * 47}, {"p": SMILE * 47}, {"p": "x" * 1_048_568}, {"p": "€" * 1_048_568}),
        {"n": [1e308, -5e-324, 0.1, -0.0, 2.0**63], "p": "x" * 55},
        {"@type": [None, True, 1.5, "é", {}, []], "p": "x" * 55},
    ],
}
# Requests with right values are refused for another reason, so that nothing changes.
OTHERWISE_REFUSED: Mapping[str, tuple[Fields, str]] = {
    "AddSMTPConfig": ({}, "SMTP_CONFIG_ALREADY_EXISTS"),
    "UpdateIDP": ({"idp_id": "<unknown>"}, "IDP_NOT_FOUND"),
    _VERIFY: ({"passkey_id": "<unknown>"}, "PASSKEY_NOT_FOUND"),
}


def _rows(values: Mapping[str, Sequence[Any]]) -> list[Any]:
    return [
        pytest.param(*name.split("."), value, id=f"{name} {number}: {value!a:.24}")
        for name, each in values.items()
        for number, value in enumerate(each)
    ]


@pytest.mark.parametrize(("method", "field", "value"), _rows(WRONG))
async def test_a_wrong_field_is_named_alike(
    callers: Callers, method: str, field: str, value: Any
) -> None:
    await _names_alike(callers, method, {field: value}, {to_camel(field)})


@pytest.mark.parametrize(("method", "fields", "names"), SEVERAL_WRONG)
async def test_all_wrong_fields_are_named_alike(
    callers: Callers, method: str, fields: Fields, names: set[str]
) -> None:
    await _names_alike(callers, method, fields, names)


async def _names_alike(callers: Callers, method: str, fields: Fields, names: set[str]) -> None:
    refused = (await callers.one_answer(method, fields)).refusal

    assert (refused.code, refused.reason) == (CODES["INVALID_FIELDS"], "INVALID_FIELDS")
    assert refused.violations.keys() == names


@pytest.mark.parametrize(("method", "field", "value"), _rows(RIGHT))
async def test_a_field_within_its_limits_is_read_alike(
    callers: Callers, method: str, field: str, value: Any
) -> None:
    other, reason = OTHERWISE_REFUSED[method]

    refused = (await callers.one_answer(method, {**other, field: value})).refusal

    assert (refused.code, refused.reason) == (CODES[reason], reason)
    if field == "idp_id":
        assert refused.resource == ("idp", value)
