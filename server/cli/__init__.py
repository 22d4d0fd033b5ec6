"""The command line: `keystead serve` and the commands of administration.

`COMMANDS` lists every command once; each group of commands has a file of its own. `outline.py`
describes them all to shells. Most commands are coroutine functions: `installation.py` gives them
settings and database, `names.py` the organization, user or provider that is named. `parameters.py`
has the options of several commands, `lists.py` prints lists, `progress.py` shows the progress.

The rule: commands call the same functions of the features as the API, as the actor `OPERATOR`, and
make no decisions of their own.
"""

import errno
import io
import os
import signal
import sys
from pkgutil import resolve_name
from types import FrameType
from typing import Final

import click

from server.cli.groups import CommandGroup
from server.cli.outline import help_of, outlined
from server.process.garbage import without_collection
from server.process.signals import stop_signals
from server.values.errors import Failure, OperatorError

# Errors of writing to a file, a pipe or a terminal.
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class StandIn(click.Command):
    """Lists a command of `keystead` by its name and the first sentence of its help.

    `place` is the command itself, as module:attribute; without it, the group is declared.
    """

    def __init__(self, name: str, place: str = "", *, hidden: bool = False) -> None:
        super().__init__(name, hidden=hidden)
        self.place = place

    def get_short_help_str(self, limit: int = 45) -> str:
        """The sentence in the outline, which is not cut."""
        return help_of(str(self.name))


COMMANDS: Final = (
    StandIn("app"),
    StandIn("apply", "server.cli.configuration.command:apply"),
    StandIn("archive", "server.cli.archive:archive"),
    StandIn("attribute"),
    StandIn("audit", "server.cli.audit:audit"),
    StandIn("brand"),
    StandIn("console", "server.cli.console:console"),
    StandIn("doctor", "server.cli.doctor:doctor"),
    StandIn("export", "server.cli.export:export"),
    StandIn("files", "server.cli.files:files"),
    StandIn("group"),
    StandIn("health", "server.cli.health:health"),
    StandIn("idp"),
    StandIn("import", "server.cli.moving.importing:import_command"),
    StandIn("invite", "server.cli.moving.inviting:invite"),
    StandIn("mail"),
    StandIn("mail-domain"),
    StandIn("migrate", "server.cli.moving.migrating:migrate"),
    StandIn("org"),
    StandIn("passkey"),
    StandIn("plan", "server.cli.configuration.command:plan"),
    StandIn("push"),
    StandIn("rebuild", "server.cli.operate:rebuild_command"),
    StandIn("restored", "server.cli.operate:restored"),
    StandIn("rotate-keys", "server.cli.operate:rotate_keys"),
    StandIn("rotate-signing-key", "server.cli.operate:rotate_signing_key"),
    StandIn("schema", "server.cli.files:schema"),
    StandIn("serve", "server.cli.serve:serve"),
    StandIn("session"),
    StandIn("settings", "server.cli.settings:settings"),
    StandIn("smtp"),
    StandIn("system"),
    StandIn("token"),
    StandIn("user"),
    StandIn("work", "server.cli.serve:work", hidden=True),
)


class _LazyGroup(CommandGroup):
    """Imports a command when it is called. `keystead --help` and completion import none."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, StandIn):
            completes = ctx.resilient_parsing and not command.hidden
            command = outlined(str(command.name)) if completes else imported(command)
        return name, command, rest


def imported(stand_in: StandIn) -> click.Command:
    """The command that the stand-in represents."""
    with without_collection():
        if not stand_in.place:
            declared: click.Command = resolve_name("server.cli.declared.command:group")(
                stand_in.name
            )
            return declared
        command: click.Command = resolve_name(stand_in.place)
    return command


@click.group(
    cls=_LazyGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="keystead")
@click.option(
    "--settings",
    "settings_file",
    metavar="FILE",
    help="Settings file, in place of the variable KEYSTEAD_SETTINGS_FILE.",
)
def keystead(settings_file: str | None) -> None:
    """Keystead: an identity management service over gRPC.

    Settings are environment variables or lines of a settings file; `keystead settings` lists them.
    Run commands with the settings of the server. They work whether or not the server runs.

    Exit status: 0 success, 1 error or problem found, 2 wrong usage.
    """
    if settings_file is not None:
        # For this process and the worker processes that it starts.
        os.environ["KEYSTEAD_SETTINGS_FILE"] = settings_file


def main() -> None:
    """The entry point. Prints errors that an operator can correct without a traceback."""
    _open_standard_streams()
    for number in stop_signals():
        if number is not signal.SIGINT:  # click makes it an Abort
            signal.signal(number, _unwind)
    if isinstance(sys.stdout, io.TextIOWrapper):  # for names outside of its charset
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _must_be_text(sys.argv)
        keystead(prog_name="keystead", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        _die(error.message)
    except PermissionError as error:
        _die(f"{error.filename}: {error.strerror}. Run Keystead as the user who owns it.")
    except OSError as error:
        if error.errno not in _WRITE_ERRORS or error.filename:
            raise
        # Otherwise Python tries to write again at its exit, and reports the error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _die(f"The output cannot be written: {error.strerror}.")
    except Failure as failure:
        _die(_sentences(failure))
    except OperatorError as error:
        _die(str(error))


def _open_standard_streams() -> None:
    """Opens closed standard streams, so that no other file gets their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 -- as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115


def _must_be_text(words: list[str]) -> None:
    """Refuses arguments that are not UTF-8: no name and no ID contains them."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="surrogateescape").decode(errors="replace")
            raise click.UsageError(f"'{shown}' is not UTF-8.") from None


def _sentences(failure: Failure) -> str:
    message = resolve_name("server.cli.declared.wording:in_commands")(failure.message)
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Exits like Ctrl-C: the embedded PostgreSQL is stopped if no other process uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
