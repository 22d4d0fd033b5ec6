"""Limits of time and size on one connection to the web port."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The time and memory that a client may use on a connection without making a call."""

    # For the TLS handshake, as on the native port. The other times begin after the handshake.
    handshake_seconds: float = 10
    # From the first byte of a request to its last, regardless of the client's deadline.
    request_seconds: float = 60
    # The idle timeout. That of a proxy must be shorter, or it sends a request into a closing
    # connection: nginx and the load balancers of AWS have 60 seconds.
    idle_seconds: int = 75
    # For a client that has stopped reading. Enforced by the kernel.
    unread_seconds: float = 30
    # For a client that reads a little now and then: until the buffers take more of a response. The
    # limit of a stream (`Methods`) is shorter, and ends the call with its reason.
    blocked_seconds: float = 60
    # For the answer to a client that has closed its half of the connection, and may have left.
    half_closed_seconds: float = 2
    # For a client that may still be sending, to close after its last response.
    linger_seconds: float = 5
    # For unanswered requests, when the server shuts down.
    farewell_seconds: float = 0.5
    # Request line and field lines; once more for the trailer section. As on the native port.
    head_bytes: int = 16 * 1024
    field_lines: int = 100
    # The number of chunks that are read at once. Each takes a call of Python, of whatever size.
    chunks: int = 1_000
    # The number of requests that wait for the response to an earlier one, and the size of their
    # bodies together. At this size uvicorn stops reading, and so would not notice that the client
    # has left.
    pipelined: int = 32
    pipelined_bytes: int = 64 * 1024
    # The size of the kernel's buffer in each direction of a connection; Linux doubles it.
    socket_buffer_bytes: int = 64 * 1024
