"""HTTP requests to checked addresses, and the reasons why one fails.

The rule: https only; a name is resolved once, and the connection goes to the checked address (DNS
rebinding); redirects are not followed.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpx2

from server.net import tls
from server.net.resolve import Address, Network, UnresolvedError, resolve

_HTTPS_PORT = 443


class RequestFailedError(Exception):
    """A request got no answer.

    `reason` is NAME_NOT_FOUND, NAME_LOOKUP_FAILED, ADDRESS_NOT_ALLOWED, UNREACHABLE, TIMEOUT,
    CERTIFICATE_NOT_ACCEPTED, CERTIFICATE_NOT_CONFORMANT, TLS_FAILED or NOT_HTTP. `observed` is a
    sentence. `advice` replaces the remedy of the reason.
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
    """The allowed addresses of the host. RequestFailedError."""
    try:
        return await resolve(url.host, url.port or _HTTPS_PORT, allowed=allowed)
    except UnresolvedError as error:
        raise RequestFailedError(error.reason, error.observed) from None


async def sent(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    addresses: Sequence[Address],
    until: float,
) -> httpx2.Response:
    """The answer of the first address that accepts a connection. The caller reads its content.

    The remaining addresses get equal shares of the time before `until` (loop time). The certificate
    is verified for the name in the URL of the request.
    """
    request.extensions["sni_hostname"] = request.url.raw_host.decode("ascii")
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


@contextlib.asynccontextmanager
async def explained(host: str, seconds: float) -> AsyncIterator[None]:
    """Limits the time, and converts errors to RequestFailedError."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, httpx2.TimeoutException):
        observed = f"{host} did not answer within {seconds:g} seconds."
        raise RequestFailedError("TIMEOUT", observed) from None
    except httpx2.ConnectError as error:
        raise _not_connected(host, error) from None
    except (httpx2.ProtocolError, httpx2.DecodingError):
        raise RequestFailedError("NOT_HTTP", f"{host} does not speak HTTP.") from None
    except httpx2.HTTPError:
        raise RequestFailedError("UNREACHABLE", f"{host} closed the connection.") from None


def _not_connected(host: str, error: httpx2.ConnectError) -> RequestFailedError:
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
