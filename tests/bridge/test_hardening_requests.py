"""Malformed and ambiguous requests: refused once and in order, and nothing after them is read."""

import asyncio
import json
from collections.abc import Iterator, Mapping

import pytest
import structlog
from starlette.types import Receive, Scope, Send

from bridge.http.limits import Limits
from tests.support.raw_http import (
    CHUNKED,
    LoopFactory,
    Served,
    body_of,
    echo,
    on_both_loops,
    padded,
    request,
    respond,
    served,
)

pytestmark = on_both_loops

SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

# asyncio and uvloop read up to 256 KiB, of which a part may count as body.
_MORE_THAN_IS_READ_AT_ONCE = 512 * 1024

MALFORMED = {
    "the coding identity": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
    "the coding xchunked": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
    "gzip": CHUNKED.replace(b"chunked", b"gzip, chunked") + b"0\r\n\r\n",
    "identity, chunked": CHUNKED.replace(b"chunked", b"identity, chunked") + b"0\r\n\r\n",
    "chunks in HTTP/1.0": CHUNKED.replace(b"1.1", b"1.0") + b"0\r\n\r\n",
    "HTTP/0.9": b"GET / HTTP/0.9\r\nHost: a\r\n\r\n",
    "HTTP/2.0": b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    "length and chunks": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Length: 5\r\n\r\n0\r\n\r\n",
    "two equal lengths": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
    b"Content-Length: 2\r\n\r\nab",
    "two lengths": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 2\r\n\r\n",
    "a list of lengths": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\nab",
    "a signed length": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\nab",
    "a negative length": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\nab",
    "a hexadecimal length": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x2\r\n\r\nab",
    "an empty length": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nab",
    "a length beyond 64 bits": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551618"
    b"\r\n\r\nab",
    "two codings": CHUNKED.replace(b"chunked", b"chunked\r\nTransfer-Encoding: chunked"),
    "length and chunks and another protocol": CHUNKED.replace(
        b"Transfer", b"Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 5\r\nTransfer"
    )
    + b"0\r\n\r\n",
    "two lengths and another protocol": b"POST / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n"
    b"Upgrade: h2c\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n",
    "a length with a point": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2.0\r\n\r\nab",
    "a length with a space": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1 0\r\n\r\nab",
    "a folded header": b"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
    "a folded coding": CHUNKED.replace(b": chunked", b":\r\n chunked"),
    "lines that end in LF": b"GET / HTTP/1.1\nHost: a\n\n",
    "one line that ends in LF": b"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    "headers that end in LF": b"GET / HTTP/1.1\r\nHost: a\r\n\n",
    "a lone CR": b"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
    "a space before the colon": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 35\r\n\r\n",
    "a coding with a space before the colon": b"POST / HTTP/1.1\r\nHost: a\r\n"
    b"Transfer-Encoding : chunked\r\n\r\n",
    "a space before the first header": b"GET / HTTP/1.1\r\n Host: a\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost: a\r\nabc\r\n\r\n",
    "NUL in a name": b"GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n",
    "NUL in a value": b"GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n",
    "NUL in a path": b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
    "bytes beyond ASCII in a path": b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    "bytes beyond ASCII in a query": b"GET /?a=\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    "a space in a path": b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "two codings of chunks": CHUNKED.replace(b"chunked", b"chunked, chunked"),
    "chunks that are not last": CHUNKED.replace(b"chunked", b"chunked, identity"),
    "chunks after a vertical tab": CHUNKED.replace(b"chunked", b"\x0bchunked"),
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "an authority for a path": b"GET a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    "an asterisk for a path": b"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    "an asterisk and more": b"OPTIONS *a HTTP/1.1\r\nHost: a\r\n\r\n",
    **{
        f"the host {host!r}": b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
        for host in (
            b"a/b",
            b"a b",
            b"a@b",
            b"a:b",
            b"a,b:1:2",
            b"[::1",
            b"[a]b",
            b"\xe9",
            b"a%zz",
            b"http://a",
        )
    },
    **{
        f"the URL {url!r}": b"GET " + url + b" HTTP/1.1\r\nHost: a\r\n\r\n"
        for url in (
            b"http://a@b/",
            b"http://a:b@c/",
            b"http:///path",
            b"http://:80/",
            b"http://a:b/",
            b"http://",
        )
    },
    "a URL with a fragment": b"GET http://a/#b HTTP/1.1\r\nHost: a\r\n\r\n",
    "a path with a fragment": b"GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
    "a URL of another protocol": b"DESCRIBE rtsp://a/ RTSP/1.0\r\nHost: a\r\n\r\n",
    "CONNECT": b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    "an unknown method": b"SMUGGLE / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method in lower case": b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT with a URL": b"CONNECT http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT with a path": b"CONNECT /signin/ HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT with a path and Upgrade": b"CONNECT / HTTP/1.1\r\nHost: a\r\n"
    b"Connection: upgrade\r\nUpgrade: x\r\n\r\n",
    "a minor version that is none": b"GET / HTTP/1.9\r\nHost: a\r\n\r\n",
    "HTTP/2 with prior knowledge": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a chunk size with 0x": CHUNKED + b"0x5\r\nabcde\r\n0\r\n\r\n",
    "a chunk size with a space": CHUNKED + b"5 \r\nabcde\r\n0\r\n\r\n",
    "a negative chunk size": CHUNKED + b"-5\r\nabcde\r\n0\r\n\r\n",
    "an empty chunk size": CHUNKED + b"\r\nabcde\r\n0\r\n\r\n",
    "a chunk size beyond 64 bits": CHUNKED + b"10000000000000005\r\nabcde\r\n0\r\n\r\n",
    "a chunk size with a tab": CHUNKED + b"5\t\r\nabcde\r\n0\r\n\r\n",
    "a chunk size with a sign": CHUNKED + b"+5\r\nabcde\r\n0\r\n\r\n",
    "a chunk that ends in LF": CHUNKED + b"5\r\nabcde\n0\r\n\r\n",
    "a chunk extension with CR": CHUNKED + b"5;x\rabcde\r\n0\r\n\r\n",
    "a chunk extension with CRLF": CHUNKED + b'5;x="a\r\nb"\r\nabcde\r\n0\r\n\r\n',
    "a last chunk that ends in LF": CHUNKED + b"0\r\n\n",
    "a chunk size that ends in LF": CHUNKED + b"5\nabcde\r\n0\r\n\r\n",
    "a chunk extension that ends in LF": CHUNKED + b"5;x\nabcde\r\n0\r\n\r\n",
    "a chunk longer than its size": CHUNKED + b"5\r\nabcdef\r\n0\r\n\r\n",
    "a length among the trailers": CHUNKED + b"0\r\nContent-Length: 5\r\n\r\n",
    "a coding among the trailers": CHUNKED + b"0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a folded trailer": CHUNKED + b"0\r\nX: a\r\n b\r\n\r\n",
    "a trailer that ends in LF": CHUNKED + b"0\r\nX: a\n\r\n",
    "a trailer with a space before the colon": CHUNKED + b"0\r\nX : b\r\n\r\n",
}


