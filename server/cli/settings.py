"""`keystead settings`."""

import json
from typing import Any, Literal, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from server.cli.parameters import json_option
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.sources import SettingOrigin, variable
from server.settings.types import holds_secret

_DEFAULT = SettingOrigin("default", "default")


@click.command("settings")
@json_option
def settings(*, as_json: bool) -> None:
    """List all settings with their values, and where each value comes from.

    Secrets are shown as (set). While a setting is not valid, the list has defaults only.
    """
    try:
        loaded, origins, problem = Settings.load(), Settings.origins(), None
    except InvalidSettingsError as error:
        loaded, origins, problem = None, {}, error
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True, validated_data={})
        row = {
            "name": variable(name),
            "value": _plain(getattr(loaded, name) if loaded else default),
            "source": origins.get(name, _DEFAULT).source,
            "origin": origins.get(name, _DEFAULT).name,
            "default": _plain(default),
            "description": _description(field),
        }
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else _text(row))
    if problem:
        raise problem


def _plain(value: object) -> Any:
    """The value for JSON, without secrets."""
    match value:
        case _ if holds_secret(value):
            return "(set)"
        case tuple():
            return list(value)
        case bool() | int() | float() | None:
            return value
        case _:
            return str(value)


def _text(row: dict[str, Any]) -> str:
    return (
        f"{row['name']} = {_words(row['value'])} ({row['origin']})"
        f"\n    {row['description']} Default: {_words(row['default'])}"
    )


def _words(value: Any) -> str:
    """The value as the text of an environment variable."""
    if value in (None, []):
        return "(none)"
    if isinstance(value, list):
        return ",".join(value)
    return json.dumps(value) if isinstance(value, bool) else str(value).removesuffix(".0")


def _description(field: FieldInfo) -> str:
    words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    choice = f" One of {', '.join(words)}." if words else ""
    return f"{field.description}{choice}"
