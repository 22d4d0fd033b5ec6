"""What the seam needs of a transport, for a call that came over HTTP."""

import time
from collections.abc import Iterable
from typing import Any, NoReturn

from bridge import metadata
from bridge.metadata import Metadata
from server.status import EndOfCall

# An ASGI scope; https://asgi.readthedocs.io/en/latest/specs/www.html
Scope = dict[str, Any]


class CallEnded(Exception):  # noqa: N818 -- the way out of a call, as in grpc.aio.AbortError
    """The seam has ended the call with a status that is not OK."""

    def __init__(self, status: EndOfCall) -> None:
        super().__init__(status.details)
        self.status = status


class Context:
    """The context of one call; see the rule of server/rpc.py.

    `initial_metadata` and `trailing_metadata` are what the call set, for whoever writes the answer.
    """

    def __init__(self, scope: Scope) -> None:
        """Failure INVALID_ARGUMENT for headers that cannot be read."""
        self._client: tuple[str, int] | None = scope["client"]
        self._invocation_metadata = metadata.from_headers(scope["headers"])
        timeout = metadata.timeout(scope["headers"])
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self.initial_metadata: Metadata = ()
        self.trailing_metadata: Metadata = ()

    def invocation_metadata(self) -> Metadata:
        """What the client sent."""
        return self._invocation_metadata

    def time_remaining(self) -> float | None:
        """Seconds until the client's deadline, if it has one."""
        return None if self._deadline is None else max(self._deadline - time.monotonic(), 0.0)

    def peer(self) -> str:
        """Who calls, written as gRPC does."""
        if self._client is None:
            return "unknown"
        host, port = self._client
        return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"

    async def send_initial_metadata(self, initial_metadata: Iterable[tuple[str, str]]) -> None:
        """Says what the answer begins with."""
        self.initial_metadata = tuple(initial_metadata)

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Says what the answer ends with."""
        self.trailing_metadata = trailing_metadata

    async def abort_with_status(self, status: EndOfCall) -> NoReturn:
        """Ends the call. CallEnded always."""
        raise CallEnded(status)