@pytest.fixture(scope="module")
def web(loop_factory: LoopFactory) -> Iterator[Served]:
    """A web port for all these tests."""
    with served(echo, loop_factory=loop_factory) as web:
        yield web


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_malformed_requests_are_refused_and_nothing_after_them_is_read(
    web: Served, data: bytes
) -> None:
    with web.connect() as connection, structlog.testing.capture_logs() as log:
        connection.send(data + SMUGGLED)
        answer = connection.answer()

        assert (answer.status, answer.reason) == (400, "MALFORMED_REQUEST")
        assert answer.headers["connection"] == "close"
        assert connection.is_closed()
    assert [(line["log_level"], line["reason"]) for line in log] == [("info", answer.reason)]


def test_the_refusal_of_an_unknown_method_names_it(web: Served) -> None:
    with web.connect() as connection:
        connection.send(request(method="SMUGGLE"))

        assert "its method is unknown" in json.loads(connection.answer().body)["message"]


@pytest.mark.parametrize("protocol", ["h2c", "websocket"])
@pytest.mark.parametrize("pieces", [1, 2])
def test_a_request_for_another_protocol_is_answered_in_this_one(
    web: Served, protocol: str, pieces: int
) -> None:
    lines = ("Connection: Upgrade", f"Upgrade: {protocol}")
    asked = request("/asked", *lines, method="POST", body=b"body")

    with web.connect() as connection:
        if pieces == 1:
            connection.send(asked + asked + request("/next"))
        else:
            connection.send(asked[:-6])
            connection.send(asked[-6:] + asked + request("/next"))

        assert connection.answer().body == b"POST /asked body"
        assert connection.answer().body == b"POST /asked body"
        assert connection.answer().body == b"GET /next "


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("1.1", ("Connection: Upgrade, close", "Upgrade: h2c")),
        ("1.1", ("Connection: close, Upgrade", "Upgrade: h2c")),
        ("1.1", ("Connection: close", "Connection: Upgrade", "Upgrade: h2c")),
        ("1.1", ("Connection: close", "Upgrade: h2c")),
        ("1.0", ("Connection: Upgrade", "Upgrade: h2c")),
    ],
    ids=["one line", "close first", "two lines", "close alone", "1.0"],
)
def test_the_last_request_may_be_for_another_protocol(
    web: Served, version: str, lines: tuple[str, ...]
) -> None:
    asked = request("/asked", *lines, method="POST", body=b"body")

    with web.connect() as connection:
        connection.send(asked.replace(b"1.1", version.encode(), 1) + SMUGGLED)

        assert connection.answer().body == b"POST /asked body"
        assert connection.is_closed()


