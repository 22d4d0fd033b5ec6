"""Calls of methods again that have lost a race against other calls."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from server.values.errors import Failure, Kind

_TRIES: Final = 5
_PAUSE_SECONDS: Final = 0.2

Answer = TypeVar("Answer")


async def retried(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer of a call. One that ends as ABORTED is made again."""
    tries_left = _TRIES
    while True:
        tries_left -= 1
        try:
            return await call()
        except Failure as failure:
            if failure.kind is not Kind.ABORTED or not tries_left:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)
