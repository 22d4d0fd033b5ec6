"""The session cookie: the bridge alone knows it, methods see a bearer token (decision 31).

- A request of a browser that no other site can have caused, and that has no `authorization`, gets
  that of the cookie `__Host-keystead`. Every `cookie` header ends here.
- The successful answer of a method with the option `keystead.options.v1.session_cookie` sets or
  clears the cookie, and then holds no token for scripts to steal, in a call that came by the cookie
  or asks for it: `x-keystead-session: cookie`.

The rule: a request that another site can cause neither uses nor gets the cookie.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.metadata import Headers
from keystead.options.v1 import options_pb2
from server.rpc.methods import Methods

NAME: Final = "__Host-keystead"
# In the scope of a call that keeps the token of its session in the cookie.
KEPT_IN_COOKIE: Final = "keystead.kept_in_cookie"
OPT_IN: Final = (b"x-keystead-session", b"cookie")

# The cookie that the answer of a method sets, by its path; made of the message.
Effects: TypeAlias = Mapping[str, Callable[[Any], str]]

_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax"
_TOKEN = re.compile(rb"kss_[0-9A-Za-z_-]{1,256}")
# A form sends none of these, and a script of another origin only after a preflight (Fetch, "CORS-
# safelisted request-header").
_CONTENT_TYPES = {
    b"application/json",
    b"application/grpc-web",
    b"application/grpc-web+proto",
    b"application/grpc-web-text",
    b"application/grpc-web-text+proto",
}
_METHODS_WITHOUT_CONTENT = {"GET", "HEAD", "DELETE"}
# Where browsers accept a cookie with `Secure` without TLS.
_LOOPBACK = re.compile(rb"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?")


class DeclarationError(Exception):
    """A method of the schema declares a session cookie that its answer cannot set."""


class SessionCookies:
    """An application behind which there are no cookies, only `authorization`."""

    def __init__(self, application: ASGIApp, origins: Collection[str]) -> None:
        """`origins` are those of other pages that may use the session."""
        self._application = application
        self._origins = {origin.encode() for origin in origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = self._translated(scope)
        await self._application(scope, receive, send)

    def _translated(self, scope: Scope) -> Scope:
        sent: Headers = scope["headers"]
        headers = [header for header in sent if header[0] != b"cookie"]
        if not self._is_ours(scope["method"], headers):
            return {**scope, "headers": headers}
        kept = OPT_IN in headers
        token = None if _values(headers, b"authorization") else _token(sent)
        if token is not None:
            headers.append((b"authorization", b"Bearer " + token))
            kept = True
        return {**scope, "headers": headers, KEPT_IN_COOKIE: kept}

    def _is_ours(self, method: str, headers: Headers) -> bool:
        """Whether a page of ours made the request, and no form or script of another site."""
        return _cannot_be_a_form(method, headers) and self._is_of_our_page(headers)

    def _is_of_our_page(self, headers: Headers) -> bool:
        origins = _values(headers, b"origin")
        if not origins:
            # Without Origin in a GET to the page's own server; see Fetch Metadata.
            return _values(headers, b"sec-fetch-site") == [b"same-origin"]
        return len(origins) == 1 and (origins[0] in self._origins or _is_own(origins[0], headers))


def _cannot_be_a_form(method: str, headers: Headers) -> bool:
    content_types = _values(headers, b"content-type")
    if not content_types:
        # A form's POST always has one, but a script's POST of no content has not.
        return method in _METHODS_WITHOUT_CONTENT
    essence = content_types[0].partition(b";")[0].strip().lower()
    return len(content_types) == 1 and essence in _CONTENT_TYPES


def _is_own(origin: bytes, headers: Headers) -> bool:
    """Whether the origin is that of the host which the request is for.

    By https always, whatever a proxy in front says of itself: over plain HTTP no browser sends the
    cookie to another host than its own machine.
    """
    hosts = _values(headers, b"host")
    if len(hosts) != 1:
        return False
    host = hosts[0].lower()
    if origin == b"https://" + host:
        return True
    return _LOOPBACK.fullmatch(host) is not None and origin == b"http://" + host


def _token(headers: Headers) -> bytes | None:
    """The token of the cookie. None without one, and for two, of which one is not ours."""
    cookies = (
        cookie.strip().partition(b"=")
        for value in _values(headers, b"cookie")
        for cookie in value.split(b";")
    )
    tokens = [value for name, _, value in cookies if name == NAME.encode()]
    return tokens[0] if len(tokens) == 1 and _TOKEN.fullmatch(tokens[0]) else None


def _values(headers: Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def effects(methods: Methods) -> Effects:
    """The cookies of the methods that declare one. DeclarationError for a method that cannot."""
    pool = descriptor_pool.Default()
    found: dict[str, Callable[[Any], str]] = {}
    for service in methods.services:
        for method in pool.FindServiceByName(service).methods:
            path = f"/{service}/{method.name}"
            effect = method.GetOptions().Extensions[options_pb2.session_cookie]
            if effect == options_pb2.SESSION_COOKIE_SET:
                if not {"session_token", "expiry_date"} <= set(method.output_type.fields_by_name):
                    raise DeclarationError(
                        f"{path} sets the session cookie, but its response has no session_token and"
                        " expiry_date: correct its (keystead.options.v1.session_cookie)"
                    )
                found[path] = _taken
            elif effect == options_pb2.SESSION_COOKIE_CLEARED:
                found[path] = _cleared
    return found


def headers(effects: Effects, path: str, message: Message, scope: Scope) -> Headers:
    """The header of a cookie in the answer of a method, if the caller keeps its session in one.

    The message then no longer has the token.
    """
    effect = effects.get(path)
    if effect is None or not scope.get(KEPT_IN_COOKIE, False):
        return []
    return [(b"set-cookie", effect(message).encode())]


def _taken(message: Any) -> str:
    """The cookie of the token of this message, which no longer has it."""
    left = message.expiry_date.ToDatetime(UTC) - datetime.now(UTC)
    seconds = max(int(left.total_seconds()), 0)
    cookie = f"{NAME}={message.session_token}; Max-Age={seconds}; {_ATTRIBUTES}"
    message.ClearField("session_token")
    return cookie


def _cleared(_message: Message) -> str:
    return f"{NAME}=; Max-Age=0; {_ATTRIBUTES}"
