"""The call that an HTTP request makes."""

from starlette.types import Scope

from bridge import metadata
from server.rpc.call import Call
from server.rpc.methods import Methods
from server.values.errors import Failure, deadline_exceeded


def call_of(methods: Methods, path: str, scope: Scope) -> tuple[Call, Failure | None]:
    """The call of a method, and the failure by which to refuse it if its headers are wrong."""
    headers: metadata.Metadata = ()
    time_left, refusal = None, None
    try:
        headers = metadata.from_headers(scope["headers"])
        time_left = metadata.timeout(scope["headers"])
        if time_left == 0:
            # A method that waits for nothing would end before its deadline is looked at.
            refusal = deadline_exceeded()
    except Failure as failure:
        refusal = failure
    peer = "unknown"
    if scope["client"] is not None:  # written as gRPC does
        host, port = scope["client"]
        peer = f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"
    return methods.call(path, headers, peer, time_left), refusal
