"""Commands in the documentation exist, with their options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from server.cli import StandIn, imported
from server.cli import keystead as root_command

_ROOT = Path(__file__).parents[2]
_DOCUMENTS = [_ROOT / "README.md", *(_ROOT / "docs").glob("*.md")]
_BLOCK = re.compile(r"^( *)```\w*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`keystead ([^`]+)`")
# After a prompt, an assignment or `sudo`; not a package, file, host or user of this name.
_IN_BLOCK = re.compile(
    r"^(?:\$ |# )?(?:[A-Z_]+=\S+ |sudo (?:-u \S+ )?)*(?:\S*/)?keystead ((?:\\\n|[^\n])+)",
    re.MULTILINE,
)
_END = {"|", "||", "&&", ">", ">>", "<", ";", "&", "2>"}


def _written() -> Iterator[tuple[str, str, bool]]:
    """The words after `keystead`, with their document, and whether they are in a block."""
    for path in _DOCUMENTS:
        text, name = path.read_text(), path.name
        for block in _BLOCK.finditer(text):
            yield from ((name, found, True) for found in _IN_BLOCK.findall(block[2]))
        prose = _BLOCK.sub("", text)
        yield from ((name, " ".join(found.split()), False) for found in _INLINE.findall(prose))


def _words(text: str) -> list[str]:
    """The words of the command, without the rest of a pipeline and comments."""
    words = list[str]()
    for word in shlex.split(text.replace("\\\n", " "), comments=True):
        if word in _END:
            break
        words.append(word)
    return words


def _context(command: click.Command) -> click.Context:
    """A command keeps the option of help that its first context names."""
    return click.Context(command, **root_command.context_settings)


def _command(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that the words name, and the rest of them. `UsageError`."""
    command: click.Command = root_command
    while isinstance(command, click.Group) and words and words[0] != "...":
        _, words, _ = command.make_parser(_context(command)).parse_args(words)
        if not words:
            break
        name, *words = words
        found = command.get_command(_context(command), name)
        if found is None:
            raise click.UsageError(f"no command {name}")
        command = imported(found) if isinstance(found, StandIn) else found
    return command, words


def _problem(text: str, *, whole: bool) -> str:
    """Why the command does not parse; empty if it does. A part of one may lack arguments."""
    try:
        command, words = _command(_words(text))
        if isinstance(command, click.Group):
            return ""
        context = _context(command)
        given, extra, _ = command.make_parser(context).parse_args(words)
    except click.UsageError as error:
        return (
            "" if isinstance(error, click.BadOptionUsage) and not whole else error.format_message()
        )
    if extra:
        return f"superfluous: {extra}"
    missing = [
        each.name
        for each in command.params
        if each.required and not isinstance(given.get(str(each.name)), str | list | tuple)
    ]
    return f"missing: {missing}" if whole and missing else ""


def test_every_command_in_the_documentation_parses() -> None:
    written = [*_written()]
    problems = {
        (document, text): problem
        for document, text, whole in written
        if (problem := _problem(text, whole=whole))
    }

    assert len(written) > 100
    assert problems == {}


@pytest.mark.parametrize(
    "text",
    [
        "role list",
        "user add ada",
        "user create ada --organisation example",
        "user create",
        "user lock ada bob",
        "idp set google --name",
    ],
)
def test_a_command_that_does_not_exist_is_a_problem(text: str) -> None:
    assert _problem(text, whole=True)
