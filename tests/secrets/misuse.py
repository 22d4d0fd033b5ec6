"""Secrets in wrong places, and invalid requests that contain secrets."""

import asyncio
import contextlib
from collections.abc import Sequence

from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.secrets.client import Client
from tests.secrets.tokens import Tokens
from tests.support import grpcweb_client, http2
from tests.support.raw_http import Connection
from tests.support.transports import Headers, Transport, authorization

_GET = "/keystead.smtp.v1.SMTPService/GetSMTPConfig"
_ADD = "/keystead.smtp.v1.SMTPService/AddSMTPConfig"
_JSON = ("content-type", "application/json")


async def of_tokens(client: Client, transport: Transport, tokens: Tokens) -> None:
    """Ended tokens, tokens of the wrong kind, and tokens in wrong places."""
    me, password = user_pb.GetCurrentUserRequest(), client.marks.password
    assert await client.send(transport, "GetCurrentUser", me, by=tokens.used)
    for token in (tokens.revoked, tokens.expired, f"{tokens.used}0", tokens.used[:-1]):
        assert await client.send(transport, "GetCurrentUser", me, by=token) is None
    assert await client.send(transport, "GetCurrentUser", me, by=tokens.registration) is None
    assert await client.send(transport, "AddSMTPConfig", client.config(), by=tokens.used) is None
    two = ("authorization", f"Bearer {tokens.used}")
    assert await client.send(transport, "GetCurrentUser", me, two) is None
    for token in (tokens.used, tokens.registration, tokens.link, password):
        named = user_pb.CreateUserRequest(user_name=f" {token}", email=token)
        assert await client.send(transport, "CreateUser", named) is None
        listed = user_pb.ListUsersRequest(page_token=token)
        assert await client.send(transport, "ListUsers", listed) is None
    verified = passkey_pb.VerifyPasskeyRegistrationRequest(
        user_id=tokens.user_id, passkey_id=tokens.passkey_id, passkey_name="Key"
    )
    verified.public_key_credential.update(
        dict.fromkeys(("id", "rawId", "type", password), password)
        | {"response": {"clientDataJSON": password, "attestationObject": password}}
    )
    method = "VerifyPasskeyRegistration"
    assert await client.send(transport, method, verified, by=tokens.registration) is None
    for name in ("GetUser", "RemoveUser"):
        request = getattr(user_pb, f"{name}Request")(user_id=client.marks.misplaced)
        assert await client.send(transport, name, request) is None
    begin = passkey_pb.RegisterPasskeyRequest(user_id=tokens.user_id, code=tokens.link)
    assert await client.send(transport, "RegisterPasskey", begin) is None
    assert await client.send(transport, "GetCurrentUser", me, by=tokens.link) is None
    foreign = ("x-service-orgid", client.marks.misplaced)
    assert await client.send(transport, "ListUsers", user_pb.ListUsersRequest(), foreign) is None


async def in_headers(client: Client, tokens: Tokens) -> None:
    """Unknown and unreadable headers."""
    password, misplaced = client.marks.password, client.marks.misplaced
    for headers in (
        [("cookie", f"token={tokens.used}"), ("referer", f"http://x/?{tokens.used}")],
        [("authorization", f"Basic {password}")],
        [("authorization", password)],
        [("x-service-orgid", ""), ("x-anything", password)],
        [("grpc-timeout", password)],
        [("anything-bin", f"{password}!")],
        [("x-request-id", f"\xff{password}")],
        [("content-encoding", password)],
        [("content-type", f"application/{password}")],
        [(f"x-{misplaced}", "x"), (f"x-{misplaced}-bin", "!")],
        [("origin", f"http://{misplaced}"), ("x-forwarded-for", misplaced)],
    ):
        for path in (_ADD, "/v1/smtp"):
            for content_type in ("application/grpc-web", "application/json"):
                await _post(client, path, b"{}", [("content-type", content_type), *headers])


async def in_urls(client: Client, tokens: Tokens) -> None:
    """Secrets in paths and queries, of existing and unknown resources."""
    password, misplaced = client.marks.password, client.marks.misplaced
    for target in (
        f"/v1/users?{misplaced}=1",
        f"/v1/users?pageToken={password}",
        f"/v1/users/me?access_token={tokens.used}",
        f"/v1/smtp?password={password}&token={tokens.used}",
        f"/v1/smtp?password={password}%ff",
        f"/v1/users/{misplaced}",
        f"/v1/users/{misplaced}/tokens/{misplaced}",
        f"/v1/users/{misplaced}%ff",
        f"/{misplaced}",
        f"/%0a{misplaced}",
        f"/{misplaced}/Get",
        f"/openapi.json/{misplaced}",
        f"/metrics?{misplaced}={password}",
        f"/docs/{misplaced}",
    ):
        for verb in ("GET", "DELETE", "POST", "OPTIONS"):
            await client.request(verb, target, b"", [_JSON])
        await _post(client, target, b"", [("content-type", "application/grpc-web")])
    for path in (f"/{misplaced}/Get", f"/keystead.smtp.v1.SMTPService/{misplaced}"):
        answer = await client.transports.native.send(path, b"", [], smtp_pb.GetSMTPConfigResponse)
        client.answers.codes.add(answer.code)
        client.answers.add(str(answer).encode())


