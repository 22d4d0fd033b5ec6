"""The command line on the database of the server that most tests share."""

import pytest

from tests.cli.words import Keystead, commands_on
from tests.support.given import Instance


@pytest.fixture
def keystead(instance: Instance) -> Keystead:
    """Runs a command on the database of the server that most tests share."""
    return commands_on(instance)
