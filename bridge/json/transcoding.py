"""JSON over HTTP to the methods of the seam, by the routes that the schema declares."""

from collections.abc import Callable, Sequence
from functools import partial

from google.protobuf.message import Message
from starlette.types import Receive, Scope, Send

from bridge import cookies
from bridge.call import call_of
from bridge.json import codec, http_answer, refusals
from bridge.json.binding import Binding
from bridge.json.event_stream import EventStream, resume
from bridge.json.http_answer import HttpAnswer
from bridge.json.refusals import Refusal
from bridge.json.routing import Match, Router, routes_of
from bridge.media_types import JSON
from bridge.metadata import to_headers
from bridge.request_body import RequestBody
from server.rpc.call import Call, CallFailed
from server.rpc.methods import Methods
from server.rpc.requests import Read, RequestLimits, message_too_large

_ALL_VERBS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"


class Transcoder:
    """An ASGI application that answers the routes of the schema and refuses other requests."""

    def __init__(self, methods: Methods, is_page: Callable[[bytes], bool]) -> None:
        """`is_page`: a path is answered elsewhere."""
        self._methods = methods
        self._is_page = is_page
        self._cookies = cookies.effects(methods)
        routes = routes_of(methods.services)
        self._router = Router(routes)
        self._bindings = {route: Binding(route) for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._router.match(scope["method"], scope["raw_path"])
        if isinstance(found, Match):
            answer = await self._call(found, scope, RequestBody(receive), send)
        else:
            answer = self._refuse(scope, found)
        if answer is not None:
            await answer.send(send)

    def is_unknown(self, scope: Scope) -> bool:
        """Whether no verb is possible at the path of a request."""
        return (
            self._router.match(scope["method"], scope["raw_path"]) == ()
            and scope["path"] not in self._methods.by_path
            and not self._is_page(scope["raw_path"])
        )

    async def _call(
        self, found: Match, scope: Scope, body: RequestBody, send: Send
    ) -> HttpAnswer | None:
        """The answer of the method; None when it was sent, or the client has left."""
        binding = self._bindings[found.route]
        method = self._methods.by_path[binding.path].method
        call, failure = call_of(self._methods, method, scope)
        refusal = refusals.unreadable(found.route, scope["headers"])
        if refusal is None and failure is not None:
            refusal = Refusal(failure)
        if refusal is not None:
            return self._refused(call, refusal)
        read = partial(_read, binding, found, scope, body)
        with body:
            try:
                if binding.id_field is not None:
                    await self._stream(call, read, EventStream(call, send, binding.id_field))
                    return None
                message = await self._methods.answer(call, read)
            except CallFailed as failed:
                return http_answer.failure(failed.status, call.trailing_metadata)
            # Clients of JSON expect no trailers.
            headers = [*to_headers(call.trailing_metadata), (b"content-type", JSON)]
            if cookies.KEPT_IN_COOKIE in scope:
                headers += cookies.headers(self._cookies, call, message, scope)
            return HttpAnswer(200, headers, codec.of_message(message))
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

    def _refuse(self, scope: Scope, allowed: Sequence[str]) -> HttpAnswer:
        """The answer to a request that no route takes; its path is for the verbs `allowed`."""
        verb, path = scope["method"], scope["path"]
        if scope["raw_path"] == b"*":  # of the whole server (RFC 9110, section 9.3.7)
            return HttpAnswer(204, [(b"allow", _ALL_VERBS)], b"")
        is_method = path in self._methods.by_path
        if not allowed and self._is_page(scope["raw_path"]):
            allowed = ("GET", "HEAD")
        elif not allowed and is_method and verb != "POST":
            allowed = ("POST",)
        if allowed:
            verbs = ", ".join((*allowed, "OPTIONS"))
            if verb == "OPTIONS":
                return HttpAnswer(204, [(b"allow", verbs.encode())], b"")
            refusal = refusals.wrong_verb(verb, verbs)
        elif is_method:
            refusal = refusals.not_for_json(
                [route for route, binding in self._bindings.items() if binding.path == path]
            )
        else:
            refusal = Refusal(refusals.path_not_found(path))
        call, _ = call_of(self._methods, self._methods.method(f"{verb} {path}"), scope)
        return self._refused(call, refusal)

    def _refused(self, call: Call, refusal: Refusal) -> HttpAnswer:
        """Ends a call that reaches no method."""
        headers = (refusal.header,) if refusal.header else ()
        try:
            self._methods.refuse(call, refusal.failure)
        except CallFailed as failed:
            return http_answer.failure(failed.status, (*headers, *call.trailing_metadata))


async def _read(
    binding: Binding, found: Match, scope: Scope, body: RequestBody, limits: RequestLimits
) -> Message:
    """The request. Failure RESOURCE_EXHAUSTED when the body or the message is too large."""
    content = await body.whole(scope["headers"], limits.bytes)
    query = scope["query_string"]
    request = binding.request(found.values, query, content, limits)
    if request.ByteSize() > limits.bytes:  # 2 bytes of JSON can become 10
        raise message_too_large(limits.bytes)
    if binding.id_field is not None:
        resume(request, binding.id_field, scope["headers"])
    return request
