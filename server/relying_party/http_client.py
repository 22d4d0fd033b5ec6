"""HTTP requests to providers, with bounded answers.

The rule: https only; a name is resolved once, and the connection goes to the checked address (DNS
rebinding); redirects are not followed; a decompressed answer has at most 256 KiB, or as many bytes
as its caller takes; a whole request takes at most five seconds.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx2

from server.net.http_requests import (
    HostConnection,
    RequestFailedError,
    content_of,
    context_of,
    explained,
    https_url,
    resolved,
)
from server.net.resolve import Network
from server.relying_party.reasons import ProviderError, Reason
from server.telemetry.tracing import span
from server.validation import json_text

MAX_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Options of all requests; `timeout` in seconds."""

    allowed_networks: Sequence[Network] = ()
    ca_file: Path | None = None
    timeout: float = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a host to a request."""

    host: str
    status: int
    content: bytes
    # With names in lower case.
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def json(self) -> dict[str, Any]:
        """The JSON object. `ProviderError` NOT_JSON."""
        try:
            value = json_text.loads(self.content)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise ProviderError(Reason.NOT_JSON, "The provider did not answer with a JSON object.")
        return value

    def unexpected_status(self) -> ProviderError:
        """The error if the status does not belong to the protocol."""
        observed = f"{self.host} answered with status {self.status}."
        return ProviderError(Reason.UNEXPECTED_STATUS, observed)


class Connections:
    """Requests that share their connections: `async with Connections(options) as connections`.

    Requests for two names never share one, even if both names have the same address: the
    certificate was verified for the first name.
    """

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._connections: dict[tuple[str, int | None], HostConnection] = {}
        self._closing = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._closing.aclose()

    async def get(self, url: str, *, bearer: str = "", max_bytes: int = MAX_BYTES) -> Answer:
        """Reads a resource; any status but 200 is an error. `ProviderError`."""
        headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
        answer = await self._exchange("GET", url, headers, max_bytes=max_bytes)
        if answer.status != 200:
            raise answer.unexpected_status()
        return answer

    async def post(
        self, url: str, *, form: Mapping[str, str], headers: Mapping[str, str]
    ) -> Answer:
        """Posts a form. `ProviderError`."""
        return await self._exchange("POST", url, headers, form)

    async def _exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        form: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> Answer:
        named, seconds = _https_url(url), self._options.timeout
        until = asyncio.get_running_loop().time() + seconds
        with span("identity provider"):
            async with _explained(named.host, seconds):
                connection = await self._connection(named)
                request = httpx2.Request(
                    method,
                    named,
                    data=form,
                    headers={
                        **headers,
                        "accept": "application/json",
                        "accept-encoding": "identity",
                    },
                )
                response = await connection.send(request, until)
                async with contextlib.aclosing(response):
                    return await _read(response, named.host, max_bytes)

    async def _connection(self, url: httpx2.URL) -> HostConnection:
        """The connection for requests to this name and port. The name is checked each time."""
        addresses = await resolved(url, self._options.allowed_networks)
        connection = self._connections.get((url.host, url.port))
        if connection is None or not connection.is_usable:
            context = context_of(self._options.ca_file, purpose="identity providers")
            connection = HostConnection(url, addresses, context)
            self._closing.push_async_callback(connection.close)
            self._connections[url.host, url.port] = connection
        return connection


async def get(url: str, options: ClientOptions, *, max_bytes: int = MAX_BYTES) -> Answer:
    """Reads a resource with a connection of its own; any status but 200 is an error.

    `ProviderError`.
    """
    async with Connections(options) as connections:
        return await connections.get(url, max_bytes=max_bytes)


def _https_url(url: str) -> httpx2.URL:
    if (parsed := https_url(url)) is not None:
        return parsed
    raise ProviderError(Reason.METADATA_INVALID, "The provider names a URL that is not of https.")


async def _read(response: httpx2.Response, host: str, max_bytes: int) -> Answer:
    if response.is_redirect:
        raise ProviderError(Reason.REDIRECTED, f"{host} redirects to another address.")
    content = await content_of(response, host, max_bytes=max_bytes)
    return Answer(host, response.status_code, content, response.headers)


@contextlib.asynccontextmanager
async def _explained(host: str, seconds: float) -> AsyncIterator[None]:
    """Limits the time, and converts errors to `ProviderError`."""
    try:
        async with explained(host, seconds):
            yield
    except RequestFailedError as error:
        raise ProviderError(Reason(error.reason), error.observed, advice=error.advice) from None
