"""Recipes: the settings of an application for well-known programs, and those of the programs.

A file of data for each program; its name is that of the recipe. The command line, the console and
docs/software.md read the same files.

The rule: `source` is the page or the file of the program that says the addresses and settings.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from server.validation.uris import is_private_http

_WEB: Final = "APPLICATION_KIND_WEB"
# The rest of an address as people copy it from their browser, after its origin.
_PATH: Final = re.compile(r"(?<!:)(?<!:/)[/?#].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SettingsText:
    """SettingsText of a program: where they belong, and their text."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a program is connected.

    `application` is the JSON of an `Application`. Its URIs and the settings have placeholders:
    https://{host}, {host}, {issuer}, {client_id} and {client_secret}.
    """

    name: str
    program: str
    source: str
    application: Mapping[str, Any]
    settings: Sequence[SettingsText]
    note: str = ""


def application_at(recipe: Recipe, host: str) -> dict[str, Any]:
    """The JSON of the application at this host, or at the origin of a URL.

    With http:// to another machine, there are no logout tokens, which need https://.
    """
    at_host = {"https://{host}": _origin(host), "{host}": _without_scheme(host)}
    given = {"name": recipe.program, **recipe.application}
    if is_private_http(_origin(host)) and given["kind"] == _WEB:
        given.pop("backchannelLogoutUri", None)
        given["allowsHttp"] = True
    return {name: _filled(value, at_host) for name, value in given.items()}


def settings_at(
    recipe: Recipe, host: str, *, issuer: str, client_id: str, client_secret: str
) -> list[SettingsText]:
    """The settings of the program at this host."""
    values = {
        "https://{host}": _origin(host),
        "{host}": _without_scheme(host),
        "{issuer}": issuer,
        "{client_id}": client_id,
        "{client_secret}": client_secret,
    }
    return [SettingsText(each.where, _filled(each.text, values)) for each in recipe.settings]


def note_at(recipe: Recipe, *, issuer: str) -> str:
    """The note on the program, which may be empty."""
    return str(_filled(recipe.note, {"{issuer}": issuer}))


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    if isinstance(value, str):
        for placeholder, filling in values.items():
            value = value.replace(placeholder, filling)
    return value


def without_path(host: str) -> str:
    """The host or origin of a URL, as a recipe takes it."""
    return _PATH.sub("", host)


def _origin(host: str) -> str:
    origin = without_path(host)
    return origin if "://" in origin else f"https://{origin}"


def _without_scheme(host: str) -> str:
    return without_path(host).rpartition("://")[2]


NAMES: Final[Sequence[str]] = sorted(
    each.name.removesuffix(".toml")
    for each in files(__name__).iterdir()
    if each.name.endswith(".toml")
)


def recipe(name: str) -> Recipe:
    """The recipe of this name, which is one of NAMES."""
    data = tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    settings = [SettingsText(**each) for each in data.pop("settings")]
    return Recipe(name=name, settings=settings, **data)
