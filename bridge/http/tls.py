"""TLS of the web port (RFC 8446, and RFC 5246 with the cipher suites of RFC 9325)."""

import ssl
from typing import Any, Final, cast

from server.crypto.server_certificate import Presented, ServerCertificate
from server.net import tls

# Of TLS 1.2: forward secrecy and authenticated encryption only, as on the native port.
_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"


_PLAIN_TEXT: Final = b"This port speaks only TLS. Use https in place of http.\n"
# To a client that sends an HTTP request without TLS, as nginx does.
_ANSWER_TO_PLAIN_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n"
    b"connection: close\r\n\r\n%s"
) % (len(_PLAIN_TEXT), _PLAIN_TEXT)


# OpenSSL knows the beginning of some requests; those of others are records of no version of TLS.
_NOT_TLS: Final = {"HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "WRONG_VERSION_NUMBER"}


class _Connection(ssl.SSLObject):
    """The TLS of a connection, which answers a request in plain text before it fails."""

    outgoing: ssl.MemoryBIO
    _failure: ssl.SSLError | None = None

    def do_handshake(self) -> None:
        """The next step of the handshake.

        The event loops send what is in `outgoing` only while a handshake wants more bytes. So the
        failure comes with the next bytes, the end of the connection, or the time limit.
        """
        if self._failure is not None:
            raise self._failure
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            if error.reason not in _NOT_TLS:
                raise
            self._failure = error
            self.outgoing.write(_ANSWER_TO_PLAIN_HTTP)
            raise ssl.SSLWantReadError from error


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
        connection = self._current.wrap_bio(*arguments, **options)
        _, outgoing = arguments[:2]
        cast(_Connection, connection).outgoing = outgoing
        return connection

    def _take(self) -> None:
        self._presented = self._certificate.presented
        self._current = _context(self._presented)


def _context(presented: Presented) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _Connection
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers(_CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    presented.pair.load_into(context)
    if presented.authorities is not None:
        tls.ask_clients(context, presented.authorities.pem.decode("latin-1"))
    return context
