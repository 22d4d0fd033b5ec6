"""Streams as their clients read them."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, Self

import grpc

from tests.support import given


async def refusal_of(stream: Any) -> given.Refusal:
    """The error that the stream must end with."""

    async def to_the_end() -> None:
        while await stream.read() is not grpc.aio.EOF:
            pass

    return await given.refusal(to_the_end())


class Watcher:
    """A stream of messages with a cursor, and the cursor that was read last."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.cursor = "0"

    async def read(self) -> Any:
        """The next message."""
        message = await self._stream.read()
        assert message is not grpc.aio.EOF, "the stream has ended"
        assert int(message.cursor) >= int(self.cursor)
        self.cursor = message.cursor
        return message

    async def refusal(self) -> given.Refusal:
        """The error that the stream ends with."""
        return await refusal_of(self._stream)

    @contextlib.asynccontextmanager
    async def begun(self, after: str) -> AsyncIterator[Self]:
        """Reads the first message, which has only the cursor, and ends the stream later."""
        try:
            first = await self.read()
            assert [field.name for field, _ in first.ListFields()] in ([], ["cursor"])
            assert after in ("", self.cursor)
            yield self
        finally:
            self._stream.cancel()
