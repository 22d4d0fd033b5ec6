"""HTTP requests to checked addresses, and the reasons why one fails.

The rule: https, or http on this machine; a name is resolved once, and the connection goes to the
checked address (DNS rebinding); redirects are not followed; the framing of an answer is limited.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpcore2
import httpx2

from server.net import tls
from server.net.answer_framing import LimitedFraming
from server.net.resolve import Address, Network, UnresolvedError, resolve

_PORTS = {"https": 443, "http": 80}


class RequestFailedError(Exception):
    """A request got no answer.

    `reason` is NAME_NOT_FOUND, NAME_LOOKUP_FAILED, ADDRESS_NOT_ALLOWED, UNREACHABLE, TIMEOUT,
    CERTIFICATE_NOT_ACCEPTED, CERTIFICATE_NOT_CONFORMANT, TLS_FAILED, NOT_HTTP or ANSWER_TOO_LARGE.
    `observed` is a sentence. `advice` replaces the remedy of the reason.
    """

    def __init__(self, reason: str, observed: str, *, advice: str | None = None) -> None:
        super().__init__(observed)
        self.reason = reason
        self.observed = observed
        self.advice = advice


def https_url(url: str) -> httpx2.URL | None:
    """The parsed URL. None: it is not of https."""
    with contextlib.suppress(httpx2.InvalidURL):
        if (parsed := httpx2.URL(url)).scheme == "https":
            return parsed
    return None


async def resolved(url: httpx2.URL, allowed: Sequence[Network]) -> Sequence[Address]:
    """The allowed addresses of the host. RequestFailedError.

    Nobody else reads a request that stays on this machine: only those go without TLS.
    """
    try:
        addresses = await resolve(url.host, _port(url), allowed=allowed)
    except UnresolvedError as error:
        raise RequestFailedError(error.reason, error.observed) from None
    if url.scheme == "https" or all(each.is_loopback for each in addresses):
        return addresses
    observed = f"{url.host} is another machine, to which http would send in plaintext."
    raise RequestFailedError("ADDRESS_NOT_ALLOWED", observed, advice="Use https.")


def _port(url: httpx2.URL) -> int:
    return url.port or _PORTS[url.scheme]


class HostConnection:
    """A connection to the host of a URL, for one request at a time.

    The first request opens it, to the first of these addresses that accepts one; a later request
    needs it to be usable. The certificate is verified for the name in the URL, if it is of https.
    The addresses were checked at the loop time `checked_at`. It is usable while it is idle for less
    than `idle_seconds`.
    """

    def __init__(
        self,
        url: httpx2.URL,
        addresses: Sequence[Address],
        context: ssl.SSLContext,
        *,
        idle_seconds: float | None = None,
    ) -> None:
        self.checked_at = asyncio.get_running_loop().time()
        self._name = url.raw_host.decode("ascii")
        self._scheme = url.raw_scheme
        self._port = _port(url)
        self._addresses = addresses
        self._context = context
        self._idle_seconds = idle_seconds
        self._framing = LimitedFraming()
        self._address = b""  # of the connection
        self._connection: httpcore2.AsyncHTTPConnection | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it is open, and its last answer was read to the end."""
        return self._connection is not None and self._connection.is_available()

    @property
    def is_usable(self) -> bool:
        """Whether it is idle, not for too long, and the host has not closed it."""
        return self._connection is not None and self.is_idle and not self._connection.has_expired()

    async def send(self, request: httpx2.Request, until: float) -> httpx2.Response:
        """The answer, whose content the caller reads.

        The addresses get equal shares of the time before `until` (loop time).
        """
        if self._connection is not None:
            return await self._answer(self._connection, request)
        now = asyncio.get_running_loop().time
        for left in range(len(self._addresses), 1, -1):
            with contextlib.suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                connection = self._opened(self._addresses[-left])
                return await self._answer(connection, request, (until - now()) / left)
        connection = self._opened(self._addresses[-1])
        return await self._answer(connection, request, until - now())

    async def close(self) -> None:
        """Closes it, if it was opened."""
        if self._connection is not None:
            await self._connection.aclose()

    def _opened(self, address: Address) -> httpcore2.AsyncHTTPConnection:
        """A connection that its first request opens."""
        self._address = str(address).encode()
        self._connection = httpcore2.AsyncHTTPConnection(
            httpcore2.Origin(self._scheme, self._address, self._port),
            self._context,
            keepalive_expiry=self._idle_seconds,
            network_backend=self._framing,
        )
        return self._connection

    async def _answer(
        self,
        connection: httpcore2.AsyncHTTPConnection,
        request: httpx2.Request,
        connect_seconds: float = 0.0,
    ) -> httpx2.Response:
        self._framing.begin()
        answer = await connection.handle_async_request(
            httpcore2.Request(
                request.method,
                httpcore2.URL(
                    scheme=self._scheme,
                    host=self._address,
                    port=self._port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,  # `Host` is the name
                content=request.stream,
                extensions={
                    **request.extensions,
                    "sni_hostname": self._name,
                    "timeout": {"connect": max(connect_seconds, 0.001)},
                },
            )
        )
        content = _Content(answer, self._framing)
        return httpx2.Response(answer.status, headers=answer.headers, stream=content)


class _Content(httpx2.AsyncByteStream):
    """The content of an answer, still encoded."""

    def __init__(self, answer: httpcore2.Response, framing: LimitedFraming) -> None:
        self._answer = answer
        self._framing = framing

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._answer.aiter_stream():
            self._framing.left += len(part)
            yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


async def content_of(response: httpx2.Response, host: str, *, max_bytes: int) -> bytes:
    """The decoded content of an answer. RequestFailedError: it has more bytes than this."""
    # Nested encodings can expand without limit before the first byte that could be counted.
    if "," in response.headers.get("content-encoding", ""):
        observed = f"{host} compresses its answer repeatedly."
        raise RequestFailedError("ANSWER_TOO_LARGE", observed)
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > max_bytes:
            observed = f"The answer of {host} is too large."
            raise RequestFailedError("ANSWER_TOO_LARGE", observed)
    return bytes(content)


@contextlib.asynccontextmanager
async def explained(host: str, seconds: float) -> AsyncIterator[None]:
    """Limits the time, and converts errors to RequestFailedError."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, httpcore2.TimeoutException):
        observed = f"{host} did not answer within {seconds:g} seconds."
        raise RequestFailedError("TIMEOUT", observed) from None
    except httpcore2.ConnectError as error:
        raise _not_connected(host, error) from None
    except (httpcore2.ProtocolError, httpx2.DecodingError):
        raise RequestFailedError("NOT_HTTP", f"{host} does not speak HTTP.") from None
    except httpcore2.NetworkError:
        raise RequestFailedError("UNREACHABLE", f"{host} closed the connection.") from None


def _not_connected(host: str, error: httpcore2.ConnectError) -> RequestFailedError:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = cause.verify_message.rstrip(".")
            observed = f"The certificate of {host} cannot be accepted: {why}."
            if remedy := tls.remedy(cause):
                return RequestFailedError("CERTIFICATE_NOT_CONFORMANT", observed, advice=remedy)
            return RequestFailedError("CERTIFICATE_NOT_ACCEPTED", observed)
        if isinstance(cause, ssl.SSLError):
            return RequestFailedError("TLS_FAILED", f"The TLS handshake with {host} failed.")
        cause = cause.__cause__ or cause.__context__
    return RequestFailedError("UNREACHABLE", f"Keystead cannot connect to {host}.")


def context_of(ca_file: Path | None, *, purpose: str) -> ssl.SSLContext:
    """The TLS context for requests of a purpose. RequestFailedError: the file cannot be used."""
    try:
        return tls.verifying(ca_file, purpose=purpose)
    except OSError as error:
        observed = f"{ca_file} cannot be used: {error.strerror}."
        raise RequestFailedError("CERTIFICATE_NOT_ACCEPTED", observed) from None
