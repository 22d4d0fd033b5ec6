"""The web port with TLS: limits begin with the handshake, and connections end cleanly."""

import contextlib
import ssl

import pytest
from starlette.types import Receive, Scope, Send

from bridge.http.limits import Limits
from server.crypto.server_certificate import ServerCertificate
from tests.support.certificates import Authority
from tests.support.raw_http import (
    Connection,
    Gate,
    LoopFactory,
    Served,
    SkippingLoop,
    echo,
    on_both_loops,
    request,
    respond,
    served,
)

pytestmark = pytest.mark.python_differs("ssl has stricter defaults since 3.13")

_LARGE = 4 * 1024 * 1024


class Tls:
    """A port with TLS, and its clients."""

    def __init__(self, authority: Authority) -> None:
        path = authority.certificate().path
        self.certificate = ServerCertificate(path, path)
        self.context = ssl.create_default_context(cafile=authority.ca_file)

    def connect(self, web: Served) -> Connection:
        """A connection after its handshake."""
        return Connection(web.port, tls=self.context)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    """A certificate and clients that trust it."""
    return Tls(Authority(tmp_path_factory.mktemp("authority")))


async def large(scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers with more bytes than the kernel holds."""
    await respond(send, scope["scheme"].encode().ljust(_LARGE))


@on_both_loops
def test_requests_are_answered_over_one_connection(tls: Tls, loop_factory: LoopFactory) -> None:
    with (
        served(large, loop_factory=loop_factory, certificate=tls.certificate) as web,
        tls.connect(web) as connection,
    ):
        for _ in range(2):
            connection.send(request())
            body = connection.answer().body
            assert (body.rstrip(), len(body)) == (b"https", _LARGE)


@on_both_loops
@pytest.mark.parametrize("begun", [b"", b"\x16\x03\x01"], ids=["silent", "begun"])
def test_a_client_that_does_not_finish_its_handshake_is_cut_off(
    tls: Tls, loop_factory: LoopFactory, begun: bytes
) -> None:
    limits = Limits(handshake_seconds=0.2)
    with (
        served(echo, loop_factory=loop_factory, certificate=tls.certificate, limits=limits) as web,
        web.connect() as connection,
    ):
        connection.send(begun)

        assert connection.is_closed()


@on_both_loops
@pytest.mark.parametrize("verb", [b"GET", b"POST", b"OPTIONS", b"DELETE", b"CONNECT"])
def test_a_request_without_tls_is_told_to_use_it(
    tls: Tls, loop_factory: LoopFactory, verb: bytes
) -> None:
    with served(echo, loop_factory=loop_factory, certificate=tls.certificate) as web:
        with web.connect() as connection:
            connection.send(verb + b" / HTTP/1.1\r\nHost: a\r\n\r\n")

            answer = connection.answer()
            assert (answer.status, answer.headers["content-type"]) == (400, "text/plain")
            assert answer.body == b"This port speaks only TLS. Use https in place of http.\n"
            connection.half_close()
            assert connection.is_closed()
        with tls.connect(web) as connection:
            connection.send(request())
            assert connection.answer().status == 200


@on_both_loops
@pytest.mark.parametrize("more", [b"", b"GET / HTTP/1.1\r\n\r\n"], ids=["silent", "another"])
def test_a_client_without_tls_does_not_keep_its_connection(
    tls: Tls, loop_factory: LoopFactory, more: bytes
) -> None:
    limits = Limits(handshake_seconds=0.2)
    with (
        served(echo, loop_factory=loop_factory, certificate=tls.certificate, limits=limits) as web,
        web.connect() as connection,
    ):
        connection.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.answer()
        connection.send(more)

        assert connection.is_closed()


def test_the_other_limits_begin_with_the_end_of_the_handshake(tls: Tls) -> None:
    with (
        served(echo, loop_factory=SkippingLoop, certificate=tls.certificate) as web,
        tls.connect(web) as connection,
    ):
        web.skip(50)
        connection.send(request())
        assert connection.answer().status == 200
        connection.deliver(b"GET / HTTP/1.1\r\n")
        web.skip(100)

        assert connection.answer().status == 408
        web.skip(10)
        assert connection.is_closed()


@on_both_loops
def test_a_refusal_arrives_and_ends_the_connection(tls: Tls, loop_factory: LoopFactory) -> None:
    with (
        served(
            echo,
            loop_factory=loop_factory,
            certificate=tls.certificate,
            limits=Limits(linger_seconds=0.2),
        ) as web,
        tls.connect(web) as connection,
    ):
        connection.send(b"BROKEN\r\n\r\n" + b"more" * 100)

        assert connection.answer().status == 400
        with contextlib.suppress(ssl.SSLEOFError):
            assert connection.is_closed()


@on_both_loops
@pytest.mark.parametrize("politely", [True, False], ids=["close_notify", "FIN"])
def test_a_call_hears_that_its_client_is_gone(
    tls: Tls, loop_factory: LoopFactory, politely: bool
) -> None:
    call = Gate()
    with served(call, loop_factory=loop_factory, certificate=tls.certificate) as web:
        with tls.connect(web) as connection:
            connection.send(request("/left"))
            web.run(call.began.wait())
            if politely:
                connection.end_tls()
        web.run(call.left.wait())
