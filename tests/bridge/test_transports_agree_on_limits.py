"""The limits of fields are the same over gRPC, grpc-web and JSON.

Characters are code points. Every limit is tested at both edges, and the names of wrong fields are
the same.
"""

from collections.abc import AsyncIterator, Mapping

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.bridge.callers import Callers, Fields
from tests.conftest import MakeInstance

SMILE = "\N{GRINNING FACE}"  # one code point, four bytes in UTF-8, two units in UTF-16
GOTHIC = "\N{GOTHIC LETTER AHSA}"  # the same, and a letter


@pytest.fixture(scope="module")
async def callers(make_instance: MakeInstance) -> AsyncIterator[Callers]:
    async with Callers.on(make_instance) as callers:
        yield callers


# method, the change of a valid request, and the fields that the refusal names
WRONG: Mapping[str, tuple[str, Fields, list[str]]] = {
    "sender address: empty": ("AddSMTPConfig", {"sender_address": ""}, ["senderAddress"]),
    "sender address: 201": (
        "AddSMTPConfig",
        {"sender_address": "a" * 189 + "@example.com"},
        ["senderAddress"],
    ),
    "sender address: none": ("AddSMTPConfig", {"sender_address": "Ödön"}, ["senderAddress"]),
    "sender address: a header": (
        "AddSMTPConfig",
        {"sender_address": "a@b.co\r\nBcc: x@y.zz"},
        ["senderAddress"],
    ),
    "sender name: empty": ("AddSMTPConfig", {"sender_name": ""}, ["senderName"]),
    "sender name: 201": ("AddSMTPConfig", {"sender_name": "N" * 201}, ["senderName"]),
    "sender name: 201 astral": ("AddSMTPConfig", {"sender_name": SMILE * 201}, ["senderName"]),
    "sender name: NUL": ("AddSMTPConfig", {"sender_name": "a\0b"}, ["senderName"]),
    "host: empty": ("AddSMTPConfig", {"host": ""}, ["host"]),
    "host: 501": ("AddSMTPConfig", {"host": "h" * 497 + ":587"}, ["host"]),
    "host: 501 astral": ("AddSMTPConfig", {"host": GOTHIC * 497 + ":587"}, ["host"]),
    "host: no port": ("AddSMTPConfig", {"host": "smtp.example.com"}, ["host"]),
    "host: port 0": ("AddSMTPConfig", {"host": "h:0"}, ["host"]),
    "host: port 65536": ("AddSMTPConfig", {"host": "h:65536"}, ["host"]),
    "host: IPv6 without brackets": ("AddSMTPConfig", {"host": "2001:db8::1:25"}, ["host"]),
    "user: control character": ("AddSMTPConfig", {"user": "\x85"}, ["user"]),
    "user without a password": ("AddSMTPConfig", {"password": ""}, ["password"]),
    "password without a user": ("AddSMTPConfig", {"user": ""}, ["password"]),
    "everything of an SMTP configuration": (
        "AddSMTPConfig",
        {"sender_address": "", "sender_name": "", "host": "", "user": "\n", "password": "\0"},
        ["senderAddress", "senderName", "host", "user", "password"],
    ),
    "changed SMTP configuration": (
        "UpdateSMTPConfig",
        {"sender_name": "", "host": "h"},
        ["senderName", "host"],
    ),
    "password that is sent and empty": ("UpdateSMTPConfig", {"password": ""}, ["password"]),
    "empty new password": ("UpdateSMTPConfigPassword", {"password": ""}, ["password"]),
    "IDP name: empty": ("UpdateIDP", {"name": ""}, ["name"]),
    "IDP name: 201": ("UpdateIDP", {"name": "x" * 201}, ["name"]),
    "IDP name: 201 astral": ("UpdateIDP", {"name": SMILE * 201}, ["name"]),
    "IDP name: 201 with combining marks": (
        "UpdateIDP",
        {"name": "e\N{COMBINING ACUTE ACCENT}" * 100 + "e"},
        ["name"],
    ),
    "IDP name: nothing to see": ("UpdateIDP", {"name": " \u200b"}, ["name"]),
    "IDP name: an override": ("UpdateIDP", {"name": "\u202eabc"}, ["name"]),
    "IDP name: line feed": ("UpdateIDP", {"name": "a\nb"}, ["name"]),
    "styling type: 2": ("UpdateIDP", {"styling_type": 2}, ["stylingType"]),
    "styling type: -1": ("UpdateIDP", {"styling_type": -1}, ["stylingType"]),
    "styling type: the largest": ("UpdateIDP", {"styling_type": 2**31 - 1}, ["stylingType"]),
    "IDP id: 201": ("UpdateIDP", {"idp_id": "x" * 201}, ["idpId"]),
    "IDP id: 201 astral": ("UpdateIDP", {"idp_id": SMILE * 201}, ["idpId"]),
    "IDP id: NUL": ("UpdateIDP", {"idp_id": "\0"}, ["idpId"]),
    "IDP id: line feed": ("GetIDP", {"idp_id": "a\n"}, ["idpId"]),
    "everything of an IDP": (
        "UpdateIDP",
        {"idp_id": "\x7f", "name": "", "styling_type": 7},
        ["name", "stylingType", "idpId"],
    ),
    "new IDP": ("AddIDP", {"name": "", "styling_type": 3}, ["name", "stylingType"]),
    "mask: empty": ("PatchIDP", {"update_mask": {"paths": []}}, ["updateMask"]),
    "mask: absent": ("PatchIDP", {"update_mask": None}, ["updateMask"]),
    "mask: unknown field": ("PatchIDP", {"update_mask": {"paths": ["nope"]}}, ["updateMask"]),
    "mask: many unknown": (
        "PatchIDP",
        {"update_mask": {"paths": ["name"] + ["no_such"] * 1000}},
        ["updateMask"],
    ),
    "field of a field": ("PatchIDP", {"idp": {"idp_id": "<idp>", "name": ""}}, ["idp.name"]),
    "user: a name and an address": (
        "PatchUser",
        {
            "user": {"user_id": "<user>", "display_name": SMILE * 201, "email": "@"},
            "update_mask": {"paths": ["*"]},
        },
        ["user.displayName", "user.email"],
    ),
    "organization: its name": (
        "PatchOrganization",
        {"organization": {"org_id": "x" * 201}, "update_mask": {"paths": ["name"]}},
        ["organization.orgId", "updateMask"],
    ),
    "recovery: no address": ("RequestPasskeyRecovery", {"email": "ada"}, ["email"]),
    "user: its name": ("PatchUser", {"update_mask": {"paths": ["user_name"]}}, ["updateMask"]),
    "passkey name: nothing to see": (
        "VerifyPasskeyRegistration",
        {"passkey_name": "\u3164"},
        ["passkeyName"],
    ),
    "passkey name: empty": ("VerifyPasskeyRegistration", {"passkey_name": ""}, ["passkeyName"]),
    "passkey name: 201": (
        "VerifyPasskeyRegistration",
        {"passkey_name": "x" * 201},
        ["passkeyName"],
    ),
    "passkey name: 201 astral": (
        "VerifyPasskeyRegistration",
        {"passkey_name": SMILE * 201},
        ["passkeyName"],
    ),
    "credential: absent": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": None},
        ["publicKeyCredential"],
    ),
    "credential: empty": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {}},
        ["publicKeyCredential"],
    ),
    "credential: 54": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {"p": "x" * 46}},
        ["publicKeyCredential"],
    ),
    "credential: 54 astral": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {"p": SMILE * 46}},
        ["publicKeyCredential"],
    ),
    "credential: 1048577": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {"p": "x" * 1_048_569}},
        ["publicKeyCredential"],
    ),
    "credential: 1048577 of three bytes": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {"p": "€" * 1_048_569}},
        ["publicKeyCredential"],
    ),
    "credential: too many values": (
        "VerifyPasskeyRegistration",
        {"public_key_credential": {"many": [None] * 10_000}},
        ["publicKeyCredential"],
    ),
    "everything of a passkey": (
        "VerifyPasskeyRegistration",
        {"passkey_id": "\t", "public_key_credential": {}, "passkey_name": ""},
        ["passkeyId", "publicKeyCredential", "passkeyName"],
    ),
    "new user": (
        "CreateUser",
        {"user_name": " a", "display_name": "\n", "email": "nobody"},
        ["userName", "displayName", "email"],
    ),
    "invisible name": ("CreateOrganization", {"name": "a\u200bb"}, ["name"]),
    "name with a variation selector": ("CreateUser", {"user_name": "admin\ufe0f"}, ["userName"]),
    "name with a filler": ("CreateUser", {"user_name": "admin\u3164"}, ["userName"]),
    "no role": ("GrantRole", {"role": user_pb.ROLE_UNSPECIFIED}, ["role"]),
    "undefined role": ("GrantRole", {"role": 99}, ["role"]),
    "no role in the path": ("RevokeRole", {"role": user_pb.ROLE_UNSPECIFIED}, ["role"]),
    "undefined role in the path": ("RevokeRole", {"role": 99}, ["role"]),
    "negative role in the path": ("RevokeRole", {"role": -1}, ["role"]),
    "token that has expired": (
        "CreateToken",
        {"expires_at": {"seconds": 1_000_000_000, "nanos": 5}},
        ["expiresAt"],
    ),
    "negative page size": ("ListIDPs", {"page_size": -1}, ["pageSize"]),
    "page token of nothing": ("ListIDPs", {"page_token": "é&a=b#?+/%"}, ["pageToken"]),
    "page of the passkeys": (
        "ListPasskeys",
        {"page_size": -(2**31), "page_token": "x"},
        ["pageSize"],
    ),
}


