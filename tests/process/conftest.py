"""Fixtures of the tests of processes."""

from collections.abc import Iterator

import pytest

from server import app


@pytest.fixture(scope="module")
def often() -> Iterator[None]:
    """Makes servers check their files often, so that tests need not wait."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(app, "FOLLOW_SECONDS", 0.05)
        yield
