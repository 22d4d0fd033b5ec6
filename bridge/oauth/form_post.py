"""The page that posts an authorization response to the application (OAuth 2.0 Form Post)."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Final
from urllib.parse import urlsplit

from bridge.json.http_answer import HttpAnswer

_SCRIPT: Final = "document.forms[0].submit()"
_SCRIPT_HASH: Final = b64encode(sha256(_SCRIPT.encode()).digest()).decode()
# The button is for browsers without scripts.
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keystead</title>
<form method="post" action="{action}">
{inputs}
<noscript><button>Continue</button></noscript>
</form>
<script>{script}</script>
</html>
"""
_INPUT: Final = '<input type="hidden" name="{name}" value="{value}">'
_POLICY: Final = (
    "default-src 'none'; script-src 'sha256-{script}'; form-action {target};"
    " frame-ancestors 'none'; base-uri 'none'"
)


def page(redirect_uri: str, parameters: Mapping[str, str]) -> HttpAnswer:
    """The page with a form of the parameters, which its script submits."""
    inputs = (
        _INPUT.format(name=escape(name), value=escape(value))
        for name, value in sorted(parameters.items())
    )
    body = _PAGE.format(action=escape(redirect_uri), inputs="\n".join(inputs), script=_SCRIPT)
    policy = _POLICY.format(script=_SCRIPT_HASH, target=_origin(redirect_uri))
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"referrer-policy", b"no-referrer"),
        (b"content-security-policy", policy.encode()),
    ]
    return HttpAnswer(200, headers, body.encode())


def _origin(uri: str) -> str:
    """The origin of a registered URI as a source of a policy.

    The scheme alone for a private one, and for an IPv6 address, which policies cannot express.
    """
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https") or "[" in parts.netloc:
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"
