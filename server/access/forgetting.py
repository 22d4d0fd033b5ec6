"""Removes users whose rights have ended from the cache of callers."""

import contextlib
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def forgetting(forget: Callable[[str], None], user_id: str) -> Iterator[None]:
    """Removes the user from the cache, even if the call is cancelled after its commit."""
    try:
        yield
    finally:
        forget(user_id)