@pytest.mark.parametrize(("method", "fields", "violations"), WRONG.values(), ids=WRONG.keys())
async def test_wrong_fields_are_named_alike(
    callers: Callers, method: str, fields: Fields, violations: list[str]
) -> None:
    refused = (await callers.one_answer(method, fields)).refusal

    assert (refused.code, refused.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELDS",
    )
    assert sorted(refused.violations) == sorted(violations)


# Values within the limits are refused for another reason, so that nothing changes.

SMTP_CONFIGS: Mapping[str, Fields] = {
    "address: 200": {"sender_address": "a" * 188 + "@example.com"},
    "address: 200 astral": {"sender_address": GOTHIC * 10 + "a" * 178 + "@example.com"},
    "name: 1": {"sender_name": "N"},
    "name: 200": {"sender_name": "N" * 200},
    "name: 200 astral": {"sender_name": SMILE * 200},
    "host: port 1": {"host": "h:1"},
    "host: port 65535": {"host": "h:65535"},
    "host: 500": {"host": "h" * 496 + ":587"},
    "host: 500 astral": {"host": GOTHIC * 496 + ":587"},
    "host: IPv6": {"host": "[2001:db8::1]:587"},
    "tls: omitted": {"tls": False},
    "no authentication": {"user": "", "password": ""},
    "long user and password": {"user": "u" * 100_000, "password": SMILE * 100_000},
}
IDPS: Mapping[str, Fields] = {
    "name: 1": {"name": "x"},
    "name: 200": {"name": "x" * 200},
    "name: 200 astral": {"name": SMILE * 200},
    "name: 200 with combining marks": {"name": "e\N{COMBINING ACUTE ACCENT}" * 100},
    "name: direction marks": {"name": "\u200fabc\ufeff\u2028"},
    "name: what JSON escapes": {"name": '"\\/</script>\u2029'},
    "styling type": {"styling_type": idp_pb.STYLING_TYPE_PROVIDER, "auto_register": True},
}
# Each is one segment of a path.
IDS = [
    "x" * 200,
    SMILE * 200,
    *(
        "a/b",
        "/",
        "a%2Fb",
        "%",
        "..",
        ".",
        "../../etc/passwd",
        "a?b=c&d#e",
        "a b+c",
        "a:b",
        "a;b=c",
    ),
    *("{idp_id}", "*", "é", "\ufffe", "' or true --", "\\"),
]
PASSKEYS: Mapping[str, Fields] = {
    "name: 1": {"passkey_name": "x"},
    "name: 200": {"passkey_name": "x" * 200},
    "name: 200 astral": {"passkey_name": SMILE * 200},
    "credential: 55": {"public_key_credential": {"p": "x" * 47}},
    "credential: 55 astral": {"public_key_credential": {"p": SMILE * 47}},
    "credential: 1048576": {"public_key_credential": {"p": "x" * 1_048_568}},
    "credential: 1048576 of three bytes": {"public_key_credential": {"p": "€" * 1_048_568}},
    "credential: numbers": {
        "public_key_credential": {"n": [1e308, -5e-324, 0.1, -0.0, 2.0**63], "p": "x" * 55}
    },
    "credential: every type": {
        "public_key_credential": {"@type": [None, True, 1.5, "é", {}, []], "p": "x" * 55}
    },
}