async def in_bodies(client: Client) -> None:
    """Invalid messages that contain the password."""
    password, misplaced = client.marks.password, client.marks.misplaced
    for text in (
        f'{{"password": "{password}"',
        f'{{"password": "{password}",}}',
        f'{{"password": {password}}}',
        f'{{"password": "{password}\\x"}}',
        f'{{"password": "{password}\\ud800"}}',
        f'{{"password": "{password}", "password": "{password}"}}',
        f'{{"password": ["{password}"]}}',
        f'{{"tls": "{password}", "host": {{"{misplaced}": "{password}"}}}}',
        f'{{"{misplaced}": "{password}", "details": "{password}"}}',
        f'"{password}"',
        f"[{password}]",
        password,
        "[" * 5000 + password,
    ):
        await _post(client, "/v1/smtp", text.encode(), [_JSON])
    latin = f'{{"password": "{password}'.encode() + b"\xff"
    await _post(client, "/v1/smtp", latin, [_JSON])
    await client.request("GET", "/v1/smtp", password.encode(), [_JSON])
    for message in (
        b"\xff" + password.encode(),
        b"\x32\x7f" + password.encode(),
        b"\x32\x21" + password.encode() + b"\xff",
        b"\xfa\x07\x20" + password.encode(),  # an unknown field
    ):
        add = smtp_pb.AddSMTPConfigResponse
        headers = authorization(client.instance.admin.token)
        for transport in (
            client.transports.native,
            client.transports.grpc_web,
            client.transports.grpc_web_text,
        ):
            sent = (
                message if transport is client.transports.native else grpcweb_client.frame(message)
            )
            client.answers.add(str(await transport.send(_ADD, sent, headers, add)).encode())
    whole = grpcweb_client.frame(password.encode())
    for body in (whole[:-1], whole * 2, password.encode(), b"\x01" + whole[1:]):
        for content_type in ("application/grpc-web", "application/grpc-web-text"):
            await _post(client, _ADD, body, [("content-type", content_type)])


async def in_http(client: Client, tokens: Tokens) -> None:
    """Bytes that are refused before they form a request."""
    password, misplaced = client.marks.password, client.marks.misplaced
    for head in (
        f"GET /{misplaced} HTTP/9.9",
        f"{misplaced} / HTTP/1.1\r\nHost: x",
        f"GET /v1/smtp HTTP/1.1\r\nAuthorization: Bearer {tokens.used}",
        f"GET {misplaced} HTTP/1.1\r\nHost: x",
        f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\n{misplaced} : {password}",
        f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {password}",
        f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nContent-Length: {password}",
        f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {password}\0",
        f"GET /v1/smtp HTTP/1.1\r\nHost: x\r\nX: {password * 1000}",
        f"GET /?{password * 300} HTTP/1.1\r\nHost: x",
        f"CONNECT {misplaced}:1 HTTP/1.1\r\nHost: x",
    ):
        client.answers.add(await asyncio.to_thread(_exchange, client, f"{head}\r\n\r\n".encode()))


async def in_http2(client: Client) -> None:
    """Metadata of the native port that is not text, or not metadata."""
    mark, misplaced = client.marks.undecodable.encode(), client.marks.misplaced.encode()
    token = f"Bearer {client.marks.undecodable}".encode()
    for path, headers in (
        (_GET.encode(), [(b"authorization", token + b"\xff")]),
        (_GET.encode(), [(b"x-request-id", mark + b"\xff")]),
        (_GET.encode(), [(b"x-" + misplaced + b"\xff", b"x")]),
        (_GET.encode(), [(b"authorization", token + b"\n")]),
        (_GET.encode(), [(b"anything-bin", mark + b"!")]),
        (_GET.encode(), [(b"grpc-timeout", mark)]),
        (_GET.encode(), [(b"grpc-encoding", mark)]),
        (_GET.encode(), [(b"content-type", mark)]),
        (b"/" + mark + b"/\xff", []),
    ):
        client.answers.add(await _call_in_http2(client.instance.port, path, headers))


async def _call_in_http2(port: int, path: bytes, headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """The payloads that the server sends until the call or the connection ends."""
    block = http2.call(path) + b"".join(http2.literal(*header) for header in headers)
    received = b""
    async with http2.connected(port) as connection:
        connection.writer.write(
            http2.header_frames(block, stream=1)
            + http2.frame(http2.DATA, http2.END_STREAM, 1, http2.EMPTY_MESSAGE)
        )
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                arrived = await connection.next_frame()
                received += arrived.payload
                if arrived.kind == http2.GOAWAY or arrived.ends_stream:
                    break
    return received


def _exchange(client: Client, request: bytes) -> bytes:
    with Connection(client.instance.web_port) as connection:
        connection.send(request)
        answer = connection.answer()
        return repr(answer).encode()


async def _post(client: Client, target: str, body: bytes, headers: Headers) -> None:
    await client.request("POST", target, body, headers)
