"""Reads of answers, which take turns with the other tasks of the process."""

import asyncio

import httpcore2
import pytest

from server.net.answer_framing import LimitedFraming


async def test_other_tasks_run_between_reads_of_bytes_that_have_arrived(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    framing = LimitedFraming()
    arrived = httpcore2.AsyncMockBackend([b"HTTP/1.1 100 C\r\n\r\n"] * 5)
    monkeypatch.setattr(framing, "_backend", arrived)
    stream = await framing.connect_tcp("localhost", 443)
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(take_turns())
    for _ in range(5):
        await stream.read(65_536)
    other.cancel()

    assert turns >= 5


async def test_a_read_has_a_few_kilobytes() -> None:
    async with await asyncio.start_server(_flood, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        stream = await LimitedFraming().connect_tcp("127.0.0.1", port)

        assert len(await stream.read(65_536)) <= 4096

        await stream.aclose()


async def _flood(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"x" * 65_536)
    await writer.drain()
    writer.close()
