"""Each cause has one answer over gRPC, grpc-web and JSON: the same code, message and details.

The table lists calls by the code and the reason of their refusal; the test compares the answers of
all transports byte by byte. No call of the table changes anything. Failures are alike whichever
feature has them (`test_failures.py`): the rows differ in headers, identifiers and values.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.bridge.callers import Callers, Case, Fields
from tests.conftest import MakeInstance
from tests.support.transports import PROTOBUF, WEB

pytestmark = pytest.mark.python_differs("every method runs once on all transports")

SMILE = "\N{GRINNING FACE}"  # one code point, four bytes in UTF-8, two units in UTF-16
ACCENTED = "e\N{COMBINING ACUTE ACCENT}"  # two code points


def _authorized(*values: str) -> Case:
    """A call with these headers `authorization`."""
    return Case("UpdateIDP", by="nobody", headers=[("authorization", each) for each in values])


def _selecting(by: str, idp_id: str, *org_ids: str) -> Case:
    """A call with these headers `x-service-orgid`."""
    headers = [("x-service-orgid", each) for each in org_ids]
    return Case("UpdateIDP", {"idp_id": idp_id}, by, headers)


def _by_code(user_id: str, code: str, by: str = "nobody") -> Case:
    """A ceremony begun with the code of a link."""
    return Case("RegisterPasskey", {"user_id": user_id, "code": code}, by)


def _timed(grpc_timeout: str) -> Case:
    """A call with a deadline that no gRPC client sends."""
    return Case("UpdateIDP", headers=[("grpc-timeout", grpc_timeout)], over=WEB)


def _wrong(method: str, **fields: object) -> Case:
    """A call with one wrong field."""
    [name] = fields
    first, *others = name.split("_")
    return Case(method, fields, named=["".join([first, *map(str.capitalize, others)])])


# Of a valid size, and of values that a Struct may have.
_CREDENTIALS: Sequence[Fields] = [
    *({"p": text} for text in ("x" * 47, SMILE * 47, "x" * 1_048_568, "€" * 1_048_568)),
    {"n": [1e308, -5e-324, 0.1, -0.0, 2.0**63], "p": "x" * 55},
    {"@type": [None, True, 1.5, "é", {}, []], "p": "x" * 55},
]
# By code and reason.
CASES: Mapping[tuple[str, str], Sequence[Case]] = {
    ("OK", ""): [
        Case("Check", by="nobody", over=PROTOBUF),
        Case("GetSMTPConfig"),
        Case("UpdateIDP"),
        Case("PatchIDP", {"idp": {"idp_id": "<away idp>", "name": "Provider"}}, "owner"),
        Case("GetIDP"),
        Case("ListIDPs", {"page_size": 2**31 - 1}, "owner"),
        Case("GetOrganization"),
        Case("ListOrganizations", {"page_size": 1}),
        Case("GetCurrentUser", by="plain"),
        Case("GetUser", {"user_id": "<owner>"}, "manager"),
        Case("ListUsers", {"page_size": 2}, "owner"),
        Case("ListTokens", by="plain"),
        Case("ListPasskeys", {"user_id": "<enrolled>"}),
        Case("ListPasskeys", by="plain"),
        Case("RenamePasskey", {"user_id": "<enrolled>", "passkey_id": "<passkey>", "name": "Key"}),
        *(
            Case("GetIDP", headers=[("x-request-id", each)])
            for each in ("a", "x" * 128, 'order 66: ~!@#$%^&*()"\\')
        ),
        *(
            Case("GetIDP", headers=[("grpc-timeout", each)])
            for each in ("1H", "99999999H", "5S", "10000m")
        ),
        _authorized("bearer <admin's secret>"),
        _authorized("BEARER <admin's secret>"),
        _authorized("Bearer  <admin's secret>"),
        _selecting("owner", "<away idp>"),
        _selecting("owner", "<away idp>", "<away>"),
        _selecting("owner", "<away idp>", "<away>", "<away>"),
        _selecting("admin", "<away idp>", "<away>"),
    ],
    ("ALREADY_EXISTS", "SMTP_CONFIG_ALREADY_EXISTS"): [
        Case("AddSMTPConfig"),
        Case("AddSMTPConfig", {"tls": False, "user": "", "password": ""}),
        Case("AddSMTPConfig", {"user": "u" * 100_000, "password": SMILE * 100_000}),
        Case("AddSMTPConfig", {"sender_name": SMILE * 200, "host": "[2001:db8::1]:587"}),
    ],
    ("NOT_FOUND", "PASSKEY_NOT_FOUND"): [
        Case("VerifyPasskeyRegistration", {"passkey_id": "nope"}),
        Case("VerifyPasskeyRegistration", {"passkey_id": "<owner's ceremony>"}),
        Case("RemovePasskey", {"passkey_id": "é"}, "plain"),
        Case("RenamePasskey", {"passkey_id": "é"}, "plain"),
        *(
            Case(
                "VerifyPasskeyRegistration",
                {"passkey_id": "<unknown>", "public_key_credential": each},
            )
            for each in _CREDENTIALS
        ),
    ],
    ("FAILED_PRECONDITION", "USER_HAS_NO_EMAIL"): [
        Case("CreatePasskeyRegistrationLink", {"send_link": {}, "application_id": ""})
    ],
    ("NOT_FOUND", "IDP_NOT_FOUND"): [
        Case("UpdateIDP", {"idp_id": "<away idp>"}),
        Case("GetIDP", by="owner"),
        Case("RemoveIDP", {"idp_id": SMILE}),
        Case("PatchIDP", {"idp": {"idp_id": "a/b", "name": "Provider"}}),
        Case("GetIDP", {"idp_id": "nope"}, headers=[("x-request-id", "mine")]),
        Case("GetIDP", {"idp_id": "nope"}, headers=[(f"x-{n:03}", "x" * 150) for n in range(80)]),
        _selecting("admin", "<idp>", "<away>"),
        *(
            Case("UpdateIDP", {"idp_id": "<unknown>", "name": each})
            for each in (SMILE * 200, ACCENTED * 100, "\u200fab\ufeff\u2028", '"\\/</script>\u2029')
        ),
        *(  # each is one segment of a path
            Case("UpdateIDP", {"idp_id": each})
            for each in (
                *("<unknown>", SMILE * 200, "/", "a%2Fb", "%", "..", ".", "../../etc/passwd"),
                *("a?b=c&d#e", "a b+c", "a:b", "a;b=c", "{idp_id}", "*", "\ufffe", "' or true --"),
                "\\",
            )
        ),
    ],
    ("NOT_FOUND", "ORGANIZATION_NOT_FOUND"): [
        Case("GetOrganization", {"org_id": "nope"}),
        _selecting("admin", "<idp>", "<unknown>"),
        _selecting("admin", "<idp>", "x" * 3000),
        _selecting("admin", "<idp>", "a, b"),
    ],
    ("NOT_FOUND", "SERVICE_NOT_FOUND"): [
        Case("Check", {"service": "no.such.Service"}, "nobody", over=PROTOBUF),
    ],
    ("NOT_FOUND", "USER_NOT_FOUND"): [
        Case("GetUser", {"user_id": "<unknown>"}),
        Case("GetUser", {"user_id": "me"}, over=PROTOBUF),
        Case("PatchUser", {"user": {"user_id": "a/b"}}),
        Case("VerifyPasskeyRegistration", {"user_id": "<unknown>"}),
    ],
    ("FAILED_PRECONDITION", "LAST_INSTANCE_OWNER"): [
        Case("RevokeRole", {"user_id": "<admin>", "role": user_pb.ROLE_INSTANCE_OWNER}),
    ],
    ("NOT_FOUND", "TOKEN_NOT_FOUND"): [Case("RevokeToken", {"token_id": "a%b"}, "plain")],
    ("PERMISSION_DENIED", "PERMISSION_DENIED"): [
        Case("AddSMTPConfig", by="owner"),
        Case("AddSMTPConfig", {"sender_address": "", "host": ""}, "plain"),
        Case("UpdateIDP", {"name": ""}, "manager"),
        Case("GetOrganization", by="plain"),
        Case(
            "PatchUser",
            {"user": {"user_id": "<user>"}, "update_mask": {"paths": ["email"]}},
            "plain",
        ),
        Case("GrantRole", {"role": user_pb.ROLE_ORG_OWNER}, "manager"),
        Case("GetCurrentUser", by="token holder"),
        Case(
            "VerifyPasskeyRegistration",
            {"user_id": "<owner>", "passkey_id": "<owner's ceremony>"},
            "token holder",
        ),
        *(_selecting("owner", "<idp>", each) for each in ("<home>", "<unknown>", "nope")),
        _selecting("plain", "<idp>", "<away>"),
    ],
    ("UNAUTHENTICATED", "UNAUTHENTICATED"): [
        Case("GetCurrentUser", by="nobody"),
        Case("GetCurrentUser", by="removed"),
        *map(_authorized, ("", "Bearer", "Bearer nope", f"Bearer kst_{'0' * 72}")),
        *map(_authorized, ("Basic YWRtaW46YWRtaW4=", f"Bearer {'x' * 8000}")),
        _authorized("Bearer a", "Bearer b"),
        _authorized("Bearer <admin's secret>", "Bearer <admin's secret>"),
        *(_by_code("<invited>", each) for each in ("", "ksl_", f"ksl_{'0' * 72}")),
        _by_code("<unknown>", "<link>"),
    ],
    ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"): [*map(_timed, ("0n", "0S", "00000000H"))],
    ("INVALID_ARGUMENT", "MALFORMED_HEADER"): [
        *map(_timed, ("", "5", "S", "-5S", "+5S", "1.5S", "123456789S", "1x", "5 S"))
    ],
    ("INVALID_ARGUMENT", "INVALID_FIELDS"): [
        Case("UpdateIDP", {"idp_id": ""}, named=["idpId"], over=PROTOBUF),
        Case("PatchIDP", {"idp": {"idp_id": ""}}, named=["idp.idpId", "idp.name"], over=PROTOBUF),
        _wrong("UpdateIDP", idp_id="\0"),
        _wrong("GetIDP", idp_id="a\n"),
        *(_wrong("UpdateIDP", name=each) for each in ("", SMILE * 201, "\u202eabc", "a\nb")),
        *(_wrong("UpdateIDP", styling_type=each) for each in (2, -1, 2**31 - 1)),
        *(_wrong("GrantRole", role=each) for each in (user_pb.ROLE_UNSPECIFIED, 99)),
        *(_wrong("RevokeRole", role=each) for each in (user_pb.ROLE_UNSPECIFIED, 99, -1)),
        *(_wrong("PatchIDP", update_mask=each) for each in (None, {"paths": ["nope"]})),
        _wrong("PatchIDP", update_mask={"paths": ["name"] + ["no_such"] * 1000}),
        _wrong("CreateToken", expires_at=Timestamp(seconds=1_000_000_000, nanos=5)),
        _wrong("ListIDPs", page_size=-1),
        _wrong("ListIDPs", page_token="é&a=b#?+/%"),
        *(
            _wrong("VerifyPasskeyRegistration", public_key_credential=each)
            for each in (
                *(None, {}, {"p": SMILE * 46}, {"p": "€" * 1_048_569}, {"many": [None] * 1_100}),
                {"n": [-7, 1e21, 0.5, 0.00001], "p": "x" * 5},  # measured as ECMAScript writes it
            )
        ),
        Case("AddSMTPConfig", {"user": ""}, named=["password"]),
        Case(
            "AddSMTPConfig",
            {"sender_address": "", "sender_name": "", "host": "", "user": "\n", "password": "\0"},
            named=["senderAddress", "senderName", "host", "user", "password"],
        ),
        Case("PatchIDP", {"idp": {"idp_id": "<idp>", "name": ""}}, named=["idp.name"]),
        Case(
            "PatchOrganization",
            {"organization": {"org_id": "x" * 201}, "update_mask": {"paths": ["is_default"]}},
            named=["organization.orgId", "updateMask"],
        ),
        Case("ListPasskeys", {"page_size": -(2**31), "page_token": "x"}, named=["pageSize"]),
        Case(
            "RegisterPasskey", {"user_id": "<invited>", "code": "<link>"}, "admin", named=["code"]
        ),
        *(
            replace(_selecting(by, "<idp>", *org_ids), named=["x-service-orgid"])
            for by, *org_ids in (
                ("admin", ""),
                ("admin", "", ""),
                ("admin", "<home>", ""),
                ("plain", "<home>", "<away>"),
            )
        ),
    ],
}


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


@pytest.mark.parametrize(
    ("code", "reason", "case"),
    [
        pytest.param(code, reason, case, id=f"{reason or code} {number} {case.method}")
        for (code, reason), cases in CASES.items()
        for number, case in enumerate(cases)
    ],
)
async def test_a_call_ends_alike_on_every_transport(
    callers: Callers, code: str, reason: str, case: Case
) -> None:
    answer = await callers.one_answer(case)

    assert answer.code.name == code
    assert answer.request_id == dict(case.headers).get("x-request-id", "one answer")
    is_deprecated = case.method == "UpdateIDP"
    assert answer.announcements.keys() == ({"deprecation", "link"} if is_deprecated else set())
    if reason:
        refused = answer.refusal
        assert (refused.reason, refused.request_id) == (reason, answer.request_id)
        assert refused.violations.keys() == set(case.named)
        if reason == "IDP_NOT_FOUND" and "idp_id" in case.fields:
            assert refused.resource == ("idp", callers.named(case.fields["idp_id"]))
