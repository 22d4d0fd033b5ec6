"""`keystead settings`."""

from typing import Literal, get_args, get_origin

import click

from server.settings.settings import PREFIX, Settings


@click.command("settings")
def settings() -> None:
    """List all settings with their defaults."""
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True, validated_data={})
        if isinstance(default, tuple):
            default = ",".join(default)
        if default in (None, ""):
            default = "(none)"
        words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        choice = f" One of {', '.join(words)}." if words else ""
        click.echo(f"{PREFIX}{name.upper()}\n    {field.description}{choice} Default: {default}")
