"""Heads, waiting requests and writing without a connection: where exactly the limits are."""

import asyncio
from collections.abc import Sequence

import pytest

from bridge.http_errors import HttpError
from bridge.limits import Limits, Pipelined
from bridge.request_head import RequestHead, checked
from bridge.transport import Transport

LIMITS = Limits(head_bytes=100, target_bytes=20, field_lines=3, pipelined=2, pipelined_bytes=1_000)


def _head(
    target: bytes = b"/", *, version: str = "1.1", fields: Sequence[tuple[bytes, bytes]] = ()
) -> RequestHead:
    return RequestHead(b"GET", target, version, [(b"host", b"a"), *fields])


def _status(head: RequestHead) -> int:
    with pytest.raises(HttpError) as refused:
        checked(head, LIMITS)
    return refused.value.status


def test_a_head_is_as_large_as_its_target_and_its_lines() -> None:
    head = _head(b"/path", fields=[(b"x", b"yz")])

    assert head.size == len("/path") + len("host: a\r\n") + len("x: yz\r\n")


@pytest.mark.parametrize(
    ("largest", "larger", "status"),
    [
        (_head(b"/" * 20), _head(b"/" * 21), 414),
        (_head(fields=[(b"x", b"y" * 85)]), _head(fields=[(b"x", b"y" * 86)]), 431),
        (_head(fields=[(b"x", b"")] * 2), _head(fields=[(b"x", b"")] * 3), 431),
    ],
    ids=["target", "bytes", "lines"],
)
def test_a_head_may_reach_each_limit(
    largest: RequestHead, larger: RequestHead, status: int
) -> None:
    assert checked(largest, LIMITS) == largest
    assert _status(larger) == status


def test_whitespace_around_values_counts() -> None:
    assert _status(_head(fields=[(b"x", b"y" + b" " * 85)])) == 431


def test_a_target_that_is_too_long_is_called_so_whatever_else_is_too_large() -> None:
    assert _status(_head(b"/" * 101, fields=[(b"x", b"")] * 3)) == 414


def test_a_version_that_is_not_spoken_is_called_so_whatever_else_is_wrong() -> None:
    assert _status(_head(b"/" * 101, version="3.0")) == 505


def test_a_head_without_a_field_is_otherwise_the_same() -> None:
    head = _head(b"/x", fields=[(b"upgrade", b"h2c"), (b"x", b"y")])

    assert head.without(b"upgrade") == b"GET /x HTTP/1.1\r\nhost: a\r\nx: y\r\n\r\n"


def test_so_many_requests_may_wait() -> None:
    waiting = Pipelined(LIMITS)
    waiting.add(1)
    waiting.add(1)

    with pytest.raises(HttpError) as refused:
        waiting.add(1)
    assert refused.value.status == 429


def test_so_large_may_waiting_requests_be_together() -> None:
    waiting = Pipelined(LIMITS)
    waiting.add(400)
    waiting.add(100)
    waiting.grow(500)

    with pytest.raises(HttpError) as refused:
        waiting.grow(1)
    assert refused.value.status == 429


def test_what_has_begun_waits_no_more() -> None:
    waiting = Pipelined(LIMITS)
    waiting.add(900)
    waiting.add(100)

    waiting.begin()

    waiting.add(900)


class Written(asyncio.Transport):
    """A connection that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.pieces.append(bytes(data))

    def is_closing(self) -> bool:
        return False


async def test_the_two_halves_of_a_response_are_written_as_one() -> None:
    written = Written()
    transport = Transport(written, asyncio.get_running_loop(), LIMITS, on_close=lambda: None)

    transport.write(b"head ")
    transport.write(b"content")

    assert written.pieces == [b"head content"]


async def test_half_a_response_does_not_wait_for_the_other() -> None:
    written = Written()
    transport = Transport(written, asyncio.get_running_loop(), LIMITS, on_close=lambda: None)

    transport.write(b"head")
    await asyncio.sleep(0)

    assert written.pieces == [b"head"]
