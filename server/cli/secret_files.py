"""Reads files of commands.

The rule: a secret comes from a file, from standard input or from a hidden prompt. Arguments and
environment variables can be read by others.
"""

import sys
from typing import Any, Final

import click

# More than any field can have, so that a wrong file is not read to its end.
_MAX_FILE: Final = 1024 * 1024


def content_of(file: Any, *, option: str) -> Any:
    """The content of a file, text or bytes. `BadParameter`."""
    try:
        return file.read(_MAX_FILE)
    except UnicodeDecodeError:
        raise click.BadParameter("The file is not text in UTF-8.", param_hint=option) from None


def secret_of(file: Any, *, prompt: str, option: str) -> str:
    """The secret without the end of its line. `BadParameter`."""
    if file is sys.stdin and file.isatty():
        secret: str = click.prompt(prompt, hide_input=True, err=True)
        return secret
    text: str = content_of(file, option=option)
    return text.removesuffix("\n").removesuffix("\r")
