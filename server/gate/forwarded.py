"""The request that a proxy asks about, as the gate reads it."""

import functools
import re
from collections.abc import Sequence
from typing import Annotated, Final, Literal
from urllib.parse import quote

from pydantic import Field, StringConstraints

from server.validation.fields import Command

_DEFAULT_PORTS: Final = {"https": ":443", "http": ":80"}
# Characters of a path with a query that stay as they are.
_OF_PATHS: Final = "/%?[]@!$&'()*+,;=:"
# So that the sealed path fits into the parameter `state`.
_MAX_PATH: Final = 1200
_NOT_ALPHANUMERIC: Final = re.compile("[^a-z0-9]")


class ForwardedHttp(Command):
    """The parts of the request. Names of headers are in lower case."""

    method: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    scheme: Literal["https", "http"]
    host: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    path: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    headers: Annotated[tuple[tuple[str, str], ...], Field(max_length=1000)]

    @property
    def origin(self) -> str:
        """The origin as browsers write it."""
        return f"{self.scheme}://{self.host.lower().removesuffix(_DEFAULT_PORTS[self.scheme])}"

    @property
    def return_path(self) -> str:
        """The path for a redirect to the same origin; without a query that is too long."""
        if not self.path.startswith("/"):  # such as `*`
            return "/"
        path = quote(self.path, safe=_OF_PATHS)
        if len(path) > _MAX_PATH:
            path = path.partition("?")[0]
        return path if len(path) <= _MAX_PATH else "/"

    @property
    def asks_for_page(self) -> bool:
        """Whether a person asks for a page, rather than a program or a script of a page."""
        accepted = ",".join(self.values("accept")).lower()
        return self.method == "GET" and "text/html" in accepted

    @property
    def has_two_hosts(self) -> bool:
        """Whether a header names another host than the proxy forwards."""
        hosts = {*self.values("host"), *self.values(":authority")}
        return not hosts <= {self.host}

    def values(self, name: str) -> Sequence[str]:
        """The values of a header."""
        return [value for key, value in self.headers if key == name]

    def cookies(self, name: str) -> tuple[Sequence[str], str]:
        """The values of the cookies with this name, and a header `cookie` with all others."""
        found, others = [], []
        for value in self.values("cookie"):
            for cookie in value.split(";"):
                key, _, content = (cookie := cookie.strip()).partition("=")
                if key == name:
                    found.append(content)
                elif cookie:
                    others.append(cookie)
        return found, "; ".join(others)


class ForwardedRequest(Command):
    """The request."""

    http: ForwardedHttp


class AttributeContext(Command):
    """The attributes of a check."""

    request: ForwardedRequest


class Check(Command):
    """Decide about a request."""

    attributes: AttributeContext


@functools.lru_cache(4096)
def spelling(name: str) -> str:
    """The same text for all names that programs may take for one header.

    CGI and its successors give a program `HTTP_X_AUTH_REQUEST_USER` for `x-auth-request-user` and
    `x_auth_request_user` alike (RFC 3875, section 4.1.18), and some for further characters.
    """
    return _NOT_ALPHANUMERIC.sub("-", name.lower())
