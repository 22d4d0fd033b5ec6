"""The command line: `keystead serve`, and what an operator does beside it.

`COMMANDS` lists every command once; each group of commands has a file of its own.
`installation.py` finds settings and database, `names.py` organizations and users by name,
`lists.py` prints lists.

The rule: a command decides nothing that the API does not; it calls the same commands of the
features, as the caller `operator`.
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

from server.process.signals import stop_signals
from server.values.errors import Failure, OperatorError

# Of a file, a pipe or a terminal that the output goes to.
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class StandIn(click.Command):
    """Lists a command of `keystead` by its name and the first sentence of its help.

    `place` is the command itself, as module:attribute. Without a summary it is not listed.
    """

    def __init__(self, name: str, place: str, summary: str | None = None) -> None:
        super().__init__(name, help=summary, hidden=summary is None)
        self.place = place


COMMANDS: Final = (
    StandIn("audit", "server.cli.audit:audit", "Print the log of events, oldest first."),
    StandIn(
        "doctor",
        "server.cli.doctor:doctor",
        "Say what is wrong with this installation and what to do.",
    ),
    StandIn("mail", "server.cli.mail:group", "Mails to users, and what became of them."),
    StandIn(
        "migrate",
        "server.cli.operate:migrate_command",
        "Bring the schema of the database up to date.",
    ),
    StandIn("org", "server.cli.org:group", "Organizations."),
    StandIn(
        "passkey",
        "server.cli.passkey:group",
        "Passkeys of users, and the links by which they register one.",
    ),
    StandIn(
        "rebuild",
        "server.cli.operate:rebuild_command",
        "Put the read tables right by replaying the log of events.",
    ),
    StandIn(
        "rotate-keys",
        "server.cli.operate:rotate_keys",
        "Encrypt every stored secret under the first key.",
    ),
    StandIn(
        "schema",
        "server.cli.schema:schema",
        "Write the .proto files of the API, and those they import, into a directory.",
    ),
    StandIn(
        "serve",
        "server.cli.serve:serve",
        "Serve until SIGTERM, Ctrl-C or the end of the terminal.",
    ),
    StandIn("settings", "server.cli.settings:settings", "List every setting with its default."),
    StandIn("token", "server.cli.token:group", "Tokens of users."),
    StandIn("user", "server.cli.user:group", "Users and their roles."),
    StandIn("work", "server.cli.serve:work"),
)


class _Commands(click.Group):
    """Imports a command when it is called. `keystead --help` imports none."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, imported(command) if isinstance(command, StandIn) else command, rest


def imported(stand_in: StandIn) -> click.Command:
    """The command for which it stands."""
    command: click.Command = resolve_name(stand_in.place)
    return command


@click.group(
    cls=_Commands,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="keystead")
def keystead() -> None:
    """Keystead: an identity management service over gRPC.

    Every setting is an environment variable; `keystead settings` lists them. The other commands
    take the same settings as the server, and run beside it or without it.

    Exit status: 0 done, 1 refused or something is wrong, 2 called wrongly.
    """


def main() -> None:
    """The entry point: what an operator can act on is one sentence, not a traceback."""
    _open_standard_streams()
    for number in stop_signals():
        if number is not signal.SIGINT:  # of which click makes an Abort
            signal.signal(number, _unwind)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name need not be in the terminal's charset
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
        # Or Python would try once more at its end, and say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _die(f"The output cannot be written: {error.strerror}.")
    except Failure as failure:
        _die(_sentences(failure))
    except OperatorError as error:
        _die(str(error))


def _open_standard_streams() -> None:
    """Whoever started this may have closed some; the next file to be opened must not be one."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 -- as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115


def _must_be_text(words: list[str]) -> None:
    """Bytes that are not UTF-8 are in no name and no id, and cannot be asked for."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="surrogateescape").decode(errors="replace")
            raise click.UsageError(f"'{shown}' is not UTF-8.") from None


def _sentences(failure: Failure) -> str:
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [failure.message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Ends as by Ctrl-C: the embedded PostgreSQL is stopped if nobody else uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
