"""The outline of the commands, for completion in a shell. `make generate` writes it."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from server.cli import COMMANDS, imported

OUTLINE = Path(str(files("server.cli").joinpath("outline.json")))


def outline() -> str:
    """The content of the file: a line for each command of `keystead`."""
    lines = (
        f"{json.dumps(stand_in.name)}: {json.dumps(_command(imported(stand_in)))}"
        for stand_in in COMMANDS
        if not stand_in.hidden
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _command(command: click.Command) -> dict[str, Any]:
    found: dict[str, Any] = {
        "help": command.get_short_help_str(limit=200),
        "parameters": [_parameter(each) for each in command.params],
    }
    if isinstance(command, click.Group):
        found["commands"] = {name: _command(each) for name, each in command.commands.items()}
    return found


def _parameter(parameter: click.Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {
        "names": [str(parameter.name)],
        "nargs": parameter.nargs,
        "values": _values(parameter.type),
        "help": first_sentence(getattr(parameter, "help", "")),
    }
    if isinstance(parameter, click.Option):
        found |= {
            "names": [str(parameter.name), *_declarations(parameter)],
            "is_flag": parameter.is_flag,
            "multiple": parameter.multiple,
        }
    return found


def first_sentence(text: str) -> str:
    """The beginning of a help text, which a shell shows beside an option."""
    return text.partition(". ")[0].removesuffix(".")


def _declarations(option: click.Option) -> list[str]:
    if not option.secondary_opts:
        return option.opts
    return [f"{yes}/{no}" for yes, no in zip(option.opts, option.secondary_opts, strict=True)]


def _values(type_: click.ParamType[Any]) -> list[str] | str | None:
    match type_:
        case click.Choice():
            return [str(choice) for choice in type_.choices]
        case click.Path(file_okay=False):
            return "dir"
        case click.Path() | click.File():
            return "file"
        case _:
            return None


if __name__ == "__main__":
    OUTLINE.write_text(outline())
