"""The three transports as test clients: gRPC, grpc-web and JSON over HTTP.

Every transport returns the same `Answer`, so that answers are compared by `==`. Requests are sent
unchanged: the native transport takes any bytes, and JSON requests are built only from the
`google.api.http` options.

The transports differ in these points:

- JSON cannot express some messages: an empty identifier (`/v1/idps/` is another path), numbers
  that are not finite, instants outside the years 1 to 9999, paths of a field mask that camel case
  does not give back, more values than a JSON request may have. `InexpressibleError`.
- The path of GetUser with the id `me` is that of GetCurrentUser; no user has that id.
- An unknown field is skipped in protobuf, where newer clients send them, and refused in JSON, where
  it is a typo. Duplicate fields are merged in protobuf, by its rules, and refused in JSON.
- An unreadable request is MALFORMED_MESSAGE or MALFORMED_JSON, and a JSON value of the wrong type
  is an invalid field; the code is the same.
- An unknown path is UNIMPLEMENTED where paths are methods, and NOT_FOUND for JSON, where they are
  resources.
- Limits on size and depth apply to the encoding: JSON and protobuf have different numbers of bytes,
  and JSON counts nested objects where protobuf counts nested messages, three for each.
- gRPC itself ends, without details, calls whose client reached its deadline, messages beyond gRPC's
  own limit, and headers that are too large. HTTP also refuses the latter itself.
- Only gRPC reads compressed requests.
"""

import base64
import contextlib
import json
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self
from urllib.parse import quote, unquote, urlencode

import grpc
import httpx2
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from server.rpc.requests import OF_CALLERS
from server.validation.json_text import has_more_values
from tests.support import given, grpcweb_client
from tests.support.given import Instance, Refusal
from tests.support.web_client import web_client

Headers = Sequence[tuple[str, str]]

# The transports by name that carry protobuf, and those over HTTP.
PROTOBUF = ("gRPC", "grpc-web", "grpc-web in text")
WEB = ("grpc-web", "grpc-web in text", "JSON")

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
# HTTP has a more precise status for these.
_HTTP_STATUS_OF_REASON = {
    "ETAG_MISMATCH": 412,
    "IDEMPOTENCY_KEY_REUSED": 422,
    "MESSAGE_TOO_LARGE": 413,
}
# RFC 9470.
_CHALLENGE_OF_REASON = {
    "REAUTHENTICATION_REQUIRED": 'Bearer error="insufficient_user_authentication", max_age="600"'
}

_DETAILS = "grpc-status-details-bin"
_REQUEST_ID = "x-request-id"
# Sent in every answer of a deprecated method (RFC 9745, RFC 8594).
_ANNOUNCEMENTS = {"deprecation", "link", "sunset"}
_VARIABLE = re.compile(r"\{([\w.]+)\}")


class InexpressibleError(Exception):
    """JSON over HTTP cannot express this request."""


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
        """The failure, checked for the details that every failure must have."""
        return given.read_status(self.status)


