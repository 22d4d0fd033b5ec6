"""The command line on the database of the server that most tests share."""

from typing import Any

import pytest

from tests.cli.words import Keystead
from tests.support import process
from tests.support.given import Instance
from tests.support.process import Finished


@pytest.fixture
def keystead(instance: Instance) -> Keystead:
    """Runs a command on the database of the server that most tests share."""

    async def run(*words: str, stdin: Any = b"", **settings: object) -> Finished:
        return await process.keystead(
            *words,
            data_dir=instance.data_dir,
            stdin=stdin,
            database_url=instance.dsn,
            **settings,
        )

    return run
