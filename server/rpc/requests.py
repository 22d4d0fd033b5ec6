"""The request of a call: its limits, and the refusals of a malformed one, on every port."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from google.protobuf.message import DecodeError

from server.rpc.registry import Handler
from server.values.errors import Failure, Kind, unimplemented

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
# Of callers that are not authenticated yet. Requests without a token contain names and codes, which
# take less than 3 KiB even with every character escaped in JSON.
MAX_STRANGERS_MESSAGE_BYTES = 4 * 1024
# Of methods that are declared open: the assertion of a passkey is larger.
MAX_OPEN_MESSAGE_BYTES = 16 * 1024

# Reads a request of at most the given number of bytes. `Failure` if it is larger or malformed.
Read: TypeAlias = Callable[[int], Awaitable[Any]]


def parsed(handler: Handler, data: bytes, most_bytes: int) -> Any:
    """The request of a method in protobuf's binary format.

    `Failure` RESOURCE_EXHAUSTED or INVALID_ARGUMENT when it cannot be read.
    """
    if len(data) > most_bytes:
        raise message_too_large(most_bytes)
    try:
        return handler.request_deserializer(data)
    except DecodeError:
        raise Failure(
            Kind.INVALID_ARGUMENT,
            "MALFORMED_MESSAGE",
            "The message cannot be read. Generate it from the schema of this server (reflection).",
        ) from None


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
