"""HTTP requests to providers, with bounded answers.

The rule: https only; a name is resolved once, and the connection goes to the checked address (DNS
rebinding); redirects are not followed; a decompressed answer has at most 256 KiB; a whole request
takes at most five seconds.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx2

from server.idp.relying_party.reasons import ProviderError, Reason
from server.net import tls
from server.net.resolve import Address, Network, UnresolvedError, resolve
from server.telemetry.tracing import span
from server.validation import json_text

MAX_BYTES = 256 * 1024
_HTTPS_PORT = 443


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
        self._clients: dict[str, httpx2.AsyncClient] = {}
        self._closing = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._closing.aclose()

    async def get(self, url: str, *, bearer: str = "") -> Answer:
        """Reads a resource; any status but 200 is an error. `ProviderError`."""
        headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
        answer = await self._exchange("GET", url, headers)
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
    ) -> Answer:
        named, seconds = _https_url(url), self._options.timeout
        until = asyncio.get_running_loop().time() + seconds
        with span("identity provider"):
            async with _explained(named.host, seconds):
                addresses = await _resolved(named, self._options.allowed_networks)
                client = await self._client(named.host)
                request = client.build_request(
                    method,
                    named,
                    data=form,
                    headers={
                        **headers,
                        "accept": "application/json",
                        "accept-encoding": "identity",
                    },
                    extensions={"sni_hostname": named.raw_host.decode("ascii")},
                )
                response = await _sent(client, request, addresses, until)
                async with contextlib.aclosing(response):
                    return await _read(response, named.host)

    async def _client(self, host: str) -> httpx2.AsyncClient:
        """The client for requests to this name."""
        if host not in self._clients:
            context = _context_of(self._options.ca_file)
            self._clients[host] = await self._closing.enter_async_context(
                httpx2.AsyncClient(verify=context, trust_env=False)
            )
        return self._clients[host]


async def get(url: str, options: ClientOptions) -> Answer:
    """Reads a resource with a connection of its own; any status but 200 is an error.

    `ProviderError`.
    """
    async with Connections(options) as connections:
        return await connections.get(url)


def _https_url(url: str) -> httpx2.URL:
    with contextlib.suppress(httpx2.InvalidURL):
        if (parsed := httpx2.URL(url)).scheme == "https":
            return parsed
    raise ProviderError(Reason.METADATA_INVALID, "The provider names a URL that is not of https.")


async def _resolved(url: httpx2.URL, allowed: Sequence[Network]) -> Sequence[Address]:
    try:
        return await resolve(url.host, url.port or _HTTPS_PORT, allowed=allowed)
    except UnresolvedError as error:
        raise ProviderError(Reason(error.reason), error.observed) from None


async def _sent(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    addresses: Sequence[Address],
    until: float,
) -> httpx2.Response:
    """The answer of the first address that accepts a connection.

    The remaining addresses get equal shares of the time before `until` (loop time).
    """
    now = asyncio.get_running_loop().time
    for left in range(len(addresses), 1, -1):
        with contextlib.suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
            _direct(request, addresses[-left], (until - now()) / left)
            return await client.send(request, stream=True)
    _direct(request, addresses[-1], until - now())
    return await client.send(request, stream=True)


def _direct(request: httpx2.Request, address: Address, connect_seconds: float) -> None:
    """Directs the request to an address. `Host` and TLS keep the name of its first URL."""
    request.url = request.url.copy_with(host=str(address))
    timeout = httpx2.Timeout(None, connect=max(connect_seconds, 0.001))
    request.extensions["timeout"] = timeout.as_dict()


async def _read(response: httpx2.Response, host: str) -> Answer:
    if response.is_redirect:
        raise ProviderError(Reason.REDIRECTED, f"{host} redirects to another address.")
    # Nested encodings can expand without limit before the first byte that could be counted.
    if "," in response.headers.get("content-encoding", ""):
        raise ProviderError(Reason.ANSWER_TOO_LARGE, f"{host} compresses its answer repeatedly.")
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > MAX_BYTES:
            raise ProviderError(Reason.ANSWER_TOO_LARGE, f"The answer of {host} is too large.")
    return Answer(host, response.status_code, bytes(content))


@contextlib.asynccontextmanager
async def _explained(host: str, seconds: float) -> AsyncIterator[None]:
    """Limits the time, and converts errors to `ProviderError`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, httpx2.TimeoutException):
        observed = f"{host} did not answer within {seconds:g} seconds."
        raise ProviderError(Reason.TIMEOUT, observed) from None
    except httpx2.ConnectError as error:
        raise _not_connected(host, error) from None
    except (httpx2.ProtocolError, httpx2.DecodingError):
        raise ProviderError(Reason.NOT_HTTP, f"{host} does not speak HTTP.") from None
    except httpx2.HTTPError:
        raise ProviderError(Reason.UNREACHABLE, f"{host} closed the connection.") from None


def _not_connected(host: str, error: httpx2.ConnectError) -> ProviderError:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = cause.verify_message.rstrip(".")
            observed = f"The certificate of {host} cannot be accepted: {why}."
            if remedy := tls.remedy(cause):
                return ProviderError(Reason.CERTIFICATE_NOT_CONFORMANT, observed, advice=remedy)
            return ProviderError(Reason.CERTIFICATE_NOT_ACCEPTED, observed)
        if isinstance(cause, ssl.SSLError):
            return ProviderError(Reason.TLS_FAILED, f"The TLS handshake with {host} failed.")
        cause = cause.__cause__ or cause.__context__
    return ProviderError(Reason.UNREACHABLE, f"Keystead cannot connect to {host}.")


def _context_of(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return tls.verifying(ca_file, purpose="identity providers")
    except OSError as error:
        observed = f"{ca_file} cannot be used: {error.strerror}."
        raise ProviderError(Reason.CERTIFICATE_NOT_ACCEPTED, observed) from None
