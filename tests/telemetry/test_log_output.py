"""Log lines reach standard error whole and in order, and calls never fail by its failures."""

import asyncio
import contextlib
import errno
import os
import resource
import select
from collections.abc import Iterator
from pathlib import Path

import grpc
import httpx2
import pytest

from keystead.user.v1 import user_service_pb2 as pb
from keystead.user.v1 import user_service_pb2_grpc
from server.telemetry.output import Descriptor, LogOutput
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.support.process import free_port, serve, serve_forked
from tests.support.web_client import web_client

pytestmark = pytest.mark.python_differs("logging and traceback print errors anew")


class _Sink:
    """Accepts `most` bytes at a time and keeps them. Fails while its disk is full."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.pieces: list[bytes] = []
        self.most = most
        self.is_full = False

    def write(self, data: bytes, _patience: float, /) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        if self.most:
            self.pieces.append(data[: self.most])
        return min(self.most, len(data))

    @property
    def text(self) -> str:
        return b"".join(self.pieces).decode()


def _log(output: LogOutput, *lines: str) -> None:
    for line in lines:
        output.write(line)
        output.flush()


async def _until(sink: _Sink, end: str) -> None:
    async with asyncio.timeout(10):
        while not sink.text.endswith(end):  # noqa: ASYNC110 -- a timer writes it
            await asyncio.sleep(0.001)


async def test_lines_of_one_turn_of_the_event_loop_are_written_in_one_piece() -> None:
    sink = _Sink()
    output = LogOutput(sink.write)

    _log(output, "one\n", "two\n", "three\n")
    assert not sink.pieces
    await _until(sink, "three\n")
    _log(output, "four\n")
    await _until(sink, "four\n")

    assert sink.pieces == [b"one\ntwo\nthree\n", b"four\n"]


def test_without_an_event_loop_a_line_is_written_at_once_and_escaped() -> None:
    sink = _Sink()

    _log(LogOutput(sink.write), "one\n", "no Unicode: \udc80\n")

    assert sink.pieces == [b"one\n", b"no Unicode: \\udc80\n"]


@pytest.mark.parametrize("has_loop", [False, True])
def test_lines_that_a_loop_left_behind_are_written_before_later_ones(has_loop: bool) -> None:
    sink = _Sink(most=0)
    output = LogOutput(sink.write)

    async def log(line: str) -> None:
        _log(output, line)
        if sink.most:
            await _until(sink, line)

    asyncio.run(log("first\n"))
    sink.most = 100
    if has_loop:
        asyncio.run(log("second\n"))
    else:
        _log(output, "second\n")

    assert sink.text == "first\nsecond\n"


async def test_a_thread_need_not_wait_for_the_loop() -> None:
    sink = _Sink()

    await asyncio.to_thread(_log, LogOutput(sink.write), "from a thread\n")

    assert sink.text == "from a thread\n"


async def test_pieces_are_whole_lines_that_a_pipe_takes_in_one() -> None:
    sink = _Sink()
    lines = [f"{number} {'x' * 500}\n" for number in range(50)]
    long = "y" * select.PIPE_BUF + "\n"

    _log(LogOutput(sink.write), *lines, long, "last\n")
    await _until(sink, "last\n")

    assert sink.text == "".join([*lines, long, "last\n"])
    assert all(piece.endswith(b"\n") for piece in sink.pieces)
    assert [piece for piece in sink.pieces if len(piece) > select.PIPE_BUF] == [long.encode()]
    assert len(sink.pieces) < len(lines) / 5


async def test_what_is_taken_in_parts_arrives_whole() -> None:
    sink = _Sink(most=3)

    _log(LogOutput(sink.write), "a line\n", "another\n")
    await _until(sink, "another\n")

    assert sink.text == "a line\nanother\n"


def test_lines_come_again_when_there_is_room_again() -> None:
    sink = _Sink()
    output = LogOutput(sink.write)

    sink.is_full = True
    _log(output, "lost\n")
    sink.is_full = False
    _log(output, "kept\n")

    assert sink.text == "kept\n"


def test_lines_wait_for_room() -> None:
    sink = _Sink(most=0)
    output = LogOutput(sink.write)

    _log(output, "first\n", "second\n")
    assert not sink.pieces
    sink.most = 4
    _log(output, "third\n")

    assert sink.text == "first\nsecond\nthird\n"


async def test_lines_that_wait_for_room_need_no_further_ones_to_come() -> None:
    sink = _Sink(most=0)

    _log(LogOutput(sink.write), "waiting\n")
    await asyncio.sleep(0)
    sink.most = 100

    await _until(sink, "waiting\n")


def test_without_room_memory_is_bounded_and_the_oldest_lines_are_kept() -> None:
    sink = _Sink(most=0)
    output = LogOutput(sink.write)

    _log(output, *(f"{number}\n" for number in range(11_000)))
    sink.most = 1_000_000
    output.flush()

    kept = [int(line) for line in sink.text.splitlines()]
    assert kept == list(range(len(kept)))
    assert 10_000 <= len(kept) < 11_000


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The reading and the writing end."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            with contextlib.suppress(OSError):
                os.close(end)


class TestDescriptor:
    """Standard error is a pipe without a reader."""

    def test_takes_what_there_is_room_for_and_does_not_wait(self, pipe: tuple[int, int]) -> None:
        reader, writer = pipe
        descriptor = Descriptor(writer)
        taken = 0
        while written := descriptor.write(b"x" * 9_000, 0):
            taken += written

        os.read(reader, 65_536)

        assert taken >= select.PIPE_BUF
        assert descriptor.write(b"y", 0) == 1

    def test_fails_when_the_reader_has_gone(self, pipe: tuple[int, int]) -> None:
        reader, writer = pipe
        os.close(reader)

        with pytest.raises(BrokenPipeError):
            Descriptor(writer).write(b"x", 0)


async def test_a_server_whose_log_is_full_answers_and_ends_as_ever(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with serve_forked(tmp_path, database_url=await make_database()) as server:
        port, web_port = await server.port(), await server.web_port()
        token = (tmp_path / "admin.token").read_text().strip()
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, 0))
        before = server.errors

        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
            web_client(web_port) as http,
        ):
            users = user_service_pb2_grpc.UserServiceStub(channel)
            headers = {"authorization": f"Bearer {token}"}
            for _ in range(10):
                await users.GetCurrentUser(
                    pb.GetCurrentUserRequest(), metadata=tuple(headers.items())
                )
                assert (await http.get("/v1/users/me", headers=headers)).status_code == 200

        assert await server.end() == 0
        assert server.errors == before


async def test_a_server_whose_log_nobody_reads_answers_and_ends_as_ever(
    tmp_path: Path, make_database: MakeDatabase, pipe: tuple[int, int]
) -> None:
    _, writer = pipe
    port = free_port()
    settings = {"database_url": await make_database(), "http_address": f"127.0.0.1:{port}"}
    async with (
        serve(tmp_path, writer, **settings) as server,
        web_client(port) as http,
    ):

        async def is_ready() -> bool:
            with contextlib.suppress(httpx2.ConnectError):
                return (await http.get("/readyz")).is_success
            return False

        await given.eventually(is_ready)
        for _ in range(500):  # each logs more than 200 bytes; a pipe takes 65,536
            await http.get("/v1/nothing")

        assert (await http.get("/livez")).is_success
        assert await server.end() == 0
