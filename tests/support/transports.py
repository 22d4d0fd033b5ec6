"""The three ways in, and what comes out: gRPC, grpc-web and JSON over HTTP.

Every way gives the same `Answer`, so that two of them are compared by `==`. Requests leave as they
are given: the native transport takes any bytes, JSON is put together from the schema's
`google.api.http` alone.

What the ways cannot have in common, with the reason:

- JSON has no words for some messages: an empty identifier (`/v1/idps/` is another path), numbers
  that are not finite, instants outside the years 1 to 9999, paths of a field mask that camel case
  does not give back. `InexpressibleError`.
- The path of GetUser with the id `me` is that of GetCurrentUser; no user has that id.
- An unknown field is skipped in protobuf, where newer clients send them, and refused in JSON, where
  it is a typo. What comes twice is merged in protobuf, as its rules are, and refused in JSON.
- What cannot be read is MALFORMED_MESSAGE or MALFORMED_JSON, and a JSON value of the wrong type is
  an invalid field; the code is the same.
- A path that names no method is UNIMPLEMENTED where paths are methods, and NOT_FOUND for JSON,
  where they are resources.
- The limits on size and depth count what was sent: bytes of JSON are others than those of protobuf,
  and where JSON counts objects within one another, protobuf counts messages, three for each.
- gRPC itself, without details, ends what a client of it gives up at its own deadline, messages
  larger than twice the limit and headers that are too large; the latter HTTP refuses itself, too.
- Only gRPC reads compressed requests.
"""

import base64
import contextlib
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self
from urllib.parse import quote, unquote, urlencode

import grpc
import httpx
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from tests.support import given, grpcweb_client
from tests.support.given import Instance, Refusal

Headers = Sequence[tuple[str, str]]

# From the code, as google/rpc/code.proto has it.
HTTP_STATUS = {
    grpc.StatusCode.OK: 200,
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DATA_LOSS: 500,
    grpc.StatusCode.UNAUTHENTICATED: 401,
}
# HTTP has a more precise one for these.
_HTTP_STATUS_OF_REASON = {"MESSAGE_TOO_LARGE": 413}
# RFC 9470.
_CHALLENGE_OF_REASON = {
    "REAUTHENTICATION_REQUIRED": 'Bearer error="insufficient_user_authentication", max_age="600"'
}

_DETAILS = "grpc-status-details-bin"
_REQUEST_ID = "x-request-id"
# Said in every answer of a deprecated method (RFC 9745, RFC 8594).
_ANNOUNCEMENTS = {"deprecation", "link", "sunset"}
_VARIABLE = re.compile(r"\{([\w.]+)\}")


class InexpressibleError(Exception):
    """JSON over HTTP has no words for this request."""


@dataclass(frozen=True)
class Answer:
    """How a call ended: `status` is empty for success, `response` is None for a failure."""

    status: status_pb2.Status
    response: Message | None
    request_id: str
    announcements: Mapping[str, str]

    @property
    def code(self) -> grpc.StatusCode:
        """The code of the status."""
        return next(code for code in grpc.StatusCode if code.value[0] == self.status.code)

    @property
    def refusal(self) -> Refusal:
        """The failure, checked for what every failure must have."""
        trailers = grpc.aio.Metadata((_DETAILS, self.status.SerializeToString()))
        return given.read_refusal(
            grpc.aio.AioRpcError(
                self.code, grpc.aio.Metadata(), trailers, details=self.status.message
            )
        )


