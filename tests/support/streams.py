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
    """A stream of messages with a position, and the position that was read last."""

    # The name of the position in a message.
    POSITION = "position"

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.position = 0

    async def read(self) -> Any:
        """The next message."""
        message = await self._stream.read()
        assert message is not grpc.aio.EOF, "the stream has ended"
        position = getattr(message, self.POSITION)
        assert position >= self.position
        self.position = position
        return message

    async def refusal(self) -> given.Refusal:
        """The error that the stream ends with."""
        return await refusal_of(self._stream)

    @contextlib.asynccontextmanager
    async def begun(self, after: int | None) -> AsyncIterator[Self]:
        """Reads the first message, which has only the position, and ends the stream later."""
        try:
            first = await self.read()
            assert [field.name for field, _ in first.ListFields()] in ([], [self.POSITION])
            assert after is None or self.position == after
            yield self
        finally:
            self._stream.cancel()
