"""The seam over the native port: statuses, request IDs, deadlines."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from typing import Any, NoReturn, cast

import grpc
import pytest
import structlog
from google.protobuf.message_factory import GetMessageClass

from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from server.access.tokens import TokenKind, new_token
from server.idp.service import IdentityProviderService
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.rpc.requests import MAX_ANONYMOUS_MESSAGE_BYTES
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.given import Client, Instance

_GET_IDP = "/keystead.idp.v1.IdentityProviderService/GetIDP"
_UNKNOWN_METHODS = ["/keystead.idp.v1.IdentityProviderService/Nope", "/no.such.Service/Method"]


async def _nothing_yet() -> AsyncIterator[bytes]:
    """The requests of a stream that does not begin."""
    await asyncio.Event().wait()
    yield b""


# Errors


@pytest.mark.parametrize("path", _UNKNOWN_METHODS)
@pytest.mark.parametrize("arity", ["unary_unary", "unary_stream", "stream_unary", "stream_stream"])
async def test_an_unknown_method_is_unimplemented_however_it_is_called(
    instance: Instance, path: str, arity: str
) -> None:
    # A stream without messages: if the refusal arrives during a message, grpc.aio's client reports
    # the failed send.
    request: Any = b"" if arity.startswith("unary") else _nothing_yet()
    call = getattr(instance.channel, arity)(path)(request)

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await (call.read() if arity.endswith("stream") else call)

    refused = given.read_refusal(error.value)
    assert refused.code is grpc.StatusCode.UNIMPLEMENTED
    assert refused.reason == "METHOD_NOT_IMPLEMENTED"


@pytest.mark.parametrize(
    ("arity", "path"),
    [
        ("unary_unary", "/grpc.health.v1.Health/Check"),
        ("unary_stream", "/grpc.health.v1.Health/Watch"),
        ("stream_stream", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"),
    ],
)
async def test_little_is_read_where_everybody_may_call(
    instance: Instance, arity: str, path: str
) -> None:
    message = b"x" * (MAX_ANONYMOUS_MESSAGE_BYTES + 1)
    request = [message] if arity.startswith("stream") else message
    call = getattr(instance.channel, arity)(path)(request)

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await (call.read() if arity.endswith("stream") else call)

    assert given.read_refusal(error.value).reason == "MESSAGE_TOO_LARGE"


class _Broken(IdentityProviderService):
    """A service with a mistake in every answer."""

    def __init__(self, mistake: Exception) -> None:
        self._mistake = mistake

    async def GetIDP(self, _request: object, _context: object) -> NoReturn:  # noqa: N802
        raise self._mistake


@contextlib.asynccontextmanager
async def _serving(
    servicer: pb_grpc.IdentityProviderServiceServicer, methods: Methods | None = None
) -> AsyncIterator[Client]:
    """A server with only this service, and a caller who may call it."""
    methods = methods or given.seam()
    pb_grpc.add_IdentityProviderServiceServicer_to_server(servicer, cast(grpc.aio.Server, methods))
    native = NativePort(methods, "127.0.0.1:0", shared=False)
    async with native.serving(), grpc.aio.insecure_channel(f"127.0.0.1:{native.port}") as channel:
        yield Client(channel, new_token(TokenKind.USER))


async def test_an_unexpected_mistake_is_logged_with_its_request_id() -> None:
    mistake = KeyError("select password from secrets")
    with structlog.testing.capture_logs() as logs:
        async with _serving(_Broken(mistake)) as client:
            refused = await given.refusal(client.call(client.idps.GetIDP, pb.GetIDPRequest()))
            call = await given.call_line(logs, request_id=refused.request_id)

    [unexpected] = [line for line in logs if line["event"] == "unexpected error"]
    assert unexpected["exc_info"] is mistake
    assert unexpected["request_id"] == refused.request_id
    assert (call["method"], call["code"], call["log_level"]) == (_GET_IDP, "INTERNAL", "error")


async def test_the_log_says_who_called_what_and_how_it_ended(admin: Client) -> None:
    request = smtp_pb.AddSMTPConfigRequest(sender_name="Name", host="smtp", password="hunter2")
    with structlog.testing.capture_logs() as logs:
        refused = await given.refusal(admin.call(admin.smtp.AddSMTPConfig, request))
        call = await given.call_line(logs, request_id=refused.request_id)
        plain = await given.user(admin)
        get = plain.call(plain.smtp.GetSMTPConfig, smtp_pb.GetSMTPConfigRequest())
        denied = await given.call_line(logs, request_id=(await given.refusal(get)).request_id)

    assert (denied["code"], denied["user_id"]) == ("PERMISSION_DENIED", plain.user_id)
    assert call["method"] == "/keystead.smtp.v1.SMTPService/AddSMTPConfig"
    assert (call["code"], call["reason"]) == ("INVALID_ARGUMENT", "INVALID_FIELDS")
    assert call["user_id"] == admin.user_id
    assert call["fields"] == ["senderAddress", "host", "password"]
    assert "hunter2" not in repr(logs)
    assert admin.token not in repr(logs)


# Request IDs


async def test_every_call_without_one_gets_its_own(instance: Instance) -> None:
    nobody = instance.nobody
    calls = [nobody.call(nobody.channel.unary_unary(path), b"") for path in _UNKNOWN_METHODS * 5]

    request_ids = {(await given.refusal(call)).request_id for call in calls}

    assert len(request_ids) == len(calls)
    assert all(re.fullmatch(r"[0-9a-f]{32}", request_id) for request_id in request_ids)


# Deprecation


async def test_other_methods_are_not_deprecated(admin: Client) -> None:
    for method in given.UNARY_METHODS:
        if method.name != "UpdateIDP":
            call = admin.with_token("").invoke(method, GetMessageClass(method.input_type)())
            trailing = await call.trailing_metadata()
            assert not {"deprecation", "link", "sunset"} & dict(trailing).keys()


# Deadlines


@pytest.fixture(scope="module")
async def impatient(make_instance: MakeInstance) -> AsyncIterator[Instance]:
    """A server with a default deadline of one second."""
    async with make_instance(default_timeout=1) as instance:
        yield instance


def _update(client: Client, idp_id: str, timeout: float | None = None) -> Any:
    request = pb.UpdateIDPRequest(idp_id=idp_id, name="Renamed")
    return client.call(client.idps.UpdateIDP, request, timeout=timeout)


@pytest.mark.parametrize("end", ["deadline of the server", "deadline of the client", "hang-up"])
async def test_the_statement_of_a_call_ends_with_it(impatient: Instance, end: str) -> None:
    idp_id = await given.idp(impatient.admin)
    async with given.locked_idp(impatient.dsn, idp_id) as holder:
        call = _update(impatient.admin, idp_id, 2 if end == "deadline of the client" else None)
        await given.waiting_for_a_lock(holder)

        if end == "hang-up":
            call.cancel()
        else:
            assert await call.code() is grpc.StatusCode.DEADLINE_EXCEEDED

        await given.nothing_waiting_for_a_lock(holder)


async def test_a_call_may_set_a_longer_deadline_than_the_servers(impatient: Instance) -> None:
    idp_id = await given.idp(impatient.admin)
    async with given.locked_idp(impatient.dsn, idp_id) as holder:
        patient = _update(impatient.admin, idp_id, timeout=50)
        await given.waiting_for_a_lock(holder)
        refused = await given.refusal(_update(impatient.admin, idp_id))
        assert refused.reason == "DEADLINE_EXCEEDED"
        await given.waiting_for_a_lock(holder)

    assert (await patient).details.sequence