@pytest.mark.parametrize(
    "last",
    [
        request("/", "Connection: close"),
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ],
    ids=["close", "1.0", "1.0 keep-alive"],
)
@pytest.mark.parametrize("pieces", [1, 2])
def test_nothing_is_a_request_after_the_last_one(web: Served, last: bytes, pieces: int) -> None:
    # These bytes are not a request, so they are neither refused nor logged.
    after = SMUGGLED + b"BROKEN\r\n\r\n"
    with web.connect() as connection, structlog.testing.capture_logs() as log:
        if pieces == 1:
            connection.send(last + after)
        else:
            connection.send(last)
            connection.send(after)

        assert connection.answer().body == b"GET / "
        assert connection.is_closed()
    assert log == []


@pytest.mark.parametrize("protocol", ["Connection: keep-alive", "Upgrade: h2c"])
def test_bytes_after_a_close_among_trailers_are_refused(web: Served, protocol: str) -> None:
    # Some parsers end the connection after such a trailer and some do not.
    lines = ("Connection: Upgrade", protocol, "Transfer-Encoding: chunked")
    with web.connect() as connection:
        connection.send(request("/", *lines) + b"0\r\nConnection: close\r\n\r\n" + SMUGGLED)

        assert connection.answer().status == 200
        answer = connection.answer()
        assert (answer.status, answer.reason) == (400, "MALFORMED_REQUEST")
        assert connection.is_closed()


# Requests, and what the application reads of them.
ECHOED: Mapping[bytes, bytes] = {
    **{
        request(url): b"GET %b " % path
        for url, path in (
            ("http://a/path", b"/path"),
            ("https://a:1/path?x=http://b", b"/path"),
            ("HTTP://[::1]:1/path", b"/path"),
            ("http://a", b"/"),
            ("http://a:80?x=/y", b"/"),
            ("/%C3%a4%", b"/%C3%a4%"),
            ("/%C3%a4%2Fb%5c", "/\u00e4/b\\".encode()),
            ("/%ff", "/\ufffd".encode()),
        )
    },
    **{
        request("/path", host=host): b"GET /path "
        for host in ("", "a", "A.b_c-d:1", "a:", "192.0.2.1:80", "[::1]:8080", "%41")
    },
    **{request(target, method="OPTIONS"): b"OPTIONS * " for target in ("*", "http://b:1")},
    CHUNKED + b"5;x=y\r\nabcde\r\n0\r\n\r\n": b"POST / abcde",
}


