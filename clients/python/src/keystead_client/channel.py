"""Opens a channel to a server."""

from datetime import timedelta
from typing import Final

import grpc

from keystead_client.calls import StreamingCalls, UnaryCalls
from keystead_client.tokens import Token

_TIMEOUT = timedelta(seconds=10)  # the server's default

# The server answers pings that are at least 10 seconds apart (docs/api.md).
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_retries", 0),  # `UnaryCalls` repeats calls
)


def connect(
    address: str,
    token: Token = "",
    *,
    timeout: timedelta = _TIMEOUT,
    credentials: grpc.ChannelCredentials | None = None,
    plaintext: bool = False,
    repeat_changes: bool = True,
) -> grpc.aio.Channel:
    """A channel to `host:port` for the generated stubs. Close it, or use it in `async with`.

    Calls without a timeout of their own end after `timeout`, with all their attempts. The channel
    uses TLS with the certificate authorities of the system, or with `credentials`
    (`grpc.ssl_channel_credentials`). `plaintext` sends the token unencrypted, so it is for a
    trusted network only.

    Reads are repeated while the server is UNAVAILABLE, and so are changes, which get an
    `x-idempotency-key`. The server keeps at most 10,000 keys of a caller per day: a caller that
    changes more sets `repeat_changes=False`.
    """
    interceptors = [
        UnaryCalls(token, timeout=timeout.total_seconds(), repeats_changes=repeat_changes),
        StreamingCalls(token),
    ]
    if plaintext:
        return grpc.aio.insecure_channel(address, _OPTIONS, interceptors=interceptors)
    return grpc.aio.secure_channel(
        address,
        credentials or grpc.ssl_channel_credentials(),
        _OPTIONS,
        interceptors=interceptors,
    )
