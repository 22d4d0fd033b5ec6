"""grpc-web over the real web port: content types, statuses, refusals.

Refused bodies: `test_frames.py`.
"""

import base64
from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc
import pytest

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import Client, Instance, Refusal
from tests.support.grpcweb_client import Answer, Channel, frame
from tests.support.web_client import web_client

_CHECK = "/grpc.health.v1.Health/Check"
_GET_CURRENT_USER = "/keystead.user.v1.UserService/GetCurrentUser"
_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
_CONTENT_TYPES = [
    "application/grpc-web",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc-web-text+proto",
]


@pytest.fixture
async def channel(instance: Instance) -> AsyncIterator[Channel]:
    """grpc-web to the shared server."""
    async with Channel(instance.web_port) as channel:
        yield channel


@pytest.fixture(params=_CONTENT_TYPES)
async def web(instance: Instance, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """The administrator over grpc-web, in each content type."""
    async with Channel(instance.web_port, content_type=request.param) as channel:
        yield _on(channel, instance.admin)


def _on(channel: Any, client: Client) -> Client:
    return Client(channel, client.token, client.user_id)


def _refusal(answer: Answer) -> Refusal:
    return given.read_refusal(answer.error)


# Calls


async def test_an_answer_ends_with_its_status_and_request_id(web: Client) -> None:
    call = web.call(
        web.users.GetCurrentUser, user_pb.GetCurrentUserRequest(), x_request_id="my request"
    )

    answer = await call.answer()

    user = (await call).user
    assert user.user_id == web.user_id
    assert answer.http_status == 200
    assert dict(answer.trailers) == {
        "grpc-status": "0",
        "x-request-id": "my request",
        "etag": f'"{user.details.sequence}"',
    }
    assert not answer.is_trailers_only
    assert "content-length" in answer.headers
    assert answer.headers["x-request-id"] == "my request"  # for the log of a proxy


async def test_an_error_is_in_the_headers_alone(web: Client) -> None:
    call = web.call(web.idps.GetIDP, idp_pb.GetIDPRequest(idp_id="no"), x_request_id="my request")

    answer = await call.answer()

    assert answer.http_status == 200
    assert answer.is_trailers_only
    assert answer.headers["content-length"] == "0"
    assert answer.headers["x-request-id"] == "my request"
    assert _refusal(answer).code is grpc.StatusCode.NOT_FOUND


# Content types


@pytest.mark.parametrize(
    ("content_type", "accept", "answered"),
    [
        ("application/grpc-web", "", "application/grpc-web"),
        ("application/grpc-web+proto", "*/*", "application/grpc-web+proto"),
        ("APPLICATION/GRPC-WEB+Proto", "", "application/grpc-web+proto"),
        ("application/grpc-web; charset=utf-8", "", "application/grpc-web"),
        ("application/grpc-web ;a=b", "text/html, */*;q=0.1", "application/grpc-web"),
        ("application/grpc-web", "application/grpc-web-text", "application/grpc-web-text"),
        ("application/grpc-web-text", "application/grpc-web+proto", "application/grpc-web+proto"),
        (
            "application/grpc-web",
            "application/json, Application/gRPC-Web-Text+proto;q=1, application/grpc-web",
            "application/grpc-web-text+proto",
        ),
        ("application/grpc-web-text", "application/grpc-web+json", "application/grpc-web-text"),
        (
            "application/grpc-web-text",
            "application/grpc-web-text;q=0, application/grpc-web",
            "application/grpc-web",
        ),
        (
            "application/grpc-web",
            "application/grpc-web-text+proto; a=b ; Q=0.000 , application/grpc-web-text;q=0.001",
            "application/grpc-web-text",
        ),
    ],
)
async def test_the_type_of_the_answer_is_the_first_accepted_or_that_of_the_request(
    channel: Channel, content_type: str, accept: str, answered: str
) -> None:
    body = frame(b"")
    if "text" in content_type:
        body = base64.b64encode(body)

    answer = await channel.post(_CHECK, body, {"content-type": content_type, "accept": accept})

    assert answer.headers["content-type"] == answered
    assert answer.code is grpc.StatusCode.OK
    assert len(answer.messages) == 1


@pytest.mark.parametrize(
    "content_types",
    [
        ["application/grpc-web+json"],
        ["application/grpc-web-text+json"],
        ["application/grpc-web-"],
        ["application/grpc"],
        ["application/grpc+proto"],
        ["text/plain"],
        # As over JSON and at the endpoints of OAuth, two are none.
        ["application/grpc-web", "application/grpc-web"],
        ["application/json", "application/grpc-web"],
        ["application/grpc-web", "application/json"],
    ],
)
async def test_other_types_are_not_grpc_web(instance: Instance, content_types: list[str]) -> None:
    async with web_client(instance.web_port) as http:
        answer = await http.post(
            _CHECK,
            content=frame(b""),
            headers=[("content-type", each) for each in content_types],
        )

    assert answer.status_code == 415
    assert "grpc-status" not in answer.headers


# Paths and verbs


@pytest.mark.parametrize(
    "path",
    [
        "/keystead.idp.v1.IdentityProviderService/Nope",
        "/no.such.Service/Method",
        "/",
        "/livez",
        "/%ff%fe",
        _CHECK + "/",
    ],
)
async def test_a_path_that_is_no_method_is_unimplemented(channel: Channel, path: str) -> None:
    answer = await channel.post(path, frame(b""), {"x-request-id": "my request"})

    assert answer.http_status == 200
    refused = _refusal(answer)
    assert refused.code is grpc.StatusCode.UNIMPLEMENTED
    assert refused.reason == "METHOD_NOT_IMPLEMENTED"
    assert refused.request_id == answer.headers["x-request-id"] == "my request"


async def test_reflection_needs_native_grpc(channel: Channel) -> None:
    refused = _refusal(await channel.post(_REFLECTION, frame(b"")))

    assert refused.code is grpc.StatusCode.UNIMPLEMENTED
    assert "Call it over gRPC" in refused.message


@pytest.mark.parametrize("verb", ["GET", "PUT", "DELETE"])
async def test_a_verb_but_post_is_not_allowed(channel: Channel, verb: str) -> None:
    answer = await channel.request(verb, _CHECK, frame(b""))

    assert answer.http_status == 405
    assert answer.headers["allow"] == "POST, OPTIONS"
    assert _refusal(answer).code is grpc.StatusCode.UNIMPLEMENTED


# Headers


async def test_an_encoding_that_cannot_be_honoured_refuses_the_call(channel: Channel) -> None:
    answer = await channel.post(_CHECK, frame(b""), {"grpc-encoding": "gzip"})

    assert _refusal(answer).reason == "METHOD_NOT_IMPLEMENTED"


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": "é💥".encode()},
        {"user-agent": b"\xff\xfe"},
        {"x-request-id": "é".encode()},
        {"x-bin": b"*"},
        {"grpc-encoding": b"identity"},
        {"grpc-timeout": b"99999999H"},
        {"x": b"x" * 8000},
        {"te": b"trailers"},
        {"connection": b"keep-alive", "keep-alive": b"timeout=5"},
        {"via": b"1.1 proxy", "forwarded": b"for=192.0.2.1;host=example.com;proto=https"},
        {
            "x-forwarded-for": b"192.0.2.1, 198.51.100.2",
            "x-forwarded-host": b"example.com",
            "x-forwarded-port": b"443",
            "x-forwarded-proto": b"https",
        },
    ],
    ids=str,
)
async def test_other_headers_harm_no_call(channel: Channel, headers: Mapping[str, bytes]) -> None:
    answer = await channel.post(_CHECK, frame(b""), headers)

    assert answer.code is grpc.StatusCode.OK


async def test_a_token_that_is_not_ascii_is_not_valid(channel: Channel) -> None:
    answer = await channel.post(
        _GET_CURRENT_USER, frame(b""), {"authorization": "Bearer é".encode()}
    )

    assert answer.code is grpc.StatusCode.UNAUTHENTICATED


async def test_every_answer_says_that_it_reads_no_compression(channel: Channel) -> None:
    answers = [
        await channel.post(_CHECK, frame(b"")),
        await channel.post(_CHECK, frame(b"", flags=1)),
    ]

    assert [answer.headers["grpc-accept-encoding"] for answer in answers] == ["identity"] * 2
