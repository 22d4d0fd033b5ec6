"""Sentences about invalid settings: the name that the source uses, and the correction."""

import difflib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from server.settings.sources import SettingOrigin, variable
from server.values.errors import OperatorError


class InvalidSettingsError(OperatorError):
    """Settings are invalid; each problem names the variable, or the key of the settings file."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n  ".join(["The settings are not valid:", *problems]))
        self.problems = problems


def sentence(
    problem: ErrorDetails, origins: Mapping[str, SettingOrigin], fields: Mapping[str, FieldInfo]
) -> str:
    """The mistake in a setting, and its correction. `fields` are all settings by name."""
    name, kind = str(problem["loc"][0]), problem["type"]
    origin = origins.get(name)
    shown = origin.name if origin else variable(name)
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(name.lower(), fields, n=1)
        hint = f"did you mean {close[0]}?" if close else "`keystead settings` lists all"
        return f"{shown}: is not a setting; {hint}"
    return f"{shown}: {_what_to_write(fields[name], kind, problem)}"


def _what_to_write(field: FieldInfo, kind: str, problem: ErrorDetails) -> str:
    if kind == "value_error":  # raised by a type of `types.py`, with the correction
        return str(problem["ctx"]["error"])
    if kind == "literal_error":
        *others, last = get_args(field.annotation)
        return f"must be {', '.join(others)} or {last}"
    if field.annotation in (int, float):
        return f"must be a {'whole ' * (field.annotation is int)}number {_bounds(field)}"
    if field.annotation is bool:
        return "must be true or false"
    if field.annotation == date | None:
        return "must be a day like 2027-01-31"
    # Of another type than text, in the settings file.
    is_list = get_origin(field.annotation) is tuple
    return "must be a list of texts in quotes" if is_list else "must be a text in quotes"


def _bounds(field: FieldInfo) -> str:
    [most] = [limit.le for limit in field.metadata if isinstance(limit, Le)]
    least = [f"from {limit.ge} to" for limit in field.metadata if isinstance(limit, Ge)]
    above = [
        f"more than {limit.gt} and at most" for limit in field.metadata if isinstance(limit, Gt)
    ]
    return f"{(least + above)[0]} {most}"
