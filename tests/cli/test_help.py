"""What the command line says of itself."""

import click
import pytest

from server.cli import keystead as root_command
from tests.cli.words import Keystead


def _commands(group: click.Group, *words: str) -> list[tuple[str, ...]]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found += _commands(command, *words, name)
        else:
            found.append((*words, name))
    return found


@pytest.mark.parametrize("words", _commands(root_command), ids=" ".join)
def test_every_command_says_what_it_does(words: tuple[str, ...]) -> None:
    command: click.Command = root_command
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]

    assert command.help
    assert all(parameter.help for parameter in command.params)


async def test_a_command_that_is_called_wrongly_says_how_and_ends_with_two(
    keystead: Keystead,
) -> None:
    unknown = await keystead("user", "grant", "admin", "KING")

    assert (unknown.status, unknown.output) == (2, "")
    assert "Usage: keystead user grant [OPTIONS] USER ROLE" in unknown.errors
    assert "'INSTANCE_OWNER', 'ORG_OWNER', 'ORG_USER_MANAGER'" in unknown.errors
