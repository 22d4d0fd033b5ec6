"""The help texts of the command line."""

import subprocess
import sys
from collections.abc import Sequence

import click
import pytest
from click.shell_completion import ShellComplete

from server.cli import COMMANDS, imported
from server.cli import keystead as root_command
from tests.cli.words import Keystead
from tests.support import forked
from tests.support.outline import first_sentence

pytestmark = pytest.mark.python_differs("argparse words help and errors anew")


def _commands(group: click.Group, *words: str) -> list[tuple[str, ...]]:
    found = []
    for name, command in _members(group).items():
        if isinstance(command, click.Group):
            found += _commands(command, *words, name)
        else:
            found.append((*words, name))
    return found


def _members(group: click.Group) -> dict[str, click.Command]:
    if group is root_command:
        return {str(stand_in.name): imported(stand_in) for stand_in in COMMANDS}
    return dict(group.commands)


def _command(words: tuple[str, ...]) -> click.Command:
    command: click.Command = root_command
    for word in words:
        assert isinstance(command, click.Group)
        command = _members(command)[word]
    return command


def test_every_command_says_what_it_does() -> None:
    for words in _commands(root_command):
        command = _command(words)
        assert command.help, words
        assert all(parameter.help for parameter in command.params), words


def test_the_list_of_commands_has_the_summary_of_each_command() -> None:
    for name, listed in root_command.commands.items():
        itself = _members(root_command)[name]
        assert (itself.name, itself.hidden) == (name, listed.hidden)
        assert listed.hidden or itself.get_short_help_str(200) == listed.get_short_help_str(200), (
            name
        )


@pytest.mark.parametrize(
    "words", sorted({words[:-1] for words in _commands(root_command)}), ids=" ".join
)
def test_a_list_of_commands_has_whole_sentences(words: tuple[str, ...]) -> None:
    group = _command(words)
    assert isinstance(group, click.Group)

    listed = " ".join(group.get_help(click.Context(group, **root_command.context_settings)).split())

    for name, command in _members(group).items():
        sentence = command.get_short_help_str(1000)
        assert (f"{name} {sentence}" in listed) is not command.hidden


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        ("keystead --help", {"asyncpg", "cryptography", "grpc", "pydantic", "structlog", "uvloop"}),
        ("keystead settings", {"asyncpg", "grpc", "jinja2", "uvloop", "webauthn"}),
        ("keystead doctor --help", {"grpc", "google.protobuf", "starlette", "uvicorn", "webauthn"}),
        ("keystead user list --help", {"aiosmtplib", "grpc", "jinja2", "starlette", "webauthn"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_command_imports_nothing_that_only_others_need(words: str, unneeded: set[str]) -> None:
    program = f"""
import atexit, sys
atexit.register(lambda: print(*({unneeded} & sys.modules.keys()), file=sys.stderr))
sys.argv = {words.split()}
from server.cli import main
main()
"""
    run = [sys.executable, "-c", program]
    finished = subprocess.run(run, capture_output=True, text=True, check=True)

    assert finished.stdout
    assert finished.stderr.strip() == ""


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("keystead ro", ["plain,rotate-keys", "plain,rotate-signing-key"]),
        ("keystead user re", ["plain,remove", "plain,revoke", "plain,revoke-grant"]),
        (
            "keystead user grant admin ORG_U",
            ["plain,org_user_manager"],
        ),
        ("keystead settings --j", ["plain,--json"]),
        ("keystead work --", ["plain,--help"]),  # hidden
    ],
)
def test_the_shell_completes_commands_options_and_choices(
    words: str, completions: list[str]
) -> None:
    status, output, errors = forked.run((), _completing(words), b"", 40)

    assert (status, output.splitlines(), errors) == (0, completions, "")


def _completing(words: str) -> dict[str, str]:
    """The environment in which a shell asks for the completions of the last word."""
    return {
        "_KEYSTEAD_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }


def test_a_completion_imports_no_command() -> None:
    program = [sys.executable, "-X", "importtime", "-c", "from server.cli import main; main()"]
    finished = subprocess.run(
        program,
        env=_completing("keystead user set --"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert "plain,--email" in finished.stdout
    assert "server.cli.outline" in finished.stderr
    assert "server.cli.declared" not in finished.stderr
    assert "pydantic" not in finished.stderr


def test_completion_knows_the_parameters_of_a_command() -> None:
    for words in _commands(root_command):
        itself = click.Group(
            commands=_members(root_command), context_settings=root_command.context_settings
        )
        command: click.Command = itself
        for word in words:
            assert isinstance(command, click.Group)
            command = command.commands[word]

        options = [name for each in command.params for name in each.opts if name.startswith("-")]
        lines = [(words, "-"), (words, ""), ((*words, "one"), "-")]
        lines += [((*words, option), "") for option in options]  # the values of the option
        for line, incomplete in lines:
            expected = _completions(itself, line, incomplete)
            assert _completions(root_command, line, incomplete) == expected, line


def _completions(group: click.Group, line: Sequence[str], incomplete: str) -> list[tuple[str, ...]]:
    completes = ShellComplete(group, {}, "keystead", "_KEYSTEAD_COMPLETE")
    found = completes.get_completions([*line], incomplete)
    return [(each.type, each.value, first_sentence(each.help or "")) for each in found]


async def test_a_command_that_is_misspelt_is_answered_with_the_likely_one(
    keystead: Keystead,
) -> None:
    unknown = await keystead("migrat")

    assert (unknown.status, unknown.output) == (2, "")
    assert "Did you mean" in unknown.errors
    assert "migrate" in unknown.errors


@pytest.mark.parametrize(
    ("words", "suggested"),
    [
        (("role",), "Did you mean `keystead user grant` or `keystead user revoke`"),
        (
            ("user", "frobnicate"),
            "Its commands are: cancel-email-change, count, create, grant, grants, groups",
        ),
    ],
)
async def test_a_command_of_another_name_is_answered_with_those_that_exist(
    keystead: Keystead, words: Sequence[str], suggested: str
) -> None:
    unknown = await keystead(*words)

    assert (unknown.status, unknown.output) == (2, "")
    assert suggested in unknown.errors


async def test_a_command_that_is_called_wrongly_says_how_and_ends_with_two(
    keystead: Keystead,
) -> None:
    unknown = await keystead("user", "grant", "admin", "KING")

    assert (unknown.status, unknown.output) == (2, "")
    assert "Usage: keystead user grant [OPTIONS] USER ROLE" in unknown.errors
    assert "'instance_owner', 'org_owner', 'org_user_manager'" in unknown.errors
