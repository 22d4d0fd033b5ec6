"""The back-off before an attempt is repeated."""

import random
from datetime import timedelta

_FIRST_SECONDS = 0.1
_MAX_SECONDS = 10.0


def delay(attempt: int, retry_after: timedelta | None = None) -> float:
    """Seconds to wait after failed attempt number `attempt`, counted from 1.

    The delay grows exponentially with full jitter. If the server names a time, the call waits for
    that time and up to half of it more, so that clients do not all return at once after an outage.
    """
    if retry_after is not None:
        return retry_after.total_seconds() * random.uniform(1, 1.5)  # noqa: S311 -- jitter
    return random.uniform(0, min(_MAX_SECONDS, _FIRST_SECONDS * 2**attempt))  # noqa: S311
