"""JSON over HTTP to the methods of the seam, by the routes that the schema declares."""

from collections.abc import Container
from dataclasses import dataclass
from functools import partial

from google.protobuf.message import Message
from starlette.types import Receive, Scope, Send

from bridge import cookies
from bridge.call import call_of
from bridge.json import http_answer, refusals
from bridge.json.binding import Binding
from bridge.json.event_stream import EventStream, id_field, resume
from bridge.json.http_answer import HttpAnswer
from bridge.json.refusals import Refusal
from bridge.json.routing import Match, Router, WrongVerb, routes_of
from bridge.request_body import RequestBody
from server.rpc.call import Call, CallFailed
from server.rpc.methods import Methods
from server.rpc.requests import Read, RequestLimits, message_too_large

_ALL_VERBS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """The target of a route. `path` is that of the method, `/package.Service/Method`.

    `id_field` is that of a method whose messages are sent as events.
    """

    path: str
    binding: Binding
    id_field: str | None


class Transcoder:
    """An ASGI application that answers the routes of the schema and refuses other requests."""

    def __init__(self, methods: Methods, pages: Container[str]) -> None:
        """RouteError when a route cannot be served. `pages` are paths answered elsewhere."""
        self._methods = methods
        self._pages = pages
        routes = routes_of(methods.services)
        self._cookies = cookies.effects(methods)
        self._router = Router(routes)
        self._endpoints = {}
        for route in routes:
            path = f"/{route.method.containing_service.full_name}/{route.method.name}"
            streams = route.method.server_streaming
            self._endpoints[route] = _Endpoint(
                path, Binding(route), id_field(route.method) if streams else None
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._router.match(scope["method"], scope["raw_path"])
        if isinstance(found, Match):
            answer = await self._call(found, scope, RequestBody(receive), send)
        else:
            answer = self._refuse(scope, found)
        if answer is None:
            return
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        )
        await send({"type": "http.response.body", "body": answer.body})  # not for HEAD, by uvicorn

    async def _call(
        self, found: Match, scope: Scope, body: RequestBody, send: Send
    ) -> HttpAnswer | None:
        """The answer of the method; None when it was sent, or the client has left."""
        endpoint = self._endpoints[found.route]
        call, failure = call_of(self._methods, endpoint.path, scope)
        refusal = refusals.unreadable(found.route, scope["headers"])
        if refusal is None and failure is not None:
            refusal = Refusal(failure)
        if refusal is not None:
            return self._refused(call, refusal)
        read = partial(_read, endpoint, found, scope, body)
        with body:
            try:
                if endpoint.id_field is not None:
                    await self._stream(call, read, EventStream(call, send, endpoint.id_field))
                    return None
                message = await self._methods.answer(call, read)
            except CallFailed as failed:
                return http_answer.failure(failed.status, call.trailing_metadata)
            headers = []
            if cookies.KEPT_IN_COOKIE in scope:
                headers = cookies.headers(self._cookies, call, message, scope)
            return http_answer.success(message, call.trailing_metadata, headers)
        return None

    async def _stream(self, call: Call, read: Read, events: EventStream) -> None:
        """Sends the answers of the method. CallFailed before the first one."""
        try:
            await self._methods.stream(call, read, events.write)
        except CallFailed as failed:
            if not events.has_started:
                raise
            await events.fail(failed.status)
        else:
            await events.succeed()

    def _refuse(self, scope: Scope, found: WrongVerb | None) -> HttpAnswer:
        """The answer to a request that no route takes."""
        verb, path = scope["method"], scope["path"]
        if scope["raw_path"] == b"*":  # of the whole server (RFC 9110, section 9.3.7)
            return HttpAnswer(204, [(b"allow", _ALL_VERBS)], b"")
        if found is None and scope["raw_path"].decode("latin-1") in self._pages:
            found = WrongVerb(("GET", "HEAD"))
        if found is None and path in self._methods.by_path and verb != "POST":
            found = WrongVerb(("POST",))
        if found is None:
            refusal = self._no_route(path)
        else:
            verbs = ", ".join((*found.allowed, "OPTIONS"))
            if verb == "OPTIONS":
                return HttpAnswer(204, [(b"allow", verbs.encode())], b"")
            refusal = refusals.wrong_verb(verb, verbs)
        call, _ = call_of(self._methods, f"{verb} {path}", scope)
        return self._refused(call, refusal)

    def _no_route(self, path: str) -> Refusal:
        if path not in self._methods.by_path:
            return refusals.unknown_path(path)
        return refusals.not_for_json(
            [route for route, endpoint in self._endpoints.items() if endpoint.path == path]
        )

    def _refused(self, call: Call, refusal: Refusal) -> HttpAnswer:
        """Ends a call that reaches no method."""
        headers = (refusal.header,) if refusal.header else ()
        try:
            self._methods.refuse(call, refusal.failure)
        except CallFailed as failed:
            return http_answer.failure(failed.status, (*headers, *call.trailing_metadata))


async def _read(
    endpoint: _Endpoint, found: Match, scope: Scope, body: RequestBody, limits: RequestLimits
) -> Message:
    """The request. Failure RESOURCE_EXHAUSTED when the body or the message is too large."""
    for name, value in scope["headers"]:
        if name == b"content-length" and int(value) > limits.bytes:
            raise message_too_large(limits.bytes)
    content = bytearray()
    while (chunk := await body.next_part()) is not None:
        content += chunk
        if len(content) > limits.bytes:
            raise message_too_large(limits.bytes)
    query = scope["query_string"]
    request = endpoint.binding.request(found.values, query, bytes(content), limits)
    if request.ByteSize() > limits.bytes:  # 2 bytes of JSON can become 10
        raise message_too_large(limits.bytes)
    if endpoint.id_field is not None:
        resume(request, endpoint.id_field, scope["headers"])
    return request
