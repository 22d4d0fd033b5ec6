"""`GET /gate/check`: the method Check of GateService for proxies that ask over HTTP.

For nginx (`auth_request`), Caddy (`forward_auth`) and others, which send the headers of the
client's request and copy headers of the answer. The proxy authenticates by `authorization`.

The rule: of the headers, only the proxy's token and the request id belong to the call. All others
are the client's, and a part of the request that the gate decides about.
"""

from functools import partial
from typing import Final

from starlette.types import Receive, Scope, Send

from bridge.call import call_of
from bridge.json import http_answer, refusals
from bridge.json.http_answer import HttpAnswer
from bridge.metadata import Headers, to_headers, values
from bridge.request_body import RequestBody
from keystead.gate.v1 import gate_service_pb2 as pb
from server.rpc.call import REQUEST_ID_HEADER, CallFailed
from server.rpc.methods import Methods
from server.rpc.requests import RequestLimits
from server.values.errors import Violation, invalid

PATH: Final = b"/gate/check"
_METHOD: Final = "/keystead.gate.v1.GateService/Check"
# For nginx, which takes no other answers than 2xx, 401 and 403.
_WITHOUT_302: Final = b"redirect=401"

# The field of each header of the proxy.
_FORWARDED: Final = {
    "method": b"x-forwarded-method",
    "scheme": b"x-forwarded-proto",
    "host": b"x-forwarded-host",
    "path": b"x-forwarded-uri",
}
# The headers that the proxy copies to the request for the application. All are in every answer, and
# empty if the application does not get them, so that none of the client's is left.
GIVEN: Final = (
    "authorization",
    "cookie",
    "x-auth-request-email",
    "x-auth-request-groups",
    "x-auth-request-user",
    "x-keystead-jwt",
)
_OF_CALL: Final = frozenset({b"authorization", REQUEST_ID_HEADER.encode()})
# `host` is that of this server.
_NOT_OF_CLIENT: Final = frozenset({*_OF_CALL, b"host", *_FORWARDED.values()})


class GateCheck:
    """The ASGI application of the path.

    It stands in front of the session cookie: cookies of the request are those of the application.
    """

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (answer := await self._answer(scope, RequestBody(receive))) is not None:
            await answer.send(send)

    async def _answer(self, scope: Scope, body: RequestBody) -> HttpAnswer | None:
        """The answer; None when the client has left."""
        of_call = [header for header in scope["headers"] if header[0] in _OF_CALL]
        method = self._methods.method(_METHOD)
        call, failure = call_of(self._methods, method, {**scope, "headers": of_call})
        allow = []
        if scope["method"] != "GET":
            failure = refusals.wrong_verb(scope["method"], "GET").failure
            allow.append((b"allow", b"GET"))
        with body:
            try:
                if failure is not None:
                    self._methods.refuse(call, failure)
                message = await self._methods.answer(call, partial(_read, scope, body))
            except CallFailed as failed:
                answer = http_answer.failure(failed.status, call.trailing_metadata)
                answer.headers.extend(allow)
                return answer
            answer = _answered(message, can_redirect=scope["query_string"] != _WITHOUT_302)
            answer.headers.extend(to_headers(call.trailing_metadata))
            return answer
        return None


async def _read(scope: Scope, body: RequestBody, limits: RequestLimits) -> pb.CheckRequest:
    """The request. `Failure` INVALID_ARGUMENT, RESOURCE_EXHAUSTED."""
    headers: Headers = scope["headers"]
    await body.whole(headers, limits.bytes)
    request = pb.CheckRequest()
    http = request.attributes.request.http
    forwarded = {field: values(headers, name) for field, name in _FORWARDED.items()}
    wrong = [
        Violation(_FORWARDED[field].decode(), "must be sent once by the proxy")
        for field, sent in forwarded.items()
        if len(sent) != 1
    ]
    if wrong:
        raise invalid(*wrong)
    for field, [value] in forwarded.items():
        setattr(http, field, value.decode("latin-1"))
    for name, value in headers:
        if name not in _NOT_OF_CLIENT:
            http.headers.add(key=name.decode("latin-1"), value=value.decode("latin-1"))
    return request


def _answered(message: pb.CheckResponse, *, can_redirect: bool) -> HttpAnswer:
    """The decision as HTTP."""
    if message.HasField("ok_response"):
        return _allowed(message.ok_response)
    denied = message.denied_response
    headers = [(each.header.key.encode(), each.header.value.encode()) for each in denied.headers]
    status = denied.status.code
    if status == 302 and not can_redirect:
        status = 401
    return HttpAnswer(status, headers, denied.body.encode())


def _allowed(allowed: pb.AllowedResponse) -> HttpAnswer:
    """The answer with the headers for the application.

    The proxy removes only headers of these names. So a request with another spelling of them is
    refused, unless the proxy had removed it before it asked.
    """
    foreign = set(allowed.headers_to_remove) - set(GIVEN)
    if foreign:
        text = f"The request has headers that only the gate gives: {', '.join(sorted(foreign))}.\n"
        return HttpAnswer(403, [(b"content-type", b"text/plain; charset=utf-8")], text.encode())
    given = dict.fromkeys(GIVEN, "")
    given.update((each.header.key, each.header.value) for each in allowed.headers)
    # In the bytes of the client.
    headers = [(name.encode(), value.encode("latin-1")) for name, value in given.items()]
    return HttpAnswer(200, headers, b"")
