"""TLS of the web port (RFC 8446, and RFC 5246 with the cipher suites of RFC 9325)."""

import ssl
from typing import Any, Final

from server.crypto.server_certificate import Presented, ServerCertificate

# Of TLS 1.2: forward secrecy and authenticated encryption only, as on the native port.
_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"


class Handshakes(ssl.SSLContext):
    """The context of a listener, which gives each connection a context of the current files.

    A context keeps the sessions that its clients can resume, without a look at their certificates,
    and one certificate per type of key. So new files need a new context.
    """

    _certificate: ServerCertificate
    _presented: Presented
    _current: ssl.SSLContext

    @classmethod
    def of(cls, certificate: ServerCertificate) -> "Handshakes":
        """The context for the files of this certificate."""
        handshakes = cls(ssl.PROTOCOL_TLS_SERVER)
        handshakes._certificate = certificate
        handshakes._take()
        return handshakes

    def wrap_bio(self, *arguments: Any, **options: Any) -> ssl.SSLObject:
        """Begins a connection; the event loops, also uvloop, call this method."""
        if self._presented != self._certificate.presented:
            self._take()
        return self._current.wrap_bio(*arguments, **options)

    def _take(self) -> None:
        self._presented = self._certificate.presented
        self._current = _context(self._presented)


def _context(presented: Presented) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers(_CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    presented.pair.load_into(context)
    if presented.authorities is not None:
        context.load_verify_locations(cadata=presented.authorities.pem.decode("latin-1"))
        context.verify_mode = ssl.CERT_OPTIONAL
        # As on the native port: each authority of the file is trusted, not only roots.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context
