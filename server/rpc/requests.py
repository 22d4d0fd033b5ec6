"""The request of a call: its limits, and the refusals of a malformed one, on every port."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from google.protobuf.message import DecodeError

from server.rpc.registry import Handler
from server.values.errors import Failure, FixedFailure, Kind, unimplemented

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
# Of callers that are not authenticated yet. Requests without a token contain names and codes, which
# take less than 3 KiB even with every character escaped in JSON.
MAX_ANONYMOUS_MESSAGE_BYTES = 4 * 1024
# Of methods that are declared open: the assertion of a passkey is larger.
MAX_OPEN_MESSAGE_BYTES = 16 * 1024
# An assertion has about 20 values. Each takes some 4 microseconds of the event loop as JSON.
MAX_ANONYMOUS_VALUES: Final = 100


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The size of a request, and over HTTP the number of its JSON values and query parameters.

    Nested values count, too. Those of a Struct in protobuf are counted when a method converts it.
    """

    bytes: int
    values: int
    parameters: int


# A credential has at most 1000 values, and no other request has as many.
OF_CALLERS: Final = RequestLimits(MAX_MESSAGE_BYTES, values=2_000, parameters=100)
# Of methods that are declared batches: 500 users of 50 values, 0.1 seconds of the event loop.
OF_BATCHES: Final = RequestLimits(MAX_MESSAGE_BYTES, values=25_000, parameters=100)
OF_ANONYMOUS: Final = RequestLimits(
    MAX_ANONYMOUS_MESSAGE_BYTES, MAX_ANONYMOUS_VALUES, parameters=20
)
OF_OPEN_METHODS: Final = RequestLimits(MAX_OPEN_MESSAGE_BYTES, MAX_ANONYMOUS_VALUES, parameters=20)

# Reads a request within these limits. `Failure` if it is larger or malformed.
Read: TypeAlias = Callable[[RequestLimits], Awaitable[Any]]


def parsed(handler: Handler, data: bytes, limits: RequestLimits) -> Any:
    """The request of a method in protobuf's binary format.

    `Failure` RESOURCE_EXHAUSTED or INVALID_ARGUMENT when it cannot be read.
    """
    if len(data) > limits.bytes:
        raise message_too_large(limits.bytes)
    try:
        return handler.request_deserializer(data)
    except DecodeError:
        raise _malformed_message() from None


_malformed_message: Final = FixedFailure(
    "MALFORMED_MESSAGE",
    "The message cannot be read. Generate it from the schema of this server (reflection).",
    kind=Kind.INVALID_ARGUMENT,
)


def not_one_message() -> Failure:
    """The failure of a call with no or several messages, on every port."""
    # gRPC's statuscodes.md prescribes UNIMPLEMENTED for a wrong number of messages.
    return unimplemented("This method takes exactly one message. Send one.")


def message_too_large(most_bytes: int) -> Failure:
    """The failure of a call whose message is refused before it is parsed, on every port."""
    return Failure(
        Kind.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
        f"The message is larger than {most_bytes} bytes. Send a smaller one.",
    )


def unknown_method() -> Failure:
    """The failure of a call to an unknown path, on every port."""
    return unimplemented("There is no such method. Reflection lists the methods of this server.")
