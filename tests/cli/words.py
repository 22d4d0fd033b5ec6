"""Commands that tests run, and what they print."""

import json
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from tests.support.process import Finished

Keystead = Callable[..., Awaitable[Finished]]


async def done(command: Awaitable[Finished]) -> str:
    """What a command printed that must succeed, without the end of the line."""
    finished = await command
    assert (finished.status, finished.errors) == (0, "")
    return finished.output.removesuffix("\n")


async def columns(command: Awaitable[Finished]) -> list[list[str]]:
    """What a list printed, line by line."""
    return [line.split("\t") for line in (await done(command)).splitlines()]


async def objects(command: Awaitable[Finished]) -> list[dict[str, Any]]:
    """What a list printed by `--json`."""
    return [json.loads(line) for line in (await done(command)).splitlines()]


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex}"
