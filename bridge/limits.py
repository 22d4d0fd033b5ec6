"""How long, how much and how many: what one connection may cost."""

from collections import deque
from dataclasses import dataclass

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from bridge.http_errors import too_much_is_pipelined


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how much a client may keep a connection busy without making a call."""

    # From the first byte of a request to the end of its head.
    head_seconds: float = 10
    # From the end of the head, or of the response before it, to the end of the body, whatever
    # deadline the client has set: 4 MiB at 560 kbit/s. A least rate that lets slower lines in would
    # let the largest bodies, which cost most, stay longest.
    body_seconds: float = 60
    # Without a request. Proxies have to give up first, or they send a request into a closing
    # connection: nginx and the load balancers of AWS do so after 60 seconds.
    idle_seconds: int = 75
    # For a response of which the client takes nothing.
    write_seconds: float = 30
    # After a response, for the rest of a request that nobody waits for.
    drain_seconds: float = 5
    drain_bytes: int = 32 * 1024 * 1024
    # For what is not yet answered when the server ends.
    farewell_seconds: float = 0.5
    # Request line and field lines; once more for the trailer section of a body. As on the native
    # port.
    head_bytes: int = 16 * 1024
    # RFC 9112, section 3, recommends to support at least 8000.
    target_bytes: int = 8 * 1024
    field_lines: int = 100
    # Requests that wait for the response to an earlier one. Few clients pipeline at all.
    pipelined: int = 32
    # All of them together: as large as uvicorn lets one body be that nobody reads.
    pipelined_bytes: int = HIGH_WATER_LIMIT


class Pipelined:
    """Counts the requests of a connection that wait for the response to an earlier one.

    They are begun oldest first. Only the newest can still grow.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sizes: deque[int] = deque()

    def add(self, size: int) -> None:
        """One more, as large as its head. HttpError when it is one too many, or they too large."""
        self._sizes.append(size)
        self._check()

    def grow(self, size: int) -> None:
        """A part of the body of the newest. HttpError when they are too large with it."""
        self._sizes[-1] += size
        self._check()

    def begin(self) -> None:
        """The oldest waits no more."""
        self._sizes.popleft()

    def _check(self) -> None:
        limits = self._limits
        if len(self._sizes) > limits.pipelined or sum(self._sizes) > limits.pipelined_bytes:
            raise too_much_is_pipelined()
