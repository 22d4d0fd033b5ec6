"""The session cookie: only the bridge uses it, methods see a bearer token (decision 13).

- A browser's request without `authorization` that no other site can have caused gets the token of
  the cookie `__Host-keystead` as `authorization`. Every `cookie` header is removed.
- A method with the option `keystead.options.v1.session_cookie` sets or clears the cookie when it
  succeeds, if the call used the cookie or asks for it by `x-keystead-session: cookie`. Its answer
  then has no token that scripts could steal.

The rule: a request that another site can cause neither uses nor gets the cookie.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from starlette.types import ASGIApp, Receive, Scope, Send

from bridge.metadata import Headers, values
from bridge.origin import TrustedPages
from keystead.options.v1 import options_pb2
from server.rpc.call import Call
from server.rpc.methods import Methods

NAME: Final = "__Host-keystead"
# In the scope of a request that may use cookies: whether the call keeps its token in the cookie.
KEPT_IN_COOKIE: Final = "keystead.kept_in_cookie"
OPT_IN: Final = (b"x-keystead-session", b"cookie")
# A request with none of these headers neither uses nor gets a cookie.
_READ_HERE = {b"cookie", OPT_IN[0]}

# By the path of a method: makes the cookie that its answer sets, from the message.
Effects: TypeAlias = Mapping[str, Callable[[Any], str]]

ATTRIBUTES: Final = "Path=/; Secure; HttpOnly; SameSite=Lax"
_COOKIE = re.compile(rb"(?:^|;)\s*%b=([^;]*)" % NAME.encode())
_TOKEN = re.compile(rb"kss_[0-9A-Za-z_-]{1,256}")


class SessionCookies:
    """Wraps an application that sees no cookies, only `authorization`."""

    def __init__(self, application: ASGIApp, origins: Collection[str]) -> None:
        """`origins` are other origins whose pages may use the session."""
        self._application = application
        self._pages = TrustedPages(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if any(name in _READ_HERE for name, _ in scope["headers"]):
            scope = self._translated(scope)
        await self._application(scope, receive, send)

    def _translated(self, scope: Scope) -> Scope:
        sent: Headers = scope["headers"]
        headers = [header for header in sent if header[0] != b"cookie"]
        if not self._pages.made(scope["method"], headers):
            return {**scope, "headers": headers}
        kept = OPT_IN in headers
        token = None if values(headers, b"authorization") else _token(sent)
        if token is not None:
            headers.append((b"authorization", b"Bearer " + token))
            kept = True
        return {**scope, "headers": headers, KEPT_IN_COOKIE: kept}


def _token(headers: Headers) -> bytes | None:
    """The token of the cookie. None without a cookie, or with two, one of which is forged."""
    tokens = [
        token.strip() for value in values(headers, b"cookie") for token in _COOKIE.findall(value)
    ]
    return tokens[0] if len(tokens) == 1 and _TOKEN.fullmatch(tokens[0]) else None


def effects(methods: Methods) -> Effects:
    """The cookies of the methods that declare one."""
    pool = descriptor_pool.Default()
    found: dict[str, Callable[[Any], str]] = {}
    for service in methods.services:
        for method in pool.FindServiceByName(service).methods:
            path = f"/{service}/{method.name}"
            effect = method.GetOptions().Extensions[options_pb2.session_cookie]
            if effect == options_pb2.SESSION_COOKIE_SET:
                found[path] = _taken
            elif effect == options_pb2.SESSION_COOKIE_CLEARED:
                found[path] = _cleared
    return found


def headers(effects: Effects, call: Call, message: Message, scope: Scope) -> Headers:
    """The header `set-cookie` for the answer of a method, if the call keeps its token there.

    Then removes the token from the message.
    """
    effect = effects.get(call.method.path)
    if effect is None or call.validates_only or not scope.get(KEPT_IN_COOKIE, False):
        return []
    return [(b"set-cookie", effect(message).encode())]


def _taken(message: Any) -> str:
    """The cookie with the token of this message; removes the token from the message."""
    # Both times are the database's.
    lifetime = message.expires_at.ToDatetime() - message.details.change_date.ToDatetime()
    seconds = max(int(lifetime.total_seconds()), 0)
    cookie = f"{NAME}={message.session_token}; Max-Age={seconds}; {ATTRIBUTES}"
    message.ClearField("session_token")
    return cookie


def _cleared(_message: Message) -> str:
    return f"{NAME}=; Max-Age=0; {ATTRIBUTES}"
