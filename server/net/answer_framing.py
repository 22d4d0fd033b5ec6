"""Network streams that limit the framing of HTTP answers, and let other tasks run between reads.

The HTTP library handles every interim response (RFC 9110, section 15.2) and every chunk by itself,
so a host could occupy the process with those of a few bytes.
"""

import asyncio
from typing import Any

import httpcore2

# The bytes that an answer may have beside its content, such as heads and the sizes of chunks.
_MOST_FRAMING = 32 * 1024
# The bytes that are handled before other tasks run.
_MOST_AT_ONCE = 4096


class LimitedFraming(httpcore2.AsyncNetworkBackend):
    """Opens connections, which fail with a RemoteProtocolError if an answer has more framing."""

    def __init__(self) -> None:
        self._backend = httpcore2.AnyIOBackend()
        # The framing that the rest of the answer may have.
        self.left = _MOST_FRAMING

    def begin(self) -> None:
        """Expects the next answer."""
        self.left = _MOST_FRAMING

    async def connect_tcp(self, *arguments: Any, **options: Any) -> httpcore2.AsyncNetworkStream:
        """Opens a connection."""
        return _Stream(await self._backend.connect_tcp(*arguments, **options), self)


class _Stream(httpcore2.AsyncNetworkStream):
    def __init__(self, stream: httpcore2.AsyncNetworkStream, framing: LimitedFraming) -> None:
        self._stream = stream
        self._framing = framing

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        await asyncio.sleep(0)
        if self._framing.left < 0:
            raise httpcore2.RemoteProtocolError("The framing of the answer is too large.")
        data = await self._stream.read(min(max_bytes, _MOST_AT_ONCE), timeout)
        self._framing.left -= len(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(self, *arguments: Any, **options: Any) -> httpcore2.AsyncNetworkStream:
        return _Stream(await self._stream.start_tls(*arguments, **options), self._framing)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
