"""Contains the failures of background work, as `server/rpc/call.py` does for calls.

The work is repeated later, so a failure never ends the server.
"""

import contextlib
from collections.abc import Iterator

import structlog
from prometheus_client import Counter

from server.values.errors import Failure, OperatorError

_log = structlog.get_logger("background")


@contextlib.contextmanager
def tried(work: str, failures: Counter) -> Iterator[None]:
    """Counts and logs a failure of the block instead of raising it; `work` names the block.

    An outage of the database is logged at debug level, because health reports it. An error for the
    operator is logged with its text, and unexpected errors with their traceback.
    """
    try:
        yield
    except (Failure, TimeoutError) as error:
        failures.inc()
        _log.debug("failed and will be retried", work=work, detail=str(error))
    except OperatorError as error:
        failures.inc()
        _log.error("failed and will be retried", work=work, detail=str(error))
    except Exception:  # noqa: BLE001 -- background work must not end the server
        failures.inc()
        _log.exception("failed unexpectedly and will be retried", work=work)
