"""The decisions of the gate, and the answers to people and programs that it refuses."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape
from typing import Final, TypeAlias

from server.oauth.refused.causes import Cause

_STYLE: Final = (
    "body{font:1.0625rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem;line-height:1.25}"
    "code{overflow-wrap:anywhere}"
)
_STYLE_HASH: Final = b64encode(sha256(_STYLE.encode()).digest()).decode()
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<p>{text}</p>
{link}</html>
"""
_LINK: Final = '<p><a href="{url}">Open the page again</a></p>\n'
_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'"
)
_OF_PAGES: Final = (
    ("content-type", "text/html; charset=utf-8"),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", _POLICY),
)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The request goes to the application: with these headers, and without those removed."""

    headers: Mapping[str, str] = field(repr=False)
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class Denied:
    """The proxy gives this answer instead of the application.

    `cause` is None if it begins a sign-in.
    """

    status: int
    headers: Sequence[tuple[str, str]] = field(repr=False)
    body: str = ""
    cause: Cause | None = None
    client_id: str = ""


Decision: TypeAlias = Allowed | Denied


def redirect(url: str, *, cookie: str = "") -> Denied:
    """A redirect, which may set a cookie."""
    further = [("set-cookie", cookie)] if cookie else []
    return Denied(302, [("location", url), ("cache-control", "no-store"), *further])


def sign_in_needed(origin: str) -> Denied:
    """The answer to a program: RFC 9110 requires a challenge, and no scheme can be met."""
    headers = [
        ("www-authenticate", "Keystead-Gate"),
        ("content-type", "text/plain; charset=utf-8"),
        ("cache-control", "no-store"),
    ]
    body = f"Sign in with a browser at {origin}/, and send the cookie.\n"
    return Denied(401, headers, body, Cause.SIGN_IN_NEEDED)


def with_request_id(denied: Denied, request_id: str) -> Denied:
    """The page with the ID by which the administrator of the application finds the refusal."""
    shown = f"<p>Request ID: <code>{escape(request_id)}</code></p>\n</html>"
    return replace(denied, body=denied.body.replace("</html>", shown))


def page(status: int, cause: Cause, title: str, text: str, *, url: str = "") -> Denied:
    """A page for a person, which may link to the page that was asked for."""
    link = _LINK.format(url=escape(url)) if url else ""
    body = _PAGE.format(title=escape(title), style=_STYLE, text=escape(text), link=link)
    return Denied(status, _OF_PAGES, body, cause)
