"""The seam over the native port: statuses, request IDs, deadlines, undefined numbers of enums."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, NoReturn, cast

import grpc
import pytest
import structlog
from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from keystead.application.v1 import application_service_pb2 as application_pb
from keystead.idp.v1 import identity_provider_service_pb2 as pb
from keystead.idp.v1 import identity_provider_service_pb2_grpc as pb_grpc
from keystead.passkey.v1 import passkey_service_pb2 as passkey_pb
from keystead.smtp.v1 import smtp_service_pb2 as smtp_pb
from keystead.user.v1 import user_service_pb2 as user_pb
from server.access.tokens import TokenKind, new_token
from server.idp.service import IdentityProviderService
from server.rpc.call import AnyCall
from server.rpc.methods import Methods
from server.rpc.native import NativePort
from server.rpc.requests import MAX_STRANGERS_MESSAGE_BYTES
from server.values.errors import deadline_exceeded
from tests.application import calls as applications
from tests.conftest import MakeInstance
from tests.push import calls as pushes
from tests.support import given
from tests.support.given import Client, Instance

_GET_IDP = "/keystead.idp.v1.IdentityProviderService/GetIDP"
_UNKNOWN_METHODS = ["/keystead.idp.v1.IdentityProviderService/Nope", "/no.such.Service/Method"]


async def _nothing_yet() -> AsyncIterator[bytes]:
    """The requests of a stream that does not begin."""
    await asyncio.Event().wait()
    yield b""


# Errors


async def test_all_wrong_fields_are_named_at_once_by_their_json_names(admin: Client) -> None:
    request = smtp_pb.AddSMTPConfigRequest(sender_address="nobody", host="smtp", password="p")

    refused = await given.refusal(admin.call(admin.smtp.AddSMTPConfig, request))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "INVALID_FIELDS"
    assert refused.violations.keys() == {"senderAddress", "senderName", "host", "password"}
    assert "senderAddress, senderName, host, password" in refused.message


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
    message = b"x" * (MAX_STRANGERS_MESSAGE_BYTES + 1)
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


class _Tidying(IdentityProviderService):
    """A service that cleans up after its call has ended."""

    def __init__(self) -> None:
        self.began, self.tidies, self.may_end = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def GetIDP(self, _request: object, _context: object) -> NoReturn:  # noqa: N802
        self.began.set()
        try:
            await asyncio.Future()
        finally:
            self.tidies.set()
            await self.may_end.wait()
        raise AssertionError("nothing ends the future")


async def test_what_is_about_to_end_by_itself_does_not_keep_the_rest_from_being_cut_off() -> None:
    methods, late = given.seam(), _Tidying()
    async with _serving(late, methods) as client:
        over = asyncio.ensure_future(
            given.refusal(client.call(client.idps.GetIDP, pb.GetIDPRequest(), timeout=5))
        )
        await late.began.wait()
        (running,) = methods.running.calls  # its deadline, without waiting for it
        running.stop(deadline_exceeded())
        await late.tidies.wait()

        methods.running.cut_off()
        late.may_end.set()

        assert (await over).code is grpc.StatusCode.DEADLINE_EXCEEDED


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


class _Counting(IdentityProviderService):
    """A service that records the time left for its calls."""

    def __init__(self) -> None:
        self.seconds_left: list[float] = []

    async def GetIDP(self, _request: object, call: AnyCall) -> pb.GetIDPResponse:  # noqa: N802
        self.seconds_left.append(call.seconds_left)
        return pb.GetIDPResponse()


async def test_a_call_ends_before_its_clients_deadline_so_that_the_client_hears_why() -> None:
    service = _Counting()
    async with _serving(service) as client:
        await client.call(client.idps.GetIDP, pb.GetIDPRequest(), timeout=50)

    assert 40 < service.seconds_left[0] <= 50 - 0.02


# Arbitrary input


def _fields(message: Descriptor, *path: FieldDescriptor) -> Iterator[tuple[FieldDescriptor, ...]]:
    """The paths of all fields of a message and of its messages, as far as the API defines them."""
    for field in message.fields:
        yield (*path, field)
        if field.message_type and field.message_type.file.package.startswith("keystead."):
            yield from _fields(field.message_type, *path, field)


def _set(message: Message, path: tuple[FieldDescriptor, ...], value: object) -> None:
    *parents, field = path
    for parent in parents:
        message = getattr(message, parent.name)
    if field.is_repeated:
        getattr(message, field.name).append(value)
    else:
        setattr(message, field.name, value)


def _is_read(method: MethodDescriptor, field: FieldDescriptor) -> bool:
    """Whether the method reads the field: it is not of answers only, and a patch may change it."""
    behavior = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    unread = {field_behavior_pb2.OUTPUT_ONLY}
    if method.name.startswith("Patch"):
        unread.add(field_behavior_pb2.IMMUTABLE)
    return unread.isdisjoint(behavior)


_REQUESTS = [(method, path) for method in given.METHODS for path in _fields(method.input_type)]
_ENUMS = [
    pytest.param(method, path, id=f"{method.name}-{'.'.join(field.name for field in path)}")
    for method, path in _REQUESTS
    if path[-1].enum_type and all(_is_read(method, field) for field in path)
]


@pytest.fixture(scope="module")
async def garbage_bin(make_instance: MakeInstance) -> AsyncIterator["_GarbageBin"]:
    """A server with every object that a request can name."""
    async with make_instance() as instance:
        admin = instance.admin
        user = await given.user(admin)
        await admin.call(admin.smtp.AddSMTPConfig, given.smtp_config())
        begun = await user.call(
            user.passkeys.RegisterPasskey, passkey_pb.RegisterPasskeyRequest(user_id=user.user_id)
        )
        tokens = await user.call(
            user.users.ListTokens, user_pb.ListTokensRequest(user_id=user.user_id)
        )
        yield _GarbageBin(
            admin,
            {
                "user_id": user.user_id,
                "passkey_id": begun.passkey_id,
                "token_id": tokens.tokens[0].token_id,
                "idp_id": await given.idp(admin),
                "application_id": await applications.application(admin),
                "subscription_id": await pushes.subscription(admin),
                "url": "https://directory.example.com/keystead",
                "kind": application_pb.APPLICATION_KIND_WEB,
                "passkey_name": "Passkey",
                "name": "Name",
                "user_name": "name",
                "sender_address": "noreply@example.com",
                "sender_name": "Sender",
                "host": "smtp.example.com:25",
                "issuer": "https://login.example.com",
                "client_id": "keystead",
                "role": user_pb.ROLE_ORG_OWNER,
            },
        )


class _GarbageBin:
    """Accepts requests that are valid except for one field."""

    def __init__(self, admin: Client, values: dict[str, object]) -> None:
        self.admin = admin
        self._values = values

    def request(self, method: MethodDescriptor) -> Message:
        """A request that the method accepts."""
        request = GetMessageClass(method.input_type)()
        for path in _fields(method.input_type):
            depth = 2 if path[0].name in ("application", "idp", "subscription") else 1
            if path[-1].name in self._values and len(path) == depth:
                _set(request, path, self._values[path[-1].name])
            if path[-1].name == "public_key_credential":
                getattr(request, path[-1].name).update({"id": "x" * 55})
            if path[-1].name == "update_mask":
                getattr(request, path[-1].name).paths.append("*")
        return request


@pytest.mark.parametrize(("method", "path"), _ENUMS)
@pytest.mark.parametrize("number", [-1, 99, 2**31 - 1])
async def test_a_number_that_an_enum_does_not_define_is_refused(
    garbage_bin: _GarbageBin,
    method: MethodDescriptor,
    path: tuple[FieldDescriptor, ...],
    number: int,
) -> None:
    request = garbage_bin.request(method)
    _set(request, path, number)

    refused = await given.refusal(garbage_bin.admin.invoke(method, request))

    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations.keys() == {".".join(field.json_name for field in path)}
