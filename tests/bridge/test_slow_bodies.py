"""A call is executed with the rights that its caller has when a slow body is complete."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Self

import pytest
from google.protobuf.message import Message

from keystead.idp.v1 import identity_provider_service_pb2 as idp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from tests.support import given
from tests.support.given import METHOD, Client, Instance
from tests.support.grpcweb_client import frame
from tests.support.transports import http_request
from tests.user import calls

Change = Callable[[Client, Client], Awaitable[object]]
Ask = Callable[[Client, Client], Awaitable[Message]]


@dataclass(frozen=True)
class _Answer:
    status: int
    grpc_status: int | None


class _SlowCall:
    """A request whose head was sent, and whose body the server waits for."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._body = body

    @classmethod
    @contextlib.asynccontextmanager
    async def begun(
        cls, instance: Instance, caller: Client, request: Message, *, over: str
    ) -> AsyncIterator[Self]:
        """A call of the method with this request."""
        name = request.DESCRIPTOR.name.removesuffix("Request")
        verb, path, body = http_request(METHOD[name], request)
        content_type = "application/json"
        if over == "grpc-web":
            service = METHOD[name].containing_service.full_name
            verb, path, body = "POST", f"/{service}/{name}", frame(request.SerializeToString())
            content_type = "application/grpc-web+proto"
        assert body
        reader, writer = await asyncio.open_connection("127.0.0.1", instance.web_port)
        try:
            writer.write(
                f"{verb} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {caller.token}\r\n"
                f"content-type: {content_type}\r\ncontent-length: {len(body)}\r\n"
                "expect: 100-continue\r\n\r\n".encode()
            )
            # The server asks for the body after it has identified the caller.
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
            yield cls(reader, writer, body)
        finally:
            writer.close()

    async def answer(self) -> _Answer:
        """Sends the body."""
        self._writer.write(self._body)
        status_line, *headers = (await self._reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        named = dict(header.split(b": ", 1) for header in headers if header)
        grpc_status = named.get(b"grpc-status")
        return _Answer(int(status_line.split()[1]), int(grpc_status) if grpc_status else None)


async def _owner(admin: Client) -> Client:
    return await given.user(admin, roles=[user_pb.ROLE_ORG_OWNER])


async def _token_revoked(admin: Client, caller: Client) -> None:
    (token,) = await calls.tokens(admin, caller.user_id)
    await calls.revoke_token(admin, caller.user_id, token.token_id)


async def _role_revoked(admin: Client, caller: Client) -> None:
    await calls.revoke(admin, caller.user_id, user_pb.ROLE_ORG_OWNER)


async def _removed(admin: Client, caller: Client) -> None:
    await calls.remove(admin, caller.user_id)


async def _to_create_a_token_for_another(admin: Client, caller: Client) -> Message:
    org_id = (await calls.get(admin, caller.user_id)).details.resource_owner
    other = await calls.create(admin, org_id=org_id)
    return user_pb.CreateTokenRequest(user_id=other.user_id)


async def _to_update_an_idp(_admin: Client, caller: Client) -> Message:
    return idp_pb.UpdateIDPRequest(idp_id=await given.idp(caller), name="Renamed")


@pytest.mark.parametrize("over", ["json", "grpc-web"])
@pytest.mark.parametrize("ask", [_to_create_a_token_for_another, _to_update_an_idp])
@pytest.mark.parametrize(
    ("change", "http_status", "grpc_status"),
    [(_token_revoked, 401, 16), (_removed, 401, 16), (_role_revoked, 403, 7)],
)
async def test_a_right_that_is_lost_while_a_body_arrives_is_gone(
    instance: Instance, change: Change, http_status: int, grpc_status: int, ask: Ask, over: str
) -> None:
    admin = instance.admin
    caller = await _owner(admin)
    request = await ask(admin, caller)
    async with _SlowCall.begun(instance, caller, request, over=over) as call:
        await change(admin, caller)

        answer = await call.answer()

    assert answer == (_Answer(http_status, None) if over == "json" else _Answer(200, grpc_status))


@pytest.mark.parametrize("over", ["json", "grpc-web"])
async def test_a_body_that_comes_slowly_is_taken(instance: Instance, over: str) -> None:
    caller = await _owner(instance.admin)
    request = await _to_update_an_idp(instance.admin, caller)

    async with _SlowCall.begun(instance, caller, request, over=over) as call:
        answer = await call.answer()

    assert answer == _Answer(200, None)