@pytest.mark.parametrize(("sent", "read"), ECHOED.items())
def test_a_valid_request_is_read_and_the_next_one_too(
    web: Served, sent: bytes, read: bytes
) -> None:
    with web.connect() as connection:
        connection.send(sent + request("/next"))

        assert connection.answer().body == read
        assert connection.answer().body == b"GET /next "


@pytest.mark.parametrize(
    ("sent", "headers"),
    [
        (request("http://b:1/", host="a"), b"host: b:1"),
        (b"GET http://c/ HTTP/1.0\r\n\r\n", b"host: c"),
        (  # trailers are no headers
            CHUNKED + b"0\r\nAuthorization: Bearer x\r\n\r\n",
            b"host: a, transfer-encoding: chunked",
        ),
        (request("/", "X: \t a b \t"), b"host: a, x: a b"),
    ],
)
def test_an_application_sees_the_headers(
    loop_factory: LoopFactory, sent: bytes, headers: bytes
) -> None:
    async def seen(scope: Scope, receive: Receive, send: Send) -> None:
        await body_of(receive)
        await respond(send, b", ".join(map(b": ".join, scope["headers"])))

    with served(seen, loop_factory=loop_factory) as web, web.connect() as connection:
        connection.send(sent)

        assert connection.answer().body == headers


def test_a_client_of_http_1_0_gets_no_interim_response(web: Served) -> None:
    head = b"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    with web.connect() as connection:
        connection.send(head)
        connection.send(b"x")

        assert connection.answer().status == 200


def test_headers_up_to_the_limit_are_read_and_no_byte_more(web: Served) -> None:
    limit = Limits().head_bytes
    with web.connect() as connection:
        connection.send(padded(limit))
        assert connection.answer().status == 200

        connection.send(padded(limit + 1) + SMUGGLED)
        answer = connection.answer()
        assert (answer.status, answer.reason) == (431, "HEADERS_TOO_LARGE")
        assert connection.is_closed()


def test_a_body_does_not_count_with_the_largest_head(web: Served) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4")
    counted = len("/") + sum(len(line) + len("\r\n") for line in ("Host: a", *lines, "X: "))
    padding = "X: " + "x" * (Limits().head_bytes - counted)
    with web.connect() as connection:
        connection.send(request("/", *lines, padding, method="POST"))
        assert connection.answer().status == 100
        connection.send(b"body")

        assert connection.answer().body == b"POST / body"


_ENDLESS = b"x" * _MORE_THAN_IS_READ_AT_ONCE
TOO_LARGE = {
    "lines": request("/", *("a:" for _ in range(Limits().field_lines))),
    "empty lines": b"\r\n" * Limits().head_bytes,
    "a target without end": b"GET /" + _ENDLESS,
    "a value without end": b"GET / HTTP/1.1\r\nHost: a\r\nX: " + _ENDLESS,
    "a name without end": b"GET / HTTP/1.1\r\nHost: a\r\nX" + _ENDLESS,
    "a trailer without end": CHUNKED + b"5\r\nabcde\r\n0\r\nX: " + _ENDLESS,
    "a chunk extension without end": CHUNKED + b"5;" + _ENDLESS,
    "trailers without end": CHUNKED + b"0\r\n" + b"a:b\r\n" * _MORE_THAN_IS_READ_AT_ONCE,
    "a trailer in one piece": CHUNKED + b"0\r\nX: " + b"x" * 17_000 + b"\r\n\r\n",
    "trailers in one piece": CHUNKED + b"0\r\n" + b"a:b\r\n" * 101 + b"\r\n",
}


@pytest.mark.parametrize("data", TOO_LARGE.values(), ids=TOO_LARGE)
def test_more_than_the_limit_of_headers_is_refused(web: Served, data: bytes) -> None:
    with web.connect() as connection:
        connection.send(data)

        assert connection.answer().status == 431
        assert connection.is_closed()


def test_too_many_lines_are_refused_before_the_end_of_the_head(web: Served) -> None:
    """Each takes a call of Python: 4,000 lines took ten times as long as a whole request."""
    with web.connect() as connection:
        connection.send(request("/", *["a:"] * (Limits().field_lines + 1))[:-2])

        assert connection.answer().status == 431


