"""Each cause has one answer over gRPC, grpc-web and JSON: the same code, message and details.

These are refusals, and calls without changes. Each row has the expected reason; the test compares
the answers of all transports byte by byte. More cases: `test_transports_agree_on_*.py`.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc
import pytest

from keystead.user.v1 import user_service_pb2 as user_pb
from tests.bridge.callers import Callers, Fields
from tests.conftest import MakeInstance

SMILE = "\N{GRINNING FACE}"

# The code of each reason.
CODES = {
    "CREDENTIAL_MALFORMED": grpc.StatusCode.INVALID_ARGUMENT,
    "IDP_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "LAST_INSTANCE_OWNER": grpc.StatusCode.FAILED_PRECONDITION,
    "METHOD_NOT_IMPLEMENTED": grpc.StatusCode.UNIMPLEMENTED,
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
    "USER_ALREADY_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "USER_HAS_NO_EMAIL": grpc.StatusCode.FAILED_PRECONDITION,
    "USER_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
}


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


# method, caller, changed fields, and the reason of the refusal
REFUSED: Mapping[str, tuple[str, str, Fields, str]] = {
    "SMTP config exists": ("AddSMTPConfig", "admin", {}, "SMTP_CONFIG_ALREADY_EXISTS"),
    "SMTP config of others": ("AddSMTPConfig", "owner", {}, "PERMISSION_DENIED"),
    "SMTP config of others, wrong too": (
        "AddSMTPConfig",
        "plain",
        {"sender_address": "", "host": ""},
        "PERMISSION_DENIED",
    ),
    "password for another host": (
        "UpdateSMTPConfig",
        "admin",
        {"host": "other.example.com:25"},
        "SMTP_PASSWORD_REQUIRED",
    ),
    "SMTP password by a user": ("UpdateSMTPConfigPassword", "plain", {}, "PERMISSION_DENIED"),
    "password to try on another host": (
        "TestSMTPConfig",
        "admin",
        {"unsaved_config": {"sender_address": "a@b.co", "sender_name": "é", "host": "h:1"}},
        "SMTP_PASSWORD_REQUIRED",
    ),
    "passkey of no ceremony": (
        "VerifyPasskeyRegistration",
        "admin",
        {"passkey_id": "nope"},
        "PASSKEY_NOT_FOUND",
    ),
    "passkey of another user": (
        "VerifyPasskeyRegistration",
        "admin",
        {"passkey_id": "<owner's ceremony>"},
        "PASSKEY_NOT_FOUND",
    ),
    "passkey of nobody": (
        "VerifyPasskeyRegistration",
        "admin",
        {"user_id": "<unknown>"},
        "USER_NOT_FOUND",
    ),
    "passkey of nobody, for a user": (
        "VerifyPasskeyRegistration",
        "plain",
        {"user_id": "<unknown>"},
        "PERMISSION_DENIED",
    ),
    "passkey of who may do more": (
        "VerifyPasskeyRegistration",
        "manager",
        {"user_id": "<owner>", "passkey_id": "<owner's ceremony>"},
        "PERMISSION_DENIED",
    ),
    "passkey by the token of another ceremony": (
        "VerifyPasskeyRegistration",
        "token holder",
        {"user_id": "<owner>", "passkey_id": "<owner's ceremony>"},
        "PERMISSION_DENIED",
    ),
    "passkey that is none": (
        "VerifyPasskeyRegistration",
        "token holder",
        {},
        "CREDENTIAL_MALFORMED",
    ),
    "passkey to remove": ("RemovePasskey", "plain", {"passkey_id": "é"}, "PASSKEY_NOT_FOUND"),
    "too many ceremonies": (
        "RegisterPasskey",
        "admin",
        {"user_id": "<full>"},
        "TOO_MANY_CEREMONIES",
    ),
    "too many passkeys": (
        "RegisterPasskey",
        "admin",
        {"user_id": "<enrolled>"},
        "TOO_MANY_PASSKEYS",
    ),
    "passkey to rename": ("RenamePasskey", "plain", {"passkey_id": "é"}, "PASSKEY_NOT_FOUND"),
    "link to nowhere": (
        "CreatePasskeyRegistrationLink",
        "admin",
        {"send_link": {}},
        "USER_HAS_NO_EMAIL",
    ),
    "link for too many passkeys": (
        "CreatePasskeyRegistrationLink",
        "admin",
        {"user_id": "<enrolled>"},
        "TOO_MANY_PASSKEYS",
    ),
    "own link": ("CreatePasskeyRegistrationLink", "plain", {}, "PERMISSION_DENIED"),
    "IDP of nowhere": ("UpdateIDP", "admin", {"idp_id": "<unknown>"}, "IDP_NOT_FOUND"),
    "IDP of elsewhere": ("UpdateIDP", "admin", {"idp_id": "<away idp>"}, "IDP_NOT_FOUND"),
    "IDP of others": ("UpdateIDP", "plain", {"idp_id": "<away idp>"}, "PERMISSION_DENIED"),
    "IDP of others, wrong too": ("UpdateIDP", "manager", {"name": ""}, "PERMISSION_DENIED"),
    "IDP to read": ("GetIDP", "owner", {}, "IDP_NOT_FOUND"),
    "IDP to remove": ("RemoveIDP", "admin", {"idp_id": SMILE}, "IDP_NOT_FOUND"),
    "IDP to patch": (
        "PatchIDP",
        "admin",
        {"idp": {"idp_id": "a/b", "name": "Provider"}},
        "IDP_NOT_FOUND",
    ),
    "organization": ("GetOrganization", "admin", {"org_id": "nope"}, "ORGANIZATION_NOT_FOUND"),
    "organization for a user": ("GetOrganization", "plain", {}, "PERMISSION_DENIED"),
    "organization that exists": (
        "CreateOrganization",
        "admin",
        {"name": "AWAY"},
        "ORGANIZATION_ALREADY_EXISTS",
    ),
    "user that exists": ("CreateUser", "admin", {"user_name": "Admin"}, "USER_ALREADY_EXISTS"),
    "user me": ("GetUser", "admin", {"user_id": "<unknown>"}, "USER_NOT_FOUND"),
    "user to patch": ("PatchUser", "admin", {"user": {"user_id": "a/b"}}, "USER_NOT_FOUND"),
    "own address": (
        "PatchUser",
        "plain",
        {"user": {"user_id": "<user>"}, "update_mask": {"paths": ["email"]}},
        "PERMISSION_DENIED",
    ),
    "user of others to patch": (
        "PatchUser",
        "manager",
        {"user": {"user_id": "<owner>"}},
        "PERMISSION_DENIED",
    ),
    "last administrator": ("RemoveUser", "admin", {"user_id": "<admin>"}, "LAST_INSTANCE_OWNER"),
    "last administrator's role": (
        "RevokeRole",
        "admin",
        {"user_id": "<admin>", "role": user_pb.ROLE_INSTANCE_OWNER},
        "LAST_INSTANCE_OWNER",
    ),
    "role above one's own": (
        "GrantRole",
        "manager",
        {"role": user_pb.ROLE_ORG_OWNER},
        "PERMISSION_DENIED",
    ),
    "too many tokens": ("CreateToken", "admin", {"user_id": "<full>"}, "TOO_MANY_TOKENS"),
    "token to revoke": ("RevokeToken", "plain", {"token_id": "a%b"}, "TOKEN_NOT_FOUND"),
}


@pytest.mark.parametrize(("method", "by", "fields", "reason"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_call_is_refused_alike(
    callers: Callers, method: str, by: str, fields: Fields, reason: str
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


@pytest.mark.parametrize("request_id", ["a", "x" * 128, 'order 66: ~!@#$%^&*()"\\'])
async def test_a_request_id_is_returned_alike(callers: Callers, request_id: str) -> None:
    headers = [("x-request-id", request_id)]

    refused = await callers.one_answer("GetIDP", {"idp_id": "nope"}, headers=headers)
    answered = await callers.one_answer("GetIDP", headers=headers)

    assert refused.refusal.request_id == refused.request_id == request_id
    assert answered.request_id == request_id
