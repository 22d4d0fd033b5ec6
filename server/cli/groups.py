"""The lists of commands in help texts, and suggestions for a command that does not exist."""

import click

from server.cli.outline import below

_LONGEST_SENTENCE = 1000
_MOST_SUGGESTED = 3


class CommandGroup(click.Group):
    """Lists each command with the whole first sentence of its help; click cuts it to fit a line."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as unknown:
            if unknown.possibilities:  # names with similar letters
                raise
            name = unknown.command_name
            message = f"{unknown.message}{self._suggestion(ctx, name)}"
            raise click.NoSuchCommand(name, message, ctx=ctx) from None

    def _suggestion(self, ctx: click.Context, word: str) -> str:
        """The commands whose help has the word, or all commands of this group."""
        group = [str(each.info_name) for each in _with_parents(ctx)][1:]
        about = [path for path, help_ in below(group) if word.lower() in help_.lower()]
        if about:
            return f" Did you mean {' or '.join(f'`{path}`' for path in about[:_MOST_SUGGESTED])}?"
        return f" Its commands are: {', '.join(self.list_commands(ctx))}."

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(_LONGEST_SENTENCE))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _with_parents(ctx: click.Context) -> list[click.Context]:
    """The context of the root, and those of the groups to this one."""
    return [*(_with_parents(ctx.parent) if ctx.parent else ()), ctx]
