"""Functions of the server that behave differently once, for tests of races and of outages."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest


def then(
    patch: pytest.MonkeyPatch, owner: Any, name: str, do: Callable[[], Awaitable[object]]
) -> None:
    """After its first call has its result, and before the caller gets it, `do` is run."""
    function, further = getattr(owner, name), [do]

    async def patched(*arguments: Any, **named: Any) -> Any:
        result = await function(*arguments, **named)
        if further:
            await further.pop()()
        return result

    patch.setattr(owner, name, patched)


def fail(patch: pytest.MonkeyPatch, owner: Any, name: str, *errors: Exception) -> None:
    """Its first calls raise these errors."""
    function, left = getattr(owner, name), list(errors)

    async def patched(*arguments: Any, **named: Any) -> Any:
        if left:
            raise left.pop(0)
        return await function(*arguments, **named)

    patch.setattr(owner, name, patched)
