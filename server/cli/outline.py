"""The commands for lists of commands and completion in a shell, without their imports.

`make generate` writes `outline.json` from the commands themselves. With it, a completion takes a
tenth of the processor time.
"""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import click


@functools.cache
def _outlines() -> Mapping[str, Mapping[str, Any]]:
    outlines: dict[str, Any] = json.loads(files(__package__).joinpath("outline.json").read_text())
    return outlines


def help_of(name: str) -> str:
    """The first sentence of the help of the command with this name."""
    return str(_outlines()[name]["help"])


def below(group: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Paths and helps of the commands of a group, and of the groups in it."""
    outlines = functools.reduce(lambda found, name: found[name]["commands"], group, _outlines())
    for name, outline in outlines.items():
        if "commands" in outline:
            yield from below((*group, name))
        else:
            yield " ".join(("keystead", *group, name)), outline["help"]


def outlined(name: str) -> click.Command:
    """A command with the parameters and commands of the one with this name. It does nothing."""
    return _command(name, _outlines()[name])


def _command(name: str, outline: Mapping[str, Any]) -> click.Command:
    parameters = [_parameter(each) for each in outline["parameters"]]
    if "commands" not in outline:
        return click.Command(name, help=outline["help"], params=parameters)
    commands = {each: _command(each, inner) for each, inner in outline["commands"].items()}
    return click.Group(name, commands, help=outline["help"], params=parameters)


def _parameter(outline: Mapping[str, Any]) -> click.Parameter:
    names, nargs, help_ = outline["names"], outline["nargs"], outline["help"]
    if "is_flag" not in outline:
        return click.Argument(names, type=_type(outline), nargs=nargs, help=help_)
    if outline["is_flag"]:
        return click.Option(names, is_flag=True, help=help_)
    return click.Option(
        names, type=_type(outline), nargs=nargs, multiple=outline["multiple"], help=help_
    )


def _type(outline: Mapping[str, Any]) -> click.ParamType[Any] | None:
    match outline["values"]:
        case list() as choices:
            # Choices in lower case are values of enums, which are found regardless of case.
            is_lower = all(each == each.lower() for each in choices)
            return click.Choice(choices, case_sensitive=not is_lower)
        case "file" | "dir" as values:
            return click.Path(file_okay=values == "file")
        case _:
            return None