@dataclass(frozen=True)
class Call:
    """What a client sends; the headers are those that it sets itself."""

    method: MethodDescriptor
    request: Message
    headers: Headers = ()

    @property
    def path(self) -> str:
        """Of the method."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    @property
    def response(self) -> type[Message]:
        """The type of what comes back."""
        return GetMessageClass(self.method.output_type)


class Transport(Protocol):
    """A way to call a method."""

    async def answer(self, call: Call) -> Answer:
        """Makes the call. `InexpressibleError` if it cannot be said this way."""


class Native:
    """`application/grpc`."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def answer(self, call: Call) -> Answer:
        """Makes the call."""
        return await self.send(
            call.path, call.request.SerializeToString(), call.headers, call.response
        )

    async def send(
        self, path: str, message: bytes, headers: Headers, response: type[Message]
    ) -> Answer:
        """Sends any bytes as the message."""
        method: Any = self._channel.unary_unary(path)
        sent = method(message, metadata=headers)
        received: bytes | None = None
        with contextlib.suppress(grpc.aio.AioRpcError):
            received = await sent
        trailing = dict(await sent.trailing_metadata())
        status = _status(await sent.code(), str(await sent.details()), trailing)
        return Answer(
            status,
            None if received is None else response.FromString(received),
            str(trailing.get(_REQUEST_ID, "")),
            _announcements(trailing),
        )


class GrpcWeb:
    """`application/grpc-web`, by its full content type."""

    def __init__(self, http: httpx.AsyncClient, content_type: str) -> None:
        self._http = http
        self._content_type = content_type

    async def answer(self, call: Call) -> Answer:
        """Makes the call."""
        frame = grpcweb_client.frame(call.request.SerializeToString())
        return await self.send(call.path, frame, call.headers, call.response)

    async def send(
        self, path: str, body: bytes, headers: Headers, response: type[Message]
    ) -> Answer:
        """Sends any bytes as the body, in base64 if that is the content type."""
        if "text" in self._content_type:
            body = base64.b64encode(body)
        headers = [("content-type", self._content_type), *headers]
        received = await self._http.post(path, content=body, headers=headers)
        assert received.status_code == 200
        assert received.headers["content-type"] == self._content_type
        answer = grpcweb_client.Answer.of(received)
        message = unquote(str(answer.status.get("grpc-message", "")), errors="strict")
        (frame,) = answer.messages or (None,)
        return Answer(
            _status(answer.code, message, answer.status),
            None if frame is None else response.FromString(frame),
            str(answer.status.get(_REQUEST_ID, "")),
            _announcements(received.headers),
        )


