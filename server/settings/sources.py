"""The sources of settings: the environment, and with lower precedence the settings file.

In both, a setting can name a file that contains its value: `KEYSTEAD_X_FILE`, or `x_file` in TOML.

The rule: a value that cannot be read becomes an `UnusableValueError`, which the check of the
settings reports together with all other problems. Only an unusable settings file ends the reading.
"""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, TomlConfigSettingsSource

from server.crypto.private_file import UnusableFileError, read_trusted_file

PREFIX: Final = "KEYSTEAD_"
SETTINGS_FILE: Final = f"{PREFIX}SETTINGS_FILE"


class UnusableValueError(ValueError):
    """Stands for a value that cannot be read; the text says how to correct it."""


@dataclass(frozen=True, slots=True)
class SettingOrigin:
    """The source of a setting, its name for the operator, and the file that contains it, if any."""

    source: Literal["environment", "file", "default"]
    name: str
    path: Path | None = None


class Environment(EnvSettingsSource):
    """The variables `KEYSTEAD_X` and `KEYSTEAD_X_FILE`. An empty variable counts as unset."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The value, or the contents of the file that is named in its place."""
        value, key, is_complex = super().get_field_value(field, field_name)
        path = self._path(field_name)
        if path is not None:
            value = _contents(path, value, variable(field_name), "_FILE")
        return value, key, is_complex

    def origins(self) -> dict[str, SettingOrigin]:
        """The origin of each setting that the environment has."""
        return {
            name: _origin("environment", variable(name), self._path(name))
            for name in self.settings_cls.model_fields
            if variable(name).lower() in self.env_vars or self._path(name) is not None
        }

    def _path(self, name: str) -> str | None:
        return self.env_vars.get(f"{variable(name)}_FILE".lower())


class SettingsFile(TomlConfigSettingsSource):
    """The TOML file that `KEYSTEAD_SETTINGS_FILE` names: settings at its top level, in lower case.

    An empty text counts as unset, as in the environment. Raises UnusableFileError.
    """

    def __init__(self, settings_cls: type[BaseSettings]) -> None:
        self.path = Path(os.environ.get(SETTINGS_FILE, ""))
        super().__init__(settings_cls, self.path)

    def _read_files(self, _files: object, deep_merge: bool = False) -> dict[str, Any]:
        # The library's method would ignore a missing file.
        if not os.environ.get(SETTINGS_FILE):
            return {}
        try:
            settings = tomllib.loads(_text(self.path))
        except (UnusableFileError, tomllib.TOMLDecodeError) as error:
            raise UnusableFileError(f"{SETTINGS_FILE}: {self.path}: {error}") from None
        return {name: value for name, value in settings.items() if value != ""}

    def __call__(self) -> dict[str, Any]:
        """The values by setting. Unknown keys remain, and the settings refuse them."""
        values = dict(self.toml_data)
        for name, path in self._paths().items():
            values[name] = _contents(path, self.toml_data.get(name), name, "_file")
            del values[f"{name}_file"]
        return values

    def origins(self) -> dict[str, SettingOrigin]:
        """The origin of each key of the file, also of unknown ones."""
        found = {
            name: SettingOrigin("file", f"{name} in {self.path}", self.path)
            for name in self.toml_data
        }
        for name, path in self._paths().items():
            found[name] = _origin("file", found.pop(f"{name}_file").name, path)
        return found

    def _paths(self) -> dict[str, Any]:
        """The files that contain values, by setting."""
        keys = {name: f"{name}_file" for name in self.settings_cls.model_fields}
        return {name: self.toml_data[key] for name, key in keys.items() if key in self.toml_data}


def variable(name: str) -> str:
    """The variable of a setting."""
    return PREFIX + name.upper()


def _origin(source: Literal["environment", "file"], name: str, path: object) -> SettingOrigin:
    if not isinstance(path, str):
        return SettingOrigin(source, name)
    return SettingOrigin(source, f"{name}, read from {path}", Path(path))


def _contents(path: object, value: object, name: str, suffix: str) -> str | UnusableValueError:
    """The text of the file, without line ends at its end."""
    if value is not None:
        return UnusableValueError(f"{name} and {name}{suffix} are both set; set only one of them")
    if not isinstance(path, str):
        return UnusableValueError("must be a path in quotes")
    try:
        text = _text(Path(path)).rstrip("\r\n")
    except UnusableFileError as error:
        return UnusableValueError(f"the file {error}")
    return text or UnusableValueError("the file is empty")


def _text(path: Path) -> str:
    try:
        return read_trusted_file(path).decode()
    except UnicodeDecodeError:  # its text contains bytes of the file
        raise UnusableFileError("is not UTF-8") from None
