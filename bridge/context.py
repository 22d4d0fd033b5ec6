"""What the seam needs of a transport, for a call that came over HTTP."""

import time
from collections.abc import Iterable
from typing import Final, NoReturn

from starlette.types import Scope

from bridge import metadata
from bridge.metadata import Metadata
from server.rpc.status import EndOfCall
from server.values.errors import Failure, deadline_exceeded

# In the scope of a call that keeps the token of its session in a cookie; see bridge/cookies.py.
KEPT_IN_COOKIE: Final = "keystead.kept_in_cookie"


class CallEnded(Exception):  # noqa: N818 -- the way out of a call, as in grpc.aio.AbortError
    """The seam has ended the call with a status that is not OK."""

    def __init__(self, status: EndOfCall) -> None:
        super().__init__(status.details)
        self.status = status


class Context:
    """The context of one call; see the rule of server/rpc/methods.py.

    `refusal` says why the headers are no call: whoever made the context gives it to
    `Methods.refuse` instead of calling a method. `trailing_metadata` is what the call set, and
    `headers` what the answer shall have besides, for whoever writes it. `is_kept_in_cookie`: the
    caller keeps the token of its session in a cookie.
    """

    def __init__(self, scope: Scope) -> None:
        self._client: tuple[str, int] | None = scope["client"]
        self._invocation_metadata: Metadata = ()
        self._deadline: float | None = None
        self.is_kept_in_cookie: bool = scope.get(KEPT_IN_COOKIE, False)
        self.refusal: Failure | None = None
        self.trailing_metadata: Metadata = ()
        self.headers: Metadata = ()
        try:
            self._read(scope["headers"])
        except Failure as failure:
            self.refusal = failure

    def _read(self, headers: metadata.Headers) -> None:
        self._invocation_metadata = metadata.from_headers(headers)
        timeout = metadata.timeout(headers)
        if timeout is not None:
            self._deadline = time.monotonic() + timeout
            if not timeout:
                # A method that waits for nothing would end before its deadline is looked at.
                raise deadline_exceeded()

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

    def set_trailing_metadata(self, trailing_metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """Says what the answer ends with. ValueError for what cannot be sent."""
        self.trailing_metadata = metadata.validated(trailing_metadata)

    async def abort_with_status(self, status: EndOfCall) -> NoReturn:
        """Ends the call. CallEnded always."""
        raise CallEnded(status)
