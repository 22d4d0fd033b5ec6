"""JSON over HTTP to the wrapped handlers of the seam, by the routes that the schema declares."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import NoReturn

from google.protobuf.message import Message
from starlette.types import Receive, Scope, Send

from bridge import cookies
from bridge.context import CallEnded, Context
from bridge.json import http_answer, refusals
from bridge.json.binding import Binding
from bridge.json.http_answer import HttpAnswer
from bridge.json.refusals import Refusal
from bridge.json.routing import Match, Router, WrongVerb, routes_of
from bridge.metadata import Headers
from bridge.request_body import RequestBody
from server.rpc.methods import Handler, Methods, Unread, message_too_large


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """What a route leads to. `path` is that of the method, `/package.Service/Method`."""

    path: str
    handler: Handler
    binding: Binding


class Transcoder:
    """An application that answers the routes of the schema, and refuses all else."""

    def __init__(self, methods: Methods, pages: Collection[str]) -> None:
        """RouteError when a route cannot be served. `pages` are paths that others answer to GET."""
        self._methods = methods
        self._pages = pages
        routes = routes_of(methods.services)
        handlers = cookies.handlers(methods)
        self._router = Router(routes)
        self._endpoints = {}
        for route in routes:
            path = f"/{route.method.containing_service.full_name}/{route.method.name}"
            self._endpoints[route] = _Endpoint(path, handlers[path], Binding(route))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        context, body = Context(scope), RequestBody(receive)
        try:
            answer = await self._answer(scope, context, body)
        except CallEnded as ended:
            answer = http_answer.failure(ended.status, context)
        except asyncio.CancelledError:
            if body.is_abandoned:
                return
            raise
        finally:
            body.unwatch()
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        )
        await send({"type": "http.response.body", "body": answer.body})  # not for HEAD, by uvicorn

    async def _answer(self, scope: Scope, context: Context, body: RequestBody) -> HttpAnswer:
        """CallEnded for every status but OK, CancelledError when the client has left."""
        verb, path = scope["method"], scope["path"]
        found = self._router.match(verb, scope["raw_path"])
        if isinstance(found, Match):
            return await self._call(found, scope, context, body)
        if found is None and scope["raw_path"].decode("latin-1") in self._pages:
            found = WrongVerb(("GET", "HEAD"))
        if found is None and path in self._methods.by_path and verb != "POST":
            found = WrongVerb(("POST",))
        if found is None:
            refusal = self._nowhere(path)
        else:
            verbs = ", ".join((*found.allowed, "OPTIONS"))
            if verb == "OPTIONS":
                return HttpAnswer(204, [(b"allow", verbs.encode())], b"")
            refusal = refusals.wrong_verb(verb, verbs)
        return await self._refuse(f"{verb} {path}", context, refusal)

    async def _call(
        self, found: Match, scope: Scope, context: Context, body: RequestBody
    ) -> HttpAnswer:
        """The answer of the method."""
        endpoint, headers = self._endpoints[found.route], scope["headers"]
        if refusal := refusals.unreadable(found.route, headers):
            await self._refuse(endpoint.path, context, refusal)
        if context.refusal:
            await self._refuse(endpoint.path, context, Refusal(context.refusal))

        async def read(most_bytes: int) -> Message:
            # Only now, for what a stranger sends is neither kept nor looked at.
            content = await _content(headers, body, most_bytes)
            return endpoint.binding.request(found.values, scope["query_string"], content)

        unread = Unread(read, has_arrived=False)
        return http_answer.success(await endpoint.handler.unary_unary(unread, context), context)

    def _nowhere(self, path: str) -> Refusal:
        if path not in self._methods.by_path:
            return refusals.unknown_path(path)
        return refusals.not_for_json(
            [route for route, endpoint in self._endpoints.items() if endpoint.path == path]
        )

    async def _refuse(self, path: str, context: Context, refusal: Refusal) -> NoReturn:
        """CallEnded always."""
        if refusal.header:
            context.headers = (refusal.header,)
        await self._methods.refuse(path, context, refusal.failure)
        raise AssertionError("a call over HTTP ends by CallEnded")


async def _content(headers: Headers, body: RequestBody, most_bytes: int) -> bytes:
    """The whole body. Failure RESOURCE_EXHAUSTED when it is larger than this."""
    for name, value in headers:
        if name == b"content-length" and int(value) > most_bytes:
            raise message_too_large(most_bytes)
    content = bytearray()
    while (chunk := await body.next_part()) is not None:
        content += chunk
        if len(content) > most_bytes:
            raise message_too_large(most_bytes)
    return bytes(content)
