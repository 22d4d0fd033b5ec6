"""The command line: `keystead serve`, and administration beside it.

`installation.py` finds the settings and the database, `names.py` finds organizations and users by
name, `lists.py` prints lists. Every group of commands has a file of its own.

The rule: commands call the same functions of the features as the API, as the caller `operator`, and
make no decisions of their own.
"""

# ruff: noqa: PLC0415 -- commands are imported when they are called

import errno
import io
import os
import signal
import sys
from types import FrameType
from typing import Final

import click

from server.process.signals import stop_signals
from server.values.errors import Failure, OperatorError

# The first sentence of the docstring of each command.
_SUMMARIES: Final = {
    "audit": "Print the event log, oldest event first.",
    "doctor": "Check this installation for problems.",
    "mail": "List and retry mails to users.",
    "migrate": "Migrate the database to the schema of this release.",
    "org": "Create and list organizations.",
    "passkey": "Manage passkeys of users and create registration links.",
    "rebuild": "Rebuild the read tables by replaying the event log.",
    "rotate-keys": "Encrypt all stored secrets with the first key.",
    "schema": "Write the .proto files of the API and their imports to a directory.",
    "serve": "Run the server until SIGTERM, Ctrl-C or the end of the terminal.",
    "settings": "List all settings with their defaults.",
    "token": "Manage tokens of users.",
    "user": "Manage users and their roles.",
}


# Errors of writing to a file, a pipe or a terminal.
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class _Commands(click.Group):
    """Imports only the called command; `keystead --help` imports none.

    The listed commands are stand-ins with a name and a line of help.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, stand_in and imported(stand_in), rest


def imported(stand_in: click.Command) -> click.Command:
    """Imports the command that a stand-in represents."""
    match stand_in.name:
        case "audit":
            from server.cli.audit import audit as command
        case "doctor":
            from server.cli.doctor import doctor as command
        case "mail":
            from server.cli.mail import group as command
        case "migrate":
            from server.cli.operate import migrate_command as command
        case "org":
            from server.cli.org import group as command
        case "passkey":
            from server.cli.passkey import group as command
        case "rebuild":
            from server.cli.operate import rebuild_command as command
        case "rotate-keys":
            from server.cli.operate import rotate_keys as command
        case "schema":
            from server.cli.schema import schema as command
        case "serve":
            from server.cli.serve import serve as command
        case "settings":
            from server.cli.settings import settings as command
        case "token":
            from server.cli.token import group as command
        case "user":
            from server.cli.user import group as command
        case "work":
            from server.cli.serve import work as command
        case name:
            raise LookupError(f"there is no command {name}")
    return command


@click.group(
    cls=_Commands,
    commands=[click.Command(name, help=summary) for name, summary in _SUMMARIES.items()]
    + [click.Command("work", hidden=True)],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="keystead")
def keystead() -> None:
    """Keystead: an identity management service over gRPC.

    Settings are environment variables; `keystead settings` lists them. Run commands with the
    settings of the server. They work whether or not the server runs.

    Exit status: 0 success, 1 error or problem found, 2 wrong usage.
    """


def main() -> None:
    """The entry point. Errors that an operator can act on are one sentence, not a traceback."""
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
        # Otherwise Python tries to write again at its exit, and reports it.
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
    violations = [f"  {wrong.field}: {wrong.description}" for wrong in failure.violations]
    return "\n".join(filter(None, [failure.message, *violations, failure.log_detail]))


def _unwind(number: int, _frame: FrameType | None) -> None:
    """Exits like Ctrl-C: the embedded PostgreSQL is stopped if no other process uses it."""
    sys.exit(128 + number)


def _die(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(1)
