"""Unreadable requests are refused alike over gRPC, grpc-web and JSON.

The three differ only in the points that `transports.py` lists.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import TokenKind, new_token
from server.rpc.requests import MAX_MESSAGE_BYTES, MAX_STRANGERS_MESSAGE_BYTES
from tests.bridge.callers import METHODS
from tests.passkey.ceremonies import begin, struct
from tests.support import given, grpcweb_client
from tests.support.given import Client, Instance
from tests.support.transports import (
    Answer,
    Call,
    Headers,
    InexpressibleError,
    Transports,
    authorization,
    http_request,
)
from tests.support.web_client import web_client

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_UPDATE = Call(METHODS["UpdateIDP"], idp_pb.UpdateIDPRequest(idp_id="idp", name="Provider"))
_REQUEST_ID = ("x-request-id", "one answer")


@pytest.fixture(scope="module")
async def plain(instance: Instance) -> Client:
    """A user without roles."""
    return await given.user(instance.admin)


@pytest.fixture(scope="module")
async def transports(instance: Instance) -> AsyncIterator[Transports]:
    async with Transports.of(instance) as transports:
        yield transports


async def _answers(
    transports: Transports, call: Call, message: bytes, body: bytes, token: str
) -> dict[str, Answer]:
    """The answers of all transports: to `message` as protobuf, to `body` as JSON."""
    sent: Headers = [*authorization(token), _REQUEST_ID]
    verb, target, _ = http_request(call.method, call.request)
    frame = grpcweb_client.frame(message)
    return {
        "gRPC": await transports.native.send(call.path, message, sent, call.response),
        "grpc-web": await transports.grpc_web.send(call.path, frame, sent, call.response),
        "grpc-web in text": await transports.grpc_web_text.send(
            call.path, frame, sent, call.response
        ),
        "JSON": await transports.json.send(verb, target, body, sent, call.response),
    }


async def _one_answer(
    transports: Transports, call: Call, message: bytes, body: bytes, token: str = ""
) -> Answer:
    """The answer of all transports, which must be the same."""
    first, *others = (await _answers(transports, call, message, body, token)).values()
    assert all(answer == first for answer in others)
    return first


def _of_size(size: int) -> tuple[bytes, bytes]:
    """Messages of UpdateIDP with this size, as protobuf and as JSON."""
    overhead = len(idp_pb.UpdateIDPRequest(name="x" * 3_000_000).SerializeToString()) - 3_000_000
    message = idp_pb.UpdateIDPRequest(name="x" * (size - overhead)).SerializeToString()
    return message, b'{"name": "%s"}' % (b"x" * (size - len(b'{"name": ""}')))


# Messages as protobuf and as JSON
MALFORMED = {
    "garbage": (b"\xff", b"{"),
    "cut": (b"\x12\xff", b'{"name": "x'),
    "not UTF-8": (b"\x12\x01\xff", b'{"name": "\xff"}'),
    "half a surrogate": (b"\x12\x03\xed\xa0\x80", b'{"name": "\\ud800"}'),
    "another kind of value": (b"\x1b", b"[]"),
    "nothing": (b"\0", b"null"),
    "deep": (b"\x0c" * 200, b"[" * 100_000),
    "no such type": (b"\x07", b'{"name": NaN}'),
}
TOO_LARGE = {f"{more} more": _of_size(MAX_MESSAGE_BYTES + more) for more in (1, 1024 * 1024)}


@pytest.mark.parametrize(("message", "body"), MALFORMED.values(), ids=MALFORMED.keys())
@pytest.mark.parametrize("is_admin", [True, False])
async def test_a_malformed_request_is_refused_before_the_permission_is_checked(
    transports: Transports,
    admin: Client,
    plain: Client,
    message: bytes,
    body: bytes,
    is_admin: bool,
) -> None:
    token = (admin if is_admin else plain).token

    answers = await _answers(transports, _UPDATE, message, body, token)

    first, json_ = answers["gRPC"], answers.pop("JSON")
    assert all(answer == first for answer in answers.values())
    assert (first.refusal.reason, json_.refusal.reason) == ("MALFORMED_MESSAGE", "MALFORMED_JSON")
    assert first.code is json_.code is _INVALID
    assert first.announcements == json_.announcements
    assert first.announcements.keys() == {"deprecation", "link"}
    assert first.request_id == json_.request_id == first.refusal.request_id


@pytest.mark.parametrize(("message", "body"), TOO_LARGE.values(), ids=TOO_LARGE.keys())
async def test_a_larger_request_is_refused_alike(
    transports: Transports, admin: Client, message: bytes, body: bytes
) -> None:
    answer = await _one_answer(transports, _UPDATE, message, body, admin.token)

    assert answer.refusal.reason == "MESSAGE_TOO_LARGE"
    assert answer.announcements.keys() == {"deprecation", "link"}


@pytest.mark.parametrize("token", ["", "nope"])
@pytest.mark.parametrize(
    ("message", "body"), [MALFORMED["garbage"], TOO_LARGE["1 more"]], ids=["malformed", "too large"]
)
async def test_a_request_is_not_read_before_its_caller_is_known(
    transports: Transports, token: str, message: bytes, body: bytes
) -> None:
    answer = await _one_answer(transports, _UPDATE, message, body, token)

    assert answer.code is grpc.StatusCode.UNAUTHENTICATED


async def test_a_field_that_nobody_knows_is_skipped_in_protobuf_and_refused_in_json(
    transports: Transports, admin: Client
) -> None:
    idp_id = await given.idp(admin)
    request = idp_pb.UpdateIDPRequest(idp_id=idp_id, name="Provider")
    call = replace(_UPDATE, request=request)
    newer = request.SerializeToString() + b"\xfa\x7f\x01x"  # field 2047

    answers = await _answers(
        transports, call, newer, b'{"name": "Provider", "newer": "x"}', admin.token
    )

    refused = answers.pop("JSON").refusal
    assert {answer.code for answer in answers.values()} == {grpc.StatusCode.OK}
    assert (refused.code, refused.reason) == (_INVALID, "INVALID_FIELDS")
    assert refused.violations.keys() == {"newer"}


# Size


async def test_a_request_of_the_largest_size_is_read_alike(
    transports: Transports, admin: Client
) -> None:
    answers = await _answers(transports, _UPDATE, *_of_size(MAX_MESSAGE_BYTES), admin.token)

    # For JSON, the path contains the ID that the other messages lack here.
    violations = {name: answer.refusal.violations for name, answer in answers.items()}
    assert violations.pop("JSON") == {"name": "must be at most 200 characters"}
    assert {tuple(sorted(each)) for each in violations.values()} == {("idpId", "name")}


async def test_far_beyond_the_limit_grpc_alone_refuses_without_details(
    transports: Transports, admin: Client
) -> None:
    answers = await _answers(transports, _UPDATE, *_of_size(5 * 1024 * 1024 + 1), admin.token)

    native = answers.pop("gRPC")
    assert (native.code, list(native.status.details)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, [])
    assert {answer.refusal.reason for answer in answers.values()} == {"MESSAGE_TOO_LARGE"}
    assert answers["grpc-web"] == answers["grpc-web in text"] == answers["JSON"]


_REGISTER = Call(METHODS["RegisterPasskey"], passkey_pb.RegisterPasskeyRequest(user_id="ada"))


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        (0, grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"),
        (1, grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE"),
    ],
)
async def test_so_much_is_read_of_a_caller_who_is_not_known(
    transports: Transports, more: int, code: grpc.StatusCode, reason: str
) -> None:
    size = MAX_STRANGERS_MESSAGE_BYTES + more
    message = passkey_pb.RegisterPasskeyRequest(code="x" * (size - 3)).SerializeToString()
    body = b'{"code": "%b"}' % (b"x" * (size - len(b'{"code": ""}')))
    assert len(message) == len(body) == size

    answer = await _one_answer(transports, _REGISTER, message, body)

    assert (answer.code, answer.refusal.reason) == (code, reason)


async def test_the_longest_request_with_a_code_is_read(transports: Transports) -> None:
    user_id = "\N{GRINNING FACE}" * 200
    call = Call(METHODS["RegisterPasskey"], passkey_pb.RegisterPasskeyRequest(user_id=user_id))
    code = new_token(TokenKind.LINK)
    message = passkey_pb.RegisterPasskeyRequest(user_id=user_id, code=code).SerializeToString()
    escaped = "".join(f"\\u{ord(character):04x}" for character in code)
    body = f'{{"userId": {json.dumps(user_id)}, "code": "{escaped}"}}'.encode()

    answer = await _one_answer(transports, call, message, body)

    assert answer.code is grpc.StatusCode.UNAUTHENTICATED


# Depth


@pytest.mark.parametrize("depth", [1, 10, 30, 31])
async def test_a_credential_may_be_equally_deep(
    transports: Transports, admin: Client, depth: int
) -> None:
    answers = await _nested(transports, admin, depth)

    assert {answer.refusal.reason for answer in answers.values()} == {"CREDENTIAL_MALFORMED"}
    assert all(answer == answers["gRPC"] for answer in answers.values())


@pytest.mark.parametrize("depth", [34, 100, 1000])
async def test_a_credential_that_is_deeper_is_refused_by_the_same_code(
    transports: Transports, admin: Client, depth: int
) -> None:
    answers = await _nested(transports, admin, depth)

    assert {answer.code for answer in answers.values()} == {_INVALID}
    assert answers["gRPC"].refusal.reason == "MALFORMED_MESSAGE"
    assert answers["gRPC"] == answers["grpc-web"] == answers["grpc-web in text"]


async def _nested(transports: Transports, admin: Client, depth: int) -> dict[str, Answer]:
    """The answers to a credential with this number of nested objects."""
    begun = await begin(await given.user(admin))
    nested = _field(1, _field(1, b"x") + _field(2, b"\x08\x00"))  # an object: {"x": null}
    text = b'{"x": null}'
    for _ in range(depth - 1):
        nested = _field(1, _field(1, b"x") + _field(2, _field(5, nested)))
        text = b'{"x": %s}' % text
    padding = passkey_pb.VerifyPasskeyRegistrationRequest(
        user_id=begun.user_id,
        passkey_id=begun.passkey_id,
        public_key_credential=struct({"padding": "x" * 55}),
        passkey_name="Key",
    )
    # protobuf merges repeated fields
    message = padding.SerializeToString() + _field(3, nested)
    credential = b'{"padding": "%s", %s' % (b"x" * 55, text[1:])
    body = b'{"passkeyName": "Key", "publicKeyCredential": %s}' % credential
    return await _answers(
        transports,
        Call(METHODS["VerifyPasskeyRegistration"], padding),
        message,
        body,
        begun.caller.token,
    )


def _field(number: int, value: bytes) -> bytes:
    """A length-delimited field of a protobuf message."""
    length, size = bytearray(), len(value)
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    length.append(size)
    return bytes([number << 3 | 2]) + bytes(length) + value


# Paths


@pytest.mark.parametrize(
    "path", ["/keystead.idp.v1.IdentityProviderService/Nope", "/no.such.Service/Method"]
)
async def test_a_method_that_there_is_not_is_unimplemented(
    transports: Transports, path: str
) -> None:
    response = _UPDATE.response

    native = await transports.native.send(path, b"", [_REQUEST_ID], response)
    frame = grpcweb_client.frame(b"")
    web = await transports.grpc_web.send(path, frame, [_REQUEST_ID], response)
    text = await transports.grpc_web_text.send(path, frame, [_REQUEST_ID], response)

    assert native.refusal.code is grpc.StatusCode.UNIMPLEMENTED
    assert native.refusal.reason == "METHOD_NOT_IMPLEMENTED"
    assert native == web == text


@pytest.mark.parametrize(
    "target", ["/v1/idps/", "/v1/nope", "/v1/idps//x", "/v1/users//passkeys/x"]
)
async def test_a_resource_that_there_is_not_is_not_found(
    transports: Transports, admin: Client, target: str
) -> None:
    answer = await transports.json.send(
        "PUT", target, b"{}", authorization(admin.token), _UPDATE.response
    )

    assert answer.refusal.code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("UpdateIDP", {"name": "Provider"}),
        ("RemoveUser", {}),
        ("PatchIDP", {"update_mask": {"paths": ["name"]}}),
        ("PatchUser", {"update_mask": {"paths": ["email"]}}),
    ],
)
async def test_an_empty_identifier_can_only_be_sent_as_protobuf(
    transports: Transports, admin: Client, method: str, fields: dict[str, Any]
) -> None:
    call = Call(METHODS[method], GetMessageClass(METHODS[method].input_type)(**fields))
    headers = [*authorization(admin.token), _REQUEST_ID]
    call = replace(call, headers=headers)

    native, web = await transports.native.answer(call), await transports.grpc_web.answer(call)

    assert native.refusal.reason == "INVALID_FIELDS"
    assert native == web
    with pytest.raises(InexpressibleError):
        await transports.json.answer(call)


async def test_the_user_me_is_whoever_asks_for_json(transports: Transports, admin: Client) -> None:
    headers = [*authorization(admin.token), _REQUEST_ID]
    call = Call(METHODS["GetUser"], user_pb.GetUserRequest(user_id="me"), headers)

    answers = {name: await transport.answer(call) for name, transport in transports.all.items()}

    me = answers.pop("JSON").response
    assert isinstance(me, user_pb.GetUserResponse)
    assert me.user.user_id == admin.user_id
    assert {answer.refusal.reason for answer in answers.values()} == {"USER_NOT_FOUND"}


# Headers


@pytest.mark.parametrize("request_id", ["", "x" * 129])
async def test_a_request_id_that_is_none_is_replaced_alike(
    transports: Transports, admin: Client, request_id: str
) -> None:
    headers = [*authorization(admin.token), ("x-request-id", request_id)]

    answers = [
        await transport.answer(replace(_UPDATE, headers=headers))
        for transport in transports.all.values()
    ]

    assert len({answer.request_id for answer in answers}) == len(answers)
    assert all(len(answer.refusal.request_id) == 32 for answer in answers)


async def test_headers_that_are_too_large_are_refused_by_the_transports_themselves(
    instance: Instance, transports: Transports
) -> None:
    headers = [("x-large", "x" * 17_000)]

    native = await transports.native.answer(replace(_UPDATE, headers=headers))
    async with web_client(instance.web_port) as http:
        web = await http.put("/v1/idps/idp", json={}, headers=headers)

    assert native.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (web.status_code, web.json()["code"]) == (431, native.code.value[0])


async def test_headers_within_the_limit_are_read_alike(
    transports: Transports, admin: Client
) -> None:
    many = [(f"x-{n:03}", "x" * 150) for n in range(80)]

    answer = await transports.one_answer(
        replace(_UPDATE, headers=[*authorization(admin.token), *many])
    )

    assert answer.refusal.reason == "IDP_NOT_FOUND"


async def test_only_grpc_reads_compressed_requests(instance: Instance, admin: Client) -> None:
    """The refusals over HTTP are in `test_grpcweb.py` and `test_transcoding.py`."""
    method: Any = instance.channel.unary_unary(_UPDATE.path)

    call = method(
        _UPDATE.request.SerializeToString(),
        metadata=authorization(admin.token),
        compression=grpc.Compression.Gzip,
    )

    assert await call.code() is grpc.StatusCode.NOT_FOUND
