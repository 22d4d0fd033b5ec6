"""`keystead settings`."""

import click

from server.settings import PREFIX, Settings


@click.command("settings")
def settings() -> None:
    """List every setting with its default."""
    for name, field in Settings.model_fields.items():
        default = ",".join(field.default) if isinstance(field.default, tuple) else field.default
        if default in (None, ""):
            default = "(none)"
        click.echo(f"{PREFIX}{name.upper()}\n    {field.description} Default: {default}")
