"""Makes the `Call` of an HTTP request."""

from starlette.types import Scope

from bridge import metadata
from bridge.http.protocol import THUMBPRINT
from server.rpc.call import Call
from server.rpc.declared import Method
from server.rpc.methods import Methods
from server.values.errors import Failure


def call_of(methods: Methods, method: Method, scope: Scope) -> tuple[Call, Failure | None]:
    """The call of a method, and the failure to refuse it with for an invalid or past deadline."""
    time_left, refusal = None, None
    try:
        if timeouts := metadata.values(scope["headers"], b"grpc-timeout"):
            time_left = metadata.timeout(timeouts[0])
    except Failure as failure:
        refusal = failure
    # No method reads headers of binary metadata, so none is decoded.
    headers = [(key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]]
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
