"""Runs of commands, and their output."""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from uuid import uuid4

from tests.conftest import Installation
from tests.support import process
from tests.support.given import Instance
from tests.support.process import Finished

Keystead = Callable[..., Awaitable[Finished]]


async def done(command: Awaitable[Finished]) -> str:
    """The output of a command that must succeed, without the last line break."""
    finished = await command
    assert (finished.status, finished.errors) == (0, "")
    return finished.output.removesuffix("\n")


async def columns(command: Awaitable[Finished]) -> list[list[str]]:
    """The printed rows of a list, each as its columns."""
    return [line.split("\t") for line in (await done(command)).splitlines()]


async def objects(command: Awaitable[Finished]) -> list[dict[str, Any]]:
    """The objects that a list prints with `--json`."""
    return [json.loads(line) for line in (await done(command)).splitlines()]


def commands_on(place: Instance | Installation) -> Keystead:
    """Runs commands on the database and with the data directory of this place."""
    return partial(process.keystead, data_dir=place.data_dir, database_url=place.dsn)


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex}"
