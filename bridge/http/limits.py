"""Limits of time and size on one connection to the web port."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The time and memory that a client may use on a connection without making a call."""

    # From the first byte of a request to its last, whatever deadline the client has set.
    request_seconds: float = 60
    # The idle timeout. That of a proxy must be shorter, or it sends a request into a closing
    # connection: nginx and the load balancers of AWS have 60 seconds.
    idle_seconds: int = 75
    # For a client that has stopped reading. Enforced by the kernel.
    unread_seconds: float = 30
    # For the answer to a client that has closed its half of the connection, and may have left.
    half_closed_seconds: float = 2
    # For a client that may still be sending, to close after its last response.
    linger_seconds: float = 5
    # For unanswered requests, when the server ends.
    farewell_seconds: float = 0.5
    # Request line and field lines; once more for the trailer section. As on the native port.
    head_bytes: int = 16 * 1024
    field_lines: int = 100
    # Requests that wait for the response to an earlier one.
    pipelined: int = 32
    # The kernel's buffers of a connection, in each direction; Linux doubles it.
    socket_buffer_bytes: int = 64 * 1024
