"""Unreadable requests are refused alike over gRPC, grpc-web and JSON.

The three differ only in the points that `transports.py` lists.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from server.access.tokens import TokenKind, new_token
from server.rpc.requests import MAX_ANONYMOUS_MESSAGE_BYTES, MAX_MESSAGE_BYTES
from tests.hostile.wire import bytes_field
from tests.passkey.ceremonies import begin
from tests.support import given, grpcweb_client
from tests.support.given import METHOD, Client, Instance
from tests.support.transports import (
    PROTOBUF,
    Answer,
    Call,
    Headers,
    Transports,
    authorization,
    http_request,
)
from tests.support.web_client import web_client

_UPDATE = Call(METHOD["UpdateIDP"], idp_pb.UpdateIDPRequest(idp_id="idp", name="Provider"))
_REQUEST_ID = ("x-request-id", "one answer")


@pytest.fixture(scope="module")
async def tokens(instance: Instance) -> Mapping[str, str]:
    """The tokens of an administrator, of a user without roles, and two that are not valid."""
    plain = await given.user(instance.admin)
    return {"admin": instance.admin.token, "plain": plain.token, "nobody": "", "outsider": "nope"}


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


def _reasons(answers: Mapping[str, Answer]) -> tuple[str, str]:
    """The reasons over protobuf and JSON. The other transports of protobuf must agree with gRPC."""
    assert all(answers[name] == answers["gRPC"] for name in PROTOBUF)
    reasons = answers["gRPC"].refusal.reason, answers["JSON"].refusal.reason
    assert answers["gRPC"].code is answers["JSON"].code
    assert answers["gRPC"].announcements == answers["JSON"].announcements
    return reasons


@dataclass(frozen=True)
class _Sent:
    """The bytes of a request, and the reasons of its refusals over protobuf and JSON."""

    message: bytes
    body: bytes
    reasons: tuple[str, str]
    by: str = "admin"
    call: Call = _UPDATE


def _of_size(size: int, reason: str, by: str = "admin") -> _Sent:
    """A message of this size."""
    overhead = len(idp_pb.UpdateIDPRequest(name="x" * 3_000_000).SerializeToString()) - 3_000_000
    message = idp_pb.UpdateIDPRequest(name="x" * (size - overhead)).SerializeToString()
    body = b'{"name": "%s"}' % (b"x" * (size - len(b'{"name": ""}')))
    return _Sent(message, body, (reason, reason), by)


def _of_an_outsider(size: int, reason: str) -> _Sent:
    """A message of this size that could contain the code of a link."""
    message = passkey_pb.RegisterPasskeyRequest(code="x" * (size - 3)).SerializeToString()
    body = b'{"code": "%b"}' % (b"x" * (size - len(b'{"code": ""}')))
    assert len(message) == len(body) == size
    return _Sent(message, body, (reason, reason), "nobody", _register("ada"))


def _longest_with_a_code() -> _Sent:
    user_id, code = "\N{GRINNING FACE}" * 200, new_token(TokenKind.LINK)
    message = passkey_pb.RegisterPasskeyRequest(user_id=user_id, code=code).SerializeToString()
    escaped = "".join(f"\\u{ord(character):04x}" for character in code)
    body = f'{{"userId": {json.dumps(user_id)}, "code": "{escaped}"}}'.encode()
    return _Sent(message, body, ("UNAUTHENTICATED",) * 2, "nobody", _register(user_id))


def _register(user_id: str) -> Call:
    return Call(METHOD["RegisterPasskey"], passkey_pb.RegisterPasskeyRequest(user_id=user_id))


_MALFORMED = {
    "garbage": (b"\xff", b"{"),
    "cut": (b"\x12\xff", b'{"name": "x'),
    "not UTF-8": (b"\x12\x01\xff", b'{"name": "\xff"}'),
    "half a surrogate": (b"\x12\x03\xed\xa0\x80", b'{"name": "\\ud800"}'),
    "another kind of value": (b"\x1b", b"[]"),
    "nothing": (b"\0", b"null"),
    "deep": (b"\x0c" * 200, b"[" * 100_000),
    "no such type": (b"\x07", b'{"name": NaN}'),
}
_LIMIT, _OF_ANONYMOUS = MAX_MESSAGE_BYTES, MAX_ANONYMOUS_MESSAGE_BYTES
SENT: Mapping[str, _Sent] = {
    **{  # before the permission is checked
        f"{name} of {by}": _Sent(*sent, ("MALFORMED_MESSAGE", "MALFORMED_JSON"), by)
        for name, sent in _MALFORMED.items()
        for by in ("admin", "plain")
    },
    **{  # not before the caller is known
        f"garbage of {by}": _Sent(*_MALFORMED["garbage"], ("UNAUTHENTICATED",) * 2, by)
        for by in ("nobody", "outsider")
    },
    "too large, of nobody": _of_size(_LIMIT + 1, "UNAUTHENTICATED", "nobody"),
    "too large, of an outsider": _of_size(_LIMIT + 1, "UNAUTHENTICATED", "outsider"),
    "a byte too large": _of_size(_LIMIT + 1, "MESSAGE_TOO_LARGE"),
    "much too large": _of_size(_LIMIT + 1024 * 1024, "MESSAGE_TOO_LARGE"),
    "as large as possible": _of_size(_LIMIT, "INVALID_FIELDS"),
    "of an outsider, as large as possible": _of_an_outsider(_OF_ANONYMOUS, "UNAUTHENTICATED"),
    "of an outsider, too large": _of_an_outsider(_OF_ANONYMOUS + 1, "MESSAGE_TOO_LARGE"),
    "the longest with a code": _longest_with_a_code(),
}


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
async def test_an_unreadable_request_is_refused_alike(
    transports: Transports, tokens: Mapping[str, str], sent: _Sent
) -> None:
    answers = await _answers(transports, sent.call, sent.message, sent.body, tokens[sent.by])

    assert _reasons(answers) == sent.reasons
    # For JSON, the path contains the ID that the message of the largest size lacks.
    if sent.reasons[0] == sent.reasons[1] != "INVALID_FIELDS":
        assert answers["JSON"] == answers["gRPC"]


async def test_an_unknown_field_is_skipped_in_protobuf_and_refused_in_json(
    transports: Transports, admin: Client
) -> None:
    request = idp_pb.UpdateIDPRequest(idp_id=await given.idp(admin), name="Provider")
    newer = request.SerializeToString() + b"\xfa\x7f\x01x"  # field 2047
    body = b'{"name": "Provider", "newer": "x"}'

    answers = await _answers(
        transports, replace(_UPDATE, request=request), newer, body, admin.token
    )

    assert answers.pop("JSON").refusal.violations.keys() == {"newer"}
    assert {answer.code for answer in answers.values()} == {grpc.StatusCode.OK}


async def test_grpc_itself_refuses_a_message_far_beyond_the_limit(
    transports: Transports, admin: Client
) -> None:
    sent = _of_size(5 * 1024 * 1024 + 1, "")

    answers = await _answers(transports, _UPDATE, sent.message, sent.body, admin.token)

    native = answers.pop("gRPC")
    assert (native.code, list(native.status.details)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, [])
    assert {answer.refusal.reason for answer in answers.values()} == {"MESSAGE_TOO_LARGE"}


@pytest.mark.parametrize(
    ("depth", "reasons"),
    [
        *((depth, ("CREDENTIAL_MALFORMED", "CREDENTIAL_MALFORMED")) for depth in (1, 30, 31)),
        *((depth, ("MALFORMED_MESSAGE", "INVALID_FIELDS")) for depth in (34, 60)),
        (1000, ("MALFORMED_MESSAGE", "MALFORMED_JSON")),
    ],
)
async def test_a_credential_may_be_equally_deep(
    transports: Transports, admin: Client, depth: int, reasons: tuple[str, str]
) -> None:
    begun = await begin(await given.user(admin))
    nested = _member(b"\x08\x00")  # an object: {"x": null}
    text = b'{"x": null}'
    for _ in range(depth - 1):
        nested, text = _member(bytes_field(5, nested)), b'{"x": %s}' % text
    padded = passkey_pb.VerifyPasskeyRegistrationRequest(
        user_id=begun.user_id,
        passkey_id=begun.passkey_id,
        public_key_credential=given.struct({"padding": "x" * 55}),
        passkey_name="Key",
    )
    message = padded.SerializeToString() + bytes_field(3, nested)  # merged by protobuf
    credential = b'{"padding": "%s", %s' % (b"x" * 55, text[1:])
    body = b'{"passkeyName": "Key", "publicKeyCredential": %s}' % credential
    call = Call(METHOD["VerifyPasskeyRegistration"], padded)

    answers = await _answers(transports, call, message, body, begun.caller.token)

    assert _reasons(answers) == reasons


def _member(value: bytes) -> bytes:
    """A member `x` of a Struct."""
    return bytes_field(1, bytes_field(1, b"x") + bytes_field(2, value))


@pytest.mark.parametrize("request_id", ["", "x" * 129])
async def test_an_invalid_request_id_is_replaced_alike(
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


async def test_grpc_reads_no_compressed_requests_either(instance: Instance, admin: Client) -> None:
    """By gRPC's own refusal. Those over HTTP are in `test_grpcweb.py` and `test_transcoding.py`."""
    method: Any = instance.channel.unary_unary(_UPDATE.path)

    call = method(
        _UPDATE.request.SerializeToString(),
        metadata=authorization(admin.token),
        compression=grpc.Compression.Gzip,
    )

    assert await call.code() is grpc.StatusCode.UNIMPLEMENTED
    assert await call.details() == "Compression algorithm 'gzip' is disabled."
