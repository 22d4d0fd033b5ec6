"""`keystead settings`."""

import json
from typing import Any

import click

from server.cli.parameters import json_option
from server.settings.problems import InvalidSettingsError
from server.settings.settings import Settings
from server.settings.shown import ShownSetting, shown, text_of


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
    for each in shown(loaded, origins):
        click.echo(json.dumps(_row(each), ensure_ascii=False) if as_json else _text(each))
    if problem:
        raise problem


def _row(setting: ShownSetting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "value": setting.value,
        "source": setting.origin.source,
        "origin": setting.origin.name,
        "default": setting.default,
        "description": setting.description,
    }


def _text(setting: ShownSetting) -> str:
    return (
        f"{setting.name} = {_words(setting.value)} ({setting.origin.name})"
        f"\n    {setting.description} Default: {_words(setting.default)}"
    )


def _words(value: Any) -> str:
    return text_of(value) or "(none)"
