"""The trailer that tells retry policies of gRPC when to repeat a call (gRFC A6)."""

from datetime import timedelta

import pytest

from server.rpc.status import end_of_call
from server.values.errors import Failure, Kind


@pytest.mark.parametrize(
    ("kind", "retry_after", "pushback"),
    [
        (Kind.UNAVAILABLE, timedelta(seconds=1.5), "1500"),
        (Kind.ABORTED, timedelta(microseconds=1), "1"),
        (Kind.ABORTED, None, "-1"),
        (Kind.UNAVAILABLE, None, None),
    ],
)
def test_the_delay_of_retry_info_is_a_trailer_of_grpc(
    kind: Kind, retry_after: timedelta | None, pushback: str | None
) -> None:
    failure = Failure(kind, "REASON", "Message.", retry_after=retry_after)

    trailers = dict(end_of_call(failure, "id", ()).trailing_metadata)

    assert trailers.get("grpc-retry-pushback-ms") == pushback
