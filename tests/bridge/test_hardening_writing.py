"""Writing to a connection, and a head without a field: without a server."""

import asyncio

from bridge.http.request_head import RequestHead
from bridge.http.transport import Transport


def test_a_head_without_a_field_is_otherwise_the_same() -> None:
    fields = [(b"host", b"a"), (b"upgrade", b"h2c"), (b"x", b"y")]
    head = RequestHead(b"GET", b"/x", "1.1", fields)

    assert head.without(b"upgrade") == b"GET /x HTTP/1.1\r\nhost: a\r\nx: y\r\n\r\n"


class Written(asyncio.Transport):
    """A connection that was reset by its client. Keeps the written pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.is_aborted = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.pieces.append(bytes(data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        raise OSError("not connected")

    def abort(self) -> None:
        self.is_aborted.set()


def _transport(connection: Written) -> Transport:
    return Transport(connection, asyncio.get_running_loop(), on_close=lambda: None)


async def test_the_two_halves_of_a_response_are_written_as_one() -> None:
    transport = _transport(written := Written())

    transport.write(b"head ")
    transport.write(b"content")

    assert written.pieces == [b"head content"]


async def test_a_large_half_is_not_copied() -> None:
    transport = _transport(written := Written())

    transport.write(b"head")
    transport.write(page := bytes(100_000))

    assert written.pieces[0] == b"head"
    assert written.pieces[1] is page


async def test_half_a_response_does_not_wait_for_the_other() -> None:
    transport = _transport(written := Written())

    transport.write(b"head")
    await asyncio.sleep(0)

    assert written.pieces == [b"head"]


async def test_nothing_is_written_to_a_lost_connection() -> None:
    transport = _transport(written := Written())

    transport.write(b"head")
    transport.lost()
    await asyncio.sleep(0)

    assert written.pieces == []


async def test_a_connection_that_its_client_reset_ends_without_an_error() -> None:
    transport = _transport(written := Written())

    transport.end(linger_seconds=0.01)

    await asyncio.wait_for(written.is_aborted.wait(), 10)