def test_a_read_has_a_limit_of_chunks(web: Served) -> None:
    """Those of one byte took ten times as long as the calls that are admitted in a turn."""
    chunks = b"1\r\nx\r\n" * Limits().chunks
    with web.connect() as connection, web.connect() as another:
        connection.send(CHUNKED + chunks)
        web.settle()
        connection.send(chunks + b"0\r\n\r\n")
        another.send(CHUNKED + chunks + b"1\r\nx\r\n")

        assert connection.answer().status == 200
        answer = another.answer()
        assert (answer.status, answer.reason) == (413, "TOO_MANY_CHUNKS")
        assert another.is_closed()


def test_headers_up_to_the_limit_of_lines_are_read(web: Served) -> None:
    with web.connect() as connection:
        connection.send(request("/", *("a:" for _ in range(Limits().field_lines - 1))))

        assert connection.answer().status == 200


@pytest.mark.parametrize(
    ("before", "beginning"),
    [
        (b"", b"GET / HTTP/1.1\r\nHost: a\r\nX: "),
        (request(), b"GET / HTTP/1.1\r\nHost: a\r\nX: "),
        (CHUNKED, b"0\r\nX: "),
        (CHUNKED + b"5\r\nabcde", b"\r\n0\r\nX: "),
    ],
    ids=["first head", "next head", "trailers", "trailers after a body"],
)
def test_an_unfinished_section_may_reach_the_limit(
    web: Served, before: bytes, beginning: bytes
) -> None:
    unfinished = beginning + b"x" * (Limits().head_bytes - len(beginning))
    with web.connect() as connection, web.connect() as another:
        for each in (connection, another):
            for piece in (before, unfinished[:10_000], unfinished[10_000:]):
                each.deliver(piece)
                web.settle()
            if before == request():
                assert each.answer().status == 200

        connection.send(b"\r\n\r\n")
        another.send(b"x")

        assert connection.answer().status == 200
        assert another.answer().status == 431


def test_trailers_do_not_count_with_the_next_head(web: Served) -> None:
    half = b"X: " + b"x" * (Limits().head_bytes // 2)
    with web.connect() as connection:
        connection.send(CHUNKED + b"0\r\n")
        web.settle()
        connection.send(half + b"\r\n\r\n")
        assert connection.answer().status == 200
        connection.deliver(b"GET / HTTP/1.1\r\nHost: a\r\n" + half)
        web.settle()
        connection.send(b"\r\n\r\n")

        assert connection.answer().status == 200


def test_a_body_may_be_larger_than_a_head(web: Served) -> None:
    body = b"x" * _MORE_THAN_IS_READ_AT_ONCE
    with web.connect() as connection:
        connection.send(request("/", method="POST", body=body))

        assert connection.answer().body == b"POST / " + body


def test_an_application_hears_that_a_body_is_broken(loop_factory: LoopFactory) -> None:
    bodies: list[bytes | None] = []

    async def collect(_scope: Scope, receive: Receive, send: Send) -> None:
        began.set()
        bodies.append(await body_of(receive))
        await respond(send, b"never sent")
        ended.set()

    began, ended = asyncio.Event(), asyncio.Event()
    with (
        served(collect, loop_factory=loop_factory) as web,
        web.connect() as connection,
    ):
        connection.send(CHUNKED + b"5\r\nab")
        web.run(began.wait())
        connection.send(b"cdeXX" + SMUGGLED)

        # It does not wait for the client to close the connection.
        web.run(ended.wait())
        assert connection.answer().status == 400
        assert connection.is_closed()
    assert bodies == [None]


def test_a_refusal_has_the_shape_of_every_error(web: Served) -> None:
    with web.connect() as connection:
        connection.send(b"BROKEN\r\n\r\n")
        answer = connection.answer()

    assert answer.headers["content-type"] == "application/json"
    request_id = answer.headers["x-request-id"]
    assert len(bytes.fromhex(request_id)) == 16
    assert f'"requestId":"{request_id}"'.encode() in answer.body
    assert b'"code":3' in answer.body
