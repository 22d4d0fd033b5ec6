"""`keystead export`."""

import click

from server.cli.configuration.command import configuration
from server.cli.groups import CommandGroup
from server.cli.moving.exporting import export_users


@click.group(cls=CommandGroup)
def export() -> None:
    """Write what a server has to standard output or a file."""


export.add_command(configuration)
export.add_command(export_users)
