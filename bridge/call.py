"""Makes the `Call` of an HTTP request."""

from starlette.types import Scope

from bridge import metadata
from bridge.http.protocol import THUMBPRINT
from server.rpc.call import Call
from server.rpc.declared import Method
from server.rpc.methods import Methods
from server.rpc.status import Metadata
from server.values.errors import Failure, deadline_exceeded


def call_of(methods: Methods, method: Method, scope: Scope) -> tuple[Call, Failure | None]:
    """The call of a method, and the failure to refuse it with if its headers are invalid."""
    headers: Metadata = ()
    time_left, refusal = None, None
    try:
        headers = metadata.from_headers(scope["headers"])
        if timeouts := metadata.values(scope["headers"], b"grpc-timeout"):
            time_left = metadata.timeout(timeouts[0])
        if time_left == 0:
            # A method that never waits would end before its deadline is checked.
            refusal = deadline_exceeded()
    except Failure as failure:
        refusal = failure
    peer = "unknown"
    if scope["client"] is not None:  # in gRPC's format
        host, port = scope["client"]
        peer = f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"
    call = Call(
        method,
        headers,
        peer=peer,
        time_left=time_left,
        default_timeout=methods.default_timeout,
        thumbprint=scope.get(THUMBPRINT),
    )
    return call, refusal
