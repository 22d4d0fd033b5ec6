"""Reads a secret for a command.

The rule: a secret comes from a file, from standard input or from a hidden prompt. Arguments and
environment variables can be read by others.
"""

import sys
from typing import Any, Final

import click

# Longer than any secret, so that a wrong file is not read to its end.
_MAX_SECRET: Final = 10_000


def secret_of(file: Any, *, prompt: str, option: str) -> str | None:
    """The secret without the end of its line; None if there is no file. `BadParameter`."""
    if file is None:
        return None
    if file is sys.stdin and file.isatty():
        secret: str = click.prompt(prompt, hide_input=True, err=True)
        return secret
    try:
        text: str = file.read(_MAX_SECRET)
    except UnicodeDecodeError:
        raise click.BadParameter("The file is not text in UTF-8.", param_hint=option) from None
    return text.removesuffix("\n").removesuffix("\r")
