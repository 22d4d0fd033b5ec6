"""`keystead health` without a server, or with another program at the address."""

import asyncio

import pytest
from click.testing import CliRunner

from server.cli import keystead
from tests.support.process import free_port


def _output(monkeypatch: pytest.MonkeyPatch, port: int) -> str:
    monkeypatch.setenv("KEYSTEAD_HTTP_ADDRESS", f"127.0.0.1:{port}")
    result = CliRunner().invoke(keystead, ["health"])
    assert result.exit_code == 1
    return result.output


def test_a_server_that_is_not_there_is_named_with_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = free_port()

    output = _output(monkeypatch, port)

    assert f"Nothing answers at 127.0.0.1:{port}" in output
    assert "Start the server" in output


@pytest.mark.parametrize(
    "body",
    [b"[]", b'{"parts": 1}', b"{}", b"hello", b'{"parts": {' + b" " * 10_000 + b'"a": "ok"}}'],
    ids=["a list", "a number", "an object", "a word", "10 kB"],
)
async def test_another_program_at_the_address_is_no_keystead(
    monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        output = await asyncio.to_thread(_output, monkeypatch, port)

    assert f"No Keystead answers at 127.0.0.1:{port}" in output