@dataclass(frozen=True)
class Call:
    """A request, with the headers that the client sets itself."""

    method: MethodDescriptor
    request: Message
    headers: Headers = ()

    @property
    def path(self) -> str:
        """The path of the method."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    @property
    def response(self) -> type[Message]:
        """The type of the response."""
        return GetMessageClass(self.method.output_type)


class Transport(Protocol):
    """A transport."""

    async def answer(self, call: Call) -> Answer:
        """Makes the call. Raises `InexpressibleError` if the transport cannot express it."""


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

    def __init__(self, http: httpx2.AsyncClient, content_type: str) -> None:
        self._http = http
        self._content_type = content_type

    async def answer(self, call: Call) -> Answer:
        """Makes the call."""
        frame = grpcweb_client.frame(call.request.SerializeToString())
        return await self.send(call.path, frame, call.headers, call.response)

    async def send(
        self, path: str, body: bytes, headers: Headers, response: type[Message]
    ) -> Answer:
        """Sends any bytes as the body."""
        received = await self.post(path, body, headers)
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

    async def post(self, path: str, body: bytes, headers: Headers) -> httpx2.Response:
        """The response to these bytes, sent in base64 if that is the content type."""
        if "text" in self._content_type:
            body = base64.b64encode(body)
        headers = [("content-type", self._content_type), *headers]
        return await self._http.post(path, content=body, headers=headers)


class Json:
    """`application/json`, by the routes of the schema."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def answer(self, call: Call) -> Answer:
        """Makes the call. Raises `InexpressibleError` if JSON cannot express it."""
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
        """Sends any bytes as the body; path and query are sent unchanged."""
        received = await self.request(verb, target, body, headers)
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

    async def request(
        self, verb: str, target: str, body: bytes | None, headers: Headers
    ) -> httpx2.Response:
        """The response to such a request."""
        if body is not None:
            headers = [("content-type", "application/json"), *headers]
        return await self._http.request(
            verb, "/", content=body, headers=headers, extensions={"target": target.encode()}
        )


@dataclass(frozen=True)
class Transports:
    """All transports of one server."""

    native: Native
    grpc_web: GrpcWeb
    grpc_web_text: GrpcWeb
    json: Json

    @property
    def all(self) -> Mapping[str, Transport]:
        """The transports by name, the native one first."""
        return {
            "gRPC": self.native,
            "grpc-web": self.grpc_web,
            "grpc-web in text": self.grpc_web_text,
            "JSON": self.json,
        }

    @classmethod
    @contextlib.asynccontextmanager
    async def into(cls, channel: grpc.aio.Channel, web_port: int) -> AsyncIterator[Self]:
        """The transports of the server at a channel and a port."""
        async with web_client(web_port) as http:
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

    async def one_answer(self, call: Call, *, over: Collection[str] = ()) -> Answer:
        """The answer of all transports, or of those named, called in turn, which must agree.

        Raises `InexpressibleError` if JSON cannot express it, after the others were compared.
        """
        if not any(name == _REQUEST_ID for name, _ in call.headers):
            call = replace(call, headers=[(_REQUEST_ID, "one answer"), *call.headers])
        first, *others = over or self.all
        answer = await self.all[first].answer(call)
        for name in others:
            other = await self.all[name].answer(call)
            assert other == answer, (name, str(call.request)[:300], other, answer)
        return answer


def authorization(token: str) -> Headers:
    """The `authorization` header of a caller; none for a caller without a token."""
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
    if has_more_values(body, OF_CALLERS.values):
        raise InexpressibleError("a JSON request has fewer values")
    if rule.body == "*":
        return verb.upper(), path, body
    texts = {
        name: json.dumps(value) if isinstance(value, bool) else value
        for name, value in members.items()
    }
    query = urlencode(texts, doseq=True, quote_via=quote, safe="")
    return verb.upper(), f"{path}?{query}" if query else path, None


def _taken(request: Message, path: str) -> str:
    """The text of a variable in a path. Removes it from the request."""
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
    # A client would resolve a segment of dots as a relative one (RFC 3986, section 5.2.4).
    return quote(value, safe="").replace(".", "%2E")


def _status(code: grpc.StatusCode, message: str, trailers: Mapping[str, Any]) -> status_pb2.Status:
    """The status of a call, which must be the same in its three places."""
    if code is grpc.StatusCode.OK:
        assert not message
        assert _DETAILS not in trailers
        return status_pb2.Status()
    # A status that gRPC itself makes has no details.
    if _DETAILS not in trailers:
        return status_pb2.Status(code=code.value[0], message=message)
    status = status_pb2.Status.FromString(trailers[_DETAILS])
    assert (status.code, status.message) == (code.value[0], message)
    return status


def _announcements(headers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(headers[name]) for name in _ANNOUNCEMENTS if name in headers}


def _check_http(answer: Answer, received: httpx2.Response) -> None:
    """Checks status and headers of an HTTP response."""
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
