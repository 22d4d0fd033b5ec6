"""The lists of commands in help texts."""

import click

_LONGEST_SENTENCE = 1000


class CommandGroup(click.Group):
    """Lists each command with the whole first sentence of its help; click cuts it to fit a line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(_LONGEST_SENTENCE))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
