"""The headers of preconditions and retries that a method takes."""

from google.protobuf.descriptor import MethodDescriptor

from server.rpc.preconditions.changes import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    VALIDATE_ONLY,
    Objects,
    change_of,
)


def headers_of(method: MethodDescriptor, objects: Objects) -> tuple[str, ...]:
    """The headers that the method takes."""
    change = change_of(method, objects)
    if change is None or change.refuses:
        return ()
    return (*([IF_MATCH] if change.lock else []), VALIDATE_ONLY, IDEMPOTENCY_KEY)
