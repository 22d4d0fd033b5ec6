"""Removes users whose rights have ended from the cache of callers."""

import contextlib
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def forgetting(forget: Callable[[str], None], user_id: str) -> Iterator[None]:
    """Removes the user from the cache, even if the call is cancelled after its commit.

    `forget` is called by nothing else. For users who are known only in a transaction, use
    `once_written` of the transaction.
    """
    try:
        yield
    finally:
        forget(user_id)