class Json:
    """`application/json`, by the routes of the schema."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def answer(self, call: Call) -> Answer:
        """Makes the call. `InexpressibleError` if JSON has no words for it."""
        verb, target, body = http_request(call.method, call.request)
        return await self.send(verb, target, body, call.headers, call.response)

    async def send(
        self,
        verb: str,
        target: str,
        body: bytes | None,
        headers: Headers,
        response: type[Message],
    ) -> Answer:
        """Sends any bytes as the body; path and query as they are."""
        if body is not None:
            headers = [("content-type", "application/json"), *headers]
        received = await self._http.request(
            verb, "/", content=body, headers=headers, extensions={"target": target.encode()}
        )
        assert received.headers["content-type"] == "application/json"
        value = received.json()
        status, message = status_pb2.Status(), None
        if received.is_success:
            message = json_format.ParseDict(value, response())
        else:
            json_format.ParseDict(value, status)
            assert json_format.MessageToDict(status) == value
        answer = Answer(
            status,
            message,
            received.headers[_REQUEST_ID],
            _announcements(received.headers),
        )
        _check_http(answer, received)
        return answer


@dataclass(frozen=True)
class Transports:
    """All ways into one server."""

    native: Native
    grpc_web: GrpcWeb
    grpc_web_text: GrpcWeb
    json: Json

    @property
    def all(self) -> Mapping[str, Transport]:
        """By name, the native one first."""
        return {
            "gRPC": self.native,
            "grpc-web": self.grpc_web,
            "grpc-web in text": self.grpc_web_text,
            "JSON": self.json,
        }

    @classmethod
    @contextlib.asynccontextmanager
    async def into(cls, channel: grpc.aio.Channel, web_port: int) -> AsyncIterator[Self]:
        """The transports of the server behind a channel and a port."""
        url = f"http://127.0.0.1:{web_port}"
        async with httpx.AsyncClient(base_url=url, timeout=30) as http:
            yield cls(
                Native(channel),
                GrpcWeb(http, "application/grpc-web+proto"),
                GrpcWeb(http, "application/grpc-web-text+proto"),
                Json(http),
            )

    @classmethod
    def of(cls, instance: Instance) -> contextlib.AbstractAsyncContextManager[Self]:
        """The transports of an instance."""
        return cls.into(instance.channel, instance.web_port)

    async def one_answer(self, call: Call) -> Answer:
        """What every transport answers, one after the other; they must all say the same.

        `InexpressibleError` if JSON has no words for it, and the others were compared.
        """
        if not any(name == _REQUEST_ID for name, _ in call.headers):
            call = replace(call, headers=[(_REQUEST_ID, "one answer"), *call.headers])
        (_, native), *others = self.all.items()
        first = await native.answer(call)
        for name, transport in others:
            assert await transport.answer(call) == first, name
        return first


def authorization(token: str) -> Headers:
    """The header of a caller; none for a caller without a token."""
    return [("authorization", f"Bearer {token}")] if token else []


def http_request(method: MethodDescriptor, request: Message) -> tuple[str, str, bytes | None]:
    """Verb, path with query, and body, as google/api/http.proto has them.

    `InexpressibleError` if there are none.
    """
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    rest = type(request)()
    rest.CopyFrom(request)
    path = _VARIABLE.sub(lambda found: _taken(rest, found[1]), getattr(rule, verb))
    try:
        members = json_format.MessageToDict(rest)
        body = json.dumps(members, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, json_format.SerializeToJsonError) as error:
        raise InexpressibleError(str(error)) from None
    if json_format.ParseDict(members, type(request)()) != rest:
        raise InexpressibleError("JSON would say something else")
    if rule.body == "*":
        return verb.upper(), path, body
    query = urlencode(members, quote_via=quote, safe="")
    return verb.upper(), f"{path}?{query}" if query else path, None


def _taken(request: Message, path: str) -> str:
    """The text of a variable in a path; the request is left without it."""
    *parents, name = path.split(".")
    for parent in parents:
        request = getattr(request, parent)
    value = getattr(request, name)
    request.ClearField(name)
    enum = request.DESCRIPTOR.fields_by_name[name].enum_type
    if enum is not None:
        known = enum.values_by_number.get(value)
        return known.name if known else str(value)
    if not value:
        raise InexpressibleError(f"{path} is empty")
    # A segment of dots alone would be taken for a relative one (RFC 3986, section 5.2.4).
    return quote(value, safe="").replace(".", "%2E")


def _status(code: grpc.StatusCode, message: str, trailers: Mapping[str, Any]) -> status_pb2.Status:
    """The status of a call, which must say the same in its three places."""
    if code is grpc.StatusCode.OK:
        assert not message
        assert _DETAILS not in trailers
        return status_pb2.Status()
    # One that gRPC itself makes has no details.
    if _DETAILS not in trailers:
        return status_pb2.Status(code=code.value[0], message=message)
    status = status_pb2.Status.FromString(trailers[_DETAILS])
    assert (status.code, status.message) == (code.value[0], message)
    return status


def _announcements(headers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(headers[name]) for name in _ANNOUNCEMENTS if name in headers}


def _check_http(answer: Answer, received: httpx.Response) -> None:
    """Checks what HTTP says beside the body."""
    details = {detail.TypeName(): detail for detail in answer.status.details}
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    if "google.rpc.ErrorInfo" in details:
        details["google.rpc.ErrorInfo"].Unpack(info)
    expected = _HTTP_STATUS_OF_REASON.get(info.reason, HTTP_STATUS[answer.code])
    assert received.status_code == expected
    is_unauthenticated = answer.code is grpc.StatusCode.UNAUTHENTICATED
    challenge = _CHALLENGE_OF_REASON.get(info.reason, "Bearer") if is_unauthenticated else None
    assert received.headers.get("www-authenticate") == challenge
    if "google.rpc.RetryInfo" in details:
        details["google.rpc.RetryInfo"].Unpack(retry)
        assert int(received.headers["retry-after"]) >= retry.retry_delay.ToTimedelta().seconds
    else:
        assert "retry-after" not in received.headers
