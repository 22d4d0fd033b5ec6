"""Settings as people see them: values without secrets, and where each value comes from."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from server.settings.settings import Settings
from server.settings.sources import SettingOrigin, variable
from server.settings.types import holds_secret

_DEFAULT: Final = SettingOrigin("default", "default")
_SECRET: Final = "(set)"  # noqa: S105 -- stands for one


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting; `value` and `default` are values of JSON, and `(set)` in place of a secret."""

    name: str
    value: Any
    default: Any
    origin: SettingOrigin
    description: str
    is_secret: bool

    @property
    def is_set(self) -> bool:
        """Whether a source sets it."""
        return self.origin is not _DEFAULT


def shown(
    settings: Settings | None, origins: Mapping[str, SettingOrigin]
) -> Iterator[ShownSetting]:
    """All settings in the order of their declaration. None: with their defaults as values."""
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True, validated_data={})
        yield ShownSetting(
            name=variable(name),
            value=_plain(getattr(settings, name) if settings else default),
            default=_plain(default),
            origin=origins.get(name, _DEFAULT),
            description=_description(field),
            is_secret=_names_secret(field.annotation),
        )


def text_of(value: Any) -> str:
    """The value as the text of an environment variable; empty without one."""
    if value in (None, []):
        return ""
    if isinstance(value, list):
        return ",".join(value)
    return json.dumps(value) if isinstance(value, bool) else str(value).removesuffix(".0")


def _plain(value: object) -> Any:
    """The value for JSON, without secrets."""
    match value:
        case _ if holds_secret(value):
            return _SECRET
        case tuple():
            return list(value)
        case bool() | int() | float() | None:
            return value
        case _:
            return str(value)


def _names_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(map(_names_secret, get_args(annotation)))


def _description(field: FieldInfo) -> str:
    words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    choice = f" One of {', '.join(words)}." if words else ""
    return f"{field.description}{choice}"
