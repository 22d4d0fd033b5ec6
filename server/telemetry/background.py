"""What is done beside calls: nothing that goes wrong in it ends the server.

Calls have the same from `outcome.py`. Whatever failed here is done again some time later.
"""

import contextlib
from collections.abc import Iterator

import structlog
from prometheus_client import Counter

from server.values.errors import Failure

_log = structlog.get_logger("background")


@contextlib.contextmanager
def tried(work: str, failures: Counter) -> Iterator[None]:
    """Counts and logs a failure of the block instead of raising it; `work` says what it is.

    An outage of the database, which health tells of already, in a line at debug level; what nobody
    expected with its traceback.
    """
    try:
        yield
    except (Failure, TimeoutError) as error:
        failures.inc()
        _log.debug("failed and will be tried again", work=work, detail=str(error))
    except Exception:  # noqa: BLE001 -- that is what this is for
        failures.inc()
        _log.exception("failed in a way it should not, and will be tried again", work=work)