@pytest.mark.parametrize("fields", SMTP_CONFIGS.values(), ids=SMTP_CONFIGS.keys())
async def test_an_smtp_configuration_within_the_limits_is_read_alike(
    callers: Callers, fields: Fields
) -> None:
    refused = (await callers.one_answer("AddSMTPConfig", fields)).refusal

    assert refused.reason == "SMTP_CONFIG_ALREADY_EXISTS"


@pytest.mark.parametrize("fields", IDPS.values(), ids=IDPS.keys())
async def test_an_identity_provider_within_the_limits_is_read_alike(
    callers: Callers, fields: Fields
) -> None:
    refused = (await callers.one_answer("UpdateIDP", {"idp_id": "<unknown>", **fields})).refusal

    assert refused.reason == "IDP_NOT_FOUND"


@pytest.mark.parametrize("idp_id", IDS, ids=lambda idp_id: idp_id[:16])
async def test_an_identifier_of_any_characters_is_read_alike(callers: Callers, idp_id: str) -> None:
    refused = (await callers.one_answer("UpdateIDP", {"idp_id": idp_id})).refusal

    assert refused.reason == "IDP_NOT_FOUND"
    assert refused.resource == ("idp", idp_id)


@pytest.mark.parametrize("fields", PASSKEYS.values(), ids=PASSKEYS.keys())
async def test_a_passkey_within_the_limits_is_read_alike(callers: Callers, fields: Fields) -> None:
    refused = (
        await callers.one_answer("VerifyPasskeyRegistration", {"passkey_id": "<unknown>", **fields})
    ).refusal

    assert refused.reason == "PASSKEY_NOT_FOUND"
