"""Log lines reach standard error whole and in order, and no failure of it reaches a call."""

import asyncio
import errno
import resource
import select
from pathlib import Path

import grpc
import httpx

from keystead.user.v1 import user_service_pb2 as pb
from keystead.user.v1 import user_service_pb2_grpc
from server.log_output import LogOutput
from tests.conftest import MakeDatabase
from tests.process import serve


class _Sink:
    """Takes `most` bytes at a time, keeps what it took, and fails while it is full."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.pieces: list[bytes] = []
        self.most: int | None = most
        self.is_full = False

    def write(self, data: bytes, /) -> int | None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        if self.most is None:
            return None
        self.pieces.append(data[: self.most])
        return len(self.pieces[-1])

    @property
    def text(self) -> str:
        return b"".join(self.pieces).decode()


def _log(output: LogOutput, *lines: str) -> None:
    for line in lines:
        output.write(line)
        output.flush()


async def _until(sink: _Sink, end: str) -> None:
    async with asyncio.timeout(10):
        while not sink.text.endswith(end):  # noqa: ASYNC110 -- what writes it is a timer
            await asyncio.sleep(0.001)


async def test_lines_of_one_moment_are_written_in_one_piece() -> None:
    sink = _Sink()

    _log(LogOutput(sink), "one\n", "two\n", "three\n")

    assert not sink.pieces
    await _until(sink, "three\n")
    assert sink.pieces == [b"one\ntwo\nthree\n"]


async def test_the_next_moment_has_a_piece_of_its_own() -> None:
    sink = _Sink()
    output = LogOutput(sink)

    _log(output, "one\n")
    await _until(sink, "one\n")
    _log(output, "two\n")
    await _until(sink, "two\n")

    assert sink.pieces == [b"one\n", b"two\n"]


def test_without_an_event_loop_a_line_is_written_at_once() -> None:
    sink = _Sink()

    _log(LogOutput(sink), "one\n", "two\n")

    assert sink.pieces == [b"one\n", b"two\n"]


def test_what_a_loop_left_behind_is_written_before_what_comes_after_it() -> None:
    sink = _Sink()
    output = LogOutput(sink)

    async def log() -> None:
        _log(output, "in the loop\n")

    asyncio.run(log())
    _log(output, "after it\n")

    assert sink.text == "in the loop\nafter it\n"


def test_another_loop_writes_too() -> None:
    sink = _Sink()
    output = LogOutput(sink)

    async def log(line: str, *, wait: bool) -> None:
        _log(output, line)
        if wait:
            await _until(sink, line)

    asyncio.run(log("first\n", wait=False))
    asyncio.run(log("second\n", wait=True))

    assert sink.text == "first\nsecond\n"


async def test_a_thread_need_not_wait_for_the_loop() -> None:
    sink = _Sink()

    await asyncio.to_thread(_log, LogOutput(sink), "from a thread\n")

    assert sink.text == "from a thread\n"


async def test_pieces_are_whole_lines_that_a_pipe_takes_in_one() -> None:
    sink = _Sink()
    lines = [f"{number} {'x' * 500}\n" for number in range(50)]
    long = "y" * select.PIPE_BUF + "\n"

    _log(LogOutput(sink), *lines, long, "last\n")
    await _until(sink, "last\n")

    assert sink.text == "".join([*lines, long, "last\n"])
    assert all(piece.endswith(b"\n") for piece in sink.pieces)
    assert [piece for piece in sink.pieces if len(piece) > select.PIPE_BUF] == [long.encode()]
    assert len(sink.pieces) < len(lines) / 5


async def test_what_is_taken_in_parts_arrives_whole() -> None:
    sink = _Sink(most=3)

    _log(LogOutput(sink), "a line\n", "another\n")
    await _until(sink, "another\n")

    assert sink.text == "a line\nanother\n"


def test_lines_come_again_when_there_is_room_again() -> None:
    sink = _Sink()
    output = LogOutput(sink)

    sink.is_full = True
    _log(output, "lost\n")
    sink.is_full = False
    _log(output, "kept\n")

    assert sink.text == "kept\n"


def test_what_would_have_to_wait_for_room_is_lost() -> None:
    sink = _Sink()
    output = LogOutput(sink)

    sink.most = None
    _log(output, "lost\n")
    sink.most = 100
    _log(output, "kept\n")

    assert sink.text == "kept\n"


def test_text_that_is_no_unicode_is_escaped() -> None:
    sink = _Sink()

    _log(LogOutput(sink), "a\udc80\n")

    assert sink.pieces == [b"a\\udc80\n"]


async def test_a_server_whose_log_is_full_answers_and_ends_as_ever(
    tmp_path: Path, make_database: MakeDatabase
) -> None:
    async with serve(tmp_path, database_url=await make_database()) as server:
        port, web_port = await server.port(), await server.web_port()
        token = (tmp_path / "admin.token").read_text().strip()
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, 0))
        before = server.errors

        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{web_port}") as http,
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
