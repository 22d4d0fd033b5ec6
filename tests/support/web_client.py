"""An HTTP client for the web port of a server."""

import ssl

import httpx2

# A client without a context of its own reads the certificates of all public authorities: 25 ms.
_WITHOUT_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def web_client(port: int, tls: ssl.SSLContext | None = None) -> httpx2.AsyncClient:
    """A client with connections of its own to a port of this machine, with TLS by this context."""
    return httpx2.AsyncClient(
        base_url=f"{'https' if tls else 'http'}://127.0.0.1:{port}",
        timeout=30,
        verify=tls or _WITHOUT_AUTHORITIES,
        trust_env=False,
    )
