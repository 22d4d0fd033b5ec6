"""The ASGI applications of the endpoints and of the discovery documents."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from google.protobuf.message import Message as ProtobufMessage
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.call import call_of
from bridge.http.protocol import THUMBPRINT
from bridge.json.http_answer import HttpAnswer
from bridge.media_types import FORM, essence
from bridge.metadata import Headers, to_headers, values
from bridge.oauth import answers, refusals
from bridge.oauth.endpoints import ENDPOINTS, OAuthEndpoint
from bridge.request_body import RequestBody
from server.rpc.call import REQUEST_ID_HEADER, CallFailed
from server.rpc.methods import Methods
from server.rpc.requests import RequestLimits, message_too_large
from server.values.errors import Failure

# In form encoding, a request has up to three times the size of its message.
# Programs that were given the issuer with a slash at its end ask for the second one.
_OF_ISSUER: Final = b"/.well-known/openid-configuration"
_OF_ISSUER_WITH_SLASH: Final = b"/" + _OF_ISSUER
_MAX_BODY_BYTES: Final = 64 * 1024
_EXPOSED: Final = f"{REQUEST_ID_HEADER}, retry-after, www-authenticate"
_ORIGINS: Final[Headers] = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _EXPOSED.encode()),
]
_PREFLIGHT: Final[Headers] = [
    # The last one is of MCP clients, with the requests for the discovery documents.
    (b"access-control-allow-headers", b"authorization, content-type, mcp-protocol-version"),
    (b"access-control-max-age", b"7200"),  # the maximum in Chromium
]


class OAuth:
    """Answers the endpoints and the discovery documents.

    They stand in front of the session cookie: they see no token of a session.
    """

    def __init__(self, methods: Methods, documents: Sequence[Route]) -> None:
        """`documents` are those of `discovery.py`."""
        self._methods = methods
        endpoints = {each.path: partial(self._endpoint, each) for each in ENDPOINTS}
        discovery = {each.path: partial(self._document, each) for each in documents}
        self.by_path: dict[bytes, ASGIApp] = {
            path.encode(): answer for path, answer in {**endpoints, **discovery}.items()
        }
        self.by_path[_OF_ISSUER_WITH_SLASH] = self.by_path[_OF_ISSUER]

    async def _endpoint(
        self, endpoint: OAuthEndpoint, scope: Scope, receive: Receive, send: Send
    ) -> None:
        answer = await self._answer(endpoint, _without_session(scope), RequestBody(receive))
        await _send(answer, send, crosses_origins=endpoint.cross_origin)

    async def _document(self, document: Route, scope: Scope, receive: Receive, send: Send) -> None:
        if (refusal := self._unless(("GET", "HEAD"), scope)) is not None:
            await _send(refusal, send, crosses_origins=True)
        else:
            await document.app(scope, receive, _crossing_origins(send))

    async def _answer(
        self, endpoint: OAuthEndpoint, scope: Scope, body: RequestBody
    ) -> HttpAnswer | None:
        """The answer of the endpoint; None when the client has left."""
        if (refusal := self._unless(endpoint.verbs, scope)) is not None:
            return refusal
        call, failure = call_of(self._methods, self._methods.method(endpoint.call_path), scope)
        with body:
            try:
                if failure is not None:
                    self._methods.refuse(call, failure)
                message = await self._methods.answer(call, partial(_read, endpoint, scope, body))
            except CallFailed as failed:
                answer = endpoint.refused(failed.status, scope["headers"])
            else:
                answer = endpoint.answered(message)
            answer.headers.extend(to_headers(call.trailing_metadata))
            return answer
        return None

    def _unless(self, verbs: Sequence[str], scope: Scope) -> HttpAnswer | None:
        """The answer to a request with another verb than these; None for one of them."""
        verb = scope["method"]
        if verb in verbs:
            return None
        allowed = ", ".join((*verbs, "OPTIONS"))
        headers = [(b"allow", allowed.encode())]
        if verb == "OPTIONS":
            return HttpAnswer(204, headers, b"")
        call, _ = call_of(self._methods, self._methods.method(f"{verb} {scope['path']}"), scope)
        try:
            self._methods.refuse(call, refusals.wrong_verb(verb, allowed))
        except CallFailed as failed:
            answer = answers.client_error(failed.status, scope["headers"])
            answer.headers.extend([*headers, *to_headers(call.trailing_metadata)])
            return answer


async def _read(
    endpoint: OAuthEndpoint, scope: Scope, body: RequestBody, limits: RequestLimits
) -> ProtobufMessage:
    """The request. `Failure` INVALID_ARGUMENT, RESOURCE_EXHAUSTED."""
    headers = scope["headers"]
    text = await body.whole(headers, _MAX_BODY_BYTES)
    if not endpoint.ignores_body:
        if scope["method"] == "GET":
            text = scope["query_string"]
        elif (refusal := _unreadable(scope)) is not None:
            raise refusal
    request = endpoint.read(text, headers, limits)
    if request.ByteSize() > limits.bytes:
        raise message_too_large(limits.bytes)
    return request


def _unreadable(scope: Scope) -> Failure | None:
    """The refusal of a POST that is no form, or that has parameters elsewhere."""
    types = values(scope["headers"], b"content-type")
    codings = values(scope["headers"], b"content-encoding")
    if len(types) != 1 or essence(types[0]) != FORM or codings not in ([], [b"identity"]):
        return refusals.not_a_form()
    return refusals.in_query() if scope["query_string"] else None


def _without_session(scope: Scope) -> Scope:
    """The request without what browsers attach to the requests of every site."""
    headers = [header for header in scope["headers"] if header[0] != b"cookie"]
    kept = {name: value for name, value in scope.items() if name != THUMBPRINT}
    return {**kept, "headers": headers}


async def _send(answer: HttpAnswer | None, send: Send, *, crosses_origins: bool) -> None:
    if answer is None:
        return
    if crosses_origins:
        answer.headers.extend(_ORIGINS)
        if answer.status == 204:
            allowed = dict(answer.headers)[b"allow"]
            answer.headers.extend([*_PREFLIGHT, (b"access-control-allow-methods", allowed)])
    await answer.send(send)


def _crossing_origins(send: Send) -> Send:
    """Sends the headers that let every origin read the answer."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *_ORIGINS]}
        await send(message)

    return sent
