"""Methods called with JSON: heads, statuses, headers, limits, and disconnecting clients."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import httpx2
import pytest
import structlog

from bridge.json import http_answer
from server.rpc.requests import MAX_MESSAGE_BYTES
from server.rpc.status import end_of_call
from server.values.errors import Failure, Kind
from tests.support import given
from tests.support.given import Instance
from tests.support.json_client import JsonClient, read_refusal
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("json reads deeper since 3.12, and words errors anew")

_UPDATE_IDP = "/keystead.idp.v1.IdentityProviderService/UpdateIDP"
_GRPC_WEB = (
    "application/grpc-web, application/grpc-web+proto, "
    "application/grpc-web-text, application/grpc-web-text+proto"
)


@pytest.fixture
async def client(instance: Instance) -> AsyncIterator[JsonClient]:
    """The administrator."""
    async with JsonClient.connected(instance, instance.admin) as client:
        yield client


@pytest.fixture
async def nobody(instance: Instance) -> AsyncIterator[JsonClient]:
    """A caller without a token."""
    async with JsonClient.connected(instance, instance.nobody) as client:
        yield client


@pytest.mark.parametrize("header", ["host", "x-forwarded-host", "origin"])
async def test_the_relying_party_does_not_depend_on_the_host_of_the_request(
    client: JsonClient, header: str
) -> None:
    path = f"/v1/users/{await client.user()}/passkeys"

    begun = await client.call("POST", path, json={}, headers={header: "evil.example"})

    assert begun["publicKeyCredentialCreationOptions"]["rp"]["id"] == "localhost"


async def test_head_is_get_without_the_body(client: JsonClient) -> None:
    get = await client.send("GET", "/v1/users/me")
    head = await client.send("HEAD", "/v1/users/me")
    missing = await client.send("HEAD", "/v1/users/nobody")

    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length"):
        assert head.headers[name] == get.headers[name]
    assert (missing.status_code, missing.content) == (404, b"")


@pytest.mark.parametrize("content_type", ["application/json", "application/grpc-web+proto"])
@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/v1/users/me", "GET, HEAD, PATCH, DELETE, OPTIONS"), (_UPDATE_IDP, "POST, OPTIONS")],
    ids=["a route", "a method"],
)
async def test_options_tells_the_verbs(
    client: JsonClient, path: str, allowed: str, content_type: str
) -> None:
    answer = await client.http.options(path, headers={"content-type": content_type})

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize("verb", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"])
async def test_an_unknown_path_is_not_found(nobody: JsonClient, verb: str) -> None:
    refused = read_refusal(await nobody.send(verb, "/v1/idps/"))

    assert (refused.status, refused.code, refused.reason) == (404, 5, "PATH_NOT_FOUND")


@pytest.mark.parametrize(
    ("verb", "path", "allowed"),
    [
        ("POST", "/v1/smtp:test/", None),
        ("PATCH", "/v1/smtp", "POST, GET, HEAD, PUT, DELETE, OPTIONS"),
        ("GET", "/v1/smtp:test", "POST, OPTIONS"),
        ("HEAD", "/v1/smtp/password", "PUT, OPTIONS"),
        ("GET", _UPDATE_IDP, "POST, OPTIONS"),
    ],
)
async def test_a_wrong_verb_is_answered_with_the_allowed_ones(
    nobody: JsonClient, verb: str, path: str, allowed: str | None
) -> None:
    answer = await nobody.send(verb, path)

    assert answer.headers.get("allow") == allowed
    if allowed is None:
        assert answer.status_code == 404
    elif verb != "HEAD":
        refused = read_refusal(answer)
        assert (refused.status, refused.code) == (405, 12)
        assert refused.reason == "METHOD_NOT_ALLOWED"
        assert f"Use one of {allowed}." in refused.message


Headers = Sequence[tuple[str, str]]
_JSON = ("content-type", "application/json")


@pytest.mark.parametrize(
    "headers",
    [
        *(
            [("content-type", each)]
            for each in (
                *("application/json", "Application/JSON", "application/json;charset=utf-8"),
                *("application/json ; charset=UTF-8", "application/json; charset=latin-1"),
                *("application/json;", "application/json; profile=x", "application/json; v"),
            )
        ),
        [_JSON, ("content-encoding", "Identity")],
    ],
)
async def test_a_body_of_json_is_read(client: JsonClient, headers: Headers) -> None:
    sent = dict(headers)

    answer = await client.send("POST", "/v1/idps", content=b'{"name":"a"}', headers=sent)

    assert answer.status_code == 200


_NOT_JSON: Sequence[Headers] = [
    *(
        [("content-type", each)]
        for each in (
            *("", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"),
            *("application/json charset=utf-8", "text/plain; application/json"),
            *("application/json, application/json", "application/merge-patch+json"),
            *("application/problem+json", "application/grpc", "text/json, application/json"),
        )
    ),
    [_JSON, ("content-type", "text/plain")],
]


@pytest.mark.parametrize("headers", _NOT_JSON)
@pytest.mark.parametrize("content", [b"{}", b""])
async def test_a_body_of_another_type_is_refused(
    nobody: JsonClient, headers: Headers, content: bytes
) -> None:
    answer = await nobody.http.post("/v1/idps", content=content, headers=headers)

    refused = read_refusal(answer)
    assert (refused.status, refused.code) == (415, 3)
    assert refused.reason == "UNSUPPORTED_MEDIA_TYPE"


async def _chunks() -> AsyncIterator[bytes]:
    yield b"{}"


@pytest.mark.parametrize(
    ("verb", "path", "content", "headers", "named"),
    [
        ("POST", "/v1/idps", b"{}", [], ("accept-post", "application/json")),
        ("POST", "/v1/idps", _chunks(), [], ("accept-post", "application/json")),
        ("PUT", "/v1/idps/1", b"{}", [], ("accept", "application/json")),
        ("PATCH", "/v1/idps/1", b"{}", [], ("accept-patch", "application/json")),
        (
            *("POST", "/v1/idps", b"{}"),
            [_JSON, ("content-encoding", "gzip")],
            ("accept-encoding", "identity"),
        ),
        ("POST", _UPDATE_IDP, b"{}", [_JSON], ("accept-post", _GRPC_WEB)),
    ],
)
async def test_a_refusal_names_the_accepted_value(
    nobody: JsonClient, verb: str, path: str, content: Any, headers: Headers, named: tuple[str, str]
) -> None:
    refused = read_refusal(await nobody.http.request(verb, path, content=content, headers=headers))

    assert (refused.status, refused.reason) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert named in refused.headers.items()
    if path == _UPDATE_IDP:
        assert refused.message == (
            f"This path takes only gRPC-Web: {_GRPC_WEB}. For JSON, use PUT /v1/idps/{{idp_id}}."
        )


async def test_a_request_without_a_body_needs_no_content_type(client: JsonClient) -> None:
    bearer = {"authorization": f"Bearer {client.token}"}
    path = f"/v1/users/{await client.user()}/tokens"
    request = client.http.build_request("POST", path, headers=bearer)
    assert request.headers.pop("content-length") == "0"

    without_length = await client.http.send(request)
    with_length = await client.send("POST", path)
    required = read_refusal(await client.send("POST", "/v1/idps"))

    assert without_length.status_code == with_length.status_code == 200
    assert required.violations == {"name": "must not be empty"}


async def test_a_body_of_no_bytes_is_no_body(client: JsonClient) -> None:
    headers = {"content-length": "0", "content-type": "text/plain"}

    assert (await client.send("GET", "/v1/idps", headers=headers)).status_code == 200


async def _in_pieces(size: int) -> AsyncIterator[bytes]:
    for begin in range(0, size, 65536):
        yield b" " * min(65536, size - begin)


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_beyond_the_limit_is_refused(client: JsonClient, announced: bool) -> None:
    size = MAX_MESSAGE_BYTES + 1
    content: Any = b" " * size if announced else _in_pieces(size)

    refused = read_refusal(await client.send_text("POST", "/v1/idps", content))

    assert (refused.status, refused.code, refused.reason) == (413, 8, "MESSAGE_TOO_LARGE")


async def test_a_client_that_leaves_ends_its_call(instance: Instance, client: JsonClient) -> None:
    idp_id = await client.idp()
    with structlog.testing.capture_logs() as logs:
        async with given.locked_idp(instance.dsn, idp_id) as connection:
            call = asyncio.create_task(
                client.send("PUT", f"/v1/idps/{idp_id}", json={"name": "never"})
            )
            await given.waiting_for_a_lock(connection)

            call.cancel()
            await given.call_line(logs, code="CANCELLED")
            await given.nothing_waiting_for_a_lock(connection)

    assert (await client.call("GET", f"/v1/idps/{idp_id}"))["idp"]["name"] == "Provider"


async def test_a_client_that_leaves_in_the_middle_of_its_body_ends_its_call(
    instance: Instance, client: JsonClient
) -> None:
    with structlog.testing.capture_logs() as logs:
        _, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
        writer.write(
            f"POST /v1/idps HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {client.token}\r\n"
            'content-type: application/json\r\ncontent-length: 99\r\n\r\n{"name":'.encode()
        )
        await writer.drain()
        await client.call("GET", "/v1/users/me")  # the other call runs meanwhile
        writer.close()
        await given.call_line(logs, code="CANCELLED")

    assert not [entry for entry in logs if entry["log_level"] == "error"]


async def test_a_refusal_is_logged_like_a_call(nobody: JsonClient) -> None:
    with structlog.testing.capture_logs() as logs:
        refused = read_refusal(await nobody.send("GET", "/v1/nothing?token=secret"))
        entry = await given.call_line(logs, request_id=refused.request_id)

    assert entry["method"] == "GET /v1/nothing"
    assert (entry["code"], entry["reason"]) == ("NOT_FOUND", "PATH_NOT_FOUND")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (Kind.INVALID_ARGUMENT, 400), (Kind.DEADLINE_EXCEEDED, 504), (Kind.NOT_FOUND, 404),
        (Kind.ALREADY_EXISTS, 409), (Kind.PERMISSION_DENIED, 403), (Kind.RESOURCE_EXHAUSTED, 429),
        (Kind.FAILED_PRECONDITION, 400), (Kind.ABORTED, 409), (Kind.UNIMPLEMENTED, 501),
        (Kind.INTERNAL, 500), (Kind.UNAVAILABLE, 503), (Kind.UNAUTHENTICATED, 401),
    ],
)  # fmt: skip
def test_every_code_has_its_status(kind: Kind, status: int) -> None:
    answer = http_answer.failure(end_of_call(Failure(kind, "REASON", "Message."), "id", ()), ())

    assert answer.status == status


@pytest.mark.parametrize(("seconds", "shown"), [(1, "1"), (1.001, "2"), (0.2, "1"), (60, "60")])
def test_retry_after_is_in_whole_seconds(seconds: float, shown: str) -> None:
    failure = Failure(Kind.UNAVAILABLE, "R", "M.", retry_after=timedelta(seconds=seconds))

    answer = http_answer.failure(end_of_call(failure, "id", ()), ())

    assert httpx2.Headers(answer.headers)["retry-after"] == shown


async def test_the_options_of_the_whole_server_are_its_verbs(instance: Instance) -> None:
    async with web_client(instance.web_port) as http:
        answer = await http.request("OPTIONS", "/", extensions={"target": b"*"})

    assert answer.status_code == 204
    assert answer.headers["allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
